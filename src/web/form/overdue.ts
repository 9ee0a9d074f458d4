/**
 * Which checks a new schedule would take down in the moment in which it is saved: by it, a ping is overdue already. That sends alerts
 * about jobs that have done what was expected until then.
 */
import type { SchedulePreview } from '../../domain/views/page-view.ts';
import { ask, Refusal } from '../core/calls.ts';
import { checksWords } from '../core/words.ts';
import type { ApiCheck } from '../rows/api-check.ts';

/** A check as it is now, with the grace time that it will have. */
export interface Pinged {
  readonly status: string;
  /** Epoch milliseconds; null for never. */
  readonly lastPingMs: number | null;
  readonly graceS: number;
}

/** A period, or an expression and its zone, as the API takes them. */
type Expected = Readonly<Record<string, unknown>>;

/** Of the answer of the API, with the fields that are about to be saved. */
export function pingedOf({ status, last_ping, grace }: ApiCheck, fields: Expected): Pinged {
  const lastPingMs = last_ping === null ? null : Date.parse(last_ping);
  return { status, lastPingMs, graceS: Number(fields.grace ?? grace) };
}

/** Of two kinds of schedule the one that is about to be saved. */
export function expectedOf({ timeout, schedule, tz }: ApiCheck, fields: Expected): Expected {
  if (fields.schedule !== undefined) return { schedule: fields.schedule, tz: fields.tz ?? tz ?? 'UTC' };
  if (fields.timeout !== undefined || schedule === undefined) return { timeout: fields.timeout ?? timeout };
  return { schedule, tz: fields.tz ?? tz ?? 'UTC' };
}

/** The number of them; 0 where the server does not say. */
export async function overdueAtOnce(checks: readonly Pinged[], expected: Expected): Promise<number> {
  const watched = checks.filter(({ status }) => status === 'up' || status === 'grace');
  const graces = [...new Set(watched.map(({ graceS }) => graceS))].slice(0, gracesMax);
  const dueMs = new Map<number, number>();
  for (const graceS of graces) dueMs.set(graceS, await lastDueMs(expected, graceS).catch(() => 0));
  return watched.filter(
    ({ lastPingMs, graceS }) => lastPingMs !== null && lastPingMs < (dueMs.get(graceS) ?? 0),
  ).length;
}

/** Each is a request: checks with ever other grace times are not looked at. */
const gracesMax = 10;

/** Who has not pinged since then is down by now. */
async function lastDueMs({ timeout, schedule, tz }: Expected, graceS: number): Promise<number> {
  // By the clock of the server, which decides.
  const asked =
    timeout === undefined ? { expr: String(schedule), tz: String(tz) } : { timeout: String(timeout) };
  const query = new URLSearchParams({ ...asked, grace: String(graceS) });
  const preview = await ask<SchedulePreview>(`/web/schedule?${query}`);
  return preview.ok ? (preview.lastDueMs ?? 0) : 0;
}

/** Returns what refuses the first attempt to save such a schedule, and lets the second one of the same schedule pass. */
export function overdueGuard(): (checks: readonly Pinged[], expected: Expected) => Promise<void> {
  let warnedOf = '';
  return async (checks, expected) => {
    const said = JSON.stringify(expected);
    if (warnedOf === said) return;
    const count = await overdueAtOnce(checks, expected);
    if (count === 0) return;
    warnedOf = said;
    const who = checks.length === 1 ? 'The check' : `${count} of ${checksWords(checks.length)}`;
    throw new Refusal(
      `${who} would be down at once, and alert: by this schedule a ping is overdue already. Save again if that is right.`,
      '',
      409,
    );
  };
}
