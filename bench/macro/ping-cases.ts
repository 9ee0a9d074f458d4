/** The pings that the throughput bench sends: how, whose, at what durability, over how many connections, at each size. */

import type { Plans } from '../harness/rounds.ts';

export const journals = ['lmdb', 'file'] as const;
export type Journal = (typeof journals)[number];

export interface PingCase {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly bodyBytes: number;
  readonly by: 'uuid' | 'slug';
  readonly durability: 'fsync' | 'relaxed';
  /** Each log is a server of its own, all of them beside the bare one in the same rounds. */
  readonly journals: readonly Journal[];
  readonly connections: readonly number[];
}

export interface Plan {
  readonly checks: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly cases: readonly PingCase[];
}

const get = { method: 'GET', bodyBytes: 0, by: 'uuid', durability: 'fsync', journals } as const;
const head = { ...get, method: 'HEAD' } as const;
const small = { ...get, method: 'POST', bodyBytes: 1000 } as const;
const large = { ...get, method: 'POST', bodyBytes: 100_000 } as const;

const everyCount = [1, 16, 64, 256, 1024];
const everyCase: readonly PingCase[] = [get, head, small, large].flatMap((kind) =>
  (['uuid', 'slug'] as const).flatMap((by) =>
    (['fsync', 'relaxed'] as const).map((durability) => ({
      ...kind,
      by,
      durability,
      // Relaxed pings wait for no log.
      journals: durability === 'fsync' ? journals : (['lmdb'] as const),
      connections: everyCount,
    })),
  ),
);

export const plans: Plans<Plan> = {
  smoke: {
    checks: 100,
    rounds: 1,
    seconds: 0.2,
    cases: [
      { ...get, connections: [1] },
      { ...large, durability: 'relaxed', journals: ['lmdb'], by: 'slug', connections: [4] },
    ],
  },
  quick: {
    checks: 10_000,
    rounds: 1,
    seconds: 1,
    cases: [{ ...get, connections: [1, 256] }],
  },
  normal: {
    checks: 10_000,
    rounds: 5,
    seconds: 1,
    cases: [
      { ...get, connections: [1, 16, 64, 256] },
      { ...get, durability: 'relaxed', journals: ['lmdb'], connections: [256] },
      { ...small, by: 'slug', connections: [64] },
    ],
  },
  full: { checks: 10_000, rounds: 5, seconds: 1, cases: everyCase },
};

export function nameOf({ method, bodyBytes, by, durability }: PingCase, journal: Journal): string {
  const body = bodyBytes === 0 ? '' : ` ${bodyBytes / 1000} kB`;
  return `${method}${body} by ${by}, ${durability}, ${journal} log`;
}
