/**
 * Gives a check what the `monitor_config` of its check-in says, as Sentry does, where `KNELL_COMPAT_PINGS` has `sentry-upserts`.
 * Invariants: it follows the check-in, which is durable by then and is answered as it would be without; what a change says is durable before
 * the answer. What says nothing new writes nothing, and a check is changed once a minute at most: two jobs that disagree must not write at
 * each of their check-ins.
 */
import { actorOf } from '../../../domain/accounts/audit.ts';
import type { Check, CheckConfig } from '../../../domain/check/check.ts';
import type { Engine } from '../../../engine/contract/engine.ts';
import { KnellError, messageOf } from '../../../lib/errors.ts';
import type { Logger } from '../../../lib/logger.ts';
import { createRateLimit } from '../../../lib/rate-limit.ts';
import { configAfter } from '../../../spec/apply-spec.ts';
import { upsertedChecksMax, upsertsPerMinute } from '../../limits.ts';
import type { HttpRequest } from '../../wire/message.ts';
import type { AskedPing } from './compat-endpoint.ts';

/** Resolves when the check has what was given, or when it cannot have it. Never rejects: the check-in is recorded either way. */
export type Upsert = (ping: AskedPing, request: HttpRequest) => Promise<void>;

export function createUpsert(engine: Pick<Engine, 'read' | 'changeBy'>, logger: Logger): Upsert {
  const limit = createRateLimit({
    perMinute: upsertsPerMinute,
    burst: upsertsPerMinute,
    clientsMax: upsertedChecksMax,
  });

  return async ({ target, given }, { remoteAddr, receivedAtMs: nowMs }) => {
    try {
      const check = engine.read.checkOfTarget(target, nowMs);
      if (check === null || !given) return;
      const config = configAfter(check.config, given, 3, undefined);
      if (!differs(check, config) || limit.take(check.id, nowMs) > 0) return;
      const change = engine.changeBy({ actor: actorOf('ping', '', '', remoteAddr), atMs: nowMs });
      await change.updateCheck(check.id, config, nowMs);
    } catch (error) {
      // The next check-in says the same again. What is no refusal is a bug, and costs nobody else a ping.
      if (!(error instanceof KnellError))
        logger.error({ error: messageOf(error) }, 'a check was not changed by its check-in');
    }
  };
}

/** Whether anything that was given would change. */
function differs({ config: before }: Check, after: CheckConfig): boolean {
  return fields.some((field) => before[field] !== after[field]);
}

const fields = [
  ...(['kind', 'schedule', 'timeoutS', 'graceS', 'tz', 'maxRuntimeS'] as const),
  ...(['alertAfter', 'recoverAfter'] as const),
] as const;
