/**
 * The clock's hand: sleeps until the wheel's earliest deadline and hands over the checks that are due. Not what
 * happens to them (`accept-timeout`).
 * Invariant: a deadline is looked at within a millisecond or two of its time while the event loop is free, and within
 * `sleepMsMax` after a jump of the clock; the wheel never sees time go back.
 */
import { nextDeadline } from '../domain/deadline.ts';
import type { Clock } from '../lib/clock.ts';
import type { HealthPart } from '../lib/health.ts';
import { NEVER, second } from '../lib/units.ts';
import { TimerWheel } from '../wheel/timer-wheel.ts';
import type { CheckActor } from './check-actor.ts';

export interface TickerLimits {
  /** The longest sleep: how late a jump of the wall clock is noticed. */
  readonly sleepMsMax: number;
  /** Handles moved or fired before the event loop gets its turn. */
  readonly duePerTurn: number;
  /** How long a timeout whose commit failed waits before it is tried again. */
  readonly retryMs: number;
  /** Deadlines that are taken later than this are a problem. */
  readonly lateMsMax: number;
}

export class Ticker {
  readonly #clock: Clock;
  readonly #limits: TickerLimits;
  readonly #wheel: TimerWheel;
  readonly #due: (handle: number, nowMs: number) => void;
  #cancel: (() => void) | null = null;
  #sleepsUntilMs = NEVER;
  #latestMs: number;
  /** How far the wheel, which never goes back, is ahead of the wall clock: by how much that was set back, in all. */
  #aheadMs = 0;
  #running = false;

  /** `due` is called for every check whose deadline has come, once started. */
  constructor(clock: Clock, limits: TickerLimits, due: (handle: number, nowMs: number) => void) {
    this.#due = due;
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
  watch(actor: CheckActor): void {
    this.#arm(actor.handle, nextDeadline(actor.check.state));
  }

  /** Looks at the check again a little later, whatever its deadline: its timeout could not be written. */
  watchAgain(actor: CheckActor): void {
    this.#wheel.disarm(actor.handle);
    this.#arm(actor.handle, this.#clock.nowMs() + this.#limits.retryMs);
  }

  readonly health: HealthPart = {
    name: 'deadlines',
    problem: () => {
      const lateMs = this.#lateMs();
      if (lateMs <= this.#limits.lateMsMax) return null;
      return `deadlines are noticed ${Math.round(lateMs / second)} s late`;
    },
  };

  /** How long the earliest deadline has passed unnoticed, or its timer. */
  #lateMs(): number {
    if (!this.#running) return 0;
    const nowMs = this.#clock.nowMs();
    const sinceDeadlineMs = nowMs + this.#aheadMs - this.#wheel.earliest();
    return Math.max(0, sinceDeadlineMs, nowMs - this.#sleepsUntilMs);
  }

  forget(actor: CheckActor): void {
    this.#wheel.disarm(actor.handle);
  }

  #arm(handle: number, deadlineMs: number): void {
    this.#wheel.arm(handle, deadlineMs + this.#aheadMs);
    if (deadlineMs < this.#sleepsUntilMs && this.#running) this.#sleepUntil(deadlineMs);
  }

  /** What was armed before the clock was set back fires too early by as much, and is armed anew. */
  #look(): number {
    const nowMs = this.#clock.nowMs();
    if (nowMs < this.#latestMs) this.#aheadMs += this.#latestMs - nowMs;
    this.#latestMs = nowMs;
    return nowMs;
  }

  #turn(): void {
    const nowMs = this.#look();
    this.#sleepsUntilMs = 0; // No new sleep while the wheel turns.
    const finished = this.#wheel.advance(
      nowMs + this.#aheadMs,
      (handle) => this.#due(handle, nowMs),
      this.#limits.duePerTurn,
    );
    this.#sleepUntil(finished ? this.#wheel.earliest() - this.#aheadMs : nowMs);
  }

  #sleepUntil(atMs: number): void {
    this.#cancel?.();
    if (!this.#running) return;
    const nowMs = this.#clock.nowMs();
    this.#sleepsUntilMs = Math.min(atMs, nowMs + this.#limits.sleepMsMax);
    this.#cancel = this.#clock.after(Math.max(0, this.#sleepsUntilMs - nowMs), () => this.#turn());
  }
}
