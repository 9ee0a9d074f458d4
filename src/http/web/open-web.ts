/**
 * Puts the page's door together: its files, its guards, its live news.
 */
import type { SnapshotsView } from '../../domain/page-view.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Dismiss } from '../message.ts';
import { createRateLimit, type RateLimitOptions } from '../rate-limit.ts';
import { readAssets } from './assets.ts';
import type { OutboxDesk, SendTest, WebRoom } from './call.ts';
import { liveDoor, type Touches } from './live.ts';
import { createPasswords } from './passwords.ts';
import type { Tokens } from './tokens.ts';
import { createWeb } from './web.ts';

export interface WebOptions {
  readonly engine: Engine;
  readonly tokens: Tokens;
  readonly touches: Touches;
  readonly sendTest: SendTest;
  readonly outbox: OutboxDesk;
  readonly snapshots: () => Promise<SnapshotsView>;
  /** Where the built page lies. */
  readonly assets: URL;
  readonly baseUrl: string;
  /** Null where no mail is taken. */
  readonly emailDomain: string | null;
  readonly proxyHeader: string | null;
  /** Tries to sign in. */
  readonly tries: { readonly perAddress: RateLimitOptions; readonly perAccount: RateLimitOptions };
}

export function openWeb({ touches, assets, tries, ...options }: WebOptions) {
  let dismiss: Dismiss = () => {};
  const room: WebRoom = {
    ...options,
    dismiss: (topic) => dismiss(topic),
    passwords: createPasswords(),
    byAddress: createRateLimit(tries.perAddress),
    byAccount: createRateLimit(tries.perAccount),
  };
  return {
    ...createWeb(room, readAssets(assets)),
    live: liveDoor(room, touches),
    /** The server that dismisses listeners comes after the doors that it opens. */
    dismissBy(by: Dismiss) {
      dismiss = by;
    },
  };
}
