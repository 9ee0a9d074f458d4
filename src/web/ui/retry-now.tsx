/**
 * What one can do about notifications that failed: send them again, allow the private address that stopped them, or set what this
 * server lacks for their kind.
 * Invariant: nothing is offered to be sent again that would fail for a setting that is still missing.
 */
import { useEffect, useRef } from 'preact/hooks';
import { channelKinds } from '../../domain/accounts/project.ts';
import { blockedAddressIn } from '../../domain/deliveries/blocked-words.ts';
import type { PageState } from '../../domain/views/page-view.ts';
import { send } from '../core/calls.ts';
import { settingAddress } from '../core/route.ts';
import { Act } from './bits.tsx';
import { say } from './toasts.tsx';

/** What this server lacks, and whether the reader may set it, or allow a private address. */
export interface ServerLacks {
  readonly missing: PageState['missing'];
  readonly isOwner: boolean;
  readonly mayAllow: boolean;
}

export function lacksOf({ missing, mayAllow, user }: PageState): ServerLacks {
  return { missing, mayAllow, isOwner: user?.role === 'owner' };
}

/** Lets this server send to private addresses. Rejects for those who may not: see `PageState.mayAllow`. */
export function allowAddresses(addresses: readonly string[]): Promise<unknown> {
  return send('POST', '/web/server-settings/allow', { addresses });
}

/** Milliseconds after a retry at which a page looks at what became of it: most receivers answer in less than two seconds, and an attempt ends after 30. */
const looksMs = [0, 500, 2000, 8000, 31_000];

/** What became of a notification is not published. Returns what calls `look` at once and some times more, while the page is open. */
export function useLooksAfterRetry(look: () => void): () => void {
  const timers = useRef<readonly ReturnType<typeof setTimeout>[]>([]);
  const stop = (): void => {
    for (const timer of timers.current) clearTimeout(timer);
  };
  useEffect(() => stop, []);
  return () => {
    stop();
    timers.current = looksMs.map((ms) => setTimeout(look, ms));
  };
}

interface RetryProps<One> {
  /** Those that can be sent again. */
  readonly of: readonly One[];
  readonly lacks: ServerLacks;
  /** Absent for those who may not. */
  readonly retry: ((all: readonly One[]) => Promise<void>) | undefined;
  readonly failed: (error: string) => void;
}

/** `error`: of the last attempt. */
export function RetryNow<One extends { readonly channelKind: string; readonly error: string }>(
  props: RetryProps<One>,
) {
  const { of, lacks, retry, failed } = props;
  const lacked = of.map(({ channelKind }) => lackedSetting(channelKind, lacks));
  const able = of.filter((_, at) => lacked[at] === undefined);
  if (able.length > 0) {
    if (!retry) return null;
    const addresses = [...new Set(able.map(({ error }) => blockedAddressIn(error)))];
    const isBlocked = lacks.mayAllow && !addresses.includes('');
    const run = async (): Promise<void> => {
      if (isBlocked) await allowAddresses(addresses);
      await retry(able);
      if (isBlocked) say(`This server may send to ${addresses.join(', ')} now.`);
    };
    return (
      <Act class="quiet" run={run} failed={failed}>
        {isBlocked ? `Allow ${addresses.join(', ')} and retry` : 'Retry now'}
      </Act>
    );
  }
  const [setting] = lacked;
  return setting !== undefined && lacks.isOwner ? (
    <a class="button quiet" href={settingAddress(setting)}>
      Set {setting}
    </a>
  ) : null;
}

export function lackedSetting(
  channelKind: string,
  { missing }: Pick<ServerLacks, 'missing'>,
): string | undefined {
  const kind = channelKinds.find((one) => one === channelKind);
  return kind === undefined ? undefined : missing[kind]?.[0];
}
