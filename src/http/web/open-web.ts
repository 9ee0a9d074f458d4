/**
 * Connects the page's endpoints: its files, its authentication, its live updates.
 */

import type { CommandContext } from '../../commands/contract/command.ts';
import type { ClusterView, SnapshotsView } from '../../domain/views/page-view.ts';
import { createRateLimit, type RateLimitOptions } from '../../lib/rate-limit.ts';
import type { Dismiss, Publish } from '../wire/message.ts';
import { type SignInBounds, SignInLimits } from '../wire/sign-in-limits.ts';
import { readAssets } from './assets.ts';
import { createAuditedSignIns } from './calls/audited-sign-ins.ts';
import type { ServerSettingsEndpoint, WebContext } from './calls/call.ts';
import type { Oidc } from './calls/oidc-provider.ts';
import { PasskeyChallenges } from './calls/passkey-challenges.ts';
import { ProjectLists } from './list/project-lists.ts';
import { type LiveLimits, liveEndpoint, publishChanges } from './live/live.ts';
import { createWeb } from './web.ts';

interface WebOptions {
  readonly commands: CommandContext;
  readonly nowMs: () => number;
  readonly publish: Publish;
  readonly dismiss: Dismiss;
  /** Closes connections of this node only. */
  readonly dismissHere: Dismiss;
  readonly isListenedTo: (topic: string) => boolean;
  readonly snapshots: () => Promise<SnapshotsView>;
  readonly cluster: () => ClusterView | null;
  readonly serverSettings: ServerSettingsEndpoint;
  readonly search: WebContext['search'];
  readonly pushKey: WebContext['pushKey'];
  /** Directory of the built page. */
  readonly assets: URL;
  /** Domain for pings by mail; null if no mail is taken. */
  readonly emailDomain: string | null;
  readonly badgeLabel: WebContext['badgeLabel'];
  /** Path of the base URL; empty if it has none. */
  readonly basePath: string;
  readonly proxyHeader: string | null;
  readonly oidc: Oidc | null;
  /** Limits of tries to sign in. */
  readonly liveLimits: LiveLimits;
  readonly tries: SignInBounds;
  /** Limit of requests of links in mails, per address. */
  readonly mailLinks: RateLimitOptions;
}

export function openWeb({
  commands,
  nowMs,
  publish,
  assets,
  tries,
  liveLimits,
  mailLinks,
  isListenedTo,
  dismissHere,
  ...options
}: WebOptions) {
  const { engine, tokens, baseUrl } = commands;
  const context: WebContext = {
    ...options,
    commands,
    engine,
    tokens,
    baseUrl,
    passwords: commands.passwords,
    lists: new ProjectLists(engine.read),
    tries: new SignInLimits(tries),
    signIns: createAuditedSignIns(engine, tries.noted),
    codeTries: createRateLimit(tries.codes),
    passkeyChallenges: new PasskeyChallenges(),
    mailLinkRequests: createRateLimit(mailLinks),
  };
  options.oidc?.provider.look();
  const { dismiss } = options;
  const { lists } = context;
  const changes = publishChanges({ engine, lists, nowMs, publish, dismiss, dismissHere, isListenedTo });
  return {
    ...createWeb(context, readAssets(assets, options.basePath)),
    live: liveEndpoint(context, changes, liveLimits),
    stop(): void {
      options.oidc?.provider.stop();
      changes.stop();
    },
  };
}
