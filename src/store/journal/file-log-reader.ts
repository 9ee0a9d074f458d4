/**
 * Reads batches across the files of the journal: at start all that the history does not hold, later what there is to fold.
 * Used beside the writer, in another thread: it must not be asked for batches that are not durable yet.
 * Invariant: batches come in order, without a gap.
 */
import { closeSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../lib/errors.ts';
import { type NumberedBatch, readSegmentHead, SegmentReader } from './segment.ts';

const extension = '.log';

/** The journal's files in the order of their names. */
export function segmentNames(dir: string): readonly string[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith(extension))
    .sort();
}

export function segmentName(number: number): string {
  return `${String(number).padStart(6, '0')}${extension}`;
}

export class JournalReader {
  readonly #dir: string;
  #fd: number | null = null;
  #segment: SegmentReader | null = null;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The batches above `seq` up to `untilSeq`, in order, of about `bytesMax`; at least one when there is one. */
  readAfter(seq: number, untilSeq: number, bytesMax: number): readonly NumberedBatch[] {
    const found: NumberedBatch[] = [];
    let size = 0;
    this.#segment?.refresh();
    for (let wanted = seq + 1; wanted <= untilSeq && size < bytesMax; wanted++) {
      const batch = this.#read(wanted);
      if (!batch) break;
      found.push(batch);
      size += batch.bytes.length;
    }
    return found;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
    this.#segment = null;
  }

  #read(seq: number): NumberedBatch | null {
    const batch = this.#segment?.seq === seq ? this.#segment.next() : null;
    if (batch) return batch;
    this.close();
    for (const name of this.#candidates(seq)) {
      const found = this.#open(name, seq);
      if (found) return found;
    }
    return null;
  }

  /** The files that may hold batch `seq`, the likeliest first. A file whose first write was cut off holds nothing. */
  #candidates(seq: number): readonly string[] {
    const found: { readonly name: string; readonly firstSeq: number }[] = [];
    for (const name of segmentNames(this.#dir)) {
      const fd = openIfThere(join(this.#dir, name));
      if (fd === null) continue;
      const head = readSegmentHead(fd);
      closeSync(fd);
      if (head && head.firstSeq <= seq) found.push({ name, firstSeq: head.firstSeq });
    }
    return found.sort((a, b) => b.firstSeq - a.firstSeq).map(({ name }) => name);
  }

  /** Batch `seq` out of the file `name`, which stays open; null when it is not there. */
  #open(name: string, seq: number): NumberedBatch | null {
    const fd = openIfThere(join(this.#dir, name));
    if (fd === null) return null;
    const head = readSegmentHead(fd);
    const segment = head && new SegmentReader(fd, head);
    let batch = segment?.next() ?? null;
    while (batch && batch.seq < seq) batch = segment?.next() ?? null;
    if (batch?.seq !== seq) {
      closeSync(fd);
      return null;
    }
    this.#fd = fd;
    this.#segment = segment;
    return batch;
  }
}

/** A spare file may be removed at any time. */
function openIfThere(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
