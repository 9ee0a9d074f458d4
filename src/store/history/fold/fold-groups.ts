/**
 * Sorts the records of journal batches by check, so that the fold writes each check's rows once.
 * Invariant: per check, pings, bodies and changes stay in the order of the journal; what came before a deletion is gone.
 */
import { isEnd } from '../../../domain/runs/run-statistics.ts';
import { asCheckId } from '../../../lib/ids.ts';
import { durationInState } from '../../codec/check.ts';
import { readDeliveries } from '../../codec/delivery.ts';
import { signalOfPing, skipPing } from '../../codec/ping.ts';
import { rows } from '../../codec/rows.ts';
import { bytesOfUuid, uuidBytes } from '../../codec/uuid.ts';
import { BatchCursor } from '../../journal/batch-cursor.ts';
import { placesPerRecord } from '../../journal/batch-events.ts';
import { recordTypes } from '../../journal/records.ts';
import { EventGatherer, type EventsToPut } from '../rows/event-rows.ts';
import type { NumberedBody } from '../rows/runs.ts';

/** The records that the batches hold about one check. */
export interface Group {
  readonly uuid: Buffer;
  /** The latest row; null when the batches hold none. */
  row: Buffer | null;
  /** Place of the latest state: its batch, -1 for none, and its start and end in it. A buffer for each would be many. */
  stateBatch: number;
  stateStart: number;
  stateEnd: number;
  deleted: boolean;
  /**
   * For each ping: the batch, start and end of its bytes, its n, and of one that ended a run how long that took, in whole
   * milliseconds, else -1. Flat, since there are many.
   */
  readonly pings: number[];
  readonly bodies: NumberedBody[];
  readonly changes: RecordedChanges[];
  /** Rows. */
  readonly notifications: Buffer[];
  readonly endings: Buffer[];
  /** Another group whose UUID begins with the same word. */
  next: Group | null;
}

export const numbersPerPing = 5;

/** The changes of one record. */
interface RecordedChanges {
  /** As `writeChange` left them, without their count. */
  readonly bytes: Buffer;
  /** Of the run that the record's ping ended, in whole milliseconds, else -1. */
  readonly durationMs: number;
}

/** A record of the configuration, to be applied in order. */
export interface ConfigFact {
  readonly type: number;
  readonly parts: Buffer;
}

export interface GroupedRecords {
  readonly batches: readonly Buffer[];
  /** Groups in the order of their UUIDs. */
  readonly groups: readonly Group[];
  readonly config: readonly ConfigFact[];
  readonly aliveMs: number | null;
  /** Entries of the audit log: key and row, one after the other. */
  readonly audit: readonly Buffer[];
  /** Of each batch that has any, in order. */
  readonly events: readonly EventsToPut[];
  /** Maps the id's 16 bytes as latin1 to the row that the last record leaves, or to null when the delivery is over. */
  readonly outbox: ReadonlyMap<string, Buffer | null>;
}

/** Takes batches in the order of their numbers, as many at a time as one likes. */
export class RecordGrouper {
  readonly #batches: Buffer[] = [];
  readonly #groups = new Groups();
  readonly #config: ConfigFact[] = [];
  readonly #outbox = new Map<string, Buffer | null>();
  readonly #cursor = new BatchCursor();
  readonly #audit: Buffer[] = [];
  readonly #events: EventsToPut[] = [];
  #aliveMs: number | null = null;

  /** `seq`: the number of the batch. */
  add(bytes: Buffer, seq: number): void {
    const cursor = this.#cursor.open(bytes);
    const index = this.#batches.push(bytes) - 1;
    const gatherer = new EventGatherer();
    for (let place = 0; cursor.next(); place += placesPerRecord) {
      gatherer.take(cursor, place);
      this.#addRecord(cursor, index);
    }
    const events = gatherer.gathered(seq);
    if (events !== null) this.#events.push(events);
  }

  get grouped(): GroupedRecords {
    return {
      batches: this.#batches,
      groups: this.#groups.inOrder(),
      config: this.#config,
      aliveMs: this.#aliveMs,
      audit: this.#audit,
      events: this.#events,
      outbox: this.#outbox,
    };
  }

  #addRecord(cursor: BatchCursor, batch: number): void {
    if (cursor.type <= recordTypes['check-deleted']) {
      addToGroup(this.#groups.of(cursor), cursor, batch);
      if (cursor.type !== recordTypes['check-deleted']) addDeliveries(this.#outbox, cursor);
    } else if (cursor.type === recordTypes.notification) {
      const group = this.#groups.of(cursor);
      if (!group.deleted) group.notifications.push(cursor.rowOfCheck());
    } else if (cursor.type === recordTypes['run-ending']) {
      const group = this.#groups.of(cursor);
      if (!group.deleted) group.endings.push(cursor.rowOfCheck());
    } else this.#addFact(cursor);
  }

  #addFact(cursor: BatchCursor): void {
    const { type, bytes, start, end, reader } = cursor;
    if (type === recordTypes.asked) return;
    if (type === recordTypes.audit) {
      this.#audit.push(bytes.subarray(start, end));
      return;
    }
    if (type === recordTypes.alive) {
      const atMs = reader.window(start, end).f64();
      this.#aliveMs = Math.max(this.#aliveMs ?? atMs, atMs);
    } else if (type === recordTypes.delivery) {
      const row = cursor.row();
      this.#outbox.set(bytesOfUuid(rows.delivery.read(row).id).toString('latin1'), row);
    } else if (type === recordTypes['delivery-ended']) {
      const at = reader.window(start, end).skip(uuidBytes);
      this.#outbox.set(bytes.toString('latin1', at, at + uuidBytes), null);
    } else {
      this.#config.push({ type, parts: bytes.subarray(start, end) });
    }
  }
}

/** Found by the first word of the UUID, in the record's own bytes: no string is made for a record. */
class Groups {
  readonly #all: Group[] = [];
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
    this.#all.push(fresh);
    return fresh;
  }

  /** Sorts by numbers that hold the first word and the place: a comparator would hold a core for half a second. */
  inOrder(): readonly Group[] {
    const keys = Float64Array.from(this.#all, ({ uuid }, at) => uuid.readUInt32BE(0) * placesMax + at).sort();
    const ordered = Array.from(keys, (key) => this.#all[key % placesMax]).filter(
      (group) => group !== undefined,
    );
    for (let at = 1; at < ordered.length; at++) sink(ordered, at);
    return ordered;
  }
}

/** Of the 53 bits of a number, 32 are the word's; the place has the other 21. */
const placesMax = 2 ** 21;

/** Puts the group at `at` in its place among those before it: only those that share its first word can be larger. */
function sink(groups: Group[], at: number): void {
  for (let place = at; place > 0; place--) {
    const [before, group] = [groups[place - 1], groups[place]];
    if (!before || !group || before.uuid.compare(group.uuid) < 0) return;
    groups[place - 1] = group;
    groups[place] = before;
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
    notifications: [],
    endings: [],
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
  cursor.toDeliveries();
  const changes = reader.at - changesAt > 1 ? bytes.subarray(changesAt + 1, reader.at) : null;
  cursor.pastChanges();
  const pingAt = reader.at;
  const isPing = cursor.type === recordTypes.ping;
  const durationMs = isPing ? durationOf(bytes, start + uuidBytes, pingAt) : -1;
  if (changes) group.changes.push({ bytes: changes, durationMs });
  if (cursor.type === recordTypes.check) group.row = cursor.row();
  if (!isPing) return;
  const n = skipPing(reader);
  group.pings.push(batch, pingAt, reader.at, n, durationMs);
  if (reader.at < end) group.bodies.push({ n, bytes: bytes.subarray(reader.at, end) });
}

/** The state behind a success or failure has the duration of its run; behind any other ping, of an earlier one. */
function durationOf(bytes: Buffer, stateAt: number, pingAt: number): number {
  const durationMs = durationInState(bytes, stateAt);
  return durationMs === null || !isEnd(signalOfPing(bytes, pingAt)) ? -1 : Math.round(durationMs);
}

/** A status change's deliveries become rows of the outbox; `delivery` records of the same id replace them. */
function addDeliveries(outbox: Map<string, Buffer | null>, cursor: BatchCursor): void {
  if (!cursor.toDeliveries()) return;
  const { reader } = cursor;
  const at = reader.at;
  const id = asCheckId(reader.window(cursor.start, cursor.end).uuid());
  reader.at = at;
  for (const delivery of readDeliveries(reader, id)) {
    outbox.set(bytesOfUuid(delivery.id).toString('latin1'), rows.delivery.write(delivery));
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
  group.notifications.length = 0;
  group.endings.length = 0;
}
