/**
 * Makes a node the leader: it writes a claim, and behind it empty entries, one for each append of the leader before that may
 * still be on its way (`replicated-log` says why). `election` decides when a node claims.
 * Invariant: a leader's appends begin behind all of them, so none of its numbers can be taken by an append from before it.
 */

import type { StoredMessage } from './entry-stream.ts';
import { decodeEntry } from './envelope.ts';
import type { Placement } from './placement.ts';
import { appendsInFlightMax, type EntryKind } from './replicated-log.ts';

export type ClaimResult =
  | { readonly kind: 'leads'; readonly nextSeq: number; readonly writtenAtMs: number }
  | { readonly kind: 'refused' | 'unknown' };

/** Begins to put an entry at a place; `claim` has the id that was chosen for it. */
export type Place = (seq: number, kind: EntryKind, epoch: number) => Placement;

/** Claims the place `epoch`. */
export async function claimLog(epoch: number, place: Place): Promise<ClaimResult> {
  const claim = place(epoch, 'claim', epoch);
  const outcome = await claim.settled;
  if (outcome.kind === 'taken') return { kind: 'refused' };
  if (outcome.kind !== 'written') return { kind: 'unknown' };
  let writtenAtMs = claim.startedMs;
  const nextSeq = epoch + appendsInFlightMax;
  for (let seq = epoch + 1; seq < nextSeq; seq++) {
    const empty = place(seq, 'empty', epoch);
    const behind = await empty.settled;
    if (behind.kind === 'written') writtenAtMs = empty.startedMs;
    else if (behind.kind !== 'taken') return { kind: 'unknown' };
    else if (!isVoid(behind.by, epoch)) return { kind: 'refused' };
  }
  return { kind: 'leads', nextSeq, writtenAtMs };
}

/**
 * An append of a leader before the claim. Anything else at its place is another claim, and that one counts, or damage, which
 * following reports.
 */
function isVoid({ bytes, seq }: StoredMessage, epoch: number): boolean {
  try {
    return decodeEntry(bytes, seq).epoch < epoch;
  } catch {
    return false;
  }
}
