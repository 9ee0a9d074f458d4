/**
 * A maintenance window in the normal form in which configurations are compared: its fields by the names of the API.
 * Invariant: pure; read by `spec/maintenance-spec` it is the same window again.
 */
import type { Calendar } from '../alerting/calendar.ts';
import type { MaintenanceWindow } from '../alerting/maintenance.ts';

export interface ConfiguredSpan {
  readonly from: string;
  readonly until: string;
}

export interface MaintenanceSettings {
  readonly name: string;
  /** Sorted. */
  readonly tags: readonly string[];
  /** Null for never. */
  readonly from: string | null;
  readonly until: string | null;
  readonly schedule: string;
  /** UTC without a schedule: it has no effect. */
  readonly tz: string;
  readonly duration: number;
  readonly dates: readonly ConfiguredSpan[];
  readonly counts_as_downtime: boolean;
}

/** Not when it was ended before its time: that happened. */
export interface ConfiguredMaintenance extends MaintenanceSettings {
  readonly id: string;
  readonly etag: string;
  /** Ids, sorted. */
  readonly checks: readonly string[];
  /** Of quiet hours, likewise; empty for maintenance. */
  readonly integrations: readonly string[];
}

export const maintenanceSettingNames = [
  ...(['tags', 'from', 'until', 'schedule', 'tz', 'duration', 'dates', 'counts_as_downtime'] as const),
];

export function maintenanceSettings(
  window: Calendar & Pick<MaintenanceWindow, 'name' | 'tags' | 'countsAsDowntime'>,
): MaintenanceSettings {
  const { name, tags, fromMs, untilMs, schedule, tz, durationS, dates, countsAsDowntime } = window;
  const isOnce = fromMs < untilMs;
  return {
    name,
    tags: [...tags].sort(),
    from: isOnce ? iso(fromMs) : null,
    until: isOnce ? iso(untilMs) : null,
    schedule,
    tz: schedule === '' ? 'UTC' : tz,
    duration: durationS,
    dates: dates.map((span) => ({ from: iso(span.fromMs), until: iso(span.untilMs) })),
    counts_as_downtime: countsAsDowntime,
  };
}

/** Without milliseconds where there are none, as people write it. */
function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
