/**
 * One process of the simulation: lives the seeds that `main` sends it, one block after the other, and answers each block.
 * Invariant: ends with its parent.
 */
import { liveAlerting } from './alerting-life.ts';
import { liveInCluster } from './cluster-life.ts';
import { live } from './life.ts';

/** `cluster`: of three nodes. `alerting`: of checks whose alerts are held back. */
export type LifeKind = 'single' | 'cluster' | 'alerting' | 'cluster alerting';

export interface Block {
  readonly first: number;
  readonly count: number;
  readonly kind: LifeKind;
}

export interface Lived {
  readonly seeds: number;
  readonly pings: number;
  readonly steps: number;
  /** Of the first seed that broke a promise; null for none. */
  readonly failure: string | null;
}

let living = 0;

const lives = {
  single: live,
  cluster: (seed: number) => liveInCluster(seed),
  'cluster alerting': (seed: number) => liveInCluster(seed, true),
  alerting: async (seed: number) => ({ trace: await liveAlerting(seed), pings: 0 }),
} as const;

async function run({ first, count, kind }: Block): Promise<Lived> {
  let [pings, steps] = [0, 0];
  for (let seed = first; seed < first + count; seed++) {
    living = seed;
    try {
      const life = await lives[kind](seed);
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
