/**
 * The journal on disk: one row for each batch, by number. Used by the main thread (or the commit thread) to write and by
 * the fold worker to read. Invariant: numbers are consecutive; rows go only once the history holds them.
 */
import { assert } from '../lib/errors.ts';
import { highestKey, type LmdbEnv, lowestKey } from './lmdb-env.ts';

export interface NumberedBatch {
  readonly seq: number;
  readonly bytes: Buffer;
}

/** Rows from `first` to `last`, both included; none when `last` is smaller. */
export interface SeqRange {
  readonly first: number;
  readonly last: number;
}

export interface JournalRange {
  readonly after: number;
  readonly last: number;
  /** About; at least one batch is read when there is one. */
  readonly bytesMax: number;
}

export interface JournalTable {
  /** Writes `batch` and removes the rows of `trim`, durably, in one transaction. */
  commit(batch: NumberedBatch, trim: SeqRange): void;
  /** The batches after `seq` up to `last`, in order. */
  read(range: JournalRange): readonly NumberedBatch[];
  /** The numbers that are there; `last` 0 for none. */
  bounds(): SeqRange;
  /** Throws when the environment cannot be read any more: a failed write of the meta page leaves it so. */
  probe(): void;
}

export function openJournalTable(env: LmdbEnv): JournalTable {
  const table = env.table('batches');
  const writeKey = Buffer.alloc(8);
  return {
    commit: ({ seq, bytes }, { first, last }) => {
      env.write(() => {
        table.put(setKey(writeKey, seq), bytes);
        for (let old = first; old <= last; old++) table.remove(setKey(writeKey, old));
      });
    },
    read: ({ after, last, bytesMax }) => {
      env.refresh();
      const found: NumberedBatch[] = [];
      let size = 0;
      const range = { start: setKey(Buffer.alloc(8), after + 1), end: setKey(Buffer.alloc(8), last + 1) };
      table.scan(range, (key, bytes) => {
        found.push({ seq: seqOf(key), bytes: Buffer.from(bytes) });
        size += bytes.length;
        return size < bytesMax;
      });
      // An open read transaction keeps pages from being used again: the journal would grow.
      env.refresh();
      return found;
    },
    bounds: () => {
      let first = 1;
      let last = 0;
      table.scan({ start: lowestKey, end: highestKey }, (key) => {
        first = seqOf(key);
        return false;
      });
      table.scan({ start: highestKey, end: lowestKey, reverse: true }, (key) => {
        last = seqOf(key);
        return false;
      });
      return { first, last };
    },
    probe: () => {
      env.refresh();
      table.get(lowestKey);
    },
  };
}

/** Big-endian, so that rows sort by number. */
function setKey(key: Buffer, seq: number): Buffer {
  assert(Number.isSafeInteger(seq) && seq >= 0, `not a batch number: ${seq}`);
  key.writeUInt32BE(Math.floor(seq / 2 ** 32), 0);
  key.writeUInt32BE(seq % 2 ** 32, 4);
  return key;
}

function seqOf(key: Buffer): number {
  return key.readUInt32BE(0) * 2 ** 32 + key.readUInt32BE(4);
}
