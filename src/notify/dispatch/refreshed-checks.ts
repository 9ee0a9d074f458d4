/**
 * After a start: which checks the integrations that are refreshed were notified of, as the logs of the checks say.
 * Invariant: pure reads, one check at a time: who walks through it lets others in between.
 */
import type { Channel } from '../../domain/accounts/project.ts';
import type { Check } from '../../domain/check/check.ts';
import { isSentIncidents } from '../../domain/deliveries/delivery.ts';
import { lastDelivered } from '../../domain/deliveries/sent-notification.ts';
import { lastDeliveredSearched } from '../../domain/limits.ts';
import { kinds } from '../../integrations/all.ts';
import type { ChannelId, ProjectId } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import type { Store } from '../../store/store.ts';
import { firstNotifiedMs, firstNotifiedSearched } from '../contract/limits.ts';
import type { NotifyReads } from '../contract/notify.ts';
import { isAssigned } from './refresh-due.ts';
import type { Refreshed } from './refreshes.ts';

interface Reads extends Pick<NotifyReads, 'channel' | 'channels' | 'checksDown' | 'incidentOf'> {
  readonly store: Pick<Store, 'notifications' | 'lastChange'>;
}

/** A null for each check that there is nothing to send again of. */
export function* refreshedChecks(reads: Reads): Iterable<Refreshed | null> {
  const byProject = new Map<ProjectId, Channel[]>();
  for (const channel of reads.channels(null))
    if (kinds[channel.kind].isRefreshed)
      byProject.set(channel.projectId, [...(byProject.get(channel.projectId) ?? []), channel]);
  for (const [projectId, channels] of byProject) {
    for (const check of reads.checksDown(projectId).checks) {
      for (const channel of channels) yield refreshedOf(reads, check, channel);
    }
  }
}

function refreshedOf(reads: Reads, check: Check, channel: Channel): Refreshed | null {
  if (!isAssigned(reads, channel, check) || !wasNotified(reads, check, channel.id)) return null;
  const incident = isSentIncidents(channel) ? reads.incidentOf(check.id) : null;
  return { channelId: channel.id, checkId: check.id, incident: incident ?? undefined };
}

/** The newest entries say it, unless other integrations were reminded often since: then those from when it went down. */
function wasNotified({ store }: Reads, { id }: Check, channelId: ChannelId): boolean {
  const newest = store.notifications(id, { fromMs: 0, untilMs: NEVER }, lastDeliveredSearched);
  const last = lastDelivered(newest, channelId);
  if (last !== null || newest.length < lastDeliveredSearched) return last === 'down';
  const fromMs = store.lastChange(id)?.atMs ?? 0;
  const first = store.notifications(id, { fromMs, untilMs: fromMs + firstNotifiedMs }, firstNotifiedSearched);
  return lastDelivered(first, channelId) === 'down';
}
