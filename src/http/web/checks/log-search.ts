/**
 * Finds the entries of a log whose output contains a text. It reads a few bodies at a time with a turn of the event loop
 * between, so a search holds up no ping.
 * Invariant: one search reads at most `bytesMax` of bodies, and at most `atOnceMax` searches run at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogEntry } from '../../../domain/views/log-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { logSearchLimits } from '../../limits.ts';

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
    if (this.#running < logSearchLimits.atOnceMax) this.#running++;
    else if (this.#waiting.length >= logSearchLimits.waitingMax) return null;
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await searched(read, id, {
        entries,
        text: text.slice(0, logSearchLimits.textMax).toLowerCase(),
        limit,
      });
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
  let left: number = logSearchLimits.bytesMax;
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
      if (performance.now() - sliceFromMs < logSearchLimits.sliceMs) continue;
      await nextTurn();
      sliceFromMs = performance.now();
    }
    if (isFound) found.push(entry);
  }
  return { entries: found, searched: entries.length };
}
