/**
 * Which kinds of integrations need a setting of this server, and which of those are missing: such an integration can be
 * created, but nothing can be sent to it.
 * Invariant: pure; what a kind needs is held against its sender by a test.
 */

import { type Channel, type ChannelKind, settingsOf } from '../../domain/accounts/project.ts';
import { kinds } from '../../integrations/all.ts';
import { settingsNeeded } from '../../integrations/contract/settings.ts';
import { unconfiguredNamedMax } from '../contract/limits.ts';
import type { NotifySettings } from '../contract/settings.ts';
import { oneLine } from '../words/render.ts';

/** The variables that `kind` needs and that are not set; none when it can be used. */
export function missingVariables(kind: ChannelKind, settings: NotifySettings): readonly string[] {
  const isMissing = (name: keyof typeof settingsNeeded): boolean =>
    settings[name] === '' || settings[name] === false;
  return (kinds[kind].needs ?? []).filter(isMissing).map((name) => settingsNeeded[name]);
}

/** One line for the log: which integrations cannot send, and what is missing. Null when all can. */
export function unconfiguredLine(channels: Iterable<Channel>, settings: NotifySettings): string | null {
  const found: string[] = [];
  for (const channel of channels) {
    if (settingsOf(channel).disabled) continue;
    const missing = missingVariables(channel.kind, settings);
    if (missing.length === 0) continue;
    const { title } = kinds[channel.kind].form;
    found.push(`${oneLine(channel.name) || 'unnamed'} (${title}) needs ${missing.join(', ')}`);
  }
  if (found.length === 0) return null;
  const more = found.length > unconfiguredNamedMax ? ['…'] : [];
  const what = found.length === 1 ? '1 integration cannot send' : `${found.length} integrations cannot send`;
  return `${what}: ${[...found.slice(0, unconfiguredNamedMax), ...more].join('; ')}`;
}
