/**
 * The mails of reports: a report in the order of what matters, and the question whether an address wants them. They look like
 * alerts, by the same templates.
 * Invariant: pure; says nothing of a check by which it can be pinged.
 */

import { checkPath } from '../../domain/accounts/page-address.ts';
import { noReports, type ReportFrequency, type User } from '../../domain/accounts/user.ts';
import {
  fewerIncidentsWords,
  incidentWords,
  nowWords,
  percentWords,
  type Report,
  type ReportLine,
  withoutLine,
} from '../../domain/views/report.ts';
import { shownName } from '../../domain/words/check-name.ts';
import { counted } from '../../domain/words/counted.ts';
import { outageSpan } from '../../domain/words/span-words.ts';
import { nameCharsShown } from '../contract/limits.ts';
import type { OutgoingMail } from '../wire/send-mail.ts';
import { cut, oneLine } from '../words/render.ts';
import type { MailContent } from './content.ts';
import { htmlOf } from './html.ts';
import { textOf } from './text.ts';
import { dayText, fullTime, shortTime } from './times.ts';

interface ReportMailFacts {
  readonly report: Report;
  readonly user: User;
  /** The left part of the Message-ID. */
  readonly id: string;
  readonly baseUrl: string;
  readonly stopUrl: string;
}

export function reportMailOf(facts: ReportMailFacts): OutgoingMail {
  const { report, user, id, stopUrl } = facts;
  const content = contentOf(facts);
  return {
    to: addressOf(user),
    ...partsOf(content),
    id,
    dateMs: report.nowMs,
    list: { id: 'reports', name: 'Knell reports', unsubscribeUrl: stopUrl },
  };
}

/** Text of the mail, without the parts that are for its reader only. */
export function reportTextOf(report: Report, baseUrl: string): string {
  return textOf({ ...saidOf(report, baseUrl), footer: { reason: '', links: [] } })
    .replace(/\n*-- \n*$/, '')
    .trimEnd();
}

function addressOf({ reports }: User): string {
  return (reports ?? noReports).address;
}

function partsOf(content: MailContent) {
  const { subject } = content;
  return { subject, text: textOf(content), html: htmlOf(content), thread: null, attachment: null };
}

export const frequencyWords: Readonly<Record<ReportFrequency, string>> = {
  daily: 'Daily report',
  weekly: 'Weekly report',
  monthly: 'Monthly report',
};

function contentOf({ report, user, baseUrl, stopUrl }: ReportMailFacts): MailContent {
  return {
    ...saidOf(report, baseUrl),
    footer: {
      reason: `You get this because ${addressOf(user)} gets a ${report.frequency} report of the checks that ${oneLine(user.name)} can see.`,
      links: [
        { text: 'Stop these reports', url: stopUrl },
        { text: 'Change how often', url: `${baseUrl}/reports` },
        { text: baseUrl.replace(/^https?:\/\//, ''), url: baseUrl },
      ],
    },
  };
}

/** The content that is the same for every reader. */
function saidOf(report: Report, baseUrl: string): Omit<MailContent, 'footer'> {
  const { frequency, affected } = report;
  const kind = frequencyWords[frequency];
  return {
    tone: affected === 0 ? 'up' : 'down',
    subject: `${kind} | ${affected === 0 ? quietWords(report) : summaryOf(report)}`,
    project: kind,
    title:
      affected === 0
        ? `Still alive, ${report.watched === 0 ? 'nothing watched' : 'no outages'}`
        : summaryOf(report),
    headline: headlineOf(report),
    facts: factsOf(report),
    output: null,
    button: { text: 'View checks', url: `${baseUrl}/projects` },
    more: [],
    others: {
      label: 'Checks that were down, the worst first',
      checks: report.worst.map((line) => ({
        link: { text: lineName(line), url: baseUrl + checkPath(line.projectId, line.uniqueKey) },
        detail: lineDetail(line, report),
      })),
      more: null,
      note: noteOf(report),
    },
  };
}

/** `3 outages in 2 of 15 checks`; `3 outages in 2 checks` where there are no others. */
function summaryOf({ outages, affected, checks }: Report): string {
  const of = affected === checks ? '' : `${affected.toLocaleString('en-US')} of `;
  return `${counted(outages, 'outage')} in ${of}${counted(checks, 'check')}`;
}

function quietWords({ watched }: Report): string {
  return watched === 0 ? 'no check was watched' : `no outages in ${counted(watched, 'check')}`;
}

function headlineOf(report: Report): string {
  const { affected, watched, checks } = report;
  const span = spanWords(report);
  if (checks === 0) return `Knell is running. There are no checks yet (${span}).`;
  if (watched === 0) return `Knell is running. No check was watched in that time: ${span}.`;
  if (affected === 0) return `Knell is running, and none of ${counted(watched, 'check')} was down: ${span}.`;
  return `${affected.toLocaleString('en-US')} of ${counted(checks, 'check')} ${affected === 1 ? 'was' : 'were'} down: ${span}.`;
}

/** `Mon 16 Nov 2026 to Sun 22 Nov 2026`. */
function spanWords({ fromMs, untilMs, nowMs, timeZone }: Report): string {
  const first = dayText(fromMs, timeZone);
  const last = dayText(Math.min(untilMs, nowMs) - 1, timeZone);
  return first === last ? first : `${first} to ${last}`;
}

function factsOf(report: Report): MailContent['facts'] {
  const { fromMs, untilMs, nowMs, timeZone, percent, downMs, affected, watched, incidents } = report;
  const uptime = percentWords(percent);
  const of = affected > 1 ? `, the sum of ${affected.toLocaleString('en-US')} checks` : '';
  const ofWatched =
    watched > 1 ? ` of the time in which ${watched.toLocaleString('en-US')} checks were watched` : '';
  const until = fullTime(Math.min(untilMs, nowMs), timeZone);
  return [
    { label: 'Uptime', value: uptime + ofWatched, strong: uptime },
    ...(affected === 0 ? [] : [{ label: 'Downtime', value: outageSpan(downMs) + of, strong: '' }]),
    ...(incidents ? [{ label: 'Incidents', value: incidentWords(incidents), strong: '' }] : []),
    {
      label: 'Now',
      value: nowWords(report).join(', ') || '–',
      strong: '',
    },
    { label: 'Period', value: `${fullTime(fromMs, timeZone)} to ${until} (${timeZone})`, strong: '' },
  ];
}

function lineName({ name, project, status }: ReportLine): string {
  const shown = shownName({ name: withoutTurns(cut(oneLine(name), nameCharsShown)) });
  const now = status === 'down' ? ', down now' : '';
  return `${shown} (${withoutTurns(cut(oneLine(project), nameCharsShown))}${now})`;
}

/** Removes the characters that turn the direction of the text around them. */
function withoutTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

function lineDetail(
  { downMs, outages, percent, watchedSinceMs }: ReportLine,
  { nowMs, timeZone }: Report,
): string {
  const since = watchedSinceMs === undefined ? '' : ` since ${shortTime(watchedSinceMs, nowMs, timeZone)}`;
  const up = percent === null ? '' : ` · ${percentWords(percent)} up`;
  return `${counted(outages, 'outage')}, ${outageSpan(downMs)}${up}${since}`;
}

function noteOf(report: Report): string {
  const { affected, watched } = report;
  const more = withoutLine(report);
  const others = watched - affected;
  if (affected === 0) return '';
  return [
    ...(more
      ? [
          `And ${counted(more.affected, 'other check')} with ${counted(more.outages, 'outage')}, ${outageSpan(more.downMs)} in all.`,
        ]
      : []),
    ...(others > 0 ? [`No outages in ${counted(others, 'other check')}.`] : []),
    ...[fewerIncidentsWords(report)].filter((words) => words !== ''),
  ].join(' ');
}

interface ConfirmFacts {
  readonly user: User;
  /** URL at which the reader of the address agrees. */
  readonly url: string;
  readonly id: string;
  readonly nowMs: number;
}

export function confirmReportsMailOf({ user, url, id, nowMs }: ConfirmFacts): OutgoingMail {
  const address = addressOf(user);
  const content: MailContent = {
    tone: 'test',
    subject: 'Confirm this address | Knell reports',
    project: 'Reports',
    title: 'Confirm this address',
    headline: `${oneLine(user.name)} wants to get reports about checks at ${address}. Until you confirm, none are sent.`,
    facts: [],
    output: null,
    button: { text: 'Confirm', url },
    more: [],
    others: null,
    footer: { reason: 'If you did not expect this, do nothing.', links: [] },
  };
  return { to: address, ...partsOf(content), id, dateMs: nowMs, list: null };
}
