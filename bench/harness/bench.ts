/**
 * What a bench is and what it finds. Invariant: a figure is measured by the run that reports it.
 */
import type { Plot } from './plot.ts';

/** `smoke`: seconds in all, to see that it works; the figures mean nothing. */
export type Size = 'smoke' | 'quick' | 'normal' | 'full';

export interface Context {
  readonly size: Size;
  /** A directory of its own, removed afterwards. */
  readonly dir: string;
  /** 0..1, of this bench. */
  readonly progress: (fraction: number) => void;
}

export interface Target {
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly min?: number;
  readonly max?: number;
  /** What it should be, if there is a target. */
  readonly target?: Target;
  /** What a reader must know to judge it, such as that the client was the bottleneck. */
  readonly note?: string;
}

export interface Found {
  readonly figures: readonly Figure[];
  readonly plots?: readonly Plot[];
  /** What made the load. */
  readonly load?: string;
  /** Why there are no figures; what it needs is not on this machine. */
  readonly skipped?: string;
}

export interface Bench {
  readonly name: string;
  readonly about: string;
  run(context: Context): Promise<Found>;
}

/** Null without a target. */
export function reached({ value, target }: Figure): boolean | null {
  if (!target) return null;
  return (
    value >= (target.atLeast ?? Number.NEGATIVE_INFINITY) &&
    value <= (target.atMost ?? Number.POSITIVE_INFINITY)
  );
}
