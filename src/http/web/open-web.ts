/**
 * Puts the page's door together: its files, its guards, its live news.
 */
import type { SnapshotsView } from '../../domain/page-view.ts';
import type { Dismiss, Publish } from '../message.ts';
import type { CommandContext } from '../owner-commands/command.ts';
import { createRateLimit, type RateLimitOptions } from '../rate-limit.ts';
import { readAssets } from './assets.ts';
import type { WebContext } from './call.ts';
import { liveDoor, publishChanges } from './live.ts';
import { createPasswords } from './passwords.ts';
import { createWeb } from './web.ts';

interface WebOptions {
  readonly commands: CommandContext;
  readonly nowMs: () => number;
  readonly publish: Publish;
  readonly dismiss: Dismiss;
  readonly snapshots: () => Promise<SnapshotsView>;
  /** Where the built page lies. */
  readonly assets: URL;
  /** Null where no mail is taken. */
  readonly emailDomain: string | null;
  readonly proxyHeader: string | null;
  /** Tries to sign in. */
  readonly tries: { readonly perAddress: RateLimitOptions; readonly perAccount: RateLimitOptions };
  /** Requests of links in mails, per address. */
  readonly mailLinks: RateLimitOptions;
}

export function openWeb({ commands, nowMs, publish, assets, tries, mailLinks, ...options }: WebOptions) {
  const { engine, tokens, baseUrl } = commands;
  const context: WebContext = {
    ...options,
    commands,
    engine,
    tokens,
    baseUrl,
    passwords: createPasswords(),
    byAddress: createRateLimit(tries.perAddress),
    byAccount: createRateLimit(tries.perAccount),
    mailLinkRequests: createRateLimit(mailLinks),
  };
  const { dismiss } = options;
  const changes = publishChanges({ engine, nowMs, publish, dismiss });
  return {
    ...createWeb(context, readAssets(assets)),
    live: liveDoor(context, changes),
    stop: () => changes.stop(),
  };
}
