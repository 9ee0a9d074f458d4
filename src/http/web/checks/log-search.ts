/**
 * Finds the entries of a log whose output contains a text. It reads a few bodies at a time with a turn of the event loop
 * between, so a search holds up no ping.
 * Invariant: one search reads at most `bytesMax` of bodies, and at most `atOnceMax` searches run at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogEntry } from '../../../domain/views/log-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { MB } from '../../../lib/units.ts';

const bounds = {
  /** Bytes read by a search, some 20 ms of work; the page gets the place from which to search further. */
  bytesMax: 8 * MB,
  /** Time for a turn; a body of 100 kB takes 0.3 ms. */
  sliceMs: 2,
  /** Searches that run at once; further ones wait. */
  atOnceMax: 4,
  /** Searches that wait, for a second or two. */
  waitingMax: 64,
  /** Characters of the text. */
  textMax: 200,
} as const;

export interface FoundEntries {
  readonly entries: readonly LogEntry[];
  /** How many of the given entries have been searched. */
  readonly searched: number;
}

export class LogSearch {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * Returns the first `limit` of `entries` whose output contains the text, in upper or lower case. Returns null if too many
   * searches wait.
   */
  async find(
    read: Pick<EngineRead, 'body'>,
    id: CheckId,
    { entries, text, limit }: { entries: readonly LogEntry[]; text: string; limit: number },
  ): Promise<FoundEntries | null> {
    if (this.#running < bounds.atOnceMax) this.#running++;
    else if (this.#waiting.length >= bounds.waitingMax) return null;
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await searched(read, id, { entries, text: text.slice(0, bounds.textMax).toLowerCase(), limit });
    } finally {
      // The next search takes the place of this one.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

async function searched(
  read: Pick<EngineRead, 'body'>,
  id: CheckId,
  { entries, text, limit }: { entries: readonly LogEntry[]; text: string; limit: number },
): Promise<FoundEntries> {
  const found: LogEntry[] = [];
  let left: number = bounds.bytesMax;
  let sliceFromMs = performance.now();
  for (const [at, entry] of entries.entries()) {
    const bodies = 'bodies' in entry ? entry.bodies : [];
    if (found.length >= limit || left <= 0) return { entries: found, searched: at };
    let isFound = false;
    for (const { n, bytes } of bodies) {
      if (isFound) break;
      left -= bytes;
      const body = read.body(id, n);
      isFound = body !== null && Buffer.from(body).toString('utf8').toLowerCase().includes(text);
      if (performance.now() - sliceFromMs < bounds.sliceMs) continue;
      await nextTurn();
      sliceFromMs = performance.now();
    }
    if (isFound) found.push(entry);
  }
  return { entries: found, searched: entries.length };
}
