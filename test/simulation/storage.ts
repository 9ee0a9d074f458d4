/**
 * Where the simulated Knell keeps its data, and what can go wrong there: the real store over a simulated disk, with
 * journal files and folds so small that a short life sees many.
 * Invariant: nothing happens by itself, and what does happen by chance follows from the seed.
 */
import type { Scheduler } from '../../src/store/disk/scheduler.ts';
import type { Store } from '../../src/store/store.ts';
import type { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { PowerCut } from '../support/store/simulated-disk.ts';
import { openSimulatedStore, SimulatedMachine } from '../support/store/simulated-store.ts';
import { Random } from './random.ts';

/** How late a timer may be: nothing runs to the millisecond, and a fold takes its time. */
const latenessMsMax = 40;

export class SimulatedStorage {
  readonly machine: SimulatedMachine;
  readonly #random: Random;
  readonly #clock: SimulatedClock;
  /** Whether each commit goes to a thread, as on a slow disk: then it can stall. */
  readonly #isSlow: boolean;
  readonly #foldBytes: number;
  readonly #foldDelayMs: number;
  readonly #segmentBytes: number;
  readonly #scheduler: Scheduler;
  #killIn = 0;
  #kill: () => void = () => {};

  constructor(seed: number, clock: SimulatedClock) {
    this.#random = new Random(seed);
    this.#clock = clock;
    this.#isSlow = this.#random.chance(0.5);
    this.#foldBytes = this.#random.pick([500, 4000, 1_000_000]);
    this.#foldDelayMs = this.#random.pick([2000, 60_000, 900_000]);
    this.#segmentBytes = this.#random.pick([1000, 4000, 16_000]);
    const late = new Random(seed ^ 0x1a7e);
    this.#scheduler = {
      elapsedMs: () => clock.elapsedMs(),
      soon: (run) => clock.soon(run),
      after: (delayMs, run) => clock.after(delayMs + late.below(latenessMsMax), run),
    };
    const tears = new Random(seed ^ 0x7ea5);
    this.machine = new SimulatedMachine({ random: () => tears.next(), capacityBytes: 10_000_000 });
    this.machine.disk.onSync = () => this.#syncs();
  }

  open(onBroken: (error: unknown) => void): Promise<Store> {
    return openSimulatedStore({
      machine: this.machine,
      scheduler: this.#scheduler,
      segmentBytes: this.#segmentBytes,
      limits: {
        slowCommitMs: this.#isSlow ? -1 : Number.POSITIVE_INFINITY,
        foldBytesMin: this.#foldBytes,
        foldBytesMax: 4 * this.#foldBytes,
        foldDelayMs: this.#foldDelayMs,
      },
      nowMs: () => this.#clock.nowMs(),
      onBroken,
    });
  }

  #syncs(): void {
    if (this.#killIn === 0) return;
    this.#killIn--;
    if (this.#killIn > 0) return;
    this.#kill();
    throw new PowerCut('killed at a sync');
  }

  /** The machine loses power, and all that was not synced, or what was of it; or the process alone is killed. */
  crash(): void {
    this.#killIn = 0;
    if (this.#random.chance(0.5)) this.machine.disk.crash();
    else this.machine.disk.kill();
    this.machine.disk.isBroken = false;
  }

  fill(): void {
    this.machine.disk.fill();
  }

  free(): void {
    this.machine.disk.free();
  }

  /** Only where commits go to a thread. */
  stall(): void {
    this.machine.disk.stall();
  }

  resume(): void {
    this.machine.disk.resume();
  }

  /** Every write and sync fails from now on, until the process has ended. */
  breakDown(): void {
    this.machine.disk.isBroken = true;
  }

  /** Calls `kill` at the `count`-th sync from now, before it has any effect; 0: never. */
  killAtSync(count: number, kill: () => void): void {
    this.#killIn = count;
    this.#kill = kill;
  }
}
