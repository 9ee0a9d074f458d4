/**
 * Finds the entries of a log whose output contains a text. Bodies are read a few at a time with a turn of the event loop between, so
 * that a search holds up no ping.
 * Invariant: one search reads at most `bytesMax` of bodies, and so many run at once as `atOnceMax` allows.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogEntry } from '../../../domain/views/log-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { MB } from '../../../lib/units.ts';

const bounds = {
  /** Some 20 ms of work; the page says from where on to search further. */
  bytesMax: 8 * MB,
  /** A body of 100 kB takes 0.3 ms. */
  sliceMs: 2,
  /** People who search at the same moment; more wait. */
  atOnceMax: 4,
  /** A second or two of waiting. */
  waitingMax: 64,
  /** In characters. */
  textMax: 200,
} as const;

export interface FoundEntries {
  readonly entries: readonly LogEntry[];
  /** How many of those that were given have been searched. */
  readonly searched: number;
}

export class LogSearch {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** The first `limit` of `entries` that have it in their output, in upper or lower case. Null where too many search. */
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
      // The next one takes the place of this one.
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
