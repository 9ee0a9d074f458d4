/**
 * Gives a check what the `monitor_config` of its check-in says, as Sentry does, where `KNELL_COMPAT_PINGS` has `sentry-upserts`.
 * Invariants: it follows the check-in, which is durable by then and is answered as it would be without; what a change says is durable before
 * the answer. What says nothing new writes nothing, and a check is changed once a minute at most: two jobs that disagree must not write at
 * each of their check-ins.
 */
import { actorOf } from '../../../domain/accounts/audit.ts';
import type { Check, CheckConfig } from '../../../domain/check/check.ts';
import type { Engine } from '../../../engine/contract/engine.ts';
import { KnellError } from '../../../lib/errors.ts';
import { createRateLimit } from '../../../lib/rate-limit.ts';
import { configAfter } from '../../../spec/apply-spec.ts';
import { upsertedChecksMax, upsertsPerMinute } from '../../limits.ts';
import type { HttpRequest } from '../../wire/message.ts';
import type { AskedPing } from './compat-endpoint.ts';

/** Resolves when the check has what was given, or when it cannot have it. */
export type Upsert = (ping: AskedPing, request: HttpRequest) => Promise<void>;

export function createUpsert({ read, changeBy }: Pick<Engine, 'read' | 'changeBy'>): Upsert {
  const limit = createRateLimit({
    perMinute: upsertsPerMinute,
    burst: upsertsPerMinute,
    clientsMax: upsertedChecksMax,
  });

  return async ({ target, given }, { remoteAddr, receivedAtMs: nowMs }) => {
    if (target.by !== 'slug' || !given) return;
    const check = checkOf(read, target, nowMs);
    if (check === null) return;
    const config = configAfter(check.config, given, 3, undefined);
    if (!differs(check, config) || limit.take(check.id, nowMs) > 0) return;
    const change = changeBy({ actor: actorOf('ping', '', '', remoteAddr), atMs: nowMs });
    try {
      await change.updateCheck(check.id, config, nowMs);
    } catch (error) {
      // The next check-in says the same again.
      if (!(error instanceof KnellError)) throw error;
    }
  };
}

function checkOf(
  read: Engine['read'],
  { pingKey, slug }: { readonly pingKey: string; readonly slug: string },
  nowMs: number,
): Check | null {
  const holder = read.holderOf(pingKey);
  if (holder?.scope !== 'ping') return null;
  const wanted = { matches: (config: CheckConfig) => config.slug === slug, mentions: [slug] };
  return read.oldestCheck(holder.project.id, wanted, nowMs);
}

/** Whether anything that was given would change. */
function differs({ config: before }: Check, after: CheckConfig): boolean {
  return fields.some((field) => before[field] !== after[field]);
}

const fields = [
  ...(['kind', 'schedule', 'timeoutS', 'graceS', 'tz', 'maxRuntimeS'] as const),
  ...(['alertAfter', 'recoverAfter'] as const),
] as const;
