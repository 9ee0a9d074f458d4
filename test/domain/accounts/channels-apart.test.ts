/** What distinguishes integrations of the same name. */
import { expect, test } from 'vitest';
import { channelTitle } from '../../../src/domain/accounts/channel-title.ts';
import { channelsApart } from '../../../src/domain/accounts/channels-apart.ts';
import type { ChannelKind } from '../../../src/domain/accounts/project.ts';
import { asChannelId } from '../../../src/lib/ids.ts';

const channel = (id: string, kind: ChannelKind, name: string, value: string) => ({
  id: asChannelId(`${id}0000000-0000-4000-8000-000000000000`),
  ...{ kind, name, value },
});
const ntfy = (id: string, topic: string, url = 'https://ntfy.sh') =>
  channel(id, 'ntfy', '', JSON.stringify({ topic, url }));
const titlesOf = (channels: readonly ReturnType<typeof channel>[], mayEdit = true) => {
  const apart = channelsApart(channels, mayEdit);
  return channels.map((one) => channelTitle({ ...one, ...apart(one.id) }));
};

test('those whose names no other one has keep them', () => {
  const all = [ntfy('a', 'alerts'), channel('b', 'slack', '', 'https://hooks.slack.com/services/secret')];
  expect(titlesOf(all)).toEqual(['ntfy', 'Slack']);
});

test('others have where they send to, and of a topic only its beginning', () => {
  const all = [
    ntfy('a', 'alerts-a1b2c3'),
    ntfy('b', 'backups-z9y8x7'),
    ntfy('c', 'alerts-a1b2c3', 'https://ntfy.example.org/'),
    ntfy('d', 'abc'),
    channel('e', 'email', 'Ops', 'ops@example.org'),
    channel('f', 'slack', 'ops', 'https://hooks.slack.com/services/secret'),
  ];
  expect(titlesOf(all)).toEqual([
    'ntfy (ntfy.sh/aler…)',
    'ntfy (ntfy.sh/back…)',
    'ntfy (ntfy.example.org/aler…)',
    'ntfy (ntfy.sh/a…)',
    'Ops (ops@example.org)',
    'ops (hooks.slack.com)',
  ]);
});

test('where that is the same too, or not for the reader, they have the beginning of their ids', () => {
  const all = [ntfy('a', 'alerts-1'), ntfy('b', 'alerts-2'), ntfy('c', 'backups-1')];
  expect(titlesOf(all)).toEqual(['ntfy (a0000000)', 'ntfy (b0000000)', 'ntfy (ntfy.sh/back…)']);
  expect(titlesOf(all, false)).toEqual(['ntfy (a0000000)', 'ntfy (b0000000)', 'ntfy (c0000000)']);
});
