/**
 * Sleeps until the wheel's earliest deadline, and hands over the checks that are due. Not what happens to them
 * (`accept-timeout`).
 * Invariant: a deadline is looked at within a millisecond or two of its time while the event loop is free, and within
 * `sleepMsMax` after a jump of the clock; the wheel never sees time go back.
 */
import type { Clock } from '../../lib/clock.ts';
import type { HealthPart } from '../../lib/health.ts';
import { NEVER, second } from '../../lib/units.ts';
import { collectYoungGarbage } from '../../lib/v8-tuning.ts';
import { TimerWheel } from '../../wheel/timer-wheel.ts';

export interface TickerLimits {
  /** The longest sleep: how late a jump of the wall clock is noticed. */
  readonly sleepMsMax: number;
  /** Handles that are moved on the wheel before the event loop gets its turn. */
  readonly movesPerTurn: number;
  /** Number of moves that a due handle counts as. */
  readonly movesPerDue: number;
  /** Milliseconds after which no other due handle is taken in the same turn: those with incidents cost several times as much. */
  readonly turnMsMax: number;
  /** Due handles, without a sleep in between, after which young garbage is collected. */
  readonly duePerCollection: number;
  /** Milliseconds that a timeout whose commit failed waits before it is tried again. */
  readonly retryMs: number;
  /** Deadlines that are taken later than this are a problem. */
  readonly lateMsMax: number;
}

/** The checks whose deadlines are watched. */
export interface TickedChecks {
  /** The next instant at which the check changes by itself; NEVER for none. */
  deadlineOf(handle: number): number;
  /** Called for every check whose deadline has come, once started. */
  due(handle: number, nowMs: number): void;
}

export class Ticker {
  readonly #clock: Clock;
  readonly #limits: TickerLimits;
  readonly #wheel: TimerWheel;
  readonly #checks: TickedChecks;
  #cancel: (() => void) | null = null;
  #sleepsUntilMs = NEVER;
  #latestMs: number;
  /**
   * Milliseconds by which the wheel, which never goes back, is ahead of the wall clock: by how much that was set back, in all.
   */
  #aheadMs = 0;
  /** Due handles since the latest sleep or collection. */
  #taken = 0;
  #running = false;

  constructor(clock: Clock, limits: TickerLimits, checks: TickedChecks) {
    this.#checks = checks;
    this.#clock = clock;
    this.#limits = limits;
    this.#latestMs = clock.nowMs();
    this.#wheel = new TimerWheel(this.#latestMs);
  }

  /** From now on deadlines fire, those that have passed at once. */
  start(): void {
    this.#running = true;
    this.#turn();
  }

  stop(): void {
    this.#running = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Watches the next deadline of the check, in place of the one before. */
  watch(handle: number): void {
    this.#arm(handle, this.#checks.deadlineOf(handle));
  }

  /** Looks at the check again a little later, whatever its deadline: its timeout could not be written. */
  watchAgain(handle: number): void {
    this.#wheel.disarm(handle);
    this.#arm(handle, this.#clock.nowMs() + this.#limits.retryMs);
  }

  readonly health: HealthPart = {
    name: 'deadlines',
    problem: () => {
      const lateMs = this.#lateMs();
      if (lateMs <= this.#limits.lateMsMax) return null;
      return `deadlines are noticed ${Math.round(lateMs / second)} s late`;
    },
  };

  /** Milliseconds since the earliest deadline, or its timer, has passed unnoticed. */
  #lateMs(): number {
    if (!this.#running) return 0;
    const nowMs = this.#clock.nowMs();
    const sinceDeadlineMs = nowMs + this.#aheadMs - this.#wheel.earliest();
    return Math.max(0, sinceDeadlineMs, nowMs - this.#sleepsUntilMs);
  }

  /** Whether a deadline before this moment has not been looked at: many came at once. */
  isBehind(): boolean {
    return this.#running && this.#wheel.earliest() - this.#aheadMs < this.#clock.nowMs();
  }

  /** Reserves memory for that many checks at once. */
  reserve(checks: number): void {
    this.#wheel.reserve(checks);
  }

  forget(handle: number): void {
    this.#wheel.disarm(handle);
  }

  #arm(handle: number, deadlineMs: number): void {
    this.#wheel.arm(handle, deadlineMs + this.#aheadMs);
    if (deadlineMs < this.#sleepsUntilMs && this.#running) this.#sleepUntil(deadlineMs);
  }

  /** The wall clock. What was armed before it was set back fires too early by as much, and is armed anew. */
  #readClock(): number {
    const nowMs = this.#clock.nowMs();
    if (nowMs < this.#latestMs) this.#aheadMs += this.#latestMs - nowMs;
    this.#latestMs = nowMs;
    return nowMs;
  }

  #turn(): void {
    const nowMs = this.#readClock();
    const startedMs = this.#clock.elapsedMs();
    this.#sleepsUntilMs = 0; // No new sleep while the wheel turns.
    if (this.#taken >= this.#limits.duePerCollection) this.#collect();
    const finished = this.#wheel.advance(nowMs + this.#aheadMs, (handle) => this.#due(handle, nowMs), {
      moves: this.#limits.movesPerTurn,
      perDue: this.#limits.movesPerDue,
      isSpent: () => this.#clock.elapsedMs() - startedMs >= this.#limits.turnMsMax,
    });
    if (finished) this.#taken = 0;
    this.#sleepUntil(finished ? this.#wheel.earliest() - this.#aheadMs : nowMs);
  }

  #due(handle: number, nowMs: number): void {
    this.#taken++;
    this.#checks.due(handle, nowMs);
  }

  #collect(): void {
    this.#taken = 0;
    collectYoungGarbage();
  }

  #sleepUntil(atMs: number): void {
    this.#cancel?.();
    if (!this.#running) return;
    const nowMs = this.#clock.nowMs();
    this.#sleepsUntilMs = Math.min(atMs, nowMs + this.#limits.sleepMsMax);
    this.#cancel = this.#clock.after(Math.max(0, this.#sleepsUntilMs - nowMs), () => this.#turn());
  }
}
