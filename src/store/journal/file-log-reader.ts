/**
 * Reads batches across the files of the file log, for the fold: beside the writer, in another thread.
 * Invariant: batches come in order, without a gap. It must not be asked for batches that are not durable yet.
 */
import { join } from 'node:path';
import type { Disk, DiskFile } from '../disk/disk.ts';
import type { BatchReader, NumberedBatch } from './batch-log.ts';
import { segmentName } from './file-log.ts';
import { Manifest, manifestName } from './manifest.ts';
import { SegmentReader } from './segment.ts';

export class FileLogReader implements BatchReader {
  readonly #disk: Disk;
  readonly #dir: string;
  #current: { readonly file: DiskFile; readonly segment: SegmentReader } | null = null;

  constructor(disk: Disk, dir: string) {
    this.#disk = disk;
    this.#dir = dir;
  }

  readAfter(seq: number, untilSeq: number, bytesMax: number): readonly NumberedBatch[] {
    const found: NumberedBatch[] = [];
    let size = 0;
    this.#current?.segment.refresh();
    for (let wanted = seq + 1; wanted <= untilSeq && size < bytesMax; wanted++) {
      const batch = this.#read(wanted);
      if (!batch) break;
      found.push(batch);
      size += batch.bytes.length;
    }
    return found;
  }

  async close(): Promise<void> {
    this.#leave();
  }

  #leave(): void {
    this.#current?.file.close();
    this.#current = null;
  }

  #read(seq: number): NumberedBatch | null {
    const segment = this.#current?.segment;
    const batch = segment?.seq === seq ? segment.next() : null;
    return batch ?? this.#open(seq);
  }

  /** Batch `seq` out of the file that holds it, which stays open. */
  #open(seq: number): NumberedBatch | null {
    this.#leave();
    const manifest = Manifest.open(this.#disk, join(this.#dir, manifestName));
    if (manifest === null || manifest === 'damaged') return null;
    manifest.close();
    const entry = manifest.entries.findLast(({ firstSeq }) => firstSeq <= seq);
    const file = entry && this.#disk.open(join(this.#dir, segmentName(entry.file)));
    if (!file) return null;
    const segment = new SegmentReader(file, entry);
    this.#current = { file, segment };
    while (segment.seq < seq) if (!segment.next() && !segment.resync()) return null;
    return segment.seq === seq ? segment.next() : null;
  }
}
