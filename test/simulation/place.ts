/**
 * Where the simulated Knell keeps its data, and what can go wrong there. The one file that knows which disk it is.
 * Invariant: what was acknowledged before `crash` is there at the next `open`; nothing happens by itself.
 */
import type { Clock } from '../../src/lib/clock.ts';
import { createMemoryDisk } from '../../src/store/memory-disk.ts';
import { MemoryFaults } from '../../src/store/memory-faults.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';

export interface Place {
  open(clock: Clock, onBroken: (error: unknown) => void): Promise<Store>;
  /** What was not synced is lost, and what the store still has in mind no longer counts. */
  crash(): void;
  fill(): void;
  free(): void;
  stall(): void;
  resume(): void;
  /** The next sync fails for another reason than a full disk. */
  breakNextSync(): void;
  /** Calls `kill` at the `count`-th sync from now, before or after it has taken effect; 0: never. */
  killAtSync(count: number, kill: () => void): void;
}

export class MemoryPlace implements Place {
  readonly #disk = createMemoryDisk();
  #faults = new MemoryFaults();
  #isFull = false;
  #breaks = false;
  #kill: (() => void) | null = null;
  #killIn = 0;

  async open(clock: Clock, onBroken: (error: unknown) => void): Promise<Store> {
    this.#faults = new MemoryFaults();
    if (this.#isFull) this.#faults.fail(Number.POSITIVE_INFINITY);
    const owner = this.#disk.owner + 1;
    return createMemoryStore({
      disk: this.#disk,
      faults: this.#faults,
      nowMs: () => clock.nowMs(),
      schedule: (commit) => {
        setImmediate(() => {
          if (this.#disk.owner === owner) this.#commit(commit, onBroken);
        });
      },
    });
  }

  #commit(commit: () => void, onBroken: (error: unknown) => void): void {
    if (this.#breaks) {
      this.#breaks = false;
      this.crash();
      onBroken(new Error('EIO'));
      return;
    }
    this.#killIn--;
    if (this.#killIn !== 0) commit();
    else this.#kill?.();
  }

  crash(): void {
    this.#disk.owner++;
    this.#killIn = 0;
    this.#breaks = false;
  }

  fill(): void {
    this.#isFull = true;
    this.#faults.fail(Number.POSITIVE_INFINITY);
  }

  free(): void {
    this.#isFull = false;
    this.#faults.heal();
  }

  stall(): void {
    this.#faults.hold();
  }

  resume(): void {
    this.#faults.release();
  }

  breakNextSync(): void {
    this.#breaks = true;
  }

  killAtSync(count: number, kill: () => void): void {
    this.#killIn = count;
    this.#kill = kill;
  }
}
