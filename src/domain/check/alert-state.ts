/**
 * What a check's settings of alerting look back on: its last outcomes, and when its status changed. Only checks that have one of
 * these settings have it. Not here: what follows (`alerting/hold-reason`).
 * Invariant: immutable; of each no more than the settings look at.
 */
import type { CheckFieldValues } from './check-fields.ts';
import type { Growing } from './unknown-fields.ts';

export interface AlertState extends Growing {
  /** The last outcomes, newest last: `s` for a success, `f` for a failure or a ping that did not come. */
  readonly outcomes: string;
  /** When a ping that does not come counts as one more failure; 0 for never. Only of a check that is down. */
  readonly nextMissMs: number;
  /** When it went down or came up, oldest first. */
  readonly changesMs: readonly number[];
}

export const noAlertState: AlertState = { outcomes: '', nextMissMs: 0, changesMs: [] };

type AlertSettings = Pick<
  CheckFieldValues,
  'alertAfter' | 'alertOfLast' | 'recoverAfter' | 'unstableChanges'
>;

/** Whether any setting is set that looks at more than the last outcome. */
export function looksBack({ alertAfter, recoverAfter, unstableChanges }: AlertSettings): boolean {
  return alertAfter > 1 || recoverAfter > 1 || unstableChanges > 0;
}

/** How many outcomes the settings look at. */
export function outcomesKept({ alertAfter, alertOfLast, recoverAfter }: AlertSettings): number {
  return Math.max(alertAfter, alertOfLast, recoverAfter);
}

/** Whether it has failed often enough to alert somebody: so many times in a row, or of the last. */
export function hasFailedEnough(
  { alertAfter, alertOfLast }: AlertSettings,
  { outcomes }: Pick<AlertState, 'outcomes'>,
): boolean {
  const window = outcomes.slice(-Math.max(alertAfter, alertOfLast));
  if (alertOfLast > alertAfter) return countOf(window, 'f') >= alertAfter;
  return window.length >= alertAfter && !window.includes('s');
}

/** Whether it has been well often enough, in a row, to say that it is up. */
export function isWellEnough(
  { recoverAfter }: AlertSettings,
  { outcomes }: Pick<AlertState, 'outcomes'>,
): boolean {
  const window = outcomes.slice(-recoverAfter);
  return window.length >= recoverAfter && !window.includes('f');
}

function countOf(outcomes: string, wanted: string): number {
  return outcomes.split(wanted).length - 1;
}

/** Failures that count by now: those in a row, or among the last. */
export function failuresCounted(
  { alertAfter, alertOfLast }: AlertSettings,
  { outcomes }: Pick<AlertState, 'outcomes'>,
): number {
  if (alertOfLast > alertAfter) return countOf(outcomes.slice(-alertOfLast), 'f');
  return outcomes.length - (outcomes.lastIndexOf('s') + 1);
}
