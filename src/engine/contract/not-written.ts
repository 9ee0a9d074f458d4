/**
 * Why a batch was rolled back: the disk is full, or the log of the cluster does not answer. Asked when it happens, since
 * either may be over a moment later.
 * Invariant: the code of the error is `store-full` for both: nothing was changed, and another try may succeed.
 */
import { KnellError } from '../../lib/errors.ts';
import type { Store } from '../../store/store.ts';

export function whyNotWritten({ isLogSilent }: Pick<Store, 'isLogSilent'>): 'log-silent' | 'store-full' {
  return isLogSilent ? 'log-silent' : 'store-full';
}

/** This node is the leader, and cannot write. */
export const logSilentWords = 'the log of the cluster does not answer';

export function notWritableWords({ isLogSilent }: { readonly isLogSilent: boolean }): string {
  return isLogSilent ? logSilentWords : 'the disk is full';
}

/** `what`: what has become of the change. */
export function notWritten(
  { isLogSilent }: Pick<Store, 'isLogSilent'>,
  what = 'nothing was changed',
): KnellError {
  const message = isLogSilent
    ? `the log of the cluster does not answer: ${what}; try again in a moment`
    : `the disk is full: ${what}; free some space`;
  return new KnellError('store-full', message);
}
