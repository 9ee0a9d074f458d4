/**
 * What integrations are to be sent, as the model has it: of which change, since when, and which of them takes what.
 * Invariant: pure.
 */
import type { Status } from '../../src/domain/check/check.ts';

export type Kind = 'down' | 'up' | 'late';

export interface ModelChange {
  readonly atMs: number;
  readonly from: Status;
  readonly to: Status;
  readonly cause: string;
  /** Of a snoozed check: nothing is sent of it. */
  readonly isSnoozed: boolean;
  /** Of the run that made it; null for none. */
  readonly durationMs: number | null;
}

export interface ModelIntegration {
  readonly project: string;
  readonly late: boolean;
  readonly disabled: boolean;
  /** False: it has no address for a check that comes up. */
  readonly acceptsUp: boolean;
  readonly delayS: number;
  readonly repeatS: number;
}

/** One status change that one integration is to be sent. */
export interface ModelDelivery {
  readonly integration: string;
  readonly check: string;
  readonly kind: Kind;
  readonly change: ModelChange;
  /** The place of the change among those of its check. */
  readonly order: number;
  /** From when on it is to be sent: when it changed, or when the snooze ended that had kept it back. */
  readonly sinceMs: number;
  /** When the snooze ended that it comes after; null where there was none. */
  readonly endedMs: number | null;
  /** It depends on what cannot be seen from outside, or may be dropped without a trace. */
  readonly isOptional: boolean;
}

/** What an integration is sent of a change: nothing of a pause, a resume, or a first success. */
export function kindOf({ from, to }: Pick<ModelChange, 'from' | 'to'>): Kind | null {
  if (to === 'down') return 'down';
  if (to === 'grace') return 'late';
  return from === 'down' && to === 'up' ? 'up' : null;
}

export function accepts(to: ModelIntegration, kind: Kind): boolean {
  return kind === 'down' || (kind === 'late' ? to.late : to.acceptsUp);
}
