/**
 * From a delivery to what can be said of it: the check, its last ping and that one's body, how long it was down. Reads only.
 * Invariant: nothing newer than the change is shown as its cause.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkPath } from '../../domain/accounts/page-address.ts';
import { type Channel, type Project, settingsOf } from '../../domain/accounts/project.ts';
import type { ActiveWindow } from '../../domain/alerting/maintenance.ts';
import { type Check, defaultConfig, freshState } from '../../domain/check/check.ts';
import { expectedAfter } from '../../domain/check/deadline.ts';
import { pingsUntil } from '../../domain/check/made-by.ts';
import type { Ping } from '../../domain/check/ping.ts';
import {
  type Delivery,
  isReminder,
  type NotificationKind,
  notificationKindOf,
} from '../../domain/deliveries/delivery.ts';
import { outageEnd } from '../../domain/deliveries/outdated.ts';
import { lastDeliveredSearched } from '../../domain/limits.ts';
import { runDurations } from '../../domain/runs/run-durations.ts';
import type { RunEnding } from '../../domain/runs/run-ending.ts';
import { isMissedDeadline } from '../../domain/runs/run-statistics.ts';
import { alertEntries } from '../../domain/views/snooze-log.ts';
import { kinds } from '../../integrations/all.ts';
import { assert } from '../../lib/errors.ts';
import { asBadgeId, asCheckId, asDeliveryId, type Ids, type ProjectId, uniqueKeyOf } from '../../lib/ids.ts';
import { NEVER, second } from '../../lib/units.ts';
import type { Store } from '../../store/store.ts';
import type {
  Announcement,
  DownCheck,
  HeldDown,
  MessageAbout,
  Notice,
  OthersDown,
  PingMail,
} from '../contract/channel.ts';
import {
  downtimeSearchedMs,
  endingsNamedMax,
  othersLookedAtMax,
  othersNamedMax,
  pingsSearched,
  snoozeStepsSearched,
} from '../contract/limits.ts';
import {
  type AboutIncident,
  aboutIncident,
  changesOf,
  type IncidentChanges,
  type IncidentReads,
  runOf,
} from './incident-notice.ts';
import { nameOf } from './render.ts';

export interface NoticeOptions extends IncidentReads {
  readonly store: Pick<
    Store,
    'pings' | 'body' | 'changes' | 'lastChange' | 'runEndings' | 'notifications' | 'snoozeAudit'
  >;
  readonly baseUrl: () => string;
  /** Source of the ids of a test notice. */
  readonly ids: Pick<Ids, 'newUuid'>;
  project(id: ProjectId): Project | null;
  /** The check as the API shows it. */
  checkJson(check: Check): string;
  /** Number of checks in the project. */
  checkCount(id: ProjectId): number;
  /** The project's checks that are down. */
  checksDown(id: ProjectId): { readonly count: number; readonly checks: Iterable<Check> };
  /** Same as in `NotifyReads`. */
  maintenance(check: Check): ActiveWindow | null;
  /** Same as in `NotifyReads`. */
  alertUrl(check: Check, channel: Channel, atMs: number): string | null;
  /** IANA name: the zone of integrations that have none of their own. */
  readonly timeZone: string;
  nowMs(): number;
}

interface CompleteNoticeOptions extends NoticeOptions {
  /** Decodes the mail that a ping was; `key` identifies the ping. Never rejects. */
  readMail(key: string, mail: Uint8Array): Promise<PingMail>;
}

/**
 * The notice of a delivery, or of those of one incident. It has to be waited for where a message is about thousands of checks, and
 * where the ping came by mail, which is decoded first.
 */
export function completeNoticeOf(
  options: CompleteNoticeOptions,
  message: MessageAbout,
  check: Check,
  channel: Channel,
): Notice | Promise<Notice> {
  const [lead] = message.members;
  assert(lead !== undefined, 'a message is about something');
  const subjectOf = (changes: IncidentChanges): Subject => {
    const about = aboutIncident(options, message, { check, channel, changes });
    const sent = message.isRefresh ? {} : { lead };
    return about ? { ...about, channel, about, ...sent } : { delivery: lead, check, channel, about, ...sent };
  };
  const changes = changesOf(options, message.members);
  if (!(changes instanceof Promise)) return withMail(options, subjectOf(changes));
  // What it is about and the notice itself take some milliseconds each the first time: a turn for either.
  return changes.then(subjectOf).then((subject) => nextTurn().then(() => withMail(options, subject)));
}

function withMail(options: CompleteNoticeOptions, subject: Subject): Notice | Promise<Notice> {
  const notice = noticeOf(options, subject);
  if (!showsBody(subject.channel)) return notice;
  const { ping, mailSource } = notice;
  if (ping === null || mailSource === null) return notice;
  return options
    .readMail(`${subject.check.id} ${ping.n}`, mailSource)
    .then((mail) => noticeOf(options, subject, mail));
}

/** A webhook need not: what is not asked for is not read. */
function showsBody({ kind, value }: Channel): boolean {
  return kind !== 'webhook' || value.includes('$BODY');
}

interface Subject {
  readonly delivery: Pick<Delivery, 'id' | 'change'>;
  readonly check: Check;
  readonly channel: Channel;
  /** Null for a message about a check alone. */
  readonly about: AboutIncident | null;
  /** What is notified of; absent where nothing is. */
  readonly lead?: Delivery;
}

/**
 * Reads lazily: a read of what is not folded yet looks at the whole of it, which thousands of webhooks at once that do not
 * ask for a body should not pay for. `mail`: the ping, decoded, if it came by mail.
 */
export function noticeOf(
  options: NoticeOptions,
  { delivery: { id, change }, check, channel, about, lead }: Subject,
  mail: PingMail | null = null,
): Notice {
  const { store } = options;
  const notificationKind = about?.kind ?? notificationKindOf(change) ?? 'down';
  const pings = once(() => pingsUntil(store.pings(check.id, pingsSearched), change));
  const ping = () => pings()[0] ?? null;
  const endings = once(() => endingsAt(store, check, change));
  const others = once(() => othersDownChecks(options, check));
  const body = once(() => bodyOf(store, check, ping()));
  const actUrl = once(() =>
    isActedOn(notificationKind, channel) ? options.alertUrl(check, channel, change.atMs) : null,
  );
  const downtime = once(() => {
    if (about?.url && about.kind === 'up') return change.atMs - about.incident.openedMs;
    return notificationKind !== 'down' && change.from === 'down'
      ? downtimeBefore(options, check, change.atMs)
      : null;
  });
  const over = once(() => (notificationKind === 'down' ? overOf(store, check, { change, about }) : null));
  const reminder = once(() =>
    lead && notificationKind === 'down' ? reminderIn(options, { lead, check, about }) : null,
  );
  return {
    deliveryId: id,
    notificationKind,
    test: false,
    ...(about ? { incident: about.incident } : {}),
    channel,
    check,
    project: options.project(check.projectId) ?? { name: '' },
    atMs: change.atMs,
    cause: change.cause,
    get ping() {
      return ping();
    },
    get body() {
      return mail ? mailText(mail) : new TextDecoder().decode(body() ?? noBytes);
    },
    mail,
    get mailSource() {
      return ping()?.scheme === 'email' ? body() : null;
    },
    get runMs() {
      return runDurations(pings()).get(ping()?.n ?? 0) ?? null;
    },
    get lastSuccess() {
      const success = pings().find(({ signal, atMs }) => signal === 'success' && atMs < change.atMs);
      return success ? { atMs: success.atMs, runMs: runDurations(pings()).get(success.n) ?? null } : null;
    },
    startedMs: (check.state.startedMs ?? NEVER) <= change.atMs ? check.state.startedMs : null,
    get endings() {
      return endings();
    },
    get expectedMs() {
      return expectedMs(store, check, change, pings());
    },
    get othersDown() {
      return othersDown(options, check, others());
    },
    get othersDownChecks() {
      return others();
    },
    get downtimeMs() {
      return downtime();
    },
    get over() {
      return over();
    },
    get reminder() {
      return reminder();
    },
    get checkJson() {
      return options.checkJson(check);
    },
    baseUrl: options.baseUrl(),
    checkUrl: about?.url ?? options.baseUrl() + checkPath(check.projectId, uniqueKeyOf(check.id)),
    get actUrl() {
      return actUrl();
    },
    nowMs: options.nowMs(),
    timeZone: timeZoneOf(options, channel),
  };
}

/** Of an incident as a whole, its end: while it goes on, something of it is down. */
function overOf(
  store: NoticeOptions['store'],
  { id, state: { status } }: Check,
  { change, about }: { readonly change: Delivery['change']; readonly about: AboutIncident | null },
): Notice['over'] {
  if (about?.url) return about.resolvedMs > 0 ? { atMs: about.resolvedMs, isUpSince: false } : null;
  const last = status === 'down' ? store.lastChange(id) : null;
  if (last?.atMs === change.atMs) return null;
  return outageEnd(change, {
    status,
    changesFrom: (fromMs) => store.changes(id, { fromMs, untilMs: NEVER }),
  });
}

interface Reminding {
  readonly lead: Delivery;
  readonly check: Check;
  readonly about: AboutIncident | null;
}

/** The first alert waits since its change: for that no log is read. */
function reminderIn({ store, nowMs }: NoticeOptions, { lead, check, about }: Reminding): Notice['reminder'] {
  const { change, channelId, sinceMs } = lead;
  const other = { snoozeEndedMs: null };
  if (isReminder(lead)) return other;
  if (about?.url || sinceMs <= change.atMs) return null;
  const sent = store.notifications(check.id, allTime, lastDeliveredSearched);
  const isKnown = sent.some(
    (one) =>
      one.channelId === channelId &&
      one.outcome === 'delivered' &&
      one.kind === 'down' &&
      one.changedAtMs === change.atMs,
  );
  if (!isKnown) return null;
  const audited = store.snoozeAudit(check.id, allTime, snoozeStepsSearched);
  const ended = alertEntries(check, audited, [], nowMs()).find(
    ({ action, atMs }) =>
      (action === 'snooze-over' || action === 'unsnoozed') && Math.abs(atMs - sinceMs) < second,
  );
  return ended ? { snoozeEndedMs: ended.atMs } : other;
}

const allTime = { fromMs: 0, untilMs: NEVER };

/** Only changes that say so are about runs that no ping ended. */
function endingsAt(
  store: NoticeOptions['store'],
  { id }: Check,
  { atMs, cause }: Delivery['change'],
): readonly RunEnding[] {
  if (cause !== 'hung' && cause !== 'missed') return [];
  return store.runEndings(id, { fromMs: atMs, untilMs: atMs + 1 }, endingsNamedMax);
}

function isActedOn(notificationKind: NotificationKind, { kind }: Channel): boolean {
  return notificationKind !== 'up' && kinds[kind].isPublic !== true;
}

function timeZoneOf({ timeZone }: NoticeOptions, channel: Channel): string {
  return settingsOf(channel).timeZone || timeZone;
}

/**
 * From the ping before the one that the change is about: a missing ping is about none. Null when no ping was overdue (a run
 * did not finish), and when the check was paused since: then it expected none.
 */
function expectedMs(
  store: NoticeOptions['store'],
  { id, config }: Check,
  change: Delivery['change'],
  pings: readonly Ping[],
): number | null {
  const [, ...before] = pings;
  const isMissing = isMissedDeadline(change.cause) || change.cause === 'update';
  const last = (isMissing ? pings : before).find(({ signal }) => signal === 'success' || signal === 'fail');
  if (!last) return null;
  const expected = expectedAfter(config, last.atMs);
  if (expected === NEVER || (isMissing && expected > change.atMs)) return null;
  const since = store.changes(id, { fromMs: last.atMs, untilMs: change.atMs });
  return since.some(({ to }) => to === 'paused' || to === 'new') ? null : expected;
}

/** Others that are down: those that nobody has seen to first, and of these the last to go down, as in the list of checks. */
function othersDownChecks(options: NoticeOptions, check: Check): readonly DownCheck[] {
  const found: DownCheck[] = [];
  for (const other of options.checksDown(check.projectId).checks) {
    if (found.length === othersLookedAtMax) break;
    if (other.id === check.id) continue;
    const url = options.baseUrl() + checkPath(other.projectId, uniqueKeyOf(other.id));
    found.push({
      name: nameOf({ check: other }),
      url,
      lastPingMs: other.state.lastPingMs,
      went: once(() => options.store.lastChange(other.id)),
      ...runOf(other),
      ...heldOf(options, other),
    });
  }
  return found.sort(byUrgency).slice(0, othersNamedMax);
}

function byUrgency(a: DownCheck, b: DownCheck): number {
  const since = ({ went }: DownCheck): number => went()?.atMs ?? 0;
  const isHeld = ({ held }: DownCheck): number => Number(held !== undefined);
  return isHeld(a) - isHeld(b) || since(b) - since(a) || a.name.localeCompare(b.name);
}

/** All that the row of it in the list of checks says, in its order. */
function heldOf({ maintenance, nowMs }: NoticeOptions, check: Check): Pick<DownCheck, 'held'> {
  const { acknowledgement, snooze } = check;
  const window = maintenance(check);
  const held: HeldDown[] = [];
  if (snooze !== undefined && snooze.untilMs > nowMs())
    held.push({ until: 'snoozed', untilMs: snooze.untilMs });
  if (acknowledgement) held.push({ by: acknowledgement.by });
  if (window) held.push({ until: 'in maintenance', untilMs: window.untilMs });
  return held.length === 0 ? {} : { held };
}

function othersDown(options: NoticeOptions, check: Check, named: readonly DownCheck[]): OthersDown {
  const self = check.state.status === 'down' ? 1 : 0;
  const { count } = options.checksDown(check.projectId);
  const of = Math.max(0, options.checkCount(check.projectId) - 1);
  return { count: count - self, of, names: named.map(({ name }) => name) };
}

function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

const noBytes = new Uint8Array(0);

function bodyOf(store: NoticeOptions['store'], { id }: Check, ping: Ping | null): Uint8Array | null {
  return ping && ping.bodyBytes > 0 ? store.body(id, ping.n) : null;
}

function mailText({ subject, text }: PingMail): string {
  return [subject, text].filter((part) => part !== '').join('\n\n');
}

function downtimeBefore({ store }: NoticeOptions, { id }: Check, atMs: number): number | null {
  const changes = store.changes(id, { fromMs: atMs - downtimeSearchedMs, untilMs: atMs + 1 });
  const down = changes.find(({ to }) => to === 'down');
  return down ? atMs - down.atMs : null;
}

interface TestNotice {
  readonly kind?: 'down' | 'up';
  readonly announcement?: Announcement;
}

/** A notice of something that has not happened, of a check that there is not: a test, or an announcement. */
export function testNotice(options: NoticeOptions, channel: Channel, about: TestNotice = {}): Notice {
  const { kind = 'down', announcement } = about;
  const nowMs = options.nowMs();
  const check: Check = {
    id: asCheckId(options.ids.newUuid()),
    projectId: channel.projectId,
    badgeId: asBadgeId(options.ids.newUuid()),
    createdAtMs: nowMs,
    config: { ...defaultConfig, name: announcement ? 'Knell' : 'TEST', slug: 'test', tags: 'test' },
    state: { ...freshState, status: kind },
  };
  return {
    deliveryId: asDeliveryId(options.ids.newUuid()),
    notificationKind: kind,
    test: true,
    ...(announcement ? { announcement } : {}),
    channel,
    check,
    project: options.project(channel.projectId) ?? { name: '' },
    atMs: nowMs,
    cause: kind === 'up' ? 'success' : 'timeout',
    ping: null,
    body: '',
    downtimeMs: null,
    mail: null,
    mailSource: null,
    runMs: null,
    lastSuccess: null,
    startedMs: null,
    endings: [],
    expectedMs: null,
    othersDown: { count: 0, of: 0, names: [] },
    othersDownChecks: [],
    checkJson: options.checkJson(check),
    baseUrl: options.baseUrl(),
    // Its check does not exist: the project's page is as near as it gets.
    checkUrl: `${options.baseUrl()}/project/${channel.projectId}/integrations`,
    actUrl: null,
    nowMs,
    timeZone: timeZoneOf(options, channel),
  };
}
