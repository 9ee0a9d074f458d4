/**
 * `knell check alerting`: who would be notified if a check went down now, or who was notified at a moment in the past. The server
 * decides it and says it in sentences.
 */

import type { Management } from '../../client/management.ts';
import { answeredTitle } from '../../domain/accounts/channel-title.ts';
import type { AlertingAnswer, AlertingPastAnswer } from '../../domain/views/api-answers.ts';
import { systemClock } from '../../lib/clock.ts';
import { KnellError } from '../../lib/errors.ts';
import { second } from '../../lib/units.ts';
import type { Flags } from '../io/flags.ts';
import { printColumns, printedForPrograms } from '../io/output.ts';
import { exitDone, print } from '../io/terminal.ts';
import { findCheck } from './check-actions.ts';
import { instantOf } from './snooze.ts';

export async function showAlerting(management: Management, word: string, flags: Flags): Promise<number> {
  const at = flags.at === undefined ? null : momentOf(String(flags.at), systemClock.nowMs());
  const { project, check } = await findCheck(management, word, flags);
  const path = `checks/${check.uuid}/alerting`;
  if (at !== null) {
    const query = new URLSearchParams({ at });
    return showPast((await management.call(project, 'GET', `${path}?${query}`)) as AlertingPastAnswer, flags);
  }
  const answer = (await management.call(project, 'GET', path)) as AlertingAnswer;
  if (printedForPrograms(flags, answer)) return exitDone;
  print(answer.text);
  printRecipients(answer.recipients, 'ALERT');
  return exitDone;
}

function showPast(answer: AlertingPastAnswer, flags: Flags): number {
  if (printedForPrograms(flags, answer)) return exitDone;
  print(answer.text);
  for (const { text } of answer.notes) print(text);
  printRecipients(answer.recipients, 'NOTIFICATION');
  return exitDone;
}

interface Recipient {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
}

function printRecipients(recipients: readonly Recipient[], title: string): void {
  if (recipients.length === 0) return;
  printColumns(
    [
      { title: 'INTEGRATION', cell: ({ name, kind }) => answeredTitle(name, kind) },
      { title: 'KIND', cell: ({ kind }) => kind },
      { title, cell: ({ text }) => text },
    ],
    recipients,
  );
}

function momentOf(text: string, nowMs: number): string {
  const atMs = pastMomentMs('--at', text, nowMs);
  // The server takes it for now.
  if (atMs > nowMs) throw new KnellError('usage', '--at must not be in the future');
  return /T.*(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? text : String(atMs / second);
}

/**
 * Epoch milliseconds of a time as the API takes it, or as it is written here. What has no offset is in the time zone of this machine; a
 * time of day is the latest one. Throws with the name of the option.
 */
export function pastMomentMs(option: string, text: string, nowMs: number): number {
  if (/^\d{9,11}(?:\.\d{1,6})?$/.test(text)) return Number(text) * second;
  const atMs = /T.*(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? Date.parse(text) : instantOf(text, nowMs);
  if (atMs === null || Number.isNaN(atMs))
    throw new KnellError(
      'usage',
      `${option} must be a time such as 02:10, 2030-05-04 02:10 or 2030-05-04T02:10:00Z, or epoch seconds`,
    );
  if (!/^\d\d?:\d\d$/.test(text)) return atMs;
  const latest = new Date(atMs);
  latest.setDate(latest.getDate() - 1);
  return latest.getTime();
}
