/**
 * The batch log's contract: what keeps batches until they are folded into the history. Implementations: `lmdb-log`,
 * `file-log`; the suite that all of them pass is `test/conformance/log`. `codec/records` says what a batch contains;
 * `group-commit` decides when one is due.
 *
 * Invariants: numbers have no gap. A batch is durable when its outcome is `written`, and never before. A batch that was not
 * written has left nothing behind that counts: the next one has its number. A released batch is never asked for again.
 */
import { crc32 } from 'node:zlib';

export interface NumberedBatch {
  /** Number from 1 on, each one more than the batch before it. */
  readonly seq: number;
  readonly bytes: Buffer;
}

/**
 * - `written`: durable.
 * - `disk-full`: nothing was written; the same batch may be appended again once there is space.
 * - `fenced`: a newer leader writes to this log; this one may not write any more.
 * - `unknown`: nobody knows (an answer was lost). The caller asks for `lastNumber` and goes by that.
 */
export type AppendOutcome = 'written' | 'disk-full' | 'fenced' | 'unknown';

export interface BatchLog {
  /**
   * Appends the batch whose number follows the last one. Answers at once where the log writes in this turn of
   * the event loop, with a promise where a thread or another machine does. Throws or rejects when a write or a sync failed in
   * a way that leaves the log unknown for good: the process should end.
   */
  append(batch: NumberedBatch): AppendOutcome | Promise<AppendOutcome>;
  /** Appends that may be in flight, each following the one before; one when absent. Their outcomes settle in order. */
  readonly appendsMax?: number;
  /** A log of several machines may not answer for long: after so many milliseconds what comes is refused, not kept waiting. */
  readonly answersWithinMs?: number;
  /** The number of the last batch that is in the log; asked for after `unknown`. */
  lastNumber(): number | Promise<number>;
  /** The history holds everything up to `seq`: the log may forget it. */
  release(seq: number): void;
  close(): Promise<void>;
}

/** The result of opening a log. */
export interface OpenedLog {
  readonly log: BatchLog;
  /** The batches above the last one that the history holds, in order. */
  readonly tail: readonly NumberedBatch[];
  /** The number of the last batch ever written. */
  readonly lastSeq: number;
  /** The log has come to so many files that they should be folded before it is used. */
  readonly foldFirst: boolean;
  /** Problems that need no refusal, a sentence each: damage among batches that the history holds already. */
  readonly warnings: readonly string[];
}

/** Reads batches for the fold, in another thread than the one that appends: durable ones are all it is asked for. */
export interface BatchReader {
  /** The batches above `seq` up to `untilSeq`, in order, of about `bytesMax`; at least one when there is one. */
  readAfter(seq: number, untilSeq: number, bytesMax: number): readonly NumberedBatch[];
  close(): Promise<void>;
}

/** Length u32, number f64, checksum u32. */
export const frameHeadBytes = 16;

/**
 * Writes the head that precedes the bytes of a batch in every log. The checksum is the CRC-32 of length, number and bytes, begun
 * with `salt`: a log that uses its files again has another salt each time, so that no older frame, and no frame inside the body
 * of a ping, can pass for a batch.
 */
export function encodeFrameHead({ seq, bytes }: NumberedBatch, salt: number): Buffer {
  const head = Buffer.allocUnsafe(frameHeadBytes);
  head.writeUInt32LE(bytes.length, 0);
  head.writeDoubleLE(seq, 4);
  head.writeUInt32LE(checksumOf(head, bytes, salt), 12);
  return head;
}

interface FrameHead {
  readonly size: number;
  readonly seq: number;
}

export function readFrameHead(bytes: Buffer, at: number): FrameHead {
  return { size: bytes.readUInt32LE(at), seq: bytes.readDoubleLE(at + 4) };
}

/** Whether the frame at `at`, which must be inside `bytes` as a whole, has the right checksum. */
export function isWholeFrame(bytes: Buffer, at: number, salt: number): boolean {
  const head = bytes.subarray(at, at + frameHeadBytes);
  const start = at + frameHeadBytes;
  const batch = bytes.subarray(start, start + head.readUInt32LE(0));
  return head.readUInt32LE(12) === checksumOf(head, batch, salt);
}

function checksumOf(head: Buffer, batch: Buffer, salt: number): number {
  return crc32(batch, crc32(head.subarray(0, 12), salt));
}
