/**
 * One process of the simulation: lives the seeds that `main` sends it, one block after the other, and answers each block.
 * Invariant: ends with its parent.
 */
import { live } from './life.ts';

export interface Block {
  readonly first: number;
  readonly count: number;
}

export interface Lived {
  readonly seeds: number;
  readonly pings: number;
  readonly steps: number;
  /** Of the first seed that broke a promise; null for none. */
  readonly failure: string | null;
}

async function run({ first, count }: Block): Promise<Lived> {
  let [pings, steps] = [0, 0];
  for (let seed = first; seed < first + count; seed++) {
    try {
      const life = await live(seed);
      pings += life.pings;
      steps += life.trace.length;
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      return { seeds: seed - first, pings, steps, failure };
    }
  }
  return { seeds: count, pings, steps, failure: null };
}

process.on('message', (block: Block) => {
  void run(block).then((lived) => process.send?.(lived));
});
process.on('disconnect', () => process.exit());
