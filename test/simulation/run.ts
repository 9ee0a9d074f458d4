/**
 * One process of the simulation: lives the seeds that `main` sends it, one block after the other, and answers each block.
 * Invariant: ends with its parent.
 */
import { liveInCluster } from './cluster-life.ts';
import { live } from './life.ts';

export interface Block {
  readonly first: number;
  readonly count: number;
  /** Lives of a cluster. */
  readonly isCluster: boolean;
}

export interface Lived {
  readonly seeds: number;
  readonly pings: number;
  readonly steps: number;
  /** Of the first seed that broke a promise; null for none. */
  readonly failure: string | null;
}

let living = 0;

async function run({ first, count, isCluster }: Block): Promise<Lived> {
  let [pings, steps] = [0, 0];
  for (let seed = first; seed < first + count; seed++) {
    living = seed;
    try {
      const life = await (isCluster ? liveInCluster(seed) : live(seed));
      pings += life.pings;
      steps += life.trace.length;
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      return { seeds: seed - first, pings, steps, failure };
    }
  }
  return { seeds: count, pings, steps, failure: null };
}

/** What nobody waited for has failed: named by its seed too. */
process.on('uncaughtException', (error) => {
  process.send?.({ seeds: 0, pings: 0, steps: 0, failure: `seed ${living}: ${error.stack}` });
});
process.on('message', (block: Block) => {
  void run(block).then((lived) => process.send?.(lived));
});
process.on('disconnect', () => process.exit());
