/**
 * Why notifications of a check are held back, in words, and until when. Read by the log, the API, the commands and the page.
 * Invariant: pure; times are in UTC and say so.
 */
import type { HoldReason } from '../check/snooze.ts';
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
  const until = Number.isFinite(untilMs) ? `, until ${shownInstant(untilMs)}` : '';
  return `${words[reason](about)}${until}`;
}

function shownInstant(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
