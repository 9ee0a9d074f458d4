/**
 * Selects the few checks that a search across projects shows: those with its words in the name come before those with them
 * elsewhere. Pure except for the turns of the event loop that it leaves to others.
 * Invariant: it keeps no more than it returns, however many match.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { foldCase } from '../../../domain/words/search-words.ts';
import { searchedPerTurn } from '../../limits.ts';
import type { ListEntry } from './entry.ts';
import { byStatus, isFound } from './order.ts';

export interface Match {
  readonly entry: ListEntry;
  /** 0: the words are its name; 1: its name begins with them; 2: its name contains them; 3: some are elsewhere. */
  readonly rank: number;
}

export interface Matches {
  readonly best: readonly Match[];
  /** Number of all matches. */
  readonly total: number;
}

/** `words` are in lower case, and all must match; an empty list matches everything. */
export async function bestMatches(
  all: Iterable<ListEntry>,
  words: readonly string[],
  max: number,
): Promise<Matches> {
  const whole = words.join(' ');
  const best: Match[] = [];
  let total = 0;
  let seen = 0;
  for (const entry of all) {
    if (++seen % searchedPerTurn === 0) await nextTurn();
    if (!isFound(entry, words)) continue;
    total++;
    const match = { entry, rank: rankOf(foldCase(entry.name), words, whole) };
    const last = best[max - 1];
    if (last && compareMatches(match, last) >= 0) continue;
    const at = best.findIndex((other) => compareMatches(match, other) < 0);
    best.splice(at < 0 ? best.length : at, 0, match);
    best.length = Math.min(best.length, max);
  }
  return { best, total };
}

function rankOf(name: string, words: readonly string[], whole: string): number {
  if (name.startsWith(whole)) return name === whole ? 0 : 1;
  return words.every((word) => name.includes(word)) ? 2 : 3;
}

export function compareMatches(one: Match, other: Match): number {
  return one.rank - other.rank || byStatus(one.entry, other.entry);
}
