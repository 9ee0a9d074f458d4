/**
 * What one can do about notifications that failed: send them again, or set what this server lacks for their kind.
 * Invariant: nothing is offered to be sent again that would fail for a setting that is still missing.
 */
import { channelKinds } from '../../domain/accounts/project.ts';
import type { PageState } from '../../domain/views/page-view.ts';
import { settingAddress } from '../core/route.ts';
import { Act } from './bits.tsx';

/** What this server lacks, and whether the reader may set it. */
export interface ServerLacks {
  readonly missing: PageState['missing'];
  readonly isOwner: boolean;
}

export function lacksOf({ missing, user }: PageState): ServerLacks {
  return { missing, isOwner: user?.role === 'owner' };
}

interface RetryProps<One> {
  /** Those that can be sent again. */
  readonly of: readonly One[];
  readonly lacks: ServerLacks;
  /** Absent for those who may not. */
  readonly retry: ((all: readonly One[]) => Promise<void>) | undefined;
  readonly failed: (error: string) => void;
}

export function RetryNow<One extends { readonly channelKind: string }>(props: RetryProps<One>) {
  const { of, lacks, retry, failed } = props;
  const lacked = of.map(({ channelKind }) => lackedSetting(channelKind, lacks));
  const able = of.filter((_, at) => lacked[at] === undefined);
  if (able.length > 0)
    return retry ? (
      <Act class="quiet" run={() => retry(able)} failed={failed}>
        Retry now
      </Act>
    ) : null;
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
