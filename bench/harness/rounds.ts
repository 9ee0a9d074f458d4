/**
 * What the plans of the benches share: a plan for each size, and rounds of which those that warm up do not count.
 * Invariant: rounds run one after the other, in the order of their numbers.
 */
import type { Context, Size } from './bench.ts';
import { shuffled, suiteSeed } from './random.ts';

export type Plans<Plan> = Readonly<Record<Size, Plan>>;

export interface RoundOptions {
  /** How many count. */
  readonly rounds: number;
  /** Whether the code is compiled already: then no round warms it up. */
  readonly isWarm?: boolean;
}

/** Calls `run` with the number of each round: below 0 it warms up, and what it finds does not count. */
export async function inRounds(
  { size, progress }: Pick<Context, 'size' | 'progress'>,
  { rounds, isWarm = false }: RoundOptions,
  run: (round: number) => Promise<void>,
): Promise<void> {
  for (let round = isWarm ? 0 : firstRound(size); round < rounds; round++) {
    await run(round);
    progress(Math.max(0, round + 1) / rounds);
  }
}

/** A smoke run, which proves no figure, warms nothing up. */
export function firstRound(size: Size): number {
  return size === 'smoke' ? 0 : -1;
}

/** The ping paths of checks in an order that differs from round to round, the same in every run. */
export function pingPaths(uuids: readonly string[], round = 0): string[] {
  return shuffled(uuids, suiteSeed + round).map((uuid) => `/ping/${uuid}`);
}
