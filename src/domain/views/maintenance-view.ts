/**
 * A maintenance window in JSON: the same for the API, commands and the page. Not here: what may be entered (`spec/maintenance-spec`).
 * Invariant: who may not ping gets no UUID of a check.
 */
import { uuidSource } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import { activeAt, nextAfter, type TimeSpan } from '../alerting/calendar.ts';
import { calendarWords } from '../alerting/calendar-words.ts';
import type { MaintenanceWindow } from '../alerting/maintenance.ts';
import { nextTimesShown } from '../limits.ts';
import {
  component,
  count,
  flag,
  id,
  instant,
  listOf,
  object,
  orNull,
  type Sent,
  text,
} from './answer-shape.ts';

const span = object({ from: instant('When it begins.'), until: instant('When it ends.') });

/** What an owner sets, by the names of requests. */
const settings = {
  name: text('What it is called, in alerts and on the page.'),
  checks: listOf(
    text('The UUID of a check that it is about, for read-only keys its unique key; none with no tags: all.'),
  ),
  tags: listOf(text('A tag: it is about every check that has it.')),
  integrations: listOf(
    text('Of quiet hours: the UUID of an integration that is not notified meanwhile; none for maintenance.'),
  ),
  from: orNull(instant('Of a window that is on once: when it begins.')),
  until: orNull(instant('And when it ends.')),
  schedule: text('A cron or OnCalendar expression: when it begins, again and again. Empty for never.'),
  tz: text('The time zone of the schedule.'),
  duration: count('How many seconds it takes each time that the schedule says; 0 without one.'),
  dates: listOf(span),
  counts_as_downtime: flag('Whether status pages count what is down meanwhile.'),
};

export const maintenance = component(
  'Maintenance',
  object({
    uuid: id(uuidSource, 'Identifies the window.', 'uuid'),
    ...settings,
    active: flag('Whether it is on.'),
    active_since: orNull(instant('Since when it is on.')),
    until_active: orNull(instant('Until when it is on, with all that overlaps or adjoins.')),
    next: listOf(span),
    times: text('When it is on, in words.'),
    created: instant('When it was created.'),
    by: text('By whom.'),
  }),
);
export type MaintenanceAnswer = Sent<typeof maintenance>;
export const maintenanceList = component('MaintenanceList', object({ maintenance: listOf(maintenance) }));
export type MaintenanceListAnswer = Sent<typeof maintenanceList>;

/** `nameOfCheck`: its UUID, or its unique key. */
export function maintenanceView(
  window: MaintenanceWindow,
  nowMs: number,
  nameOfCheck: (id: MaintenanceWindow['checks'][number]) => string = String,
): MaintenanceAnswer {
  const active = activeAt(window, nowMs);
  const isOnce = window.fromMs < window.untilMs;
  return {
    uuid: window.id,
    name: window.name,
    checks: window.checks.map(nameOfCheck),
    tags: window.tags,
    integrations: window.integrations,
    from: isOnce ? iso(window.fromMs) : null,
    until: isOnce ? iso(window.untilMs) : null,
    schedule: window.schedule,
    tz: window.tz,
    duration: window.durationS,
    dates: window.dates.map(spanView),
    counts_as_downtime: window.countsAsDowntime,
    active: active !== null,
    active_since: active && iso(active.fromMs),
    until_active: active && iso(active.untilMs),
    next: nextTimes(window, nowMs).map(spanView),
    times: calendarWords(window),
    created: iso(window.createdAtMs),
    by: window.by,
  };
}

/** When the view is another one by time alone; NEVER for none. */
export function viewChangesAt(window: MaintenanceWindow, nowMs: number): number {
  const active = activeAt(window, nowMs);
  if (active) return active.untilMs;
  const next = nextAfter(window, nowMs);
  if (next) return next.fromMs;
  // From later on, the tries of a schedule with many exceptions reach further.
  return window.schedule === '' ? NEVER : nowMs;
}

function nextTimes(window: MaintenanceWindow, nowMs: number): readonly TimeSpan[] {
  const times: TimeSpan[] = [];
  for (
    let next = nextAfter(window, nowMs);
    next && times.length < nextTimesShown;
    next = nextAfter(window, next.fromMs)
  )
    times.push(next);
  return times;
}

function spanView({ fromMs, untilMs }: TimeSpan): Sent<typeof span> {
  return { from: iso(fromMs), until: iso(untilMs) };
}

/** Whole seconds with the offset `+00:00`, as all times of the API. */
function iso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
}
