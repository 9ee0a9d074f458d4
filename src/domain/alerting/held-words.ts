/**
 * Why notifications of a check are held back, in words, and until when. Read by the log, the API, the commands and the page.
 * Invariant: pure; times are in UTC and say so.
 */
import type { HoldReason } from '../check/snooze.ts';
import { minuteWords } from './calendar-words.ts';
import type { Reason } from './hold-reason.ts';

const words: { readonly [Name in HoldReason]: (about: string) => string } = {
  maintenance: (about) => `in maintenance: ${about}`,
  'parent-down': (about) => `it depends on what is down: ${about}`,
  'parent-back': (about) => `what it depends on has just come up: ${about}`,
  'awaiting-parent': (about) => `what it depends on may be down, too: ${about}`,
  'alert-after': (about) => about,
  'recover-after': (about) => about,
  unstable: (about) => `unstable: ${about}`,
};

export function heldWords({ reason, about, untilMs }: Reason): string {
  const until = Number.isFinite(untilMs) ? untilWords(untilMs) : '';
  return `${words[reason](about)}${until}`;
}

/** `, until 2026-05-04 22:00 UTC`. */
export function untilWords(untilMs: number): string {
  return `, until ${minuteWords(untilMs)} UTC`;
}
