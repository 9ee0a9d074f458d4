/**
 * The event in a sentence or two: the line below the title of an alert mail.
 * Invariant: pure; says nothing that the notice does not know.
 */
import { afterWords, exitWords } from '../../domain/words/exit-words.ts';
import { outageSpan, shortSpan } from '../../domain/words/span-words.ts';
import { NEVER, second } from '../../lib/units.ts';
import type { Notice } from '../contract/channel.ts';
import { withAlertText } from '../words/alert-words.ts';
import { incidentHeadline, manyOf } from '../words/incident-message.ts';
import { withOverText } from '../words/over-text.ts';
import { reminderText, withReminder } from '../words/reminder-text.ts';
import { byHandWords } from '../words/render.ts';
import { runText } from '../words/run-words.ts';
import { relativeText, shortTime } from './times.ts';

export function headlineOf(notice: Notice): string {
  if (notice.announcement) return notice.announcement.text.replaceAll('\n', ' ');
  if (notice.test)
    return 'This is a test: nothing has happened. If you can read this, alerts to this address work.';
  const { nowMs, timeZone } = notice;
  const said = (atMs: number) => shortTime(atMs, nowMs, timeZone);
  return withReminder(reminderText(notice, said), withOverText(eventOf(notice), notice, said));
}

function eventOf(notice: Notice): string {
  const many = manyOf(notice);
  if (many) return incidentHeadline(notice, many);
  const ofRun = runText(notice);
  return withAlertText(ofRun === '' ? headlines[notice.notificationKind](notice) : ofRun, notice);
}

const headlines: Readonly<Record<Notice['notificationKind'], (notice: Notice) => string>> = {
  down: downHeadline,
  up: upHeadline,
  late: lateHeadline,
  warning: () => 'The job reported a warning.',
};

function downHeadline(notice: Notice): string {
  if (notice.cause === 'fail') return failHeadline(notice);
  if (notice.cause !== 'timeout') return 'Its schedule was changed, and by the new one its ping is overdue.';
  const { check, startedMs, expectedMs, nowMs } = notice;
  const grace = `the grace time of ${shortSpan(check.config.graceS * second)}`;
  if (startedMs !== null)
    return `The run that started ${onOrAt(startedMs, notice)} did not finish within ${grace}.`;
  if (expectedMs === null) return `No ping arrived within ${grace}.`;
  return `No ping arrived in time. It was expected ${onOrAt(expectedMs, notice)}, ${relativeText(expectedMs, nowMs)}.`;
}

/** `at 14:30:05`, `on Mon 30 Nov, 14:30:05`. */
function onOrAt(atMs: number, { nowMs, timeZone }: Notice): string {
  const words = shortTime(atMs, nowMs, timeZone);
  return `${words.includes(' ') ? 'on' : 'at'} ${words}`;
}

function failHeadline({ ping, runMs }: Notice): string {
  const status = ping?.exitStatus ?? null;
  return status === null || status === 0
    ? `The job reported a failure${afterWords(runMs)}.`
    : `The job failed: ${exitWords(status, runMs)}.`;
}

function upHeadline(notice: Notice): string {
  const { cause, downtimeMs } = notice;
  const byHand = cause === 'success' ? byHandWords(notice) : '';
  if (byHand !== '')
    return `Marked as up ${byHand}${downtimeMs === null ? '' : `, after ${outageSpan(downtimeMs)} of downtime`}.`;
  const what = cause === 'success' ? 'A ping arrived' : 'It recovered';
  return downtimeMs === null ? `${what}.` : `${what} after ${outageSpan(downtimeMs)} of downtime.`;
}

function lateHeadline({ check, atMs, nowMs, timeZone }: Notice): string {
  const { downAtMs } = check.state;
  const late = `Its ping is ${shortSpan(Math.max(second, nowMs - atMs))} late.`;
  if (downAtMs === NEVER || downAtMs < nowMs) return late;
  return `${late} If none arrives until ${shortTime(downAtMs, nowMs, timeZone)}, the check goes down.`;
}
