/** What distinguishes integrations of the same name. Pure. */
import { targetOf } from '../../integrations/channel-target.ts';
import { type Apart, channelTitle, type NamedChannel } from './channel-title.ts';
import type { Channel } from './project.ts';

/** Characters of an id that distinguish it from others, as of checks. */
const idChars = 8;

/**
 * Returns what distinguishes each of a project's integrations from those of its name: where it sends to, or where that is the same, or `mayEdit` does not
 * let the reader see it, the beginning of its id.
 */
export function channelsApart(
  channels: readonly Pick<Channel, 'id' | 'kind' | 'name' | 'value'>[],
  mayEdit: boolean,
): (id: string) => Apart {
  const apart = new Map<string, string>();
  for (const those of alike(channels)) {
    if (those.length < 2) continue;
    const targets = those.map(({ kind, value }) => (mayEdit ? targetOf(kind, value) : ''));
    const counts = new Map<string, number>();
    for (const target of targets) counts.set(target, (counts.get(target) ?? 0) + 1);
    for (const [at, { id }] of those.entries()) {
      const target = targets[at] ?? '';
      apart.set(id, target !== '' && counts.get(target) === 1 ? target : id.slice(0, idChars));
    }
  }
  return (id) => {
    const words = apart.get(id);
    return words === undefined ? {} : { apart: words };
  };
}

function alike<One extends NamedChannel>(channels: readonly One[]): Iterable<readonly One[]> {
  const byTitle = new Map<string, One[]>();
  for (const one of channels) {
    const title = channelTitle({ name: one.name, kind: one.kind }).toLowerCase();
    const those = byTitle.get(title);
    if (those) those.push(one);
    else byTitle.set(title, [one]);
  }
  return byTitle.values();
}
