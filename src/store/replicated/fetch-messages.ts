/**
 * Reads consecutive messages from a stream: the last ones from its leader, several at once; what is long before them in batches,
 * from any server.
 * Invariant: the leader answers for the end of the stream. A server that is behind, or has been damaged, differs from it there.
 */
import type { Scheduler } from '../disk/scheduler.ts';
import type { EntryStream, StoredMessage } from './entry-stream.ts';
import type { ReplicatedLimits } from './limits.ts';

export interface FetchOptions {
  readonly stream: EntryStream;
  readonly scheduler: Scheduler;
  readonly limits: Pick<ReplicatedLimits, 'fetchesMax' | 'batchCountMax' | 'leaderCount' | 'turnMs'>;
  readonly fromSeq: number;
  readonly untilSeq: number;
  /** Called in order; null for a message that is not there. False ends the fetch. */
  take(seq: number, message: StoredMessage | null): boolean;
}

/** False when the leader did not answer: what was taken until then is whole. */
export async function fetchMessages(options: FetchOptions): Promise<boolean> {
  const nextSeq = await fetchBatches(options);
  return nextSeq === null || (await fetchFromLeader({ ...options, fromSeq: nextSeq }));
}

/** Up to where they came, and the next one is the leader's; null when `take` has ended it. The next batch comes while one is taken. */
async function fetchBatches({
  stream,
  scheduler,
  limits,
  fromSeq,
  untilSeq,
  take,
}: FetchOptions): Promise<number | null> {
  const ask = (seq: number): Promise<readonly StoredMessage[]> => {
    const count = Math.min(limits.batchCountMax, untilSeq - limits.leaderCount - seq + 1);
    return count > 0 ? stream.getMany(seq, count) : Promise.resolve([]);
  };
  let seq = fromSeq;
  for (let asked = ask(seq); ; ) {
    const batch = await asked;
    if (batch.length === 0) return seq;
    asked = ask(seq + batch.length);
    let turnEndsMs = scheduler.elapsedMs() + limits.turnMs;
    for (const message of batch) {
      if (!take(seq, message)) return null;
      seq++;
      if (scheduler.elapsedMs() < turnEndsMs) continue;
      await new Promise<void>((resolve) => scheduler.soon(resolve));
      turnEndsMs = scheduler.elapsedMs() + limits.turnMs;
    }
  }
}

async function fetchFromLeader({ stream, limits, fromSeq, untilSeq, take }: FetchOptions): Promise<boolean> {
  const inFlight: Promise<StoredMessage | null | 'no answer'>[] = [];
  let askedSeq = fromSeq;
  for (let seq = fromSeq; seq <= untilSeq; seq++) {
    while (askedSeq <= untilSeq && inFlight.length < limits.fetchesMax)
      inFlight.push(stream.get(askedSeq++).catch(() => 'no answer' as const));
    const message = await inFlight.shift();
    if (message === undefined || message === 'no answer') return false;
    if (!take(seq, message)) return true;
  }
  return true;
}
