/**
 * Says "alive" to the journal at once, every so often, and when stopped: what the outage credit is computed from. And a probe
 * of the disk: a mark that does not become durable is noticed, however long no ping comes.
 * Invariant: while an outage credit is not written there is no mark: it would hide at the next start that the credit is due.
 */
import type { Clock } from '../../lib/clock.ts';
import type { HealthPart } from '../../lib/health.ts';
import type { Store } from '../../store/store.ts';
import { missedMarksMax } from '../contract/limits.ts';

interface AliveMarksOptions {
  readonly store: Pick<Store, 'append' | 'full' | 'isLogSilent'>;
  readonly clock: Clock;
  readonly everyMs: number;
  /** False while there must be none. */
  readonly mayMark: () => boolean;
  /** Called with each mark that is durable. */
  readonly marked: (atMs: number) => void;
  /** Runs after each mark. */
  readonly onMark: () => void;
}

export class AliveMarks {
  readonly #options: AliveMarksOptions;
  #cancel: (() => void) | null = null;
  /** Marks in a row of which nothing was known when the next one was due. */
  #missed = 0;

  constructor(options: AliveMarksOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, everyMs, onMark } = this.#options;
    this.#mark();
    onMark();
    this.#cancel = clock.after(everyMs, () => this.start());
  }

  stop(): void {
    if (!this.#cancel) return;
    this.#cancel();
    this.#cancel = null;
    this.#mark();
  }

  readonly health: HealthPart = {
    name: 'journal',
    problem: () => {
      const { store, everyMs } = this.#options;
      if (store.isLogSilent) return 'the log of the cluster does not answer, pings are refused';
      if (store.full) return 'the disk is full, pings are refused';
      if (this.#missed <= missedMarksMax) return null;
      return `nothing could be written for more than ${(missedMarksMax * everyMs) / 1000} s`;
    },
  };

  #mark(): void {
    const { store, clock, mayMark, marked } = this.#options;
    if (!mayMark()) return;
    this.#missed++;
    // The disk has answered, though it may have been full.
    const answered = (): void => {
      this.#missed = 0;
    };
    const atMs = clock.nowMs();
    const durable = (): void => {
      answered();
      marked(atMs);
    };
    store.append({ type: 'alive', atMs }, { durable, rolledBack: answered });
  }
}
