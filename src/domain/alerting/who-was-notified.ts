/**
 * Who was notified of what a check was at a moment in the past, and what kept it from the others: out of the kept logs, in sentences.
 * Who would be notified now is `who-is-notified`; which facts are read, `engine/reads`.
 * Invariants: pure. What the logs do not say is not invented: where settings of that time are not known, the sentence says so.
 */
import type { ChannelId } from '../../lib/ids.ts';
import { minute, second } from '../../lib/units.ts';
import { type Channel, settingsOf } from '../accounts/project.ts';
import type { Check, Status } from '../check/check.ts';
import type { StatusChange } from '../check/flip.ts';
import {
  acceptsChange,
  acceptsNotification,
  type Delivery,
  type NotificationKind,
  notificationKindOf,
} from '../deliveries/delivery.ts';
import type { SentNotification } from '../deliveries/sent-notification.ts';
import { capital } from '../words/capital.ts';
import { minuteWords } from './calendar-words.ts';
import type { Incident } from './incident.ts';
import { type AuditSince, channelThen, checkThen } from './settings-then.ts';

/** A time in which somebody wanted nothing to be sent. */
export interface SnoozeSpan {
  readonly fromMs: number;
  /** When it was over, or will be. */
  readonly untilMs: number;
  /** Empty where nobody is known. */
  readonly by: string;
}

/** What the kept logs have of a moment. */
export interface LoggedPast {
  readonly atMs: number;
  readonly nowMs: number;
  /** As it is now. */
  readonly check: Check;
  /** The last one until the moment; null where there was none, or it is not kept any more. */
  readonly change: StatusChange | null;
  /** The first one after it. */
  readonly next: StatusChange | null;
  /** How the check went down last before `change`; null where that is not known. */
  readonly downBefore: StatusChange | null;
  /** About `downBefore`, oldest first. */
  readonly sentDown: readonly SentNotification[];
  /** Of what is older, nothing may be kept. */
  readonly keptFromMs: number;
  /** The integrations of the project, without groups. */
  readonly channels: readonly Channel[];
  /** Those of them that the check has now, a group's members too. */
  readonly assigned: ReadonlySet<ChannelId>;
  /** About `change`, oldest first. */
  readonly sent: readonly SentNotification[];
  readonly snoozes: readonly SnoozeSpan[];
  /** Who acknowledged that outage last, and when; null for nobody. */
  readonly acknowledged: { readonly atMs: number; readonly by: string } | null;
  /** The incident that the check was in; null for none. */
  readonly incident: Incident | null;
}

export interface PastFacts extends LoggedPast {
  /** What waits to be sent about `change`. */
  readonly waiting: readonly Delivery[];
  readonly audit: AuditSince;
}

/** `waiting`: to be sent, or sent again. `none`: no log has it. */
export const pastOutcomes = ['delivered', 'failed', 'superseded', 'held', 'waiting', 'none'] as const;
export type PastOutcome = (typeof pastOutcomes)[number];

export interface PastRecipient {
  readonly channelId: ChannelId;
  readonly name: string;
  readonly kind: string;
  readonly outcome: PastOutcome;
  /** When that was known; null where the log has no entry. */
  readonly atMs: number | null;
  /** In sentences. */
  readonly text: string;
}

/** What there is to say of all integrations: what held the notification back, who acknowledged. */
export interface PastNote {
  readonly atMs: number;
  readonly text: string;
}

export interface WhoWasNotified {
  /** Null where it is not known, or there was no check. */
  readonly status: Status | null;
  readonly change: StatusChange | null;
  readonly incident: Incident | null;
  /** Oldest first. */
  readonly notes: readonly PastNote[];
  readonly recipients: readonly PastRecipient[];
  /** The first thing to say. */
  readonly text: string;
}

export function whoWasNotified(facts: PastFacts): WhoWasNotified {
  const { atMs, check, change, next, keptFromMs } = facts;
  const nothing = { status: null, change: null, incident: null, notes: [], recipients: [] };
  if (atMs < check.createdAtMs)
    return { ...nothing, text: `There was no such check: it was created at ${utc(check.createdAtMs)}.` };
  if (atMs < keptFromMs)
    return {
      ...nothing,
      text: `That is not known any more: the history is kept from ${utc(keptFromMs)} on.`,
    };
  const status = change?.to ?? next?.from ?? check.state.status;
  const { incident } = facts;
  const kind = change && notificationKindOf(change);
  if (!change || !kind) {
    const text = `At ${utc(atMs)} it was ${statusWords[status]}${sinceWords(facts)}. ${withoutWords(change)}`;
    return { ...nothing, status, change, incident, text };
  }
  const recipients = recipientsThen({ ...facts, change, kind });
  const text = `At ${utc(atMs)} it was ${statusWords[status]}${sinceWords(facts)}. ${summary(recipients)}`;
  return { status, change, incident, notes: notesOf(facts), recipients, text };
}

const statusWords: Readonly<Record<Status, string>> = {
  ...{ new: 'new', up: 'up', grace: 'late', down: 'down', paused: 'paused' },
};

/** Empty where it was within the minute that one asks for: where the page says it without seconds, that would be one time twice. */
function sinceWords({ atMs, change, check, keptFromMs }: PastFacts): string {
  if (change) return minuteOf(change.atMs) === minuteOf(atMs) ? '' : `, since ${utc(change.atMs)}`;
  return check.createdAtMs < keptFromMs
    ? `, since before ${utc(keptFromMs)}, from when on the history is kept`
    : `, since it was created at ${utc(check.createdAtMs)}`;
}

/** Of what nobody is notified. */
function withoutWords(change: StatusChange | null): string {
  if (change === null) return 'What was sent before is not kept, or there was nothing to send.';
  if (change.to === 'paused') return 'Nobody is notified that a check is paused.';
  return change.to === 'new'
    ? 'Nobody is notified that a check is resumed.'
    : 'Nobody is notified that a check is up which was not down before.';
}

/** With a change of which integrations are notified. */
interface Asked extends PastFacts {
  readonly change: StatusChange;
  readonly kind: NotificationKind;
}

/** Those that the logs have first, then the others of the project. */
function recipientsThen(asked: Asked): readonly PastRecipient[] {
  const { channels, sent, waiting } = asked;
  const logged = new Map<ChannelId, SentNotification[]>();
  for (const one of sent)
    if (one.channelKind !== '' || one.outcome !== 'held')
      logged.set(one.channelId, [...(logged.get(one.channelId) ?? []), one]);
  const pending = new Map(waiting.map((delivery) => [delivery.channelId, delivery]));
  const ids = new Set([...logged.keys(), ...pending.keys()]);
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const known = [...ids].map((id): PastRecipient => {
    const [entries, delivery] = [logged.get(id) ?? [], pending.get(id) ?? null];
    const channel = byId.get(id) ?? null;
    const last = entries.at(-1);
    const name = channel?.name || last?.channelName || '';
    return {
      channelId: id,
      name,
      kind: channel?.kind ?? last?.channelKind ?? '',
      ...became(entries, delivery),
    };
  });
  const others = channels.filter(({ id }) => !ids.has(id)).map((channel) => withoutEntry(channel, asked));
  return [...known, ...others];
}

type Became = Pick<PastRecipient, 'outcome' | 'atMs' | 'text'>;

/** What the log has of one integration, oldest first, and what waits for it. */
function became(entries: readonly SentNotification[], delivery: Delivery | null): Became {
  const first = entries.findIndex(({ outcome }) => outcome === 'delivered');
  const isSent = first >= 0;
  const before = (isSent ? entries.slice(0, first + 1) : entries).map(entryWords);
  const reminders = isSent ? entries.slice(first + 1).filter(({ outcome }) => outcome === 'delivered') : [];
  const lastReminder = reminders.at(-1);
  const again =
    lastReminder === undefined
      ? []
      : [`Reminded ${times(reminders.length)}, last at ${utc(lastReminder.atMs)}.`];
  const waits = delivery === null || isSent ? [] : [waitingWords(delivery)];
  const decisive = isSent ? entries[first] : entries.at(-1);
  return {
    outcome: waits.length > 0 ? 'waiting' : (decisive?.outcome ?? 'none'),
    atMs: decisive?.atMs ?? null,
    text: [...before, ...again, ...waits].join(' '),
  };
}

function entryWords({ outcome, atMs, attempts, error }: SentNotification): string {
  const at = utc(atMs);
  switch (outcome) {
    case 'delivered':
      return `Delivered at ${at}${attempts > 1 ? `, at attempt ${attempts}` : ''}.`;
    case 'failed':
      return `Given up at ${at} after ${attempts === 1 ? 'one attempt' : `${attempts} attempts`}: ${error}.`;
    case 'held':
      return `Held back at ${at}: ${error}.`;
    case 'superseded':
      return `Not sent: ${error} (${at}).`;
  }
}

function waitingWords({ attempts, notBeforeMs, error }: Delivery): string {
  const next = notBeforeMs > 0 ? `, not before ${utc(notBeforeMs)}` : '';
  if (attempts === 0) return `Waits to be sent${next}.`;
  const failed = attempts === 1 ? 'One attempt has failed' : `${attempts} attempts have failed`;
  return `${failed}: ${error}. It is tried again${next}.`;
}

function withoutEntry(channel: Channel, asked: Asked): PastRecipient {
  const { id, name, kind } = channel;
  return {
    ...{ channelId: id, name, kind, outcome: 'none', atMs: null },
    text: whyWithout(channel, asked),
  };
}

/** Why no log has anything of an integration, as far as that can be known. */
function whyWithout(now: Channel, asked: Asked): string {
  const { change, audit, assigned, downBefore } = asked;
  if (now.createdAtMs > change.atMs) return `Not notified: it was created later, at ${utc(now.createdAtMs)}.`;
  const then = channelThen(now, audit);
  const { check, isKnown: isCheckKnown, reassigned } = checkThen(asked.check, now.id, audit);
  const isKnown = then.isKnown && isCheckKnown;
  const isAssigned = assigned.has(now.id);
  if (reassigned !== null && !isAssigned)
    return `Not assigned to the check now. Whether it was then is not known: that was changed at ${utc(reassigned.atMs)}.`;
  if (!isAssigned) return reasonWords('not assigned to the check', audit.isWhole);
  const reason = refusalOf(then.channel, { check, change, kind: asked.kind, downBefore });
  if (reason !== null) return reasonWords(reason, isKnown);
  const held = heldFromAll(asked);
  if (held !== null) return held;
  if (reassigned !== null)
    return `No log says why not. It may not have been assigned to the check: that was changed at ${utc(reassigned.atMs)}.`;
  if (asked.kind === 'up' && downBefore !== null && !wasSentDown(now.id, asked))
    return 'Not notified: it had not been sent that the check was down.';
  return isKnown
    ? 'No log says why not: by its settings of that time it was to be notified.'
    : 'No log says why not: by its settings of now it would be notified, and those of that time are not known any more.';
}

/** Whether a log has that it was sent, or tried. */
function wasSentDown(id: ChannelId, { sentDown }: Asked): boolean {
  return sentDown.some(({ channelId, attempts }) => channelId === id && attempts > 0);
}

function reasonWords(reason: string, isKnown: boolean): string {
  return isKnown
    ? `Not notified: it was ${reason}.`
    : `Not notified, if all was set as now: it is ${reason}. What was set then is not known any more.`;
}

interface Refused {
  readonly check: Check;
  readonly change: StatusChange;
  readonly kind: NotificationKind;
  readonly downBefore: StatusChange | null;
}

/** By which of its settings an integration is not notified; null for none. Reads on after `it is`. */
function refusalOf(channel: Channel, { check, change, kind, downBefore }: Refused): string | null {
  const { disabled, unverified, tags, events } = settingsOf(channel);
  if (disabled) return 'turned off';
  if (unverified) return 'without a confirmed address';
  if (!acceptsNotification(channel, kind)) return kindReasons[kind];
  const before = () => downBefore;
  if (acceptsChange(channel, check, change, before)) return null;
  const anyTags: Channel = { ...channel, settings: { ...settingsOf(channel), tags: '' } };
  return tags !== '' && acceptsChange(anyTags, check, change, before)
    ? `only for checks tagged ${tags.split(' ').join(' or ')}`
    : `only for ${events.split(' ').join(', ')}`;
}

const kindReasons: Readonly<Record<NotificationKind, string>> = {
  down: 'only for checks that come up',
  up: 'only for checks that go down',
  late: 'not for checks that are late',
  warning: 'not for warnings',
};

/** What kept it back from every integration, until there was nothing to send any more. */
function heldFromAll({ check, change, next, snoozes, sent }: Asked): string | null {
  const snooze = snoozes.find(({ fromMs, untilMs }) => fromMs <= change.atMs && change.atMs < untilMs);
  if (snooze) return `Not sent: ${snoozeWords(snooze)}${endWords(next, snooze.untilMs)}.`;
  const held = sent.findLast(({ outcome, channelKind }) => outcome === 'held' && channelKind === '');
  if (!held) return null;
  if (next)
    return `Not sent: it was held back, and the check was ${statusWords[next.to]} at ${utc(next.atMs)}.`;
  return check.hold ? `Held back still: ${held.error}.` : null;
}

function endWords(next: StatusChange | null, untilMs: number): string {
  return next && next.atMs <= untilMs ? `, and it was ${statusWords[next.to]} at ${utc(next.atMs)}` : '';
}

function snoozeWords({ fromMs, untilMs, by }: SnoozeSpan): string {
  return `the check was snoozed${by === '' ? '' : ` by ${by}`} from ${utc(fromMs)} to ${utc(untilMs)}`;
}

function notesOf({ sent, snoozes, acknowledged, change, next, nowMs }: PastFacts): readonly PastNote[] {
  const fromMs = change?.atMs ?? 0;
  const untilMs = next?.atMs ?? nowMs;
  const held = sent
    .filter(({ outcome, channelKind }) => outcome === 'held' && channelKind === '')
    .map(({ atMs, error }) => ({ atMs, text: `Held back at ${utc(atMs)}: ${error}.` }));
  const snoozed = snoozes
    .filter((snooze) => snooze.fromMs < untilMs && snooze.untilMs > fromMs)
    .map((snooze) => ({
      atMs: snooze.fromMs,
      text: `${capital(snoozeWords(snooze))}: nothing was sent meanwhile.`,
    }));
  const known = acknowledged && {
    atMs: acknowledged.atMs,
    text: `Acknowledged${acknowledged.by === '' ? '' : ` by ${acknowledged.by}`} at ${utc(acknowledged.atMs)}: no reminders after that.`,
  };
  return [...held, ...snoozed, ...(known ? [known] : [])].sort((a, b) => a.atMs - b.atMs);
}

function summary(recipients: readonly PastRecipient[]): string {
  const count = (outcome: PastOutcome): number =>
    recipients.filter((recipient) => recipient.outcome === outcome).length;
  const delivered = count('delivered');
  const others = [
    counted(count('waiting'), 'waits', 'wait'),
    counted(count('failed'), 'was given up', 'were given up'),
  ];
  const more = others.filter((text) => text !== '').join(', ');
  const who =
    delivered === 0
      ? 'Nobody was notified of that'
      : `${delivered === 1 ? 'One integration was' : `${delivered} integrations were`} notified of that`;
  return `${who}${more === '' ? '' : `; ${more}`}.`;
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function minuteOf(atMs: number): number {
  return Math.floor(atMs / minute);
}

/** `2026-05-04 22:00:03 UTC`. */
function utc(atMs: number): string {
  const whole = Math.floor(atMs / second) * second;
  return `${minuteWords(whole)}:${new Date(whole).toISOString().slice(17, 19)} UTC`;
}
