/**
 * Selects the few checks that a search across projects shows: those whose names fit its words best come first. Pure except for the turns of the event loop that it leaves to others.
 * Invariant: it keeps no more than it returns, however many match.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { foldCase, matchRank } from '../../../domain/words/search-words.ts';
import { searchedPerTurn } from '../../limits.ts';
import type { ListEntry } from './entry.ts';
import { byStatus, isFound } from './order.ts';

export interface Match {
  readonly entry: ListEntry;
  /** As {@link matchRank} returns it. */
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
  const best: Match[] = [];
  let total = 0;
  let seen = 0;
  for (const entry of all) {
    if (++seen % searchedPerTurn === 0) await nextTurn();
    if (!isFound(entry, words)) continue;
    total++;
    const match = { entry, rank: matchRank(foldCase(entry.name), words) };
    const last = best[max - 1];
    if (last && compareMatches(match, last) >= 0) continue;
    const at = best.findIndex((other) => compareMatches(match, other) < 0);
    best.splice(at < 0 ? best.length : at, 0, match);
    best.length = Math.min(best.length, max);
  }
  return { best, total };
}

export function compareMatches(one: Match, other: Match): number {
  return one.rank - other.rank || byStatus(one.entry, other.entry);
}
