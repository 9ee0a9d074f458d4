/**
 * From a delivery to what can be said of it: the check, its last ping and that one's body, how long it was down. Reads only.
 * Invariant: nothing newer than the change is shown as its cause.
 */
import { type Check, defaultConfig, freshState } from '../domain/check.ts';
import { type Delivery, notificationKindOf } from '../domain/delivery.ts';
import type { Ping } from '../domain/ping.ts';
import type { Channel, Project } from '../domain/project.ts';
import { asBadgeId, asCheckId, asDeliveryId, type Ids, type ProjectId } from '../lib/ids.ts';
import { day } from '../lib/units.ts';
import type { Store } from '../store/store.ts';
import type { Notice } from './channel.ts';

/** A change is sent soon after it happened: its ping is among the newest. */
const pingsSearched = 20;
/** How long back the beginning of a downtime is looked for: as long as the history keeps it. */
const downtimeSearchedMs = 92 * day;

export interface NoticeOptions {
  readonly store: Pick<Store, 'pings' | 'body' | 'changes'>;
  readonly baseUrl: () => string;
  /** For the ids of a test notice. */
  readonly ids: Pick<Ids, 'newUuid'>;
  project(id: ProjectId): Project | null;
  /** The check as the API shows it. */
  checkJson(check: Check): string;
}

/**
 * Reads lazily: a read of what is not folded yet looks at the whole of it, which thousands of webhooks at once that do not
 * ask for a body should not pay for.
 */
export function noticeOf(
  options: NoticeOptions,
  { id, change }: Delivery,
  check: Check,
  channel: Channel,
): Notice {
  const { store } = options;
  const ping = once(
    () => store.pings(check.id, pingsSearched).find(({ atMs }) => atMs <= change.atMs) ?? null,
  );
  const body = once(() => bodyText(store, check, ping()));
  const downtime = once(() => (change.from === 'down' ? downtimeBefore(options, check, change.atMs) : null));
  return {
    deliveryId: id,
    notificationKind: notificationKindOf(change) ?? 'down',
    test: false,
    channel,
    check,
    project: options.project(check.projectId) ?? { name: '' },
    atMs: change.atMs,
    cause: change.cause,
    get ping() {
      return ping();
    },
    get body() {
      return body();
    },
    get downtimeMs() {
      return downtime();
    },
    get checkJson() {
      return options.checkJson(check);
    },
    baseUrl: options.baseUrl(),
  };
}

function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

function bodyText(store: NoticeOptions['store'], { id }: Check, ping: Ping | null): string {
  const bytes = ping && ping.bodyBytes > 0 ? store.body(id, ping.n) : null;
  return bytes ? new TextDecoder().decode(bytes) : '';
}

function downtimeBefore({ store }: NoticeOptions, { id }: Check, atMs: number): number | null {
  const changes = store.changes(id, { fromMs: atMs - downtimeSearchedMs, untilMs: atMs + 1 });
  const down = changes.find(({ to }) => to === 'down');
  return down ? atMs - down.atMs : null;
}

/** A notice of something that has not happened, of a check that there is not. */
export function testNotice(options: NoticeOptions, channel: Channel, nowMs: number): Notice {
  const check: Check = {
    id: asCheckId(options.ids.newUuid()),
    projectId: channel.projectId,
    badgeId: asBadgeId(options.ids.newUuid()),
    createdAtMs: nowMs,
    config: { ...defaultConfig, name: 'TEST', slug: 'test', tags: 'test' },
    state: { ...freshState, status: 'down' },
  };
  return {
    deliveryId: asDeliveryId(options.ids.newUuid()),
    notificationKind: 'down',
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
    baseUrl: options.baseUrl(),
  };
}
