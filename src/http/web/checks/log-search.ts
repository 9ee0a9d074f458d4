/**
 * Finds the entries of a log whose output contains a text. It reads a few bodies at a time with a turn of the event loop
 * between, so a search holds up no ping.
 * Invariant: one search reads at most `bytesMax` of bodies, and at most `atOnceMax` searches run at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FoundLine, LogEntry } from '../../../domain/views/log-view.ts';
import { findWords } from '../../../domain/words/excerpt.ts';
import { foldCase } from '../../../domain/words/search-words.ts';
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
    const isMail = 'bodies' in entry && entry.from.scheme === 'email';
    if (found.length >= limit || left <= 0) return { entries: found, searched: at };
    let isFound = false;
    let line: FoundLine | null = null;
    for (const { n, bytes } of bodies) {
      if (isFound) break;
      left -= bytes;
      const body = Buffer.from(read.body(id, n) ?? '').toString('utf8');
      isFound = body.toLowerCase().includes(text);
      if (isFound && !isMail) line = lineIn(n, body, text);
      if (performance.now() - sliceFromMs < logSearchLimits.sliceMs) continue;
      await nextTurn();
      sliceFromMs = performance.now();
    }
    if (isFound) found.push(line !== null && 'bodies' in entry ? { ...entry, found: line } : entry);
  }
  return { entries: found, searched: entries.length };
}

/** Returns where the text is; null for one that is there only with what a terminal does not show. */
function lineIn(n: number, body: string, text: string): FoundLine | null {
  const hit = findWords(body, [foldCase(text)]);
  return hit && { n, ...hit };
}
