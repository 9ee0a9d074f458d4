/**
 * Waits for changes that were appended before: of many checks at once, or all of them. Invariant: it resolves when every one of
 * them has come to its end, so that nothing is still on its way to the disk.
 */
import type { Check } from '../../domain/check/check.ts';
import { KnellError } from '../../lib/errors.ts';
import type { EngineContext } from '../context/context.ts';
import { notWritten } from '../contract/not-written.ts';

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

/** Resolves when all that was appended so far is durable. */
export function allDurable({ store }: Pick<EngineContext, 'store'>): Promise<void> {
  return new Promise((resolve, reject) => {
    store.barrier({ durable: resolve, rolledBack: () => reject(notWritten(store)) });
  });
}
