/**
 * Changes snoozes and acknowledgements of checks, and shows them beside the checks, over the socket or remotely.
 * Invariant: all checks are looked up, and times are read, before anything is changed.
 */

import { allChecks, checkNamed, type FoundCheck } from '../../client/find-check.ts';
import type { ApiCheck, Management } from '../../client/management.ts';
import { durationMs } from '../../client/options.ts';
import type { HeldAlerts, SnoozeListAnswer } from '../../domain/views/api-answers.ts';
import { beginsWithDate } from '../../lib/calendar-date.ts';
import { systemClock } from '../../lib/clock.ts';
import { KnellError } from '../../lib/errors.ts';
import { day } from '../../lib/units.ts';
import type { Flags } from '../io/flags.ts';
import { printedForPrograms } from '../io/output.ts';
import type { Column } from '../io/table.ts';
import { exitDone, print } from '../io/terminal.ts';
import { nameOf } from './check-rows.ts';

type AlertAction = 'acknowledge' | 'unacknowledge' | 'snooze' | 'unsnooze';

export async function changeAlerts(
  management: Management,
  action: AlertAction,
  { words, flags }: { readonly words: readonly string[]; readonly flags: Flags },
): Promise<number> {
  const untilMs = action === 'snooze' ? snoozeEnd(flags, systemClock.nowMs()) : null;
  const project = typeof flags.project === 'string' ? flags.project : undefined;
  const all = await allChecks(management, project);
  const found = words.map((word) => checkNamed(all, word));
  const json = untilMs === null ? {} : { until: new Date(untilMs).toISOString() };
  const done: FoundCheck[] = [];
  for (const one of found) {
    const path = `checks/${one.check.uuid}/${action}`;
    const check = (await management.call(one.project, 'POST', path, json)) as ApiCheck;
    done.push({ project: one.project, check });
  }
  const checks = done.map(({ check }) => check);
  if (printedForPrograms(flags, checks.length === 1 ? checks[0] : checks)) return exitDone;
  const end = untilMs === null ? '' : ` until ${timeText(untilMs, systemClock.nowMs())}`;
  for (const one of done) print(`${verbs[action]} ${nameOf(one)}${end}`);
  return exitDone;
}

const verbs = {
  acknowledge: 'acknowledged',
  unacknowledge: 'no longer acknowledged:',
  snooze: 'snoozed',
  unsnooze: 'no longer snoozed:',
} as const;

function snoozeEnd(flags: Flags, nowMs: number): number {
  if ((flags.for === undefined) === (flags.until === undefined))
    throw new KnellError('usage', 'say how long: --for 2h, or --until 09:00');
  if (flags.for !== undefined) return nowMs + durationMs('--for', String(flags.for));
  const untilMs = instantOf(String(flags.until), nowMs);
  if (untilMs === null)
    throw new KnellError('usage', '--until must be a time such as 09:00, 2030-05-04 or 2030-05-04T09:00');
  return untilMs;
}

/** Parses a time, in the time zone of this machine unless `text` has an offset. Returns null for a malformed one. */
export function instantOf(text: string, nowMs: number): number | null {
  const time = /^(\d\d?):(\d\d)$/.exec(text);
  if (time) return nextTimeOfDay(Number(time[1]), Number(time[2]), nowMs);
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.test(text)) return null;
  if (!beginsWithDate(text)) return null;
  const atMs = Date.parse(text.length === dateChars ? `${text}T00:00` : text.replace(' ', 'T'));
  return Number.isNaN(atMs) ? null : atMs;
}

const dateChars = '2030-05-04'.length;

function nextTimeOfDay(hours: number, minutes: number, nowMs: number): number | null {
  if (hours > 23 || minutes > 59) return null;
  const at = new Date(nowMs);
  at.setHours(hours, minutes, 0, 0);
  if (at.getTime() <= nowMs) at.setDate(at.getDate() + 1);
  return at.getTime();
}

/** The time in the form `09:00`, in the time zone of this machine, with its date if it is not within a day. */
function timeText(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const two = (number: number): string => String(number).padStart(2, '0');
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (atMs > nowMs && atMs - nowMs < day) return time;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}

/** The same checks, each with its snooze and acknowledgement. An older server has neither. */
export async function withHeldAlerts(
  management: Management,
  found: readonly FoundCheck[],
): Promise<readonly FoundCheck[]> {
  const held = new Map<string, HeldAlerts>();
  for (const project of new Map(found.map((one) => [one.project.id, one.project])).values()) {
    const { snoozes } = await shownSnoozes(management, project);
    for (const { uuid, unique_key, acknowledged, snoozed } of snoozes)
      held.set(uuid ?? unique_key ?? '', { acknowledged, snoozed });
  }
  return found.map((one) => {
    const alerts = held.get(one.check.uuid);
    return alerts ? { ...one, held: alerts } : one;
  });
}

async function shownSnoozes(
  management: Management,
  project: FoundCheck['project'],
): Promise<SnoozeListAnswer> {
  try {
    return (await management.call(project, 'GET', 'snoozes/')) as SnoozeListAnswer;
  } catch (error) {
    if (error instanceof KnellError && (error.code === 'not-found' || error.code === 'usage'))
      return { snoozes: [] };
    throw error;
  }
}

/** The words `snoozed until 09:00, acknowledged by ada`; empty for neither. */
export function heldText({ held }: FoundCheck, nowMs: number): string {
  const parts: string[] = [];
  if (held?.snoozed) parts.push(`snoozed until ${timeText(Date.parse(held.snoozed.until), nowMs)}`);
  if (held?.acknowledged) parts.push(`acknowledged by ${held.acknowledged.by}`);
  return parts.join(', ');
}

/** Adds a column if any of `rows` is acknowledged or snoozed. */
export function withAlertsColumn(
  columns: readonly Column<FoundCheck>[],
  rows: readonly FoundCheck[],
  nowMs: number,
): readonly Column<FoundCheck>[] {
  if (!rows.some(({ held }) => held)) return columns;
  return [...columns, { title: 'ALERTS', cell: (row) => heldText(row, nowMs), shrinks: true }];
}

/** Fields that programs get beside those of the check. */
export function heldFields({ held }: FoundCheck): object {
  if (!held) return {};
  return {
    ...(held.acknowledged ? { acknowledged: held.acknowledged } : {}),
    ...(held.snoozed ? { snoozed: held.snoozed } : {}),
  };
}
