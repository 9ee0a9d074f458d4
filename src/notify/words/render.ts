/**
 * Puts a notice into words, once for all kinds: a message, most important first. Plain text; `formats` writes it down for a
 * target, `facts` has the values that templates can name.
 * Invariant: pure; a title is one line, whatever the check is called; the source of a mail is never shown.
 */

import { tagsOf } from '../../domain/check/check.ts';
import type { Cause } from '../../domain/check/flip.ts';
import { senderOf } from '../../domain/check/ping.ts';
import type { NotificationKind } from '../../domain/deliveries/delivery.ts';
import { capital } from '../../domain/words/capital.ts';
import { exitWords } from '../../domain/words/exit-words.ts';
import { sentence } from '../../domain/words/sentence.ts';
import { everySpan, exactSpan, longSpan } from '../../domain/words/span-words.ts';
import { dateText, relativeText, timeText, whenText } from '../../domain/words/time-words.ts';
import { minute, second } from '../../lib/units.ts';
import type { Notice, OthersDown } from '../contract/channel.ts';
import { descCharsShown, nameCharsShown } from '../contract/limits.ts';
import { withAlertText } from './alert-words.ts';
import {
  incidentFacts,
  incidentHeadline,
  incidentSubject,
  incidentVerb,
  manyOf,
} from './incident-message.ts';
import { withOverText } from './over-text.ts';
import { reminderText, withReminder } from './reminder-text.ts';
import { runText } from './run-words.ts';
import { readableBody, type ShownBody } from './shown-body.ts';

const words: Readonly<Record<NotificationKind, string>> = {
  down: 'DOWN',
  up: 'UP',
  late: 'LATE',
  warning: 'WARNING',
};
const marks: Readonly<Record<NotificationKind, string>> = {
  down: '🔴',
  up: '🟢',
  late: '🟠',
  warning: '🟡',
};

export type Fact = readonly [label: string, value: string];

export interface Message {
  /** One line: `Nightly backup is DOWN`. */
  readonly title: string;
  /** A coloured dot, for titles of targets that have no colours. */
  readonly mark: string;
  /** That it is a reminder, in a sentence; empty for what is none. */
  readonly reminder: string;
  /** The event in a sentence. */
  readonly headline: string;
  /** Most important first. */
  readonly facts: readonly Fact[];
  /** A sentence about the other checks of the project; empty for none. */
  readonly othersDown: string;
  /** The job's last output, or the text of its mail. */
  readonly body: ShownBody;
  /** Facts that a reader knows already, but not on the first night. */
  readonly context: readonly Fact[];
  readonly link: Link;
  /** Link to the page for those who have no account; null if there is nothing to do. */
  readonly act: Link | null;
}

interface Link {
  readonly url: string;
  readonly text: string;
}

export function messageOf(notice: Notice): Message {
  const isTest = notice.test;
  return {
    title: titleOf(notice),
    mark: marks[notice.notificationKind],
    reminder: reminderText(notice, (atMs) => timeText(atMs, notice)),
    headline: headlineOf(notice),
    facts: factLines(notice),
    othersDown: isTest || manyOf(notice) ? '' : othersDownText(notice.othersDown),
    body: readableBody(isTest ? '' : bodyOf(notice), hasFailed(notice)),
    context: contextOf(notice),
    link: {
      url: notice.checkUrl,
      text: isTest ? 'Open Knell' : manyOf(notice) ? 'View incident' : 'View check',
    },
    act: notice.actUrl === null ? null : { url: notice.actUrl, text: actText(notice) },
  };
}

/** As it is read by people: programs know a reminder by its delivery, and what they are sent stays the same. */
export function forPeople(message: Message): Message {
  return { ...message, headline: withReminder(message.reminder, message.headline) };
}

/** Text of the link. A check that is only late cannot be acknowledged. */
function actText({ notificationKind }: Notice): string {
  return notificationKind === 'down' ? 'Acknowledge or snooze' : 'Snooze';
}

const verbs: Readonly<Partial<Record<NotificationKind, string>>> = { warning: 'ended with a' };

export function titleOf(notice: Notice): string {
  return notice.test
    ? oneLine(notice.announcement?.title ?? 'Test notification from Knell')
    : `${nameOf(notice)} ${verbOf(notice)} ${words[notice.notificationKind]}`;
}

function verbOf(notice: Notice): string {
  const many = manyOf(notice);
  const verb = many ? incidentVerb(many) : (verbs[notice.notificationKind] ?? 'is');
  return notice.over ? (pastVerbs[verb] ?? verb) : verb;
}

/** Of an outage that is over. */
const pastVerbs: Readonly<Record<string, string>> = { is: 'was', are: 'were' };

/** Of the check, or of the incident that it is about as a whole. */
export function nameOf({ check, incident }: Pick<Notice, 'check' | 'incident'>): string {
  const many = manyOf({ incident, test: false });
  if (many) return incidentSubject(many);
  const name = cut(oneLine(check.config.name), nameCharsShown);
  return name === '' ? check.id : name;
}

/** Headline, facts and other checks as labelled lines; the headline and the others have no label. */
export function linesOf(notice: Notice): readonly Fact[] {
  const { headline, facts, othersDown, context } = forPeople(messageOf(notice));
  const lines: readonly Fact[] = [['', headline], ...facts, ['', othersDown], ...context];
  return filled(lines);
}

const reasons: Readonly<Record<NotificationKind, Partial<Record<Cause, string>>>> = {
  down: { fail: 'The job reported a failure.', timeout: 'No ping arrived in time.' },
  up: { success: 'Recovered: a ping arrived.' },
  late: {},
  warning: {},
};
const otherReasons: Readonly<Record<NotificationKind, string>> = {
  down: 'Overdue under the new schedule.',
  up: 'Recovered.',
  late: 'A ping is late; still within the grace time.',
  warning: 'The job reported a warning.',
};

/** The event in a sentence or two. */
export function headlineOf(notice: Notice): string {
  const many = manyOf(notice);
  const text = many ? incidentHeadline(notice, many) : withAlertText(eventOf(notice), notice);
  return withOverText(text, notice, (atMs) => timeText(atMs, notice));
}

/** Without how its alerting is set: that belongs to the moment of the alert. */
function eventOf(notice: Notice): string {
  const { notificationKind, cause, ping, test } = notice;
  if (test) return notice.announcement?.text ?? 'If you can read this, it works.';
  const ofRun = runText(notice);
  if (ofRun !== '') return ofRun;
  if (notificationKind === 'down' && cause === 'fail' && (ping?.exitStatus ?? 0) > 0)
    return `Exit status ${ping?.exitStatus}.`;
  const byHand = byHandWords(notice);
  if (notificationKind === 'up' && byHand !== '') return `Marked as up ${byHand}.`;
  if (notificationKind === 'down' && cause === 'timeout' && notice.startedMs !== null)
    return unfinishedText(notice, notice.startedMs);
  return reasons[notificationKind][cause] ?? otherReasons[notificationKind];
}

/** As `eventOf`, where no facts beside it say how long the run took. */
export function reasonOf(notice: Notice): string {
  const { notificationKind, cause, ping, runMs } = notice;
  const status = ping?.exitStatus ?? 0;
  const isExit = notificationKind === 'down' && cause === 'fail' && status > 0 && runText(notice) === '';
  return isExit ? `${capital(exitWords(status, runMs))}.` : eventOf(notice);
}

/** `by hand, by Ada`: of the ping that this is about, or that came last; empty for one that a job sent. */
export function byHandWords({ ping }: Notice): string {
  const sender = ping === null ? '' : oneLine(senderOf(ping));
  return sender === '' ? '' : `by hand, by ${sender}`;
}

/** A run may have begun so late that the missing ping took the check down, not the run. */
function unfinishedText(notice: Notice, startedMs: number): string {
  const graceMs = notice.check.config.graceS * second;
  const started = timeText(startedMs, notice);
  return startedMs + graceMs <= notice.atMs
    ? `Started ${started}, did not finish within the grace time.`
    : `No ping arrived in time. A run that started ${started} has not finished.`;
}

function factLines(notice: Notice): readonly Fact[] {
  // The check of a test notification does not exist.
  if (notice.test) return [];
  const many = manyOf(notice);
  if (many) return incidentFacts(notice, many);
  return filled([
    ['Down for', notice.downtimeMs === null ? '' : longSpan(Math.max(second, notice.downtimeMs))],
    ['Run took', runTookText(notice)],
    ['Expected', expectedText(notice)],
    ['Last ping', lastPingText(notice)],
    ['Subject', isBesidePoint(notice) ? '' : oneLine(notice.mail?.subject ?? '')],
    ['Description', cut(notice.check.config.desc.trim(), descCharsShown)],
  ]);
}

function contextOf(notice: Notice): readonly Fact[] {
  const { test, project, check } = notice;
  return filled([
    ['Project', oneLine(project.name)],
    ['Tags', test || manyOf(notice) ? '' : tagsOf(check.config).join(' ')],
    ['Schedule', test || manyOf(notice) ? '' : scheduleText(notice)],
  ]);
}

function filled(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter(([, value]) => value !== '');
}

/** Duration of the run that this is about: when no ping came, the one before ended well enough. */
function runTookText({ cause, runMs }: Notice): string {
  return runMs === null || (cause !== 'fail' && cause !== 'success') ? '' : exactSpan(runMs);
}

/** When the ping was due that did not come; or that came, if it was late by a minute or more. */
function expectedText(notice: Notice): string {
  const { expectedMs, cause, ping } = notice;
  if (expectedMs === null) return '';
  if (cause !== 'fail' && cause !== 'success') return whenText(expectedMs, notice);
  const lateMs = (ping?.atMs ?? 0) - expectedMs;
  return lateMs < minute
    ? ''
    : `${dateText(expectedMs, notice)} (${relativeText(0, lateMs).replace(' ago', ' late')})`;
}

function lastPingText(notice: Notice): string {
  const { ping } = notice;
  if (!ping) return 'never';
  const failed = ping.signal === 'fail' && (ping.exitStatus ?? 0) > 0;
  const byHand = byHandWords(notice);
  const what = failed ? `exit status ${ping.exitStatus}` : ping.signal === 'warn' ? 'warning' : ping.signal;
  return `${whenText(ping.atMs, notice)}, ${what}${byHand === '' ? '' : `, ${byHand}`}`;
}

function scheduleText({ check }: Notice): string {
  const { kind, timeoutS, graceS, schedule, tz } = check.config;
  const grace = `grace ${longSpan(graceS * second)}`;
  return kind === 'simple'
    ? `${everySpan(timeoutS * second)}, ${grace}`
    : `${oneLine(schedule)} (${tz}), ${grace}`;
}

function othersDownText({ count, of, names }: OthersDown): string {
  if (of === 0) return '';
  if (count <= 0) return 'No other check is down.';
  if (count > names.length) return `${count} other checks are down.`;
  return sentence(`Also down: ${names.join(', ')}`);
}

/** Causes of what no ping has said. */
const silentCauses: ReadonlySet<string> = new Set(['timeout', 'update', 'missed', 'hung']);

/**
 * Whether the ping's body is beside the point: the output of a run that ended well, be it with a warning, explains nothing of the time
 * in which no ping came.
 */
export function isBesidePoint({ cause, ping }: Notice): boolean {
  return silentCauses.has(cause) && (ping?.signal === 'success' || ping?.signal === 'warn');
}

/** Of a run that failed, or ended with a warning, the errors are of interest. */
export function hasFailed({ ping }: Pick<Notice, 'ping'>): boolean {
  return ping?.signal === 'fail' || ping?.signal === 'warn';
}

/** Body to show. For a ping that came by mail only the decoded text: its source says nothing to people. */
function bodyOf(notice: Notice): string {
  const { mail, ping, body } = notice;
  if (isBesidePoint(notice)) return '';
  if (mail) return mail.text;
  return ping?.scheme === 'email' ? '' : body;
}

/** Time as the API shows it: whole seconds and `+00:00`. */
export function isoOf(atMs: number): string {
  return `${new Date(Math.floor(atMs / second) * second).toISOString().slice(0, 19)}+00:00`;
}

/** Replaces line breaks and other control characters. */
export function oneLine(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[\u2028\u2029]/g, ' ')
    .trim();
}

export function cut(text: string, charsMax: number): string {
  const chars = [...text];
  return chars.length <= charsMax ? text : `${chars.slice(0, charsMax - 1).join('')}…`;
}
