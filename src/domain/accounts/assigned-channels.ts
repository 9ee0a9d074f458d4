/**
 * Resolves the `channels` parameter to integrations (specification, "Create parameters").
 * Invariant: pure; the ids that it returns exist in the project, are sorted and occur once each.
 */

import type { ChannelId } from '../../lib/ids.ts';
import type { Channel } from './project.ts';

type AssignedChannels =
  | { readonly ok: true; readonly ids: readonly ChannelId[] }
  | { readonly ok: false; readonly error: string };

/** `*` means all, an empty text means none; anything else is a list of ids and exact names between commas. */
export function assignedChannels(text: string, available: readonly Channel[]): AssignedChannels {
  if (text === '*') return { ok: true, ids: sorted(available.map((channel) => channel.id)) };
  if (text === '') return { ok: true, ids: [] };
  const named = byIdentifier(available);
  const ids: ChannelId[] = [];
  for (const identifier of text.split(',')) {
    if (identifier === '') return { ok: false, error: 'empty channel identifier' };
    const [match, ...others] = named.get(identifier) ?? [];
    if (match === undefined) return { ok: false, error: `invalid channel identifier: ${identifier}` };
    if (others.length > 0) return { ok: false, error: `non-unique channel identifier: ${identifier}` };
    ids.push(match);
  }
  return { ok: true, ids: sorted(ids) };
}

/** A map, because a request can contain a great many identifiers. */
function byIdentifier(available: readonly Channel[]): ReadonlyMap<string, readonly ChannelId[]> {
  const named = new Map<string, ChannelId[]>();
  for (const { id, name } of available) {
    for (const identifier of new Set<string>([id, name])) {
      const ids = named.get(identifier);
      if (ids === undefined) named.set(identifier, [id]);
      else ids.push(id);
    }
  }
  return named;
}

function sorted(ids: readonly ChannelId[]): readonly ChannelId[] {
  return [...new Set(ids)].sort();
}
