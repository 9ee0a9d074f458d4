/**
 * Errors that report a damaged journal, the same for every log.
 * Invariant: the sentence names the file, the numbers and what to do; nothing has been changed when it is thrown.
 */
import { KnellError } from '../../lib/errors.ts';

/** Batches that were durable and cannot be read: from and to, both inclusive; `to` is infinite where it is not known. */
export interface LostBatches {
  readonly file: string;
  /** Follows the name of the file in a sentence. */
  readonly why: string;
  readonly from: number;
  readonly to: number;
}

export function rangeText({ from, to }: LostBatches): string {
  if (to === Number.POSITIVE_INFINITY) return `batches from ${from} on`;
  return from === to ? `batch ${from}` : `batches ${from} to ${to}`;
}

export function damaged(lost: LostBatches): KnellError {
  return refused(`the journal is damaged: ${rangeText(lost)} cannot be read, since ${lost.file} ${lost.why}`);
}

export function refused(what: string): KnellError {
  const advice = '"knell store check" lists what is whole, "knell store salvage" continues with that';
  return new KnellError('journal-damaged', `${what}. Nothing was changed: ${advice}`);
}
