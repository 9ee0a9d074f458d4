/** Why a notification was never sent, in one or two words beside its time: the whole reason is in its details. Pure. */

const reasons: readonly (readonly [reason: RegExp, words: string])[] = [
  [/\bsnoozed until /, 'snoozed'],
  [/\bup, or acknowledged, /, 'up or acknowledged'],
  [/\bnewer (?:alert|outage)\b/, 'superseded'],
  [/\bdown only while a window /, 'quiet hours'],
  [/\bless than the integration's delay/, 'over within its delay'],
  [/\bwas paused, and is down anew/, 'paused'],
  [/\bdown again before /, 'down again'],
];

/** Returns `not sent, snoozed` for `status 500; snoozed until …`, and only `not sent` for what it does not know. */
export function unsentWords(error: string): string {
  const known = reasons.find(([reason]) => reason.test(error))?.[1];
  const [, status] = /\bthe check was (up|late|down|paused|new|grace)\b/.exec(error) ?? [];
  const why = known ?? (status === undefined ? '' : `${status === 'grace' ? 'late' : status} by then`);
  return why === '' ? 'not sent' : `not sent, ${why}`;
}
