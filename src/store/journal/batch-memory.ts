/**
 * Memory for the batches of the tail: one behind the other in blocks that are used again once all of their batches are
 * dropped. A buffer for each would be garbage that only a full collection frees, since it lives for seconds: at 65,000 pings
 * a second all buffers together came to 105 MB in the main thread and 81 in the fold's, and come to 67 and 38 so (measured).
 * Invariant: the bytes of a batch stay as they are until it is dropped; a view of them must not be kept any longer.
 */
import { MB } from '../../lib/units.ts';
import { freeBlocksMax } from '../disk/limits.ts';
import type { NumberedBatch } from './batch-log.ts';

const blockBytes = 1 * MB;

interface Block {
  readonly memory: Buffer;
  used: number;
  /** Number of the block's last batch. */
  lastSeq: number;
}

export class BatchMemory {
  /** Oldest first; batches are added to the last one. */
  readonly #blocks: Block[] = [];
  readonly #free: Buffer[] = [];

  /** The batch with a copy of its bytes; a very large one as it is. */
  copy({ seq, bytes }: NumberedBatch): NumberedBatch {
    if (bytes.length > blockBytes) return { seq, bytes };
    const block = this.#blockFor(bytes.length);
    const start = block.used;
    block.memory.set(bytes, start);
    block.used += bytes.length;
    block.lastSeq = seq;
    return { seq, bytes: block.memory.subarray(start, block.used) };
  }

  /** Batches up to `seq` are dropped. */
  dropUntil(seq: number): void {
    const kept = this.#blocks.findIndex(({ lastSeq }) => lastSeq > seq);
    const dropped = this.#blocks.splice(0, kept < 0 ? this.#blocks.length : kept);
    for (const { memory } of dropped) if (this.#free.length < freeBlocksMax) this.#free.push(memory);
  }

  #blockFor(size: number): Block {
    const last = this.#blocks.at(-1);
    if (last && last.used + size <= blockBytes) return last;
    const memory = this.#free.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
    const block = { memory, used: 0, lastSeq: 0 };
    this.#blocks.push(block);
    return block;
  }
}
