/**
 * Puts the page's door together: its files, its guards, its live news.
 */
import type { SnapshotsView } from '../../domain/page-view.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Dismiss, Publish } from '../message.ts';
import { createRateLimit, type RateLimitOptions } from '../rate-limit.ts';
import { readAssets } from './assets.ts';
import type { WebOutbox, SendTest, WebContext } from './call.ts';
import { liveDoor, publishChanges } from './live.ts';
import { createPasswords } from './passwords.ts';
import type { Tokens } from './tokens.ts';
import { createWeb } from './web.ts';

export interface WebOptions {
  readonly engine: Engine;
  readonly tokens: Tokens;
  readonly nowMs: () => number;
  readonly publish: Publish;
  readonly dismiss: Dismiss;
  readonly sendTest: SendTest;
  readonly outbox: WebOutbox;
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

export function openWeb({ nowMs, publish, assets, tries, ...options }: WebOptions) {
  const context: WebContext = {
    ...options,
    passwords: createPasswords(),
    byAddress: createRateLimit(tries.perAddress),
    byAccount: createRateLimit(tries.perAccount),
  };
  const { engine, dismiss } = options;
  const changes = publishChanges({ engine, nowMs, publish, dismiss });
  return {
    ...createWeb(context, readAssets(assets)),
    live: liveDoor(context, changes),
    stop: () => changes.stop(),
  };
}
