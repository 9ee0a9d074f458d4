/**
 * Actions of owners on the outbox: list it, retry, discard, test an integration. And its sweeping: deliveries that failed long
 * ago are removed.
 * Invariant: what is shown contains neither values of integrations nor bodies of pings.
 */

import { setMaxListeners } from 'node:events';
import { type Channel, type ChannelKind, settingsOf } from '../../domain/accounts/project.ts';
import type { Check } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { lastTriedMs, membersOf, notificationKindOf } from '../../domain/deliveries/delivery.ts';
import { outdatedOf, replacedOf } from '../../domain/deliveries/outdated.ts';
import type {
  BlockedHost,
  GivenUpEvent,
  PlaceInQueue,
  ShownDelivery,
  TestResult,
} from '../../domain/deliveries/sent-notification.ts';
import { channelAccepts, channelFields } from '../../integrations/channel-value.ts';
import type { Clock } from '../../lib/clock.ts';
import { asDeliveryId, type ChannelId } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import { noMailServer } from '../channels/email.ts';
import type { Outcome, Send } from '../contract/channel.ts';
import type { NotifyLimits } from '../contract/limits.ts';
import type { NotifyReads } from '../contract/notify.ts';
import type { RecentNotifications } from '../contract/recent-notifications.ts';
import type { NotifySettings } from '../contract/settings.ts';
import type { Dispatcher } from '../dispatch/dispatch.ts';
import type { Outbox } from '../dispatch/outbox.ts';
import { isOrphan, newerAlertReason } from '../dispatch/still-due.ts';
import type { Feeds, GivenUp } from '../feeds/feeds.ts';
import { verificationMailOf } from '../mail/verification.ts';
import { mayReach } from '../wire/blocked-addresses.ts';
import type { HttpClient } from '../wire/send-http.ts';
import type { MailClient } from '../wire/send-mail.ts';
import { type NoticeOptions, noticeOf, testNotice } from '../words/notice.ts';
import { isoOf, nameOf, reasonOf as reasonWords } from '../words/render.ts';
import { attempted, movedValue } from './channel-health.ts';
import { missingVariables } from './unconfigured.ts';

interface OutboxAdminOptions {
  readonly outbox: Outbox;
  readonly dispatcher: Dispatcher;
  readonly feeds: Pick<Feeds, 'list' | 'retry' | 'drop' | 'channelOf'>;
  readonly recent: RecentNotifications;
  readonly clock: Clock;
  readonly notices: NoticeOptions;
  readonly reads: NotifyReads;
  readonly send: Send;
  readonly http: Pick<HttpClient, 'refusal'>;
  readonly settings: NotifySettings;
  /** Null while no mail server is set. */
  readonly mail: () => Pick<MailClient, 'send'> | null;
  readonly limits: Pick<NotifyLimits, 'deadKeptMs' | 'supersededKeptMs' | 'endedMax' | 'sweepEveryMs'>;
}

/**
 * `over`: those that are not sent, since their outage is over. `replaced`: since a newer alert of the same outage is. `snoozed`: since
 * their check is snoozed.
 */
interface RetriedCount {
  readonly count: number;
  readonly over: number;
  readonly replaced: number;
  readonly snoozed: number;
}

export interface OutboxAdmin {
  /** Number of deliveries: pending, failed and superseded. */
  readonly size: number;
  /** Outcomes of the newest notifications of each integration. */
  readonly recent: RecentNotifications;
  all(): Iterable<Delivery>;
  /** As in `Outbox`, for those who read logs beside it. */
  withSettling(): Iterable<Delivery>;
  get(id: string): Delivery | null;
  /** The integration of a delivery, or of an event that was given up; null for what is neither. */
  channelOf(id: string): ChannelId | null;
  /** Events that an event subscription has given up, oldest first. */
  givenUp(id: ChannelId): readonly GivenUpEvent[];
  /** Oldest first, then the events that subscriptions have given up. */
  list(): readonly ShownDelivery[];
  /**
   * Retries a delivery at once, a failed one too; `all`: every failed one. Returns how many were retried: none of what is untrue, which
   * ends without being sent, and none of a check of which something is being sent just now.
   */
  retry(id: string): number;
  /** Which of those of one check to one integration were given up and are not true any more: see `outdatedOf`. */
  outdated(deliveries: readonly Delivery[]): readonly Delivery[];
  /** Which of the true ones are not sent with the others, as one of them says the same later: see `replacedOf`. */
  replaced(deliveries: readonly Delivery[]): readonly Delivery[];
  /**
   * Retries what was given up, or failed so far, of one check to one integration, all of it in the order in which it happened. What is
   * not true any more ends without being sent. Nothing is done while something of it is being sent just now.
   */
  retryTrue(deliveries: readonly Delivery[]): RetriedCount;
  stateOf(delivery: Delivery): PlaceInQueue;
  /** Why it would not be sent if it was retried now, such as `snoozed until …`; empty where it would. */
  keptBackBy(delivery: Delivery): string;
  /** Discards a delivery; `all`: every failed or superseded one. Returns how many were discarded. */
  drop(id: string): number;
  /** Why the check is down or late by now, as an alert to the integration says it; empty for one that is neither. */
  reasonOf(check: Check, channel: Channel): string;
  /** Sends a test notification now; for a group, to each of its members. */
  test(channel: Channel): Promise<readonly TestResult[]>;
  /** The variables that integrations of `kind` need and that are not set here. */
  missingFor(kind: ChannelKind): readonly string[];
  /** Asks the address of an email integration to confirm at `url`. Null when the mail server has taken that, else why not. */
  verify(channel: Channel, url: string): Promise<string | null>;
  /** Why nothing can be sent to an integration with this value: a URL with a blocked address; null for none. */
  refusalOf(kind: ChannelKind, value: string): Promise<BlockedHost | null>;
  /** Whether something can be sent to the address: it is public, or allowed by now. */
  mayReach(address: string): boolean;
  /** Discards the deliveries of checks and integrations that are both gone: see `isOrphan`. */
  dropOrphans(): void;
  keepTidy(): void;
  stop(): void;
}

export function createOutboxAdmin(options: OutboxAdminOptions): OutboxAdmin {
  const { outbox, clock, limits } = options;
  const abort = new AbortController();
  // A group's members are tested at once, a listener each.
  setMaxListeners(0, abort.signal);
  let cancel: () => void = () => {};
  const keepTidy = (): void => {
    sweep(options);
    cancel = clock.after(limits.sweepEveryMs, keepTidy);
  };
  return {
    get size() {
      return outbox.size;
    },
    recent: options.recent,
    all: () => outbox.all(),
    withSettling: () => outbox.withSettling(),
    get: (id) => outbox.get(asDeliveryId(id)),
    channelOf: (id) => outbox.get(asDeliveryId(id))?.channelId ?? options.feeds.channelOf(id),
    givenUp: (wanted) =>
      options.feeds
        .list()
        .filter(({ channel }) => channel.id === wanted)
        .map(({ id, dead: { type, about, endedMs, attempts, error } }) => ({
          ...{ id, type, about, endedMs, attempts, error },
        })),
    list: () => [
      ...[...outbox.all()].sort((a, b) => a.sinceMs - b.sinceMs).map((delivery) => shown(options, delivery)),
      ...options.feeds.list().map(shownEvent),
    ],
    retry: (id) =>
      inGroups(chosen(outbox, id, ['dead'])).reduce((sum, group) => sum + retry(options, group), 0) +
      options.feeds.retry(id),
    outdated: (deliveries) => outdated(options, deliveries),
    replaced: replacedOf,
    retryTrue: (deliveries) => retryTrue(options, deliveries),
    stateOf: (delivery) => options.dispatcher.stateOf(delivery),
    keptBackBy: (delivery) => options.dispatcher.keptBackBy(waitingAgain(options, delivery)),
    drop: (id) =>
      chosen(outbox, id, ['dead', 'superseded']).filter((delivery) => drop(options, delivery)).length +
      options.feeds.drop(id),
    reasonOf: (check, channel) => reasonOf(options, check, channel),
    test: (channel) => test(options, channel, abort.signal),
    missingFor: (kind) => missingVariables(kind, options.settings),
    verify: (channel, url) => verify(options, channel, url),
    refusalOf: (kind, value) => refusalOf(options, kind, value),
    mayReach: (address) => mayReach(address, options.settings.webhookAllow),
    dropOrphans: () => dropOrphans(options),
    keepTidy,
    stop() {
      cancel();
      abort.abort();
    },
  };
}

function reasonOf({ notices, clock }: OutboxAdminOptions, check: Check, channel: Channel): string {
  const { status } = check.state;
  if (status !== 'down' && status !== 'grace') return '';
  const late: StatusChange = { atMs: clock.nowMs(), from: 'up', to: 'grace', cause: 'timeout' };
  const change = status === 'grace' ? late : notices.store.lastChange(check.id);
  if (change?.to !== status) return '';
  // Nothing is delivered: the words know of no id.
  const delivery = { id: asDeliveryId(''), change };
  return reasonWords(noticeOf(notices, { delivery, check, channel, about: null }));
}

/** The delivery of that id, or with `all` those in one of `states`. */
function chosen(outbox: Outbox, id: string, states: readonly Delivery['state'][]): readonly Delivery[] {
  if (id === 'all') return [...outbox.all()].filter(({ state }) => states.includes(state));
  const delivery = outbox.get(asDeliveryId(id));
  return delivery ? [delivery] : [];
}

/** Those of one check to one integration together. */
function inGroups(deliveries: readonly Delivery[]): readonly (readonly Delivery[])[] {
  const groups = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const key = `${delivery.checkId} ${delivery.channelId}`;
    const group = groups.get(key);
    if (group) group.push(delivery);
    else groups.set(key, [delivery]);
  }
  return [...groups.values()];
}

/**
 * Of one check to one integration. However late: the alert of an outage that is over says so first. None takes the place of what is
 * newer, and that the check is up ends without being sent while it is down. Nothing is done while something of it is being sent.
 */
function retry(options: OutboxAdminOptions, deliveries: readonly Delivery[]): number {
  const { dispatcher } = options;
  const [first] = deliveries;
  if (first === undefined || dispatcher.isSending(first)) return 0;
  const open = deliveries.filter(({ state }) => state !== 'superseded');
  const untrue = new Set(untrueUps(options, open));
  for (const one of untrue) dispatcher.outdated(one, downAgainReason);
  const again = storedAgain(
    options,
    open.filter((one) => !untrue.has(one)),
  );
  dispatcher.expedite(first.channelId);
  dispatcher.takeAgain(again);
  return again.length;
}

/** Each of them as it waits to be sent at once, in the store and not yet in a queue. */
function storedAgain(options: OutboxAdminOptions, wanted: readonly Delivery[]): readonly Delivery[] {
  const { outbox, dispatcher } = options;
  for (const one of wanted) if (one.state === 'waiting') dispatcher.withdraw(one);
  const again = wanted.map((one) => waitingAgain(options, one));
  for (const one of again) outbox.put(one);
  return again;
}

/** An integration that keeps what is down would close the outage that lasts. */
function untrueUps(options: OutboxAdminOptions, wanted: readonly Delivery[]): readonly Delivery[] {
  const ups = wanted.filter(({ change }) => notificationKindOf(change) === 'up');
  const [first] = ups;
  if (first === undefined || options.reads.statusOf(first.checkId) !== 'down') return [];
  const all = [...wanted, ...options.dispatcher.waitingWith(first)];
  return outdated(options, all).filter((one) => ups.includes(one));
}

/** As it waits to be sent at once. */
function waitingAgain({ clock }: Pick<OutboxAdminOptions, 'clock'>, delivery: Delivery): Delivery {
  const sinceMs = Math.max(delivery.sinceMs, clock.nowMs() - 1);
  return {
    ...delivery,
    state: 'waiting',
    notBeforeMs: 0,
    endedMs: 0,
    attempts: Math.max(1, delivery.attempts),
    sinceMs: delivery.state === 'dead' ? sinceMs : delivery.sinceMs,
    triedMs: lastTriedMs(delivery) ?? undefined,
  };
}

function outdated(
  { reads, notices }: OutboxAdminOptions,
  deliveries: readonly Delivery[],
): readonly Delivery[] {
  const [first] = deliveries;
  const status = first ? reads.statusOf(first.checkId) : null;
  // Of a check that is gone, an attempt says so.
  if (first === undefined || status === null) return [];
  const changesFrom = (fromMs: number) => notices.store.changes(first.checkId, { fromMs, untilMs: NEVER });
  return outdatedOf(deliveries, { status, changesFrom });
}

function retryTrue(options: OutboxAdminOptions, deliveries: readonly Delivery[]): RetriedCount {
  const { dispatcher, reads } = options;
  const [first] = deliveries;
  if (first === undefined || dispatcher.isSending(first))
    return { count: 0, over: 0, replaced: 0, snoozed: 0 };
  const over = new Set(outdated(options, deliveries));
  for (const one of over) dispatcher.outdated(one, overReason(one));
  const open = deliveries.filter((one) => !over.has(one) && isTried(one));
  const replaced = new Set(replacedOf(open));
  for (const one of replaced) dispatcher.outdated(one, newerAlertReason);
  const again = storedAgain(
    options,
    open.filter((one) => !replaced.has(one)),
  );
  dispatcher.expedite(first.channelId);
  dispatcher.takeAll(again);
  const snoozed = keepsBack(reads.check(first.checkId)) ? again.filter(isDown).length : 0;
  return { count: again.length - snoozed, over: over.size, replaced: replaced.size, snoozed };
}

/** A snooze supersedes what says that its check is down: its end creates that anew. */
function keepsBack(check: Check | null): boolean {
  return check?.snooze !== undefined;
}

function isDown({ change }: Delivery): boolean {
  return notificationKindOf(change) === 'down';
}

/** Names the outage by when it began: the log may have several. */
function overReason({ change }: Delivery): string {
  if (notificationKindOf(change) === 'up') return downAgainReason;
  const outage = change.to === 'down' ? `that outage (${isoOf(change.atMs)})` : 'that';
  return `${outage} was over before this was sent`;
}

const downAgainReason = 'the check was down again before this was sent';

/** Whether an owner can have it tried again. */
function isTried({ state, attempts }: Delivery): boolean {
  return state === 'dead' || (state === 'waiting' && attempts > 0);
}

function drop({ outbox, dispatcher }: OutboxAdminOptions, delivery: Delivery): boolean {
  if (delivery.state === 'waiting' && !dispatcher.withdraw(delivery)) return false;
  outbox.end(delivery.id, 'dropped');
  return true;
}

function shown({ reads }: OutboxAdminOptions, delivery: Delivery): ShownDelivery {
  const check = reads.check(delivery.checkId);
  const channel = reads.channel(delivery.channelId);
  const { id, state, attempts, error } = delivery;
  return {
    id,
    state,
    told: notificationKindOf(delivery.change) ?? '',
    check: check ? nameOf({ check }) : delivery.checkId,
    channel: channel ? channel.name || channel.id : delivery.channelId,
    kind: channel?.kind ?? '',
    since: isoOf(delivery.sinceMs),
    attempts,
    next: nextText(reads, delivery, { check, channel }),
    error,
  };
}

function shownEvent({ id, channel, dead }: GivenUp): ShownDelivery {
  const { type, about, endedMs, attempts, error } = dead;
  return {
    ...{ id, state: 'dead', told: type, check: about, channel: channel.name || channel.id },
    ...{ kind: channel.kind, since: isoOf(endedMs), attempts, next: '', error },
  };
}

function nextText(
  reads: NotifyReads,
  { state, notBeforeMs, quiet }: Delivery,
  { check, channel }: { readonly check: Check | null; readonly channel: Channel | null },
): string {
  if (state !== 'waiting') return '';
  const windows =
    quiet && check && channel ? [reads.quietUntil(channel, check), reads.maintenance(check)] : [];
  const nextMs = Math.max(notBeforeMs, ...windows.map((window) => window?.untilMs ?? 0));
  return nextMs > 0 ? isoOf(nextMs) : '';
}

async function test(
  options: OutboxAdminOptions,
  channel: Channel,
  signal: AbortSignal,
): Promise<readonly TestResult[]> {
  const { reads, notices, send, recent, clock } = options;
  const members = channel.kind === 'group' ? membersOf(channel, (id) => reads.channel(id)) : [channel];
  return Promise.all(
    members.map(async (member) => {
      const notice = testNotice(notices, member, { kind: testKindOf(member) });
      const outcome = await send(notice, signal);
      const value = movedValue(member, outcome);
      if (value !== null) await reads.editChannel(member.id, { value });
      const result = resultOf(member, outcome);
      note(options, member, result.error);
      recent.add(member.id, {
        id: notice.deliveryId,
        kind: 'test',
        checkId: null,
        atMs: clock.nowMs(),
        outcome: result.ok ? 'delivered' : 'failed',
        attempts: 1,
        error: result.error,
      });
      return result;
    }),
  );
}

/**
 * A test shows whether an integration works as an alert does: the banner of a failing one comes and goes with it. It disables none:
 * who sends the test sees why it failed. `member`: as it was when the test was sent.
 */
function note({ reads, clock }: OutboxAdminOptions, member: Channel, error: string): void {
  const now = reads.channel(member.id);
  if (now?.value !== member.value || settingsOf(now).disabled || settingsOf(now).lastError === error) return;
  // A full disk is reported elsewhere, and the test's own answer is right without this.
  reads.editChannel(now.id, { settings: attempted(now, error, clock.nowMs()) }).catch(() => {});
}

/** A recovery, where the integration takes nothing else. */
function testKindOf({ kind, value }: Channel): 'down' | 'up' {
  return channelAccepts(kind, value, 'down') ? 'down' : 'up';
}

function resultOf({ id, name, kind }: Channel, outcome: Outcome): TestResult {
  const ok = outcome.kind === 'delivered';
  const { answer } = outcome;
  return { id, name, kind, ok, error: ok ? '' : outcome.error, ...(answer ? { answer } : {}) };
}

async function verify(
  { clock, mail: current, notices, reads }: OutboxAdminOptions,
  channel: Channel,
  url: string,
): Promise<string | null> {
  const mail = current();
  if (mail === null) return noMailServer;
  const facts = { channel, url, id: notices.ids.newUuid(), nowMs: clock.nowMs() };
  const project = reads.project(channel.projectId) ?? { name: '' };
  const outcome = await mail.send(verificationMailOf({ ...facts, project }));
  return outcome.kind === 'delivered' ? null : outcome.error;
}

async function refusalOf(
  { http }: OutboxAdminOptions,
  kind: ChannelKind,
  value: string,
): Promise<BlockedHost | null> {
  const urls = Object.values(channelFields(kind, value)).filter(
    (field): field is string => typeof field === 'string' && /^https?:/i.test(field) && URL.canParse(field),
  );
  const refusals = await Promise.all(urls.map((url) => http.refusal(url)));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

/** One that is in flight just now goes when its attempt has ended. */
function dropOrphans(options: OutboxAdminOptions): void {
  const { outbox, reads } = options;
  for (const delivery of [...outbox.all()]) if (isOrphan(reads, delivery)) drop(options, delivery);
}

/** Dead letters go after their time, superseded ones sooner; beyond the most that are kept, the oldest. */
function sweep({ outbox, clock, limits, recent, reads }: OutboxAdminOptions): void {
  recent.keepOnly((id) => reads.channel(id) !== null);
  const nowMs = clock.nowMs();
  const ended = [...outbox.all()]
    .filter(({ state }) => state !== 'waiting')
    .sort((a, b) => a.endedMs - b.endedMs);
  const surplus = ended.length - limits.endedMax;
  for (const [index, { id, state, endedMs }] of ended.entries()) {
    const keptMs = state === 'dead' ? limits.deadKeptMs : limits.supersededKeptMs;
    if (index < surplus || nowMs - endedMs > keptMs) outbox.end(id, 'expired');
  }
}
