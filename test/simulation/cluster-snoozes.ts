/**
 * What clients know of the snoozes of a cluster's checks, and what follows from it: when nothing may be sent, and what was due
 * when one ended. Instants of leaders and clients are by their own clocks, which differ: what is dated earlier may be later.
 * Not here: that every change is alerted (`cluster-audit`).
 * Invariant: of a snooze whose answer was lost, or that another request may have changed, nothing is required.
 */

import { limits } from '../../src/config.ts';
import type { StatusChange } from '../../src/domain/check/flip.ts';
import { notificationKindOf } from '../../src/domain/deliveries/delivery.ts';

export interface SnoozeRequest {
  readonly id: string;
  readonly op: 'snooze' | 'unsnooze';
  /** Of a snooze, by the clock of the client. */
  readonly untilMs: number;
}

/** A snooze that was answered, of a check that was not snoozed before. */
export interface KnownSnooze {
  readonly id: string;
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly untilMs: number;
  /** Until the first request that may have ended it, or given it another end. */
  certainUntilMs: number;
}

const never = Number.POSITIVE_INFINITY;
/** How long a ping is on its way to a leader that is well. */
const inFlightMsMax = 2000;

export class Snoozes {
  readonly known: KnownSnooze[] = [];
  /** Ids of checks, with the instant at which a snooze was asked for first, and the latest end of one. */
  readonly #asked = new Map<string, { count: number; fromMs: number; untilMs: number }>();
  /** How far the clocks of two nodes are apart at most, and how far one is from that of the world. */
  #apartMs = 0;
  #wrongMs = 0;

  clocksAre(skews: readonly number[]): void {
    this.#apartMs = Math.max(...skews) - Math.min(...skews);
    this.#wrongMs = Math.max(...skews.map(Math.abs));
  }

  /** Returns what to call when it was answered that it has happened. */
  ask({ id, op, untilMs }: SnoozeRequest, askedMs: number): (answeredMs: number) => void {
    this.doubt(id, askedMs);
    const before = this.#asked.get(id);
    const isFirst = before === undefined || before.untilMs + this.#wrongMs < askedMs;
    const asked = before ?? { count: 0, fromMs: askedMs, untilMs: 0 };
    asked.count++;
    asked.untilMs = Math.max(asked.untilMs, untilMs);
    this.#asked.set(id, asked);
    const { count } = asked;
    return (answeredMs) => {
      // By the clock of its leader it may have been over when it came.
      const hasBegun = answeredMs + this.#wrongMs < untilMs;
      if (op === 'snooze' && hasBegun && isFirst && asked.count === count)
        this.known.push({ id, askedMs, answeredMs, untilMs, certainUntilMs: never });
    };
  }

  /** Something may end its snooze, or move it. */
  doubt(id: string, atMs: number): void {
    for (const snooze of this.known)
      if (snooze.id === id) snooze.certainUntilMs = Math.min(snooze.certainUntilMs, atMs);
  }

  /** Whether nothing of the check may be sent now. */
  isSilent(id: string, nowMs: number): boolean {
    return this.known.some(
      (one) =>
        one.id === id &&
        nowMs > one.answeredMs &&
        nowMs < Math.min(one.certainUntilMs, one.untilMs - this.#wrongMs),
    );
  }

  /**
   * Whether a change of the check may have been kept back. A timeout is dated by its deadline, which may be long past; a ping by when it
   * came to the client, which may have been before the snooze that overtook it: a node that is cut off waits for the next leader.
   */
  mayKeepBack(id: string, { atMs, cause }: StatusChange): boolean {
    const asked = this.#asked.get(id);
    const { waitMsMax } = limits.cluster.forward;
    return asked !== undefined && (cause === 'timeout' || atMs >= asked.fromMs - this.#wrongMs - waitMsMax);
  }

  /** How many notifications of one change the ends of snoozes may have added. */
  endsMax(id: string): number {
    return this.#asked.get(id)?.count ?? 0;
  }

  /**
   * The changes to down that had to be notified when a snooze of the check ended, with that instant: it was down by then for
   * certain. `changes`: all of the check.
   */
  due(id: string, changes: readonly StatusChange[]): readonly (readonly [StatusChange, number])[] {
    const oldestFirst = changes.toSorted((a, b) => a.atMs - b.atMs);
    return this.known
      .filter((one) => one.id === id && one.certainUntilMs === never)
      .flatMap(({ untilMs }) => {
        const nearMs = this.#apartMs + inFlightMsMax;
        const isNear = (atMs: number) => (one: StatusChange) => Math.abs(one.atMs - atMs) <= nearMs;
        // A run that is over its time takes a check down as of a deadline that may be long past.
        if (oldestFirst.some(isNear(untilMs))) return [];
        const last = oldestFirst.findLast(({ atMs }) => atMs < untilMs);
        if (!last || notificationKindOf(last) !== 'down') return [];
        return oldestFirst.filter(isNear(last.atMs)).length === 1 ? [[last, untilMs] as const] : [];
      });
  }
}
