/**
 * What the model knows of snoozes: which integration is to be sent what when one ends. Read it beside the table in the
 * manual ("Acknowledge and snooze"). It looks at the changes of the check, where Knell keeps what it held back.
 * Invariant: pure.
 */
import type { Status } from '../../src/domain/check/check.ts';
import { accepts, type Kind, kindOf, type ModelChange, type ModelIntegration } from './model-alerts.ts';

export interface ModelSnooze {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly by: string;
  readonly wasDown: boolean;
  /** So many changes had happened when it began. */
  readonly order: number;
}

export interface SnoozeEnd {
  readonly snooze: ModelSnooze;
  readonly atMs: number;
  /** So many changes had happened. */
  readonly order: number;
  readonly status: Status;
  readonly isAcknowledged: boolean;
}

/** No attempt may come in between: of the check at all, or to remind somebody of it. */
export interface Silence {
  readonly what: 'everything' | 'reminders';
  readonly fromMs: number;
  readonly untilMs: number;
}

interface Due {
  readonly change: ModelChange;
  readonly order: number;
  readonly sinceMs: number;
  readonly isOptional: boolean;
}

/** Null for nothing. */
export function dueAfterSnooze(
  changes: readonly ModelChange[],
  { snooze, atMs, order: untilOrder, status, isAcknowledged }: SnoozeEnd,
  to: ModelIntegration,
): Due | null {
  const latest = (kind: Kind, fromOrder: number, beforeOrder: number): number =>
    changes.findLastIndex((change, at) => at >= fromOrder && at < beforeOrder && kindOf(change) === kind);
  const delayMs = to.delayS * 1000;
  const due = (order: number, isOptional: boolean): Due | null => {
    const change = changes[order];
    if (!change) return null;
    const isPutOff = delayMs > 0 && change.to !== 'up' && change.atMs + delayMs > atMs;
    return { change, order, sinceMs: isPutOff ? change.atMs : atMs, isOptional };
  };
  const before = latestDatedDown(changes.slice(0, snooze.order));
  // The snooze began within the delay: whether it was notified depends on when the outbox looked.
  const isUnsure = delayMs > 0 && (changes[before]?.atMs ?? 0) + delayMs > snooze.fromMs;
  if (status === 'down') {
    const since = latest('down', snooze.order, untilOrder);
    if (since >= 0) return due(since, false);
    if (!isAcknowledged) return due(before, false);
    // Who acknowledged it may not be who is notified: an alert that was being tried again is sent at the end.
    return to.repeatS > 0 ? remindedOf(due(before, true), atMs, isUnsure) : due(before, true);
  }
  const late = latest('late', snooze.order, untilOrder);
  if (status === 'grace' && late >= 0 && accepts(to, 'late')) return due(late, false);
  const up = latest('up', snooze.order, untilOrder);
  return snooze.wasDown && up >= 0 && accepts(to, 'up') ? due(up, isUnsure) : null;
}

/** The history is by date: a run that is over its time takes a check down as of then, though it was up meanwhile. */
function latestDatedDown(changes: readonly ModelChange[]): number {
  const downs = changes.filter((change) => kindOf(change) === 'down');
  const latestMs = Math.max(...downs.map(({ atMs }) => atMs));
  return changes.findLastIndex((change) => kindOf(change) === 'down' && change.atMs === latestMs);
}

/** A reminder counts from the end of the snooze. */
function remindedOf(due: Due | null, atMs: number, isUnsure: boolean): Due | null {
  return due && !isUnsure ? { ...due, sinceMs: atMs } : due;
}
