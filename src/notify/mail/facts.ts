/**
 * The labelled lines of an alert mail: since when, the run, what was expected, the last ping, the schedule, whose check it is.
 * Invariant: pure; each is one line, but for the description; those without anything to say are left out.
 */

import { tagsOf } from '../../domain/check/check.ts';
import { expectedAfter } from '../../domain/check/deadline.ts';
import type { Signal } from '../../domain/check/ping.ts';
import { lateMsMin } from '../../domain/limits.ts';
import { capital } from '../../domain/words/capital.ts';
import { wordsOfCalendar, wordsOfCron } from '../../domain/words/schedule-words.ts';
import { everySpan, exactSpan, outageSpan, shortSpan } from '../../domain/words/span-words.ts';
import { NEVER, second } from '../../lib/units.ts';
import type { IncidentNotice, Notice } from '../contract/channel.ts';
import { mailDescCharsShown } from '../contract/limits.ts';
import { manyOf } from '../words/incident-message.ts';
import { byHandWords, cut, oneLine } from '../words/render.ts';
import { fullTime, relativeText, shortTime } from './times.ts';

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** The beginning of `value` that is emphasized; may be empty. */
  readonly strong: string;
}

const since: Readonly<Record<Notice['notificationKind'], string>> = {
  down: 'Down since',
  up: 'Up since',
  late: 'Late since',
  warning: 'Warned at',
};

export function factsOf(notice: Notice): readonly Fact[] {
  const { atMs, check, nowMs, notificationKind, timeZone, test } = notice;
  const at = fullTime(atMs, timeZone);
  if (test) return [{ label: 'Sent', value: `${at} (${timeZone})`, strong: at }];
  const many = manyOf(notice);
  if (many) return incidentFacts(notice, many);
  const facts: readonly (readonly [label: string, value: string])[] = [
    ['Down for', notice.downtimeMs === null ? '' : outageSpan(notice.downtimeMs)],
    ['Exit status', exitStatusText(notice)],
    ['Run', runText(notice)],
    ['Last success', lastSuccessText(notice)],
    ['Expected', expectedText(notice)],
    ['Last ping', lastPingText(notice)],
    ['Next run', nextText(notice)],
    ['Schedule', scheduleText(notice)],
    ['Project', oneLine(notice.project.name)],
    ['Tags', tagsOf(check.config).map(oneLine).join(', ')],
    ['Description', cut(check.config.desc.trim(), mailDescCharsShown)],
  ];
  return [
    {
      label: notice.over ? 'Went down' : since[notificationKind],
      value: `${at} (${timeZone}), ${relativeText(atMs, nowMs)}`,
      strong: at,
    },
    ...facts.filter(([, value]) => value !== '').map(([label, value]) => ({ label, value, strong: '' })),
  ];
}

/** Its checks are listed below. */
function incidentFacts(
  { nowMs, timeZone, project }: Notice,
  { openedMs, downCount, total }: IncidentNotice,
): readonly Fact[] {
  const at = fullTime(openedMs, timeZone);
  return [
    { label: 'Began', value: `${at} (${timeZone}), ${relativeText(openedMs, nowMs)}`, strong: at },
    {
      label: 'Checks',
      value: `${downCount.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} down`,
      strong: '',
    },
    { label: 'Project', value: oneLine(project.name), strong: '' },
  ];
}

/** Whether the notice is about the ping, and not about a deadline long after it. */
function isAboutPing({ cause }: Notice): boolean {
  return cause === 'fail' || cause === 'success';
}

function exitStatusText(notice: Notice): string {
  const status = notice.ping?.exitStatus ?? null;
  return status === null || status === 0 || !isAboutPing(notice) ? '' : String(status);
}

function runText(notice: Notice): string {
  const { runMs, startedMs, nowMs, timeZone } = notice;
  if (startedMs !== null)
    return `Started ${shortTime(startedMs, nowMs, timeZone)}, ${relativeText(startedMs, nowMs)}; not finished`;
  return runMs === null || !isAboutPing(notice) ? '' : `Took ${exactSpan(runMs)}`;
}

/** The success to compare the failure with. Empty for a check that is up: its mail is about the success itself. */
function lastSuccessText({ lastSuccess, notificationKind, nowMs, timeZone }: Notice): string {
  if (lastSuccess === null || notificationKind === 'up') return '';
  const { atMs, runMs } = lastSuccess;
  const took = runMs === null ? '' : `, took ${exactSpan(runMs)}`;
  return `${shortTime(atMs, nowMs, timeZone)}, ${relativeText(atMs, nowMs)}${took}`;
}

function expectedText(notice: Notice): string {
  const { atMs, expectedMs, nowMs, runMs, timeZone } = notice;
  if (expectedMs === null) return '';
  const at = shortTime(expectedMs, nowMs, timeZone);
  if (!isAboutPing(notice)) return `${at}, ${relativeText(expectedMs, nowMs)}`;
  const lateMs = atMs - expectedMs;
  // The run that comes next says nothing of this one.
  if (lateMs < 0) return '';
  if (runMs === null) return lateMs < second ? at : `${at}; the ping came ${shortSpan(lateMs)} late`;
  // A run is expected to begin then, however long it takes.
  const startedLateMs = lateMs - runMs;
  return startedLateMs < lateMsMin
    ? `${at}; the run started on time`
    : `${at}; the run started ${shortSpan(startedLateMs)} late`;
}

const signalWords: Readonly<Record<Signal, string>> = {
  success: 'success',
  start: 'start of a run',
  fail: 'failure',
  log: 'log entry',
  ign: 'ignored by its text',
  warn: 'warning',
  alive: 'sign of life',
};

/** `01:32:03, 5 s ago: failure, ping #74, from 127.0.0.1`. */
function lastPingText(notice: Notice): string {
  const { ping, nowMs, timeZone } = notice;
  if (ping === null) return 'never';
  const at = `${shortTime(ping.atMs, nowMs, timeZone)}, ${relativeText(ping.atMs, nowMs)}`;
  const origin = [
    ping.scheme === 'email' ? 'by email' : '',
    byHandWords(notice),
    ping.remoteAddr === '' ? '' : `from ${oneLine(ping.remoteAddr)}`,
  ].filter((part) => part !== '');
  return `${at}: ${[signalWords[ping.signal], `ping #${ping.n}`, ...origin].join(', ')}`;
}

/**
 * The next ping that is expected. For a check that is down only if its schedule goes by the clock, whatever the last ping was.
 */
function nextText({ check, notificationKind, nowMs, timeZone }: Notice): string {
  const { config, state } = check;
  const isByClock = notificationKind === 'down' && config.kind !== 'simple';
  const expectedAtMs = isByClock ? expectedAfter(config, nowMs) : state.expectedAtMs;
  if ((notificationKind !== 'up' && !isByClock) || expectedAtMs === NEVER) return '';
  return `${shortTime(expectedAtMs, nowMs, timeZone)}, ${relativeText(expectedAtMs, nowMs)}`;
}

function scheduleText({ check }: Notice): string {
  const { kind, timeoutS, graceS, schedule, tz } = check.config;
  const grace = `grace time ${shortSpan(graceS * second)}`;
  if (kind === 'simple') return `${capital(everySpan(timeoutS * second))}, ${grace}`;
  const { words, zone } = kind === 'cron' ? wordsOfCron(schedule) : wordsOfCalendar(schedule);
  const said = words === '' ? oneLine(schedule) : capital(words);
  return `${said} (${zone || tz}), ${grace}`;
}
