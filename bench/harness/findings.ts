/** What a run of the suite found, as it is kept on disk and shown in the report. */
import type { Found, Size } from './bench.ts';
import type { Machine } from './machine.ts';
import type { ServerShares } from './profile-shares.ts';

export interface Finding extends Found {
  readonly bench: string;
  readonly about: string;
  readonly size: Size;
  /** What the run of it took. */
  readonly seconds: number;
  /** Where its CPU profile was kept, if it was profiled. */
  readonly profile?: string;
  /** Where the time of the main threads went, if it was profiled. */
  readonly servers?: readonly ServerShares[];
}

export interface Kept {
  readonly date: string;
  readonly machine: Machine;
  readonly seed: number;
  readonly findings: readonly Finding[];
}
