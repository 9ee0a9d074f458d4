/**
 * Changes to the settings of a member's reports. Pure.
 * Invariant: a report is about time after it was asked for: turning reports on, or having them more often, sends nothing at once.
 */
import { NotationError } from '../../schedule/notation.ts';
import { zoneClock } from '../../schedule/schedule.ts';
import { canonicalTimeZone } from '../../schedule/time-zones.ts';
import { latestDue, presentPeriod, type ReportPeriod } from './report-period.ts';
import { noReports, type ReportSettings, type User } from './user.ts';

/** `otherwise`: of members who have chosen none, as a browser's is not known when a mail is sent. */
export function reportZoneOf({ preferences }: User, otherwise: string): string {
  const zone = canonicalTimeZone(preferences?.timeZone || otherwise);
  return zone !== null && isKnown(zone) ? zone : 'UTC';
}

/** A listed zone may be younger than the zone data of this Node. */
function isKnown(zone: string): boolean {
  try {
    zoneClock(zone);
    return true;
  } catch (error) {
    if (error instanceof NotationError) return false;
    throw error;
  }
}

/** Null: none is due, or none is wanted. */
export function dueReport(user: User, timeZone: string, nowMs: number): ReportPeriod | null {
  const { frequency, isConfirmed, reportedUntilMs } = user.reports ?? noReports;
  if (frequency === 'off' || !isConfirmed) return null;
  const period = latestDue(frequency, reportZoneOf(user, timeZone), nowMs);
  return period.untilMs > reportedUntilMs ? period : null;
}

interface Choice {
  readonly frequency: ReportSettings['frequency'];
  readonly address: string;
}

export function withReports(user: User, chosen: Choice, timeZone: string, nowMs: number): User {
  const before = user.reports ?? noReports;
  const isConfirmed = before.isConfirmed && before.address.toLowerCase() === chosen.address.toLowerCase();
  const after = { ...user, reports: { ...before, ...chosen, isConfirmed, lastError: '' } };
  // A report that is due already stays due when nothing has changed.
  const isSame = before.frequency === chosen.frequency && before.isConfirmed === isConfirmed;
  return isSame ? after : fromNow(after, timeZone, nowMs);
}

/** The address has agreed. */
export function withConfirmed(user: User, timeZone: string, nowMs: number): User {
  return fromNow(
    { ...user, reports: { ...(user.reports ?? noReports), isConfirmed: true } },
    timeZone,
    nowMs,
  );
}

export function withoutReports(user: User): User {
  return { ...user, reports: { ...(user.reports ?? noReports), frequency: 'off' } };
}

/** `error`: why it was not sent; empty when it was. */
export function withReported(user: User, untilMs: number, error: string): User {
  const before = user.reports ?? noReports;
  const reportedUntilMs = Math.max(before.reportedUntilMs, untilMs);
  return { ...user, reports: { ...before, reportedUntilMs, lastError: error } };
}

function fromNow(user: User, timeZone: string, nowMs: number): User {
  const { frequency } = user.reports ?? noReports;
  if (frequency === 'off') return user;
  const { fromMs } = presentPeriod(frequency, reportZoneOf(user, timeZone), nowMs);
  return withReported(user, fromMs, '');
}
