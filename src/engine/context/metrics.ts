/** Metrics of the engine: pings by their outcome, checks by status, and how late deadlines are noticed. */
import { statuses } from '../../domain/check/check.ts';
import { type Counter, exponentialBounds, type Histogram, type Meter } from '../../lib/meter.ts';
import { type PingOutcome, pingOutcomes } from '../contract/engine.ts';
import type { Registry } from '../registry/registry.ts';

export interface EngineMetrics {
  readonly pings: Readonly<Record<PingOutcome, Counter>>;
  readonly deadlineLatenessSeconds: Histogram;
}

export function observeChecks(
  meter: Meter,
  registry: Pick<Registry, 'countOf' | 'table' | 'incidents'>,
): void {
  meter.observable(
    'knell_checks_snoozed',
    'Checks of which nothing is notified until a time.',
    () => registry.table.rows.snoozes.size,
  );
  meter.observable('knell_incidents_open', 'Incidents that are not resolved.', () =>
    registry.incidents.openCount(),
  );
  for (const status of statuses)
    meter.observable('knell_checks', 'Checks by status.', () => registry.countOf(status), { status });
}

export function createEngineMetrics(meter: Meter): EngineMetrics {
  const pingsBy = (outcome: PingOutcome): readonly [PingOutcome, Counter] => [
    outcome,
    meter.counter('knell_pings_total', 'Pings that were answered, by HTTP and email.', { outcome }),
  ];
  return {
    pings: Object.fromEntries(pingOutcomes.map(pingsBy)) as Record<PingOutcome, Counter>,
    // From 1 ms, the timer's own precision, to 17 minutes, as after an outage.
    deadlineLatenessSeconds: meter.histogram(
      'knell_deadline_lateness_seconds',
      'Time between a deadline and its status change.',
      exponentialBounds(0.001, 4, 11),
    ),
  };
}
