/**
 * Sorts the records of journal batches by check, so that the fold writes each check's rows once. Reads bytes, writes none.
 * Invariant: per check, pings, bodies and changes stay in the order of the journal; what came before a deletion is gone.
 */
import { asCheckId } from '../lib/ids.ts';
import { BatchCursor } from './batch-cursor.ts';
import { ByteWriter } from './byte-writer.ts';
import { readOwed, writeDelivery } from './delivery-codec.ts';
import { skipPing } from './ping-codec.ts';
import { recordTypes } from './records.ts';

/** What the batches say of one check. */
export interface Group {
  readonly uuid: Buffer;
  /** The latest row; null when the batches hold none. */
  row: Buffer | null;
  /** Where the latest state stands: its batch, -1 for none, and its start and end in it. A buffer for each would be many. */
  stateBatch: number;
  stateStart: number;
  stateEnd: number;
  deleted: boolean;
  /** For each ping: the batch, start and end of its bytes, and its n. Flat, since there are many. */
  readonly pings: number[];
  readonly bodies: FoldedBody[];
  /** The changes as `writeChange` left them, without their count. */
  readonly changes: Buffer[];
  /** Another group whose UUID begins with the same word. */
  next: Group | null;
}

export interface FoldedBody {
  readonly n: number;
  readonly bytes: Buffer;
}

export const numbersPerPing = 4;

/** A record of the configuration, to be applied in order. */
export interface ConfigFact {
  readonly type: number;
  readonly parts: Buffer;
}

export interface Gathered {
  readonly batches: readonly Buffer[];
  readonly groups: readonly Group[];
  readonly config: readonly ConfigFact[];
  readonly aliveMs: number | null;
  /** By the id's 16 bytes as latin1: the row that the last record leaves, or null when the delivery is over. */
  readonly outbox: ReadonlyMap<string, Buffer | null>;
}

export function gather(batches: readonly Buffer[]): Gathered {
  const groups = new Groups();
  const config: ConfigFact[] = [];
  const outbox = new Map<string, Buffer | null>();
  const cursor = new BatchCursor();
  let aliveMs: number | null = null;
  for (const [index, bytes] of batches.entries()) {
    cursor.open(bytes);
    while (cursor.next()) {
      if (cursor.type <= recordTypes['check-deleted']) {
        addToGroup(groups.of(cursor), cursor, index);
        if (cursor.type !== recordTypes['check-deleted']) addOwed(outbox, cursor);
      } else if (cursor.type === recordTypes.alive) {
        const atMs = cursor.reader.window(cursor.start, cursor.end).f64();
        aliveMs = Math.max(aliveMs ?? atMs, atMs);
      } else if (cursor.type === recordTypes.delivery || cursor.type === recordTypes['delivery-ended']) {
        const row = cursor.type === recordTypes.delivery ? bytes.subarray(cursor.start, cursor.end) : null;
        outbox.set(bytes.toString('latin1', cursor.start, cursor.start + 16), row);
      } else {
        config.push({ type: cursor.type, parts: bytes.subarray(cursor.start, cursor.end) });
      }
    }
  }
  return { batches, groups: groups.all, config, aliveMs, outbox };
}

/** Found by the first word of the UUID, in the record's own bytes: no string is made for a record. */
class Groups {
  readonly all: Group[] = [];
  readonly #byFirstWord = new Map<number, Group>();

  of({ bytes, start, end, reader }: BatchCursor): Group {
    reader.window(start, end).skip(16);
    const word = bytes.readInt32LE(start);
    const first = this.#byFirstWord.get(word) ?? null;
    for (let group = first; group; group = group.next) {
      if (group.uuid.compare(bytes, start, start + 16) === 0) return group;
    }
    const fresh = newGroup(bytes.subarray(start, start + 16), first);
    this.#byFirstWord.set(word, fresh);
    this.all.push(fresh);
    return fresh;
  }
}

function newGroup(uuid: Buffer, next: Group | null): Group {
  return {
    uuid,
    row: null,
    stateBatch: -1,
    stateStart: 0,
    stateEnd: 0,
    deleted: false,
    pings: [],
    bodies: [],
    changes: [],
    next,
  };
}

function addToGroup(group: Group, cursor: BatchCursor, batch: number): void {
  if (cursor.type === recordTypes['check-deleted']) {
    markDeleted(group);
    return;
  }
  if (group.deleted) return;
  const { bytes, start, end } = cursor;
  const reader = cursor.toChanges();
  const changesAt = reader.at;
  group.stateBatch = batch;
  group.stateStart = start + 16;
  group.stateEnd = changesAt;
  cursor.toOwed();
  if (reader.at - changesAt > 1) group.changes.push(bytes.subarray(changesAt + 1, reader.at));
  cursor.pastChanges();
  if (cursor.type === recordTypes.check) group.row = bytes.subarray(reader.at, end);
  if (cursor.type !== recordTypes.ping) return;
  const pingAt = reader.at;
  const n = skipPing(reader);
  group.pings.push(batch, pingAt, reader.at, n);
  if (reader.at < end) group.bodies.push({ n, bytes: bytes.subarray(reader.at, end) });
}

/** What a status change owes becomes rows of the outbox; `delivery` records of the same id replace them. */
function addOwed(outbox: Map<string, Buffer | null>, cursor: BatchCursor): void {
  if (!cursor.toOwed()) return;
  const { reader } = cursor;
  const at = reader.at;
  const id = asCheckId(reader.window(cursor.start, cursor.end).uuid());
  reader.at = at;
  for (const delivery of readOwed(reader, id)) {
    const writer = new ByteWriter(256);
    writeDelivery(writer, delivery);
    const row = writer.copy();
    outbox.set(row.toString('latin1', 0, 16), row);
  }
}

/** Ids are never used twice: nothing of a check comes after its deletion. */
function markDeleted(group: Group): void {
  group.deleted = true;
  group.row = null;
  group.stateBatch = -1;
  group.pings.length = 0;
  group.bodies.length = 0;
  group.changes.length = 0;
}
