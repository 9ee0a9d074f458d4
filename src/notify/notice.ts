/**
 * From a delivery to what can be said of it: the check, its last ping and that one's body, how long it was down. Reads only.
 * Invariant: nothing newer than the change is shown as its cause.
 */
import { type Check, defaultConfig, freshState } from '../domain/check.ts';
import { type Delivery, toldOf } from '../domain/delivery.ts';
import type { Channel, Project } from '../domain/project.ts';
import { asBadgeId, asCheckId, asDeliveryId, newUuid, type ProjectId } from '../lib/ids.ts';
import { day } from '../lib/units.ts';
import type { Store } from '../store/store.ts';
import type { Notice } from './channel.ts';

/** A change is told soon after it was: its ping is among the newest. */
const pingsSearched = 20;
/** How long back the beginning of a downtime is looked for: as long as the history keeps it. */
const downtimeSearchedMs = 92 * day;

export interface NoticeOptions {
  readonly store: Pick<Store, 'pings' | 'body' | 'changes'>;
  readonly baseUrl: string;
  project(id: ProjectId): Project | null;
  /** The check as the API shows it. */
  checkJson(check: Check): string;
}

export function noticeOf(
  options: NoticeOptions,
  { id, change }: Delivery,
  check: Check,
  channel: Channel,
): Notice {
  const { store } = options;
  const pings = store.pings(check.id, pingsSearched);
  const ping = pings.find(({ atMs }) => atMs <= change.atMs) ?? null;
  const body = ping && ping.bodyBytes > 0 ? store.body(check.id, ping.n) : null;
  return {
    deliveryId: id,
    told: toldOf(change) ?? 'down',
    test: false,
    channel,
    check,
    project: options.project(check.projectId) ?? { name: '' },
    atMs: change.atMs,
    cause: change.cause,
    ping,
    body: body ? new TextDecoder().decode(body) : '',
    downtimeMs: change.from === 'down' ? downtimeBefore(options, check, change.atMs) : null,
    checkJson: options.checkJson(check),
    baseUrl: options.baseUrl,
  };
}

function downtimeBefore({ store }: NoticeOptions, { id }: Check, atMs: number): number | null {
  const changes = store.changes(id, { fromMs: atMs - downtimeSearchedMs, untilMs: atMs + 1 });
  const down = changes.find(({ to }) => to === 'down');
  return down ? atMs - down.atMs : null;
}

/** A notice of something that has not happened, of a check that there is not. */
export function testNotice(options: NoticeOptions, channel: Channel, nowMs: number): Notice {
  const check: Check = {
    id: asCheckId(newUuid()),
    projectId: channel.projectId,
    badgeId: asBadgeId(newUuid()),
    createdAtMs: nowMs,
    config: { ...defaultConfig, name: 'TEST', slug: 'test', tags: 'test' },
    state: { ...freshState, status: 'down' },
  };
  return {
    deliveryId: asDeliveryId(newUuid()),
    told: 'down',
    test: true,
    channel,
    check,
    project: options.project(channel.projectId) ?? { name: '' },
    atMs: nowMs,
    cause: 'timeout',
    ping: null,
    body: '',
    downtimeMs: null,
    checkJson: options.checkJson(check),
    baseUrl: options.baseUrl,
  };
}
