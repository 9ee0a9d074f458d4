/**
 * The journal batches that the history does not hold yet, in memory as the bytes they were written as: cheap for the garbage
 * collector. Their memory is used again (`batch-memory`). A read decodes only the records of its check. Not for appending (`group-commit`).
 * Invariant: batches are in the order of their numbers, without a gap, and every one of them is durable.
 */
import type { StatusChange } from '../../domain/flip.ts';
import type { RunPing } from '../../domain/latest-runs.ts';
import type { Ping } from '../../domain/ping.ts';
import type { SentNotification } from '../../domain/sent-notification.ts';
import { BatchCursor, uuidWordsOf } from '../codec/batch-cursor.ts';
import { durationInState } from '../codec/check.ts';
import { readChange, readPing, readRunPing, skipPing } from '../codec/ping.ts';
import { recordTypes } from '../codec/records.ts';
import { notificationRow } from '../codec/rows.ts';
import { uuidBytes } from '../codec/uuid.ts';
import type { NumberedBatch } from './batch-log.ts';
import { BatchMemory } from './batch-memory.ts';
import { TailIndex } from './tail-index.ts';

/** What the tail says of one check; `deleted` when it ends with the check's deletion. */
interface TailOf<Item> {
  readonly deleted: boolean;
  /** Oldest first. */
  readonly items: readonly Item[];
}

/** What one record says of the runs of a check. */
export interface TailStep {
  readonly ping: RunPing | null;
  /** Of the run that the ping ended, in whole milliseconds; only of a success or failure. */
  readonly durationMs: number | null;
  readonly changes: readonly StatusChange[];
}

export interface AuditRow {
  readonly key: Buffer;
  readonly row: Buffer;
}

/** What records have in the index that are about none. */
const aboutNoCheck = new Uint32Array(4);

const noChanges: readonly StatusChange[] = [];

export class Tail {
  bytes = 0;
  readonly #batches: NumberedBatch[] = [];
  /** By batch: the number that its first record has in the index. */
  readonly #firstRecords: number[] = [];
  readonly #memory = new BatchMemory();
  readonly #index = new TailIndex();
  readonly #cursor = new BatchCursor();
  readonly #open: () => Buffer | null;

  /** `open` gives the bytes of a batch that was acknowledged but has no number yet (`relaxed`). */
  constructor(open: () => Buffer | null) {
    this.#open = open;
  }

  get batches(): readonly NumberedBatch[] {
    return this.#batches;
  }

  get records(): number {
    return this.#index.size;
  }

  /** Copies the bytes. */
  push(batch: NumberedBatch): void {
    this.adopt(this.#memory.copy(batch));
  }

  /** As `push`, without a copy: for what is read at start. */
  adopt(batch: NumberedBatch): void {
    this.#batches.push(batch);
    this.#firstRecords.push(this.#index.next);
    this.#index.add(batch.bytes);
    this.bytes += batch.bytes.length;
  }

  /** Forgets the batches up to `seq`: the history has them. */
  dropUntil(seq: number): void {
    let count = 0;
    for (const batch of this.#batches) {
      if (batch.seq > seq) break;
      this.bytes -= batch.bytes.length;
      count++;
    }
    this.#batches.splice(0, count);
    this.#firstRecords.splice(0, count);
    this.#memory.dropUntil(seq);
    this.#index.dropBelow(this.#firstRecords[0] ?? this.#index.next);
  }

  /** The pings of a check in batches above `seq`. */
  pings(uuid: Buffer, seq: number): TailOf<Ping> {
    return this.#collect(uuid, seq, (cursor, items: Ping[]) => {
      if (cursor.type === recordTypes.ping) items.push(readPing(cursor.pastChanges(), 0));
    });
  }

  changes(uuid: Buffer, seq: number): TailOf<StatusChange> {
    return this.#collect(uuid, seq, (cursor, items: StatusChange[]) => {
      if (cursor.type === recordTypes.notification) return;
      items.push(...readChanges(cursor));
    });
  }

  /** The pings and status changes of a check in batches above `seq`, as they are counted. */
  steps(uuid: Buffer, seq: number): TailOf<TailStep> {
    return this.#collect(uuid, seq, (cursor, items: TailStep[]) => {
      if (cursor.type === recordTypes.notification) return;
      const changes = readChanges(cursor);
      if (cursor.type !== recordTypes.ping) {
        if (changes.length > 0) items.push({ ping: null, durationMs: null, changes });
        return;
      }
      const durationMs = durationInState(cursor.bytes, cursor.start + uuidBytes);
      const ping = readRunPing(cursor.pastChanges());
      items.push({ ping, durationMs: durationMs === null ? null : Math.round(durationMs), changes });
    });
  }

  notifications(uuid: Buffer, seq: number): TailOf<SentNotification> {
    return this.#collect(uuid, seq, (cursor, items: SentNotification[]) => {
      if (cursor.type === recordTypes.notification) items.push(notificationRow.read(cursor.notification()));
    });
  }

  /** The entries of the audit log: key and row of each, oldest first unless the clock was set back. */
  audit(seq: number): readonly AuditRow[] {
    const rows: AuditRow[] = [];
    for (const cursor of this.#recordsOf(aboutNoCheck, seq)) {
      if (cursor.type === recordTypes.audit) rows.push({ key: cursor.auditKey(), row: cursor.auditRow() });
    }
    return rows;
  }

  /** The body of ping `n`, if the ping is here. */
  body(uuid: Buffer, seq: number, n: number): TailOf<Buffer> {
    return this.#collect(uuid, seq, (cursor, items: Buffer[]) => {
      if (cursor.type !== recordTypes.ping) return;
      const reader = cursor.pastChanges();
      if (skipPing(reader) === n) items.push(Buffer.from(reader.raw(reader.left)));
    });
  }

  #collect<Item>(
    uuid: Buffer,
    seq: number,
    visit: (cursor: BatchCursor, items: Item[]) => void,
  ): TailOf<Item> {
    const items: Item[] = [];
    let deleted = false;
    for (const cursor of this.#recordsOf(uuidWordsOf(uuid), seq)) {
      if (cursor.type === recordTypes['check-deleted']) {
        deleted = true;
        items.length = 0;
      } else visit(cursor, items);
    }
    return { deleted, items };
  }

  /** The records about a check, or `aboutNoCheck`, in batches above `seq`, and in the one that has no number yet. */
  *#recordsOf(words: Uint32Array, seq: number): Generator<BatchCursor> {
    const cursor = this.#cursor;
    const firsts = this.#firstRecords;
    const [word = 0] = words;
    let at = Math.max(0, seq + 1 - (this.#batches[0]?.seq ?? 0));
    let number = this.#index.find(word, firsts[at] ?? this.#index.next);
    for (; number >= 0; number = this.#index.find(word, number + 1)) {
      while (number >= (firsts[at + 1] ?? Number.POSITIVE_INFINITY)) at++;
      const batch = this.#batches[at];
      if (!batch) break;
      cursor.open(batch.bytes).to(this.#index.offsetOf(number));
      if (words === aboutNoCheck || cursor.isOf(words)) yield cursor;
    }
    const open = this.#open();
    if (!open) return;
    cursor.open(open);
    while (cursor.next()) if (words === aboutNoCheck || cursor.isOf(words)) yield cursor;
  }
}

function readChanges(cursor: BatchCursor): readonly StatusChange[] {
  const reader = cursor.toChanges();
  let left = reader.u8();
  if (left === 0) return noChanges;
  const changes: StatusChange[] = [];
  for (; left > 0; left--) changes.push(readChange(reader));
  return changes;
}
