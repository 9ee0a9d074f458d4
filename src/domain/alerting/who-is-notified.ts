/**
 * Who would be notified if a check went down now, when, and what keeps it from whom: the same decisions as when it does go down, put
 * into sentences. Of a check that is down, what became of that.
 * Invariant: pure; asks `hold` and `deliveries/delivery`, and decides nothing by itself.
 */
import { second } from '../../lib/units.ts';
import { type Channel, settingsOf } from '../accounts/project.ts';
import type { Check } from '../check/check.ts';
import type { StatusChange } from '../check/flip.ts';
import { acceptsChange, acceptsNotification, recipientsOf } from '../deliveries/delivery.ts';
import { longSpan } from '../words/span-words.ts';
import { heldWords, untilWords } from './held-words.ts';
import { shapeAlerts } from './hold.ts';
import type { AlertingFacts, Reason } from './hold-reason.ts';
import type { ActiveWindow } from './maintenance.ts';
import { hasNothingFor, type SentOfOutage, sentWords } from './what-was-sent.ts';

/** `snooze`: somebody wants nothing until then. */
export type HeldReason = Reason['reason'] | 'snooze';

export interface HeldAlert {
  readonly reason: HeldReason;
  /** Null: until what it is about changes. */
  readonly untilMs: number | null;
  readonly text: string;
}

export interface Recipient {
  readonly channel: Channel;
  /** Whether it gets the alert, now or when nothing holds it back any more. */
  readonly isNotified: boolean;
  /** Seconds that the check has to be down before. */
  readonly afterS: number;
  /** In one sentence. */
  readonly text: string;
}

export interface WhoIsNotified {
  /** What holds the alert back from everybody; null for nothing. */
  readonly held: HeldAlert | null;
  /** The integrations that are assigned to the check. */
  readonly recipients: readonly Recipient[];
  /** The first thing to say. */
  readonly text: string;
}

interface AskOptions {
  readonly facts: AlertingFacts;
  readonly channelOf: (id: Channel['id']) => Channel | null;
  /** The quiet hours of an integration that are on; null for none. */
  readonly quietOf: (channel: Channel) => ActiveWindow | null;
  readonly nowMs: number;
  /** What was sent of its outage; only of a check that is down. */
  readonly sent?: SentOfOutage | undefined;
}

export function whoIsNotified(
  check: Check,
  { facts, channelOf, quietOf, nowMs, sent }: AskOptions,
): WhoIsNotified {
  const isDown = check.state.status === 'down';
  const change: StatusChange = {
    ...{ atMs: nowMs, to: 'down', cause: 'timeout' },
    from: isDown || check.state.status === 'paused' ? 'up' : check.state.status,
  };
  const held = isDown ? heldNow(check) : heldIfDown(check, change, facts);
  // What went down before the window began was not held back by it: only reminders are.
  const maintenance = isDown && held === null ? facts.maintenance(check, nowMs) : null;
  const isHeld = held !== null;
  const recipients = recipientsOf(check.config.channels, { channelOf }).map((channel) =>
    recipientOf(channel, {
      check,
      change,
      quiet: quietOf(channel),
      isHeld,
      isMaintained: maintenance !== null,
      sent: isDown ? sent : undefined,
    }),
  );
  const words = [
    summary(check, held, recipients),
    acknowledgedWords(check, held),
    reminderWords(maintenance),
  ];
  return { held, recipients, text: words.join('') };
}

function acknowledgedWords({ state, acknowledgement }: Check, held: HeldAlert | null): string {
  const isSaid = state.status === 'down' && acknowledgement !== undefined && held === null;
  return isSaid ? ' It is acknowledged: no reminders until it is up again.' : '';
}

function reminderWords(window: ReturnType<AlertingFacts['maintenance']>): string {
  return window
    ? ` It is in maintenance: ${window.about}${untilWords(window.untilMs)}. No reminders until then.`
    : '';
}

function heldNow({ snooze, hold }: Check): HeldAlert | null {
  if (snooze) return snoozed(snooze.untilMs);
  return hold ? heldBy(hold) : null;
}

/** As if it went down at this moment. */
function heldIfDown(check: Check, change: StatusChange, facts: AlertingFacts): HeldAlert | null {
  if (check.snooze) return snoozed(check.snooze.untilMs);
  const down: Check = { ...check, state: { ...check.state, status: 'down' } };
  const step = { before: check, changes: [change], atMs: change.atMs, outcome: 'f' as const };
  const { hold } = shapeAlerts(down, step, { facts, downAtMs: () => 0 }).check;
  return hold ? heldBy(hold) : null;
}

function snoozed(untilMs: number): HeldAlert {
  return { reason: 'snooze', untilMs, text: `snoozed${untilWords(untilMs)}` };
}

function heldBy(reason: Reason): HeldAlert {
  const untilMs = Number.isFinite(reason.untilMs) ? reason.untilMs : null;
  return { reason: reason.reason, untilMs, text: heldWords(reason) };
}

interface Asked {
  readonly check: Check;
  readonly change: StatusChange;
  readonly quiet: ActiveWindow | null;
  /** The alert is held back, from all of them. */
  readonly isHeld: boolean;
  /** It went down before maintenance that is on. */
  readonly isMaintained: boolean;
  readonly sent: SentOfOutage | undefined;
}

function recipientOf(channel: Channel, asked: Asked): Recipient {
  const { check, isHeld, isMaintained, sent } = asked;
  const after = {
    ...{ isHeld, isMaintained, isSnoozed: check.snooze !== undefined },
    isAcknowledged: check.acknowledgement !== undefined,
  };
  // What has arrived stays true whatever the settings say by now.
  const became = sent ? sentWords(channel, sent, after) : null;
  if (became !== null) return { channel, afterS: 0, ...became };
  const settled = bySettings(channel, asked);
  const isLeftOut = sent !== undefined && !isHeld && settled.isNotified && hasNothingFor(channel, sent);
  return isLeftOut ? { channel, isNotified: false, afterS: 0, text: leftOut(channel, check, sent) } : settled;
}

/** Of an integration that would be notified, but not of an outage that goes on. */
function leftOut(channel: Channel, check: Check, { change }: SentOfOutage): string {
  const up: StatusChange = { atMs: change.atMs, from: 'down', to: 'up', cause: 'success' };
  const what = acceptsChange(channel, check, up, () => change)
    ? 'Not notified of this outage, only of its end'
    : 'Not notified of this outage';
  return channel.createdAtMs > change.atMs
    ? `${what}: it was added after the outage began.`
    : `${what}: it was not set up for this check when the outage began.`;
}

/** As the settings of the integration say it. */
function bySettings(channel: Channel, { check, change, quiet, isHeld, isMaintained }: Asked): Recipient {
  const { disabled, unverified, delayS, collectS, escalateS, tags, events } = settingsOf(channel);
  const not = (text: string): Recipient => ({ channel, isNotified: false, afterS: 0, text });
  if (disabled) return not('Not notified: it is turned off.');
  if (unverified) return not('Not notified: its address has not been confirmed.');
  if (!acceptsNotification(channel, 'down')) return not('Not notified: it is only for checks that come up.');
  if (!acceptsChange(channel, check, change, () => null)) {
    if (tags !== '' && acceptsChange(withoutTags(channel), check, change, () => null))
      return not(`Not notified: only of checks tagged ${tags.split(' ').join(' or ')}.`);
    return not(`Not notified of a ping that does not come: only of ${events.split(' ').join(', ')}.`);
  }
  if (quiet) {
    const afterS = Math.ceil((quiet.untilMs - change.atMs) / second);
    const text = `Quiet hours “${quiet.name}”: notified at their end${untilWords(quiet.untilMs).replace(', until', ',')}, if the check is still down.`;
    return { channel, isNotified: true, afterS, text };
  }
  const afterS = Math.max(delayS, collectS, escalateS);
  const after = `Notified after ${longSpan(afterS * second)}`;
  if (afterS === 0) {
    const text = isHeld ? 'Notified once nothing holds the alert back.' : 'Notified at once.';
    const past = 'Its alert was due before the maintenance began; no reminders until its end.';
    return { channel, isNotified: true, afterS, text: isMaintained ? past : text };
  }
  const conditions = [
    'if the check is still down',
    ...(escalateS > 0 ? ['and nobody has acknowledged it by then'] : []),
  ];
  const together = collectS > 0 ? ' In one message with what goes down with it.' : '';
  return { channel, isNotified: true, afterS, text: `${after}, ${conditions.join(' ')}.${together}` };
}

function withoutTags(channel: Channel): Channel {
  return { ...channel, settings: { ...settingsOf(channel), tags: '' } };
}

/** All are listed below it, those that are not notified too. */
function wordsOf(count: number, total: number): string {
  if (count < total) return `${count} of ${total} integrations`;
  return count === 1 ? 'one integration' : `${count} integrations`;
}

function summary(
  { state, acknowledgement }: Check,
  held: HeldAlert | null,
  recipients: readonly Recipient[],
): string {
  const count = recipients.filter(({ isNotified }) => isNotified).length;
  const isDown = state.status === 'down';
  if (count === 0)
    return isDown
      ? 'It is down, and nobody is notified of it.'
      : 'If it went down now, nobody would be notified.';
  if (held !== null)
    return isDown
      ? `It is down, and its alert is held back: ${held.text}. If it is still down after that, ${acknowledgement ? 'who has not been notified yet is' : 'the alert is sent'}.`
      : `If it went down now, the alert would be held back: ${held.text}.`;
  const whom = wordsOf(count, recipients.length);
  return isDown
    ? // Whether it arrived, only the log knows.
      `It is down. Its alert goes to ${whom}; the log says what became of it.`
    : `If it went down now, ${whom} would be notified.`;
}
