/** Whether the dispatcher gets on: with something due or in flight, attempts begin and end. */
import type { Clock } from '../../lib/clock.ts';
import type { HealthPart } from '../../lib/health.ts';
import { second } from '../../lib/units.ts';

interface ProgressOptions {
  readonly clock: Pick<Clock, 'elapsedMs'>;
  /** So long without any progress is a problem. */
  readonly stuckMs: number;
  /** Nothing is due, and nothing in flight. */
  readonly isIdle: () => boolean;
}

export class Progress {
  readonly #options: ProgressOptions;
  /** Time on the clock that never jumps. */
  #atMs = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** Something is about to be due. */
  due(): void {
    if (this.#options.isIdle()) this.made();
  }

  /** An attempt has begun or ended. */
  made(): void {
    this.#atMs = this.#options.clock.elapsedMs();
  }

  readonly health: HealthPart = {
    name: 'notifications',
    problem: () => {
      const { clock, stuckMs, isIdle } = this.#options;
      const waitedMs = isIdle() ? 0 : clock.elapsedMs() - this.#atMs;
      if (waitedMs <= stuckMs) return null;
      return `notifications are due, but none was tried for ${Math.round(waitedMs / second)} s`;
    },
  };
}
