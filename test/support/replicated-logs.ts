/** Every replicated log behind one face, for the suite that they share. */
import { type ReplicatedLimits, replicatedLimits } from '../../src/store/replicated/limits.ts';
import type { ReplicatedLog } from '../../src/store/replicated/replicated-log.ts';
import { eventLoop } from '../../src/store/scheduler.ts';
import { Random } from '../simulation/random.ts';
import { MemoryCluster } from './memory-log.ts';

/** One stream, and the logs of nodes on it. */
export interface ReplicatedLogPlace {
  node(name: string): Promise<ReplicatedLog>;
  /** Another stream in the place of this one. */
  replace(firstSeq: number): Promise<void>;
}

export interface ReplicatedLogOfTest {
  readonly name: string;
  create(firstSeq: number): Promise<ReplicatedLogPlace>;
}

/** What only waits for a doubtful answer to be repeated takes no 15 s here. */
export const limitsOfTest: ReplicatedLimits = { ...replicatedLimits, silenceMs: 100, shortMs: 300 };

const memory: ReplicatedLogOfTest = {
  name: 'memory',
  async create(firstSeq) {
    const random = new Random(firstSeq);
    const cluster = new MemoryCluster({ scheduler: eventLoop, random: () => random.next(), firstSeq });
    return {
      node: async (name) => cluster.nodeLog(name, limitsOfTest),
      replace: async (from) => cluster.createAnew(from),
    };
  },
};

export const replicatedLogsOfTest: readonly ReplicatedLogOfTest[] = [memory];
