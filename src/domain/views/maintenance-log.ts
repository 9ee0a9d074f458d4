/**
 * Maintenance as the log of a check shows it: when the windows about it began and ended. Nothing is written for it: the windows that
 * are there have their times, and the audit log knows who has ended one before its time.
 * Invariant: pure; no window is said to have begun before it was created, and one call looks at a bounded number of times.
 */
import { hour } from '../../lib/units.ts';
import type { AuditEntry } from '../accounts/audit.ts';
import { activeAt, nextAfter, type TimeSpan } from '../alerting/calendar.ts';
import { isAbout, type MaintenanceWindow } from '../alerting/maintenance.ts';
import type { Check } from '../check/check.ts';
import type { MaintenanceEntry } from './log-view.ts';
import { authorOf } from './snooze-log.ts';

interface Asked {
  /** Windows of the project of the check. */
  readonly windows: readonly MaintenanceWindow[];
  /** What begins from then on, and before then. */
  readonly range: TimeSpan;
  /** Times that are looked at, of all windows together. */
  readonly max: number;
  readonly nowMs: number;
  /** Some entries of the audit log, those of this instant among them. */
  readonly auditedAt: (atMs: number) => readonly AuditEntry[];
}

interface LoggedMaintenance {
  readonly entries: readonly MaintenanceEntry[];
  /** Times before have not been looked at; 0 if there are none. */
  readonly floorMs: number;
}

/** A time at which a window was on. */
interface Time extends TimeSpan {
  readonly window: MaintenanceWindow;
  /** It began before the range. */
  readonly isOlder: boolean;
}

export function maintenanceEntries(
  check: Pick<Check, 'id' | 'createdAtMs' | 'config'>,
  { windows, range, max, nowMs, auditedAt }: Asked,
): LoggedMaintenance {
  const sinceMs = Math.max(range.fromMs, check.createdAtMs);
  const about = windows.filter((window) => isAbout(window, check));
  const each = Math.ceil(max / Math.max(1, about.length));
  const times = about.map((window) => newestTimes(window, { ...range, fromMs: sinceMs }, each));
  return {
    entries: times
      .flat()
      .sort((a, b) => b.fromMs - a.fromMs)
      .flatMap((time) => entriesOf(time, nowMs, auditedAt)),
    floorMs: Math.max(0, ...times.map((of) => (of.length < each ? 0 : (of[0]?.fromMs ?? 0)))),
  };
}

/** The newest, oldest first. A calendar knows only what comes next: it is asked further and further back until there are enough. */
function newestTimes(window: MaintenanceWindow, range: TimeSpan, max: number): readonly Time[] {
  const sinceMs = Math.max(range.fromMs, window.createdAtMs);
  let times: readonly Time[] = [];
  let toMs = range.untilMs;
  for (let stepMs = hour; toMs > sinceMs && times.length < max; stepMs *= 2) {
    const fromMs = Math.max(sinceMs, toMs - stepMs);
    times = [...timesBegunIn(window, fromMs, toMs), ...times];
    toMs = fromMs;
  }
  if (times.length >= max) return times.slice(-max);
  const first = toMs <= sinceMs && sinceMs < range.untilMs ? activeAt(window, sinceMs) : null;
  if (first === null || first.fromMs >= sinceMs) return times;
  return [
    { window, fromMs: sinceMs, untilMs: first.untilMs, isOlder: sinceMs !== window.createdAtMs },
    ...times,
  ];
}

function timesBegunIn(window: MaintenanceWindow, fromMs: number, toMs: number): readonly Time[] {
  const times: Time[] = [];
  for (
    let next = nextAfter(window, fromMs - 1);
    next && next.fromMs < toMs;
    next = nextAfter(window, next.fromMs)
  )
    times.push({ window, fromMs: next.fromMs, untilMs: next.untilMs, isOlder: false });
  return times;
}

function entriesOf(time: Time, nowMs: number, auditedAt: Asked['auditedAt']): readonly MaintenanceEntry[] {
  const { window, fromMs, untilMs, isOlder } = time;
  const { id, name } = window;
  const isOver = untilMs <= nowMs;
  const began: MaintenanceEntry = {
    ...{ what: 'maintenance', id: `maintenance-began-${id}-${fromMs}`, atMs: fromMs, action: 'began', name },
    ...{ untilMs: isOver ? null : untilMs, isEarly: false, by: '' },
  };
  const ended = (): MaintenanceEntry => ({
    ...{
      what: 'maintenance',
      id: `maintenance-ended-${id}-${untilMs}`,
      atMs: untilMs,
      action: 'ended',
      name,
    },
    ...{ untilMs: null, ...endOf(window, untilMs, auditedAt) },
  });
  return [...(isOlder ? [] : [began]), ...(isOver ? [ended()] : [])];
}

/** Of a window that is on once, only the audit log distinguishes an early end from one at its time. */
function endOf(
  { id, except, untilMs, dates }: MaintenanceWindow,
  atMs: number,
  auditedAt: Asked['auditedAt'],
): Pick<MaintenanceEntry, 'isEarly' | 'by'> {
  const isCut = except.some((cut) => cut.fromMs === atMs);
  if (!isCut && untilMs !== atMs && !dates.some((date) => date.untilMs === atMs))
    return { isEarly: false, by: '' };
  const step = auditedAt(atMs).find(
    (entry) => entry.atMs === atMs && entry.subjectId === id && entry.fields.includes('times'),
  );
  return { isEarly: isCut || step !== undefined, by: step === undefined ? '' : authorOf(step) };
}
