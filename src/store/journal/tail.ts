/**
 * The journal batches that the history does not hold yet, in memory as the bytes they were written as: cheap for the garbage
 * collector. Their memory is used again (`batch-memory`). A read decodes only the records of its check. Not for appending (`group-commit`).
 * Invariant: batches are in the order of their numbers, without a gap, and every one of them is durable.
 */
import type { StatusChange } from '../../domain/check/flip.ts';
import type { Ping, PingOutput } from '../../domain/check/ping.ts';
import type { SentNotification } from '../../domain/deliveries/sent-notification.ts';
import type { RunPing } from '../../domain/runs/latest-runs.ts';
import type { RunEnding } from '../../domain/runs/run-ending.ts';
import { durationInState } from '../codec/check.ts';
import { readChange, readPing, readPingOutput, readRunPing, skipPing } from '../codec/ping.ts';
import { endingRow, notificationRow } from '../codec/rows.ts';
import { uuidBytes } from '../codec/uuid.ts';
import { BatchCursor, uuidWordsOf } from './batch-cursor.ts';
import type { NumberedBatch } from './batch-log.ts';
import { BatchMemory } from './batch-memory.ts';
import { recordTypes } from './records.ts';
import { TailIndex } from './tail-index.ts';

/** Items of the tail about one check; `deleted` when it ends with the check's deletion. */
export interface TailOf<Item> {
  readonly deleted: boolean;
  /** Oldest first. */
  readonly items: readonly Item[];
}

/** The change that one record makes to the runs of a check. */
export interface TailStep {
  readonly ping: RunPing | null;
  /** Whole milliseconds of the run that the ping ended; only for a success or failure. */
  readonly durationMs: number | null;
  readonly changes: readonly StatusChange[];
}

/** Which records of the tail are wanted. */
interface Wanted {
  /** Batches up to this one are not looked into. */
  readonly seq: number;
  /** Records with a lower number are not looked into. */
  readonly from?: number;
  /** Only records that change the status, and deletions. */
  readonly changesOnly?: boolean;
}

interface WantedOfCheck extends Wanted {
  readonly uuid: Buffer;
}

interface WantedRecords extends Wanted {
  /** The check's UUID, or `aboutNoCheck`. */
  readonly words: Uint32Array;
}

export interface AuditRow {
  readonly key: Buffer;
  readonly row: Buffer;
}

/** The id that the index has for records that are about no check. */
const aboutNoCheck = new Uint32Array(4);

const noChanges: readonly StatusChange[] = [];

export class Tail {
  bytes = 0;
  readonly #batches: NumberedBatch[] = [];
  /** Maps a batch to the number that its first record has in the index. */
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

  /** Adds a batch as `push` does, but without a copy: for batches that are read at start. */
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

  /** The newest pings of a check in batches above `seq`, so many at most. */
  pings(uuid: Buffer, seq: number, limit = Number.POSITIVE_INFINITY): TailOf<Ping> {
    return this.#collect({ uuid, seq }, (cursor, items: Ping[]) => {
      if (cursor.type === recordTypes.ping) items.push(readPing(cursor.pastChanges(), 0));
      return items.length < limit;
    });
  }

  /** The newest pings of a check that came with a body, of the numbers `from` to below `below`, so many at most. */
  outputs(
    uuid: Buffer,
    seq: number,
    { from, below, limit }: { readonly from: number; readonly below: number; readonly limit: number },
  ): TailOf<PingOutput> {
    return this.#collect({ uuid, seq }, (cursor, items: PingOutput[]) => {
      if (cursor.type !== recordTypes.ping) return true;
      const output = readPingOutput(cursor.pastChanges(), 0);
      if (output.n < from) return false;
      if (output.n < below && output.bodyBytes > 0) items.push(output);
      return items.length < limit;
    });
  }

  /** The newest pings, one after the other until `take` says that it has enough; false if the check was deleted. */
  eachPing(uuid: Buffer, seq: number, take: (ping: RunPing) => boolean): boolean {
    return !this.#visit({ uuid, seq }, (cursor) =>
      cursor.type === recordTypes.ping ? take(readRunPing(cursor.pastChanges())) : true,
    );
  }

  /** The newest status changes: all of the records that it takes for so many. */
  changes(uuid: Buffer, seq: number, limit = Number.POSITIVE_INFINITY): TailOf<StatusChange> {
    return this.#collect({ uuid, seq, changesOnly: true }, (cursor, items: StatusChange[]) => {
      items.push(...readChanges(cursor).toReversed());
      return items.length < limit;
    });
  }

  /** The pings and status changes of a check, as they are counted. */
  steps(uuid: Buffer, wanted: Wanted): TailOf<TailStep> {
    return this.#collect({ uuid, ...wanted }, (cursor, items: TailStep[]) => {
      const step = stepOf(cursor);
      if (step) items.push(step);
      return true;
    });
  }

  /** The number that the next record will have. */
  get nextNumber(): number {
    return this.#index.next;
  }

  /** Whether more than `count` records may be about a check. */
  hasMore(uuid: Buffer, count: number): boolean {
    const index = this.#index;
    const [word = 0] = uuidWordsOf(uuid);
    let number = index.newest(word);
    for (let left = count; number >= 0 && left > 0; left--) number = index.older(word, number);
    return number >= 0;
  }

  /** Numbers of the records that may be about a check, from the number `from` on, of batches above `seq` that have a number: oldest first. */
  numbers(uuid: Buffer, seq: number, from: number): readonly number[] {
    const index = this.#index;
    const oldest = Math.max(from, this.#oldestAbove(seq));
    const [word = 0] = uuidWordsOf(uuid);
    const numbers: number[] = [];
    for (let number = index.newest(word); number >= oldest; number = index.older(word, number))
      numbers.push(number);
    return numbers.reverse();
  }

  /** Same as `steps`, of the records that have the `numbers`, ascending. */
  stepsAt(uuid: Buffer, numbers: readonly number[]): TailOf<TailStep> {
    const cursor = this.#cursor;
    const words = uuidWordsOf(uuid);
    const items: TailStep[] = [];
    let at = this.#firstRecords.findLastIndex((first) => first <= (numbers[0] ?? 0));
    for (const number of numbers) {
      while ((this.#firstRecords[at + 1] ?? Number.POSITIVE_INFINITY) <= number) at++;
      const batch = this.#batches[at];
      if (!batch) break;
      cursor.open(batch.bytes).to(this.#index.offsetOf(number));
      if (!cursor.isOf(words)) continue;
      if (cursor.type === recordTypes['check-deleted']) return { deleted: true, items };
      const step = stepOf(cursor);
      if (step) items.push(step);
    }
    return { deleted: false, items };
  }

  /** The number of the first record of batches above `seq`. */
  #oldestAbove(seq: number): number {
    return this.#firstRecords[Math.max(0, seq + 1 - (this.#batches[0]?.seq ?? 0))] ?? this.#index.next;
  }

  notifications(uuid: Buffer, seq: number): TailOf<SentNotification> {
    return this.#collect({ uuid, seq }, (cursor, items: SentNotification[]) => {
      if (cursor.type === recordTypes.notification) items.push(notificationRow.read(cursor.rowOfCheck()));
      return true;
    });
  }

  endings(uuid: Buffer, seq: number): TailOf<RunEnding> {
    return this.#collect({ uuid, seq }, (cursor, items: RunEnding[]) => {
      if (cursor.type === recordTypes['run-ending']) items.push(endingRow.read(cursor.rowOfCheck()));
      return true;
    });
  }

  /** The entries of the audit log: key and row of each, oldest first unless the clock was set back. */
  audit(seq: number): readonly AuditRow[] {
    const rows: AuditRow[] = [];
    for (const cursor of this.#records({ words: aboutNoCheck, seq })) {
      if (cursor.type === recordTypes.audit) rows.push({ key: cursor.auditKey(), row: cursor.auditRow() });
    }
    return rows.reverse();
  }

  /** The body of ping `n`, if the ping is here. */
  body(uuid: Buffer, seq: number, n: number): TailOf<Buffer> {
    return this.#collect({ uuid, seq }, (cursor, items: Buffer[]) => {
      if (cursor.type !== recordTypes.ping) return true;
      const reader = cursor.pastChanges();
      if (skipPing(reader) !== n) return true;
      items.push(Buffer.from(reader.raw(reader.left)));
      return false;
    });
  }

  /** `visit` adds to the items, the newest first, and says whether to go on; they come back oldest first. */
  #collect<Item>(
    wanted: WantedOfCheck,
    visit: (cursor: BatchCursor, items: Item[]) => boolean,
  ): TailOf<Item> {
    const items: Item[] = [];
    const deleted = this.#visit(wanted, (cursor) => visit(cursor, items));
    return { deleted, items: items.reverse() };
  }

  /** Calls `visit` with the records about a check, newest first, while it says to go on; whether it came upon the check's deletion. */
  #visit({ uuid, ...wanted }: WantedOfCheck, visit: (cursor: BatchCursor) => boolean): boolean {
    for (const cursor of this.#records({ words: uuidWordsOf(uuid), ...wanted })) {
      if (cursor.type === recordTypes['check-deleted']) return true;
      if (!visit(cursor)) break;
    }
    return false;
  }

  /** The records about a check, or `aboutNoCheck`, newest first: of the batch that has no number yet, then of those above `seq`. */
  *#records({ words, seq, from = 0, changesOnly = false }: WantedRecords): Generator<BatchCursor> {
    const cursor = this.#cursor;
    const isWanted = (): boolean => words === aboutNoCheck || cursor.isOf(words);
    const open = this.#open();
    if (open) {
      for (const head of headsOf(cursor.open(open), isWanted).reverse()) {
        cursor.open(open).to(head);
        yield cursor;
      }
    }
    const index = this.#index;
    const firsts = this.#firstRecords;
    const [word = 0] = words;
    const oldest = Math.max(from, this.#oldestAbove(seq));
    let at = firsts.length - 1;
    for (let number = index.newest(word); number >= oldest; number = index.older(word, number)) {
      if (changesOnly && !index.changesStatus(number)) continue;
      while (number < (firsts[at] ?? 0)) at--;
      const batch = this.#batches[at];
      if (!batch) break;
      cursor.open(batch.bytes).to(index.offsetOf(number));
      if (isWanted()) yield cursor;
    }
  }
}

/** Offsets in the batch at which the wanted records begin. */
function headsOf(cursor: BatchCursor, isWanted: () => boolean): number[] {
  const heads: number[] = [];
  while (cursor.next()) if (isWanted()) heads.push(cursor.head);
  return heads;
}

/** Null for what is not counted. */
function stepOf(cursor: BatchCursor): TailStep | null {
  if (cursor.type === recordTypes.notification || cursor.type === recordTypes['run-ending']) return null;
  const changes = readChanges(cursor);
  if (cursor.type !== recordTypes.ping)
    return changes.length > 0 ? { ping: null, durationMs: null, changes } : null;
  const durationMs = durationInState(cursor.bytes, cursor.start + uuidBytes);
  const ping = readRunPing(cursor.pastChanges());
  return { ping, durationMs: durationMs === null ? null : Math.round(durationMs), changes };
}

function readChanges(cursor: BatchCursor): readonly StatusChange[] {
  const reader = cursor.toChanges();
  let left = reader.u8();
  if (left === 0) return noChanges;
  const changes: StatusChange[] = [];
  for (; left > 0; left--) changes.push(readChange(reader));
  return changes;
}
