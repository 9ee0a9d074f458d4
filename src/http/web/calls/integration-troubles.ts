/** Which integrations of a project fail, and which cannot send for what this server lacks. Those that are turned off are neither. */
import {
  type Channel,
  type ChannelKind,
  channelKinds,
  settingsOf,
} from '../../../domain/accounts/project.ts';
import type { WebContext } from './call.ts';

export type MissingSettings = Readonly<Partial<Record<ChannelKind, readonly string[]>>>;

/** Returns the settings that this server lacks, by the kind that needs them. */
export function missingSettings({ commands }: Pick<WebContext, 'commands'>): MissingSettings {
  return Object.fromEntries(
    channelKinds
      .map((kind) => [kind, commands.outbox.missingFor(kind)] as const)
      .filter(([, names]) => names.length > 0),
  );
}

export interface FailingOne {
  readonly channel: Channel;
  readonly sinceMs: number;
}

interface IntegrationTroubles {
  readonly unable: readonly Channel[];
  /** The one that has failed the longest first. */
  readonly failing: readonly FailingOne[];
}

export function integrationTroubles(
  channels: readonly Channel[],
  missing: MissingSettings,
): IntegrationTroubles {
  const unable: Channel[] = [];
  const failing: FailingOne[] = [];
  for (const channel of channels) {
    const { disabled, failingSinceMs: sinceMs } = settingsOf(channel);
    if (disabled) continue;
    if (channel.kind in missing) unable.push(channel);
    else if (sinceMs > 0) failing.push({ channel, sinceMs });
  }
  return { unable, failing: failing.sort((a, b) => a.sinceMs - b.sinceMs) };
}
