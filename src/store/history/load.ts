/**
 * Reports everything durable to the engine at start: the history's rows, then the journal's tail in order.
 * Blocks: nobody is served yet. Invariant: a check of the history is reported once, its state with it.
 */
import { asCheckId, asDeliveryId } from '../../lib/ids.ts';
import { UuidIndex } from '../../lib/uuid-index.ts';
import { UuidWords } from '../../lib/uuid-words.ts';
import { ByteReader, damaged } from '../codec/byte-reader.ts';
import { readState } from '../codec/check.ts';
import { readDeliveries } from '../codec/delivery.ts';
import { rows } from '../codec/rows.ts';
import { uuidBytes, uuidText } from '../codec/uuid.ts';
import { highestKey, lowestKey } from '../disk/lmdb-env.ts';
import { BatchCursor } from '../journal/batch-cursor.ts';
import type { NumberedBatch } from '../journal/batch-log.ts';
import { LatestStates } from '../journal/latest-states.ts';
import { recordTypes } from '../journal/records.ts';
import { type ConfigKind, kindOf, kinds, removedKindOf } from '../kinds.ts';
import type { LoadSink } from '../store.ts';
import { counterBytes, type HistoryTables, readMeta } from './rows/tables.ts';

const progressEvery = 10_000;

const words = new UuidWords();

export function load(tables: HistoryTables, tail: readonly NumberedBatch[], sink: LoadSink): void {
  loadConfig(tables, sink);
  const aliveMs = readMeta(tables, 'alive');
  if (aliveMs !== null) sink.alive(aliveMs);
  loadChecks(tables, sink);
  loadOutbox(tables, sink);
  loadTail(tail, sink);
}

function loadConfig(tables: HistoryTables, sink: LoadSink): void {
  tables.config.scan({ start: lowestKey, end: highestKey }, (key, value) => {
    const kind = kindOf(key[0] ?? 0);
    if (kind === undefined) throw damaged('a row of an unknown kind');
    putRow(sink, kind, value);
  });
}

function putRow<Kind extends ConfigKind>(sink: LoadSink, kind: Kind, row: Uint8Array): void {
  sink.put(kind, kinds[kind].row.read(row));
}

/**
 * Both tables are in the order of the checks' ids, and a check is in both or in neither. Threads that read ahead were measured: with
 * a million checks ready after 2.65 instead of 2.93 s on two idle cores, after 4.2 instead of 3.4 s where others use them.
 */
function loadChecks({ checks, states }: HistoryTables, sink: LoadSink): void {
  sink.expect(checks.count());
  const all = { start: lowestKey, end: highestKey };
  const stateReader = new ByteReader();
  const ofRow = new UuidWords();
  const rowsOfChecks = checks.rows(all);
  let count = 0;
  try {
    states.scan(all, (uuid, stored) => {
      // Both are taken out of the views before the next read overwrites them; the row of the check then need not be copied.
      words.read(uuid);
      stateReader.open(stored).skip(counterBytes);
      const state = readState(stateReader);
      const row = rowsOfChecks.next();
      if (row.done || !ofRow.read(row.value.key).equals(words)) throw damaged('a state without a check');
      sink.check(words, row.value.value, state);
      if (++count % progressEvery === 0) sink.progress(count);
    });
    if (!rowsOfChecks.next().done) throw damaged('a check without a state');
  } finally {
    rowsOfChecks.return?.();
  }
  sink.progress(count);
}

function loadOutbox(tables: HistoryTables, sink: LoadSink): void {
  tables.outbox.scan({ start: lowestKey, end: highestKey }, (_key, row) => {
    sink.delivery(rows.delivery.read(row));
  });
}

function loadTail(tail: readonly NumberedBatch[], sink: LoadSink): void {
  const load: TailLoad = { number: 0, deleted: null, latest: new LatestStates(tail), sink };
  for (const batch of tail) loadBatch(batch, load);
}

const everyState = { has: () => true };

/** Reports what one more batch says, behind everything that was reported before. */
export function loadNext(batch: NumberedBatch, sink: LoadSink): void {
  loadBatch(batch, { number: 0, deleted: null, latest: everyState, sink });
}

const cursor = new BatchCursor();

function loadBatch({ bytes }: NumberedBatch, load: TailLoad): void {
  cursor.open(bytes);
  for (; cursor.next(); load.number++) {
    if (cursor.type <= recordTypes['check-deleted']) loadCheckRecord(cursor, load);
    else loadConfigRecord(cursor, load.sink);
  }
}

interface TailLoad {
  /** The record's number, among all of the batches. */
  number: number;
  /** Null until one is: most batches delete none, and an empty index takes 40 kB. */
  deleted: UuidIndex | null;
  readonly latest: Pick<LatestStates, 'has'>;
  readonly sink: LoadSink;
}

/** The deliveries of its changes count, whether or not a later record replaces its state. */
function loadCheckRecord(cursor: BatchCursor, load: TailLoad): void {
  const { sink } = load;
  const reader = cursor.reader.window(cursor.start, cursor.end);
  const start = reader.skip(uuidBytes);
  words.read(cursor.bytes, start);
  if (load.deleted !== null && load.deleted.get(words) >= 0) return;
  if (cursor.type === recordTypes['check-deleted']) {
    load.deleted ??= new UuidIndex();
    load.deleted.set(words, load.number);
    sink.checkDeleted(words);
    return;
  }
  if (cursor.type === recordTypes.check) {
    // Before the row, for which the reader moves on.
    const state = readState(reader);
    sink.check(words, cursor.row(), state);
  } else if (load.latest.has(load.number, words)) sink.state(words, readState(reader));
  if (!cursor.toDeliveries()) return;
  const id = asCheckId(uuidText(cursor.bytes, start));
  for (const delivery of readDeliveries(cursor.reader, id)) sink.delivery(delivery);
}

function loadConfigRecord(cursor: BatchCursor, sink: LoadSink): void {
  const reader = cursor.reader.window(cursor.start, cursor.end);
  switch (cursor.type) {
    case recordTypes.delivery:
      sink.delivery(rows.delivery.read(cursor.row()));
      break;
    case recordTypes['delivery-ended']:
      sink.deliveryEnded(asDeliveryId(reader.uuid()));
      break;
    case recordTypes.notification:
    case recordTypes['run-ending']:
    case recordTypes.audit:
      break;
    case recordTypes.asked:
      sink.asked(reader.u32(), reader.f64());
      break;
    case recordTypes.alive:
      sink.alive(reader.f64());
      break;
    default:
      loadKind(cursor, sink);
  }
}

function loadKind(cursor: BatchCursor, sink: LoadSink): void {
  const kind = kindOf(cursor.type);
  if (kind !== undefined) {
    putRow(sink, kind, cursor.row());
    return;
  }
  const removed = removedKindOf(cursor.type);
  if (removed === undefined) throw damaged(`a journal record of the unknown type ${cursor.type}`);
  sink.removed(removed, kinds[removed].id.text(cursor.row()));
}
