/**
 * Waits for the changes of many checks at once. Invariant: it resolves when every one of them has come to its end, so that nothing
 * is still on its way to the disk.
 */
import type { Check } from '../../domain/check/check.ts';
import { KnellError } from '../../lib/errors.ts';

interface Settled {
  readonly changed: number;
  /** Whether one at least could not be written. */
  readonly isFull: boolean;
}

/** Null: nothing to do. A check that was deleted meanwhile is no error; any other than this and a full disk is thrown. */
export async function settled(changes: readonly (Promise<Check> | null)[]): Promise<Settled> {
  const results = await Promise.allSettled(changes.filter((change) => change !== null));
  let isFull = false;
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    const { reason } = result;
    if (!(reason instanceof KnellError) || !['not-found', 'store-full'].includes(reason.code)) throw reason;
    isFull ||= reason.code === 'store-full';
  }
  return { changed: results.filter(({ status }) => status === 'fulfilled').length, isFull };
}
