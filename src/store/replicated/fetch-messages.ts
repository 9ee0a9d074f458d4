/** Reads consecutive messages from a stream's leader, several at once. */
import type { EntryStream, StoredMessage } from './entry-stream.ts';

export interface FetchOptions {
  readonly stream: EntryStream;
  readonly fetchesMax: number;
  readonly fromSeq: number;
  readonly untilSeq: number;
  /** Called in order; null for a message that is not there. False ends the fetch. */
  take(seq: number, message: StoredMessage | null): boolean;
}

/** False when the leader did not answer: what was taken until then is whole. */
export async function fetchMessages({
  stream,
  fetchesMax,
  fromSeq,
  untilSeq,
  take,
}: FetchOptions): Promise<boolean> {
  const underWay: Promise<StoredMessage | null | 'no answer'>[] = [];
  let askedSeq = fromSeq;
  for (let seq = fromSeq; seq <= untilSeq; seq++) {
    while (askedSeq <= untilSeq && underWay.length < fetchesMax)
      underWay.push(stream.get(askedSeq++).catch(() => 'no answer' as const));
    const message = await underWay.shift();
    if (message === undefined || message === 'no answer') return false;
    if (!take(seq, message)) return true;
  }
  return true;
}
