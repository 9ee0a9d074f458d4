/**
 * Whether a running Knell is well, part by part. Each module knows what its part must do, and says what is wrong with it; who
 * asks are the probes (`http/monitoring/health-routes`), the heartbeat (`notify/dispatch/heartbeat`) and the metrics.
 * Invariant: asking is cheap: it reads what is in memory, and waits for nothing.
 */
import type { Meter } from './meter.ts';

export interface HealthPart {
  /** A word: part of an answer, and the label of a metric. */
  readonly name: string;
  /** One line that an operator understands; null while all is well. */
  readonly problem: () => string | null;
}

export interface Problem {
  readonly name: string;
  readonly problem: string;
}

export function problemsOf(parts: readonly HealthPart[]): readonly Problem[] {
  return parts.flatMap(({ name, problem }) => {
    const found = problem();
    return found === null ? [] : [{ name, problem: found }];
  });
}

export function observeHealth(meter: Meter, parts: readonly HealthPart[]): void {
  for (const { name, problem } of parts)
    meter.observable('knell_ready', '1 while that part of Knell is well.', () => Number(problem() === null), {
      part: name,
    });
}
