/**
 * Finds the notifications of integrations from before Knell started. They are read from the logs of the checks at the first
 * request, and then kept with those that follow. The work is bounded: of the checks that notify an integration only those that
 * changed last are read, since its newest notifications are theirs.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CommandContext } from '../../../commands/contract/command.ts';
import type { Channel } from '../../../domain/accounts/project.ts';
import { membersOf } from '../../../domain/deliveries/delivery.ts';
import { type RecentNotification, remindersIn } from '../../../domain/deliveries/sent-notification.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { ChannelId, CheckId } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';
import {
  recentChecksMax,
  recentChecksPerTurn,
  recentEntriesPerCheckMax,
  recentLogsPerTurn,
} from '../../limits.ts';
import type { ListEntry } from '../list/entry.ts';

type Recent = CommandContext['outbox']['recent'];

interface LastChange {
  readonly id: CheckId;
  readonly atMs: number;
}

/** Adds to `recent` what it lacks of `channels`; `entries` are the checks of their project. */
export async function fillRecent(
  read: EngineRead,
  recent: Recent,
  channels: readonly Channel[],
  entries: Iterable<ListEntry>,
): Promise<void> {
  const lacking = new Set(channels.filter(({ id }) => !recent.isFilled(id)).map(({ id }) => id));
  if (lacking.size === 0) return;
  const latest = await latestChecks(read, lacking, recipientsIn(channels, entries), recent.max);
  const found = new Map<ChannelId, RecentNotification[]>([...lacking].map((id) => [id, []]));
  const checks = [...new Set([...latest.values()].flat().map(({ id }) => id))];
  for (const [at, checkId] of checks.entries()) {
    if (at % recentLogsPerTurn === recentLogsPerTurn - 1) await nextTurn();
    const sent = read.notifications(checkId, { fromMs: 0, untilMs: NEVER }, recentEntriesPerCheckMax);
    const reminders = remindersIn(sent);
    for (const one of sent) {
      const { deliveryId: id, kind, atMs, outcome, attempts, error } = one;
      const reminder = reminders.has(one) ? ({ reminder: true } as const) : {};
      found.get(one.channelId)?.push({ id, checkId, kind, atMs, outcome, attempts, error, ...reminder });
    }
  }
  for (const [id, older] of found) recent.fill(id, older);
}

/** Yields each check with the integrations that it notifies, the members of a group in its place. */
function* recipientsIn(
  channels: readonly Channel[],
  entries: Iterable<ListEntry>,
): Iterable<readonly [CheckId, readonly ChannelId[]]> {
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const members = new Map(
    channels
      .filter(({ kind }) => kind === 'group')
      .map((group) => [group.id, membersOf(group, (id) => byId.get(id) ?? null).map(({ id }) => id)]),
  );
  for (const entry of entries)
    yield [entry.id, entry.channels.flatMap((id) => members.get(id) ?? [id])] as const;
}

/** Returns for each integration the checks that changed last, `most` of them or a few more. */
async function latestChecks(
  read: EngineRead,
  wanted: ReadonlySet<ChannelId>,
  checks: Iterable<readonly [CheckId, readonly ChannelId[]]>,
  most: number,
): Promise<ReadonlyMap<ChannelId, readonly LastChange[]>> {
  const latest = new Map<ChannelId, LastChange[]>();
  let seen = 0;
  for (const [id, recipients] of checks) {
    const notified = recipients.filter((channel) => wanted.has(channel));
    if (notified.length === 0) continue;
    if (++seen > recentChecksMax) break;
    if (seen % recentChecksPerTurn === 0) await nextTurn();
    const atMs = read.lastChange(id)?.atMs;
    if (atMs === undefined) continue;
    for (const channel of notified) {
      const known = latest.get(channel) ?? [];
      known.push({ id, atMs });
      latest.set(channel, known.length > 2 * most ? newest(known, most) : known);
    }
  }
  for (const [channel, known] of latest) latest.set(channel, newest(known, most));
  return latest;
}

function newest(known: LastChange[], most: number): LastChange[] {
  return known.sort((a, b) => b.atMs - a.atMs).slice(0, most);
}
