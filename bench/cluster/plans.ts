/** What the cluster bench does at each size. */
import type { Plans } from '../harness/rounds.ts';

export interface Messages {
  readonly pings: number;
  readonly inFlight: number;
}

export interface Plan {
  readonly checks: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: readonly number[];
  readonly messages: readonly Messages[];
  /** How often the leader is killed; the leader and the server that leads the stream; the leader asked to end. */
  readonly kills: number;
  readonly killsOfBoth: number;
  readonly handOvers: number;
}

const few = { pings: 64, inFlight: 8 };
/** As many as a busy client sends in one. */
export const full = { pings: 256, inFlight: 16 };

export const plans: Plans<Plan> = {
  smoke: {
    ...{ checks: 100, rounds: 1, seconds: 0.3, connections: [4], messages: [{ pings: 16, inFlight: 2 }] },
    ...{ kills: 1, killsOfBoth: 0, handOvers: 1 },
  },
  quick: {
    ...{ checks: 1000, rounds: 1, seconds: 2, connections: [64], messages: [full] },
    ...{ kills: 1, killsOfBoth: 0, handOvers: 1 },
  },
  normal: {
    ...{ checks: 10_000, rounds: 3, seconds: 2, connections: [1, 16, 64, 256], messages: [few, full] },
    ...{ kills: 3, killsOfBoth: 1, handOvers: 3 },
  },
  full: {
    ...{ checks: 10_000, rounds: 5, seconds: 4, connections: [1, 16, 64, 256, 1024], messages: [few, full] },
    ...{ kills: 10, killsOfBoth: 10, handOvers: 10 },
  },
};
