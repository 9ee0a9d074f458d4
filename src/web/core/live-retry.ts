/** The pauses between tries of the live connection. Pure. */

/**
 * Milliseconds to the first try of a new connection, and to later ones: each time so much longer, up to the most. A restart takes some
 * seconds, so that the first tries are quick; a server that is back after long has a thousand tabs within three seconds, not at once: each
 * pause is drawn anew, from half of it to all.
 */
const retryMsMin = 700;
const retryMsMax = 3000;
const longer = 1.4;

/** `nth`: 0 for the first try. `random`: 0 to 1. */
export function retryPauseMs(nth: number, random: number): number {
  return Math.min(retryMsMax, retryMsMin * longer ** Math.min(nth, 10)) * (0.5 + random / 2);
}
