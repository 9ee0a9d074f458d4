/**
 * Two ways to hold back notifications of a check: an acknowledgement (no reminders until it is up again) and a snooze (nothing
 * until an instant). Not here: what follows from them (`after-snooze`).
 */
import type { StatusChange } from './flip.ts';
import type { Growing } from './unknown-fields.ts';

/** Somebody knows that the check is down. Ends when the check leaves down. */
export interface Acknowledgement extends Growing {
  readonly atMs: number;
  /** The name of a user or of a key; at most `snoozedByLengthMax` characters. */
  readonly by: string;
}

export interface Snooze extends Growing {
  /** When it began; a later one that only moves its end leaves this as it is. */
  readonly atMs: number;
  readonly by: string;
  readonly untilMs: number;
  /** The check was down when it began: its integrations have been notified of that. */
  readonly wasDown: boolean;
  /** When it had gone down, if it was; 0 otherwise, and where it is not known. */
  readonly downAtMs: number;
  /** Changes that would have been notified meanwhile: of each kind the latest. */
  readonly withheld: readonly StatusChange[];
}
