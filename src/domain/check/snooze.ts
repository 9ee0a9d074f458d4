/**
 * Ways to keep back notifications of a check: an acknowledgement (no reminders until it is up again), a snooze (nothing until an
 * instant, since somebody wants it), and a hold (nothing as long as a setting says so). Not here: what follows from them
 * (`deliveries/after-snooze`, `alerting/hold`).
 * Invariant: a check has a snooze or a hold, never both.
 */
import type { StatusChange } from './flip.ts';
import type { Growing } from './unknown-fields.ts';

/** Somebody knows that the check is down. Ends when the check leaves down. */
export interface Acknowledgement extends Growing {
  readonly atMs: number;
  /** The name of a user or of a key; at most `snoozedByLengthMax` characters. */
  readonly by: string;
}

/** What a snooze and a hold have in common: what is kept back. */
export interface Withheld {
  /** When it began; a later one that only moves its end leaves this as it is. */
  readonly atMs: number;
  readonly untilMs: number;
  /** The check was down when it began: its integrations have been notified of that. */
  readonly wasDown: boolean;
  /** When it had gone down, if it was; 0 otherwise, where it is not known, and once it was paused: that outage is over. */
  readonly downAtMs: number;
  /** Changes that would have been notified meanwhile: of each kind the latest. */
  readonly withheld: readonly StatusChange[];
}

export interface Snooze extends Withheld, Growing {
  readonly by: string;
}

/**
 * `maintenance`: a window of it is open. `parent-down`: a check that it depends on is down; `parent-back`: that one is up again, and
 * this has time for its own ping; `awaiting-parent`: one that it depends on may follow. `alert-after`: it has not failed often enough.
 * `recover-after`: it was not well often enough. `unstable`: it changes all the time. Stored by these names.
 */
export const holdReasons = [
  'maintenance',
  'parent-down',
  'parent-back',
  'awaiting-parent',
  'alert-after',
  'recover-after',
  'unstable',
] as const;
export type HoldReason = (typeof holdReasons)[number];

export interface Hold extends Withheld, Growing {
  readonly reason: HoldReason;
  /** Names that the reason is about: of the window, of the checks that are down, or figures. At most `heldAboutCharsMax` characters. */
  readonly about: string;
}

/** What keeps the notifications of a check back, if anything does. */
export function withheldOf({
  snooze,
  hold,
}: {
  readonly snooze?: Snooze | undefined;
  readonly hold?: Hold | undefined;
}): Withheld | undefined {
  return snooze ?? hold;
}
