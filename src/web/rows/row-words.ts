/** A check's state in words, as the list and its page say it: how it is, and why or until when. Pure. */

import type { Cause } from '../../domain/check/flip.ts';
import { type ShownStatus, shownStatusOf } from '../../domain/check/shown-status.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { exactSpan, roughSpan } from '../../domain/words/span-words.ts';
import { zoneOption } from '../core/time-style.ts';
import { capital, dayWords, momentWords, scheduleWords, timeWords } from '../core/words.ts';
import type { Mark } from '../ui/status-mark.tsx';

const oneDay = 86_400_000;

export interface StateWords {
  readonly status: ShownStatus;
  readonly mark: Mark;
  readonly first: string;
  readonly second: string;
}

const causes: Readonly<Record<Cause, string>> = {
  timeout: 'No ping in time',
  fail: 'The job failed',
  update: 'By its new schedule',
  success: '',
  start: '',
  pause: '',
  resume: '',
};

export function stateWords(row: CheckRow, nowMs: number): StateWords {
  const status = shownStatusOf(row);
  const { acknowledged, snoozedUntilMs } = row;
  const words = wordsOf[status](row, nowMs);
  const isSnoozed = snoozedUntilMs !== null && snoozedUntilMs > nowMs;
  const mark = status === 'down' && isSnoozed ? 'snoozed' : status;
  if (isSnoozed)
    return { status, mark, ...words, second: `Snoozed until ${momentWords(snoozedUntilMs, nowMs)}` };
  if (acknowledged) return { status, mark, ...words, second: acknowledgedWords(acknowledged.by) };
  return { status, mark, ...words };
}

function acknowledgedWords(by: string): string {
  return by === '' ? 'Acknowledged' : `Acknowledged by ${by}`;
}

type Words = (row: CheckRow, nowMs: number) => Pick<StateWords, 'first' | 'second'>;

const wordsOf: Readonly<Record<ShownStatus, Words>> = {
  down: ({ sinceMs, cause }, nowMs) => ({
    first: `Down for ${roughSpan(nowMs - sinceMs)}`,
    second: cause === null ? '' : causes[cause],
  }),
  late: ({ nextPingMs, downAtMs }, nowMs) => ({
    first: `${roughSpan(nowMs - (nextPingMs ?? nowMs))} overdue`,
    second: downAtMs === null ? '' : `Down at ${momentWords(downAtMs, nowMs)}`,
  }),
  running: ({ startedMs, lastDurationMs }, nowMs) => ({
    first: `Running ${roughSpan(nowMs - (startedMs ?? nowMs))}`,
    second: lastDurationMs === null ? '' : `Last took ${exactSpan(lastDurationMs)}`,
  }),
  up: ({ nextPingMs }, nowMs) => upWords(nextPingMs, nowMs),
  paused: ({ sinceMs }, nowMs) => ({ first: 'Paused', second: `${roughSpan(nowMs - sinceMs)} ago` }),
  new: ({ sinceMs, nPings }, nowMs) => ({
    first: nPings === 0 ? 'No pings yet' : 'No run yet',
    second: `For ${roughSpan(nowMs - sinceMs)}`,
  }),
};

function upWords(nextMs: number | null, nowMs: number): Pick<StateWords, 'first' | 'second'> {
  if (nextMs === null) return { first: 'Up', second: 'No run expected' };
  const leftMs = nextMs - nowMs;
  if (leftMs < 0) return { first: 'Due now', second: '' };
  if (leftMs <= oneDay)
    return { first: `In ${roughSpan(leftMs)}`, second: `Next ${momentWords(nextMs, nowMs)}` };
  const inDays = `In ${Math.round(leftMs / oneDay)} days`;
  if (leftMs < 7 * oneDay) {
    const weekday = new Date(nextMs).toLocaleDateString(undefined, { weekday: 'short', ...zoneOption() });
    return { first: `${weekday} ${timeWords(nextMs)}`, second: inDays };
  }
  return { first: dayWords(nextMs, nowMs), second: inDays };
}

/** `Every day at 02:15`. */
export function scheduleTitle(row: CheckRow): string {
  return capital(scheduleWords(row).replace(/ \([^)]*\)$/, ''));
}

export function graceWords({ graceS }: Pick<CheckRow, 'graceS'>): string {
  return `Grace ${exactSpan(graceS * 1000)}`;
}

export function nameOf({ name, slug }: Pick<CheckRow, 'name' | 'slug'>): string {
  return name || slug || 'Unnamed check';
}
