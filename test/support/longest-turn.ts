/**
 * The processor time that the longest turn of the event loop takes: what other programs take on the same machine does not count,
 * so a busy machine measures the same as an idle one.
 */
import { readFileSync } from 'node:fs';

/** Milliseconds for which this thread has run. */
function threadMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

/** The longest turn while `work` runs, which waits for something else than its own computing. */
async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let lastMs = threadMs();
  let isOver = false;
  const next = (): void => {
    const nowMs = threadMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    // Reading the time takes some itself.
    lastMs = threadMs();
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  await work();
  isOver = true;
  return longestMs;
}

const roundsMax = 24;

/**
 * The longest turn of the best of some rounds: what a collector of garbage or cold code adds is not in all of them. The first
 * round below `limitMs` is the last: those after it could only be better.
 */
export async function leastLongestTurnMs(limitMs: number, work: () => Promise<unknown>): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < roundsMax && leastMs >= limitMs; round++)
    leastMs = Math.min(leastMs, await longestTurnMs(work));
  return leastMs;
}
