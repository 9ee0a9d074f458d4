/**
 * Content of an alert mail, in the order of importance to somebody who reads it on a phone at night. Both parts of a mail are
 * rendered from it: `text`, `html`.
 * Invariant: pure; every text of one line is one line, whatever checks, projects and integrations are called.
 */

import { settingsOf } from '../../domain/accounts/project.ts';
import type { NotificationKind } from '../../domain/deliveries/delivery.ts';
import { shownOutputText } from '../../domain/words/output-lines.ts';
import { everySpan } from '../../domain/words/span-words.ts';
import { runbookIn } from '../../domain/words/web-address.ts';
import { channelFields } from '../../integrations/channel-value.ts';
import { second } from '../../lib/units.ts';
import type { DownCheck, IncidentNotice, Notice } from '../contract/channel.ts';
import { incidentVerb, manyOf } from '../words/incident-message.ts';
import { whyWords } from '../words/incident-notice.ts';
import { isStillDown } from '../words/reminder-text.ts';
import { hasFailed, isBesidePoint, nameOf, oneLine } from '../words/render.ts';
import { type Fact, factsOf } from './facts.ts';
import { headlineOf } from './headline.ts';
import { relativeText, shortTime } from './times.ts';

export type Tone = NotificationKind | 'test';

export interface Link {
  readonly text: string;
  readonly url: string;
}

export interface MailContent {
  readonly tone: Tone;
  readonly subject: string;
  /** `Acme`. */
  readonly project: string;
  /** `Nightly backup is down`. */
  readonly title: string;
  /** The event, in a sentence or two. */
  readonly headline: string;
  readonly facts: readonly Fact[];
  readonly output: ShownOutput | null;
  readonly button: Link;
  /** Beside the button. */
  readonly more: readonly Link[];
  /** Null for a test, and where there is no other check. Of an incident, those that are down in it. */
  readonly others: OtherChecks | null;
  readonly footer: Footer;
}

interface ShownOutput {
  readonly label: string;
  readonly text: string;
  /** What is attached; may be empty. */
  readonly note: string;
}

interface OtherChecks {
  readonly label: string;
  readonly checks: readonly OtherCheck[];
  /** Number of further entries, and where they are; null for none. */
  readonly more: Link | null;
  /** What else there is to say of the list, or that there is nothing in it; may be empty. */
  readonly note: string;
}

interface OtherCheck {
  readonly link: Link;
  readonly detail: string;
}

interface Footer {
  readonly reason: string;
  readonly links: readonly Link[];
}

export function contentOf(notice: Notice, unsubscribeUrl: string): MailContent {
  const tone = notice.test ? 'test' : notice.notificationKind;
  return {
    tone,
    subject: subjectOf(notice, tone),
    ...(notice.announcement ? { subject: `${notice.announcement.title} | ${projectOf(notice)}` } : {}),
    project: projectOf(notice),
    title:
      tone === 'test'
        ? (notice.announcement?.title ?? 'Test notification')
        : `${shownName(nameOf(notice))} ${titleOf(notice, tone)}`,
    headline: headlineOf(notice),
    facts: factsOf(notice).map(({ label, value, strong }) => ({ label, value: shownName(value), strong })),
    output: shownOutput(notice),
    button: { text: buttonOf(notice), url: notice.checkUrl },
    more: tone === 'test' ? [] : [...actsOf(notice), ...runbookOf(notice)],
    others: othersOf(notice),
    footer: footerOf(notice, unsubscribeUrl),
  };
}

const words: Readonly<Record<Tone, { readonly subject: string; readonly title: string }>> = {
  down: { subject: 'DOWN', title: 'is down' },
  up: { subject: 'UP', title: 'is up' },
  late: { subject: 'LATE', title: 'is late' },
  warning: { subject: 'WARNING', title: 'ended with a warning' },
  test: { subject: 'TEST', title: '' },
};

/** What filters look for comes first. Threads go by the ids of the mails. */
function subjectOf(notice: Notice, tone: Tone): string {
  if (tone === 'test') return `${words.test.subject} | ${projectOf(notice)}`;
  const still = tone === 'down' && isStillDown(notice) ? ' (still down)' : '';
  return `${words[tone].subject} | ${shownName(nameOf(notice))}${still}`;
}

function titleOf(notice: Notice, tone: Tone): string {
  const many = manyOf(notice);
  const title = many ? words[tone].title.replace(/^is/, incidentVerb(many)) : words[tone].title;
  if (isStillDown(notice)) return title.replace(/^(?:is|are)\b/, '$& still');
  return notice.over ? title.replace(/^is\b/, 'was').replace(/^are\b/, 'were') : title;
}

function buttonOf(notice: Notice): string {
  if (notice.test) return 'View integrations';
  return manyOf(notice) ? 'View incident' : 'View check';
}

function projectOf({ project }: Notice): string {
  return shownName(oneLine(project.name)) || 'Knell';
}

/** Removes the characters that turn the direction of the text around them. */
function shownName(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** One page for both, which asks: programs that look at the links of a mail change nothing. */
function actsOf({ actUrl, notificationKind }: Notice): readonly Link[] {
  if (actUrl === null) return [];
  const snooze = { text: 'Snooze', url: `${actUrl}?snooze` };
  return notificationKind === 'down' ? [{ text: 'Acknowledge', url: actUrl }, snooze] : [snooze];
}

function runbookOf({ check }: Notice): readonly Link[] {
  const url = runbookIn(check.config.desc);
  return url === '' ? [] : [{ text: 'Open runbook', url }];
}

function shownOutput(notice: Notice): ShownOutput | null {
  const { mail, mailSource } = notice;
  if (isBesidePoint(notice)) return null;
  if (mail !== null || mailSource !== null) {
    const subject = shownName(oneLine(mail?.subject ?? ''));
    return {
      label: subject === '' ? 'Email from the job' : `Email from the job: ${subject}`,
      text: shownOutputText(mail?.text ?? '', hasFailed(notice)) ?? '',
      note: 'The email is attached.',
    };
  }
  const text = shownOutputText(notice.body, hasFailed(notice));
  if (text === null) return null;
  const isOfLastPing = notice.cause !== 'fail' && notice.cause !== 'success' && notice.cause !== 'warn';
  return { label: isOfLastPing ? 'Output of the last ping' : 'Output', text, note: '' };
}

/** Null for a test, and where there is no other check. Of an incident, those that are down in it. */
function othersOf(notice: Notice): OtherChecks | null {
  const many = manyOf(notice);
  if (many) return checksOf(many, notice);
  if (notice.test || notice.othersDown.of === 0) return null;
  const { baseUrl, channel, othersDown, othersDownChecks, project } = notice;
  const checks = othersDownChecks.map((other) => ({
    link: { text: shownName(other.name), url: other.url },
    detail: otherDetail(other, notice) + heldWords(other, notice),
  }));
  const more = othersDown.count - checks.length;
  const none = `No other check of ${shownName(oneLine(project.name)) || 'this project'} is down.`;
  return {
    label: 'Other checks that are down',
    checks,
    more: moreLink(more, `${baseUrl}/project/${channel.projectId}/checks?status=down`),
    note: othersDown.count === 0 ? none : '',
  };
}

/** Null where `count`, of what is not listed, is 0. */
function moreLink(count: number, url: string): Link | null {
  return count > 0 ? { text: `And ${count.toLocaleString('en-US')} more`, url } : null;
}

function checksOf(
  { down, downCount }: IncidentNotice,
  { checkUrl, nowMs, timeZone }: Notice,
): OtherChecks | null {
  if (downCount === 0) return null;
  const checks = down.map(({ name, url, sinceMs, why }) => ({
    link: { text: shownName(name), url },
    detail: [`down since ${shortTime(sinceMs, nowMs, timeZone)}`, why]
      .filter((part) => part !== '')
      .join(' · '),
  }));
  return {
    label: 'Checks that are down',
    checks,
    more: moreLink(downCount - checks.length, checkUrl),
    note: '',
  };
}

function otherDetail({ lastPingMs, went, run }: DownCheck, { nowMs, timeZone }: Notice): string {
  const change = went();
  const pinged = lastPingMs === null ? 'no pings yet' : `last ping ${relativeText(lastPingMs, nowMs)}`;
  // It goes down in this moment, and that is not stored yet.
  if (change === null || change.to !== 'down') return lastPingMs === null ? pinged : 'down just now';
  return `down since ${shortTime(change.atMs, nowMs, timeZone)} · ${whyWords(change, run)}`;
}

/** Somebody who reads the list at night sees what still waits for somebody. */
function heldWords({ held = [] }: DownCheck, { nowMs, timeZone }: Notice): string {
  const said = held.map((one) =>
    'by' in one
      ? ` · acknowledged by ${shownName(one.by)}`
      : ` · ${one.until} until ${shortTime(one.untilMs, nowMs, timeZone)}`,
  );
  return said.join('');
}

function footerOf(notice: Notice, unsubscribeUrl: string): Footer {
  const { baseUrl, channel } = notice;
  const page = `${baseUrl}/project/${channel.projectId}/integrations`;
  return {
    reason: `You get this because ${reasonOf(notice)}${repeatText(notice)}`,
    links: [
      { text: 'Unsubscribe', url: unsubscribeUrl },
      { text: 'Integrations', url: page },
      { text: baseUrl.replace(/^https?:\/\//, ''), url: baseUrl },
    ],
  };
}

function reasonOf(notice: Notice): string {
  const { announcement, channel, test } = notice;
  const address = String(channelFields('email', channel.value).value);
  if (announcement) return `${address} is an integration of the project ${projectOf(notice)}.`;
  if (test) return `somebody sent a test to ${address}, an integration of the project ${projectOf(notice)}.`;
  if (manyOf(notice)) return `${address} is an integration of these checks.`;
  return `${address} is an integration of ${shownName(nameOf(notice))}.`;
}

function repeatText({ channel, notificationKind, test }: Notice): string {
  const { repeatS } = settingsOf(channel);
  if (test || notificationKind !== 'down' || repeatS === 0) return '';
  return ` While it stays down, a reminder is sent ${everySpan(repeatS * second)}.`;
}
