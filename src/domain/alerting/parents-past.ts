/**
 * When the checks that a check depends on were down, as a replay asks for it.
 * Invariant: pure; outages of a parent are in the order of time and do not overlap.
 */
import { NEVER } from '../../lib/units.ts';
import type { Status } from '../check/check.ts';
import type { StatusChange } from '../check/flip.ts';

/** Until, but not at, `untilMs`. */
export interface ParentOutage {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface ParentPast {
  readonly name: string;
  readonly outages: readonly ParentOutage[];
}

/** `changes`: oldest first; `before`: what it was before them. */
export function outagesIn(changes: readonly StatusChange[], before: Status): readonly ParentOutage[] {
  const outages: ParentOutage[] = [];
  let fromMs = before === 'down' ? Number.NEGATIVE_INFINITY : NEVER;
  for (const { atMs, to } of changes) {
    if (to === 'down') fromMs = Math.min(fromMs, atMs);
    else if (fromMs < NEVER) {
      outages.push({ fromMs, untilMs: atMs });
      fromMs = NEVER;
    }
  }
  return fromMs < NEVER ? [...outages, { fromMs, untilMs: NEVER }] : outages;
}

export function parentsDownAt(parents: readonly ParentPast[], atMs: number): readonly string[] {
  const isDown = ({ outages }: ParentPast): boolean =>
    outages.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
  return parents.filter(isDown).map(({ name }) => name);
}

/** The times at which one of them went down or came back, each once, in order. */
export function parentTurns(parents: readonly ParentPast[]): readonly number[] {
  const times = parents.flatMap(({ outages }) => outages.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]));
  return [...new Set(times)].filter(Number.isFinite).sort((a, b) => a - b);
}
