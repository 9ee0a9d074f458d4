/**
 * Reports everything durable to the engine at start: the history's rows, then the journal's tail in order.
 * Blocks: nobody is served yet. Invariant: a check of the history is reported once, its state with it.
 */
import {
  asChannelId,
  asCheckId,
  asDeliveryId,
  asKeyId,
  asProjectId,
  asUserId,
  type CheckId,
} from '../../lib/ids.ts';
import { UuidWords } from '../../lib/uuid-words.ts';
import { BatchCursor } from '../codec/batch-cursor.ts';
import { ByteReader, damaged } from '../codec/byte-reader.ts';
import { readState } from '../codec/check.ts';
import { readDeliveries } from '../codec/delivery.ts';
import { recordTypes } from '../codec/records.ts';
import { rows } from '../codec/rows.ts';
import { uuidBytes } from '../codec/uuid.ts';
import type { NumberedBatch } from '../journal/batch-log.ts';
import { LatestStates } from '../journal/latest-states.ts';
import { highestKey, lowestKey } from '../lmdb-env.ts';
import type { LoadSink } from '../store.ts';
import { configKinds, counterBytes, type HistoryTables, readMeta } from './tables.ts';

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
    switch (key[0]) {
      case configKinds.installation:
        return sink.installation(rows.installation.read(value));
      case configKinds.project:
        return sink.project(rows.project.read(value));
      case configKinds.key:
        return sink.key(rows.key.read(value));
      case configKinds.channel:
        return sink.channel(rows.channel.read(value));
      case configKinds.user:
        return sink.user(rows.user.read(value));
      case configKinds['ended-session']:
        return sink.sessionEnded(rows['ended-session'].read(value));
      default:
        throw damaged('a row of an unknown kind');
    }
  });
}

/** Both tables are in the order of the checks' ids, and a check is in both or in neither. */
function loadChecks(tables: HistoryTables, sink: LoadSink): void {
  const stateReader = new ByteReader();
  const key = Buffer.alloc(uuidBytes);
  const rowCopy = new Scratch();
  const all = { start: lowestKey, end: highestKey };
  const states = tables.states.rows(all);
  let count = 0;
  try {
    tables.checks.scan(all, (uuid, row) => {
      // Copied before the next read overwrites both.
      key.set(uuid);
      const rowBytes = rowCopy.take(row);
      const state = states.next();
      if (state.done || key.compare(state.value.key) !== 0) throw damaged('a check without a state');
      stateReader.open(state.value.value).skip(counterBytes);
      sink.check(words.read(key), rowBytes, readState(stateReader));
      count++;
      if (count % progressEvery === 0) sink.progress(count);
    });
  } finally {
    states.return?.();
  }
  sink.progress(count);
}

function loadOutbox(tables: HistoryTables, sink: LoadSink): void {
  tables.outbox.scan({ start: lowestKey, end: highestKey }, (_key, row) => {
    sink.delivery(rows.delivery.read(row));
  });
}

/** One buffer for one row after the other. */
class Scratch {
  #bytes = Buffer.allocUnsafeSlow(4096);

  take(row: Buffer): Buffer {
    if (row.length > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(2 * row.length);
    row.copy(this.#bytes);
    return this.#bytes.subarray(0, row.length);
  }
}

function loadTail(tail: readonly NumberedBatch[], sink: LoadSink): void {
  const load = { deleted: new Set<CheckId>(), latest: new LatestStates(tail), sink };
  for (const batch of tail) loadBatch(batch, load);
}

const everyState = { has: () => true };

/** Reports what one more batch says, behind everything that was reported before. */
export function loadNext(batch: NumberedBatch, sink: LoadSink): void {
  loadBatch(batch, { deleted: new Set(), latest: everyState, sink });
}

const cursor = new BatchCursor();

function loadBatch({ bytes }: NumberedBatch, load: TailLoad): void {
  cursor.open(bytes);
  while (cursor.next()) {
    if (cursor.type <= recordTypes['check-deleted']) loadCheckRecord(cursor, load);
    else loadConfigRecord(cursor, load.sink);
  }
}

/** Of an older format, as this one writes it. */
function rowOf(cursor: BatchCursor): Buffer {
  const row = cursor.row();
  return cursor.isLegacy ? rows.check.write(cursor.rows.check.read(row)) : row;
}

interface TailLoad {
  readonly deleted: Set<CheckId>;
  readonly latest: Pick<LatestStates, 'has'>;
  readonly sink: LoadSink;
}

/** The deliveries of its changes count, whether or not a later record replaces its state. */
function loadCheckRecord(cursor: BatchCursor, { deleted, latest, sink }: TailLoad): void {
  const reader = cursor.reader.window(cursor.start, cursor.end);
  const id = asCheckId(reader.uuid());
  if (deleted.size > 0 && deleted.has(id)) return;
  if (cursor.type === recordTypes['check-deleted']) {
    deleted.add(id);
    sink.checkDeleted(words.read(cursor.bytes, cursor.start));
    return;
  }
  if (cursor.type === recordTypes.check) {
    const state = readState(reader);
    sink.check(words.read(cursor.bytes, cursor.start), rowOf(cursor), state);
  } else if (latest.has(cursor)) {
    const state = readState(reader);
    sink.state(words.read(cursor.bytes, cursor.start), state);
  }
  if (cursor.toDeliveries())
    for (const delivery of readDeliveries(cursor.reader, id)) sink.delivery(delivery);
}

function loadConfigRecord(cursor: BatchCursor, sink: LoadSink): void {
  const reader = cursor.reader.window(cursor.start, cursor.end);
  const { rows } = cursor;
  switch (cursor.type) {
    case recordTypes.installation:
      sink.installation(rows.installation.read(cursor.row()));
      break;
    case recordTypes.project:
      sink.project(rows.project.read(cursor.row()));
      break;
    case recordTypes.key:
      sink.key(rows.key.read(cursor.row()));
      break;
    case recordTypes['key-deleted']:
      sink.keyDeleted(asKeyId(reader.string()));
      break;
    case recordTypes.channel:
      sink.channel(rows.channel.read(cursor.row()));
      break;
    case recordTypes['channel-deleted']:
      sink.channelDeleted(asChannelId(reader.uuid()));
      break;
    case recordTypes.delivery:
      sink.delivery(rows.delivery.read(cursor.row()));
      break;
    case recordTypes['delivery-ended']:
      sink.deliveryEnded(asDeliveryId(reader.uuid()));
      break;
    case recordTypes.user:
      sink.user(rows.user.read(cursor.row()));
      break;
    case recordTypes['user-deleted']:
      sink.userDeleted(asUserId(reader.uuid()));
      break;
    case recordTypes['session-ended']:
      sink.sessionEnded(rows['ended-session'].read(cursor.row()));
      break;
    case recordTypes['project-deleted']:
      sink.projectDeleted(asProjectId(reader.uuid()));
      break;
    case recordTypes.notification:
      break;
    case recordTypes.asked:
      sink.asked(reader.u32(), reader.f64());
      break;
    case recordTypes.alive:
      sink.alive(reader.f64());
      break;
    default:
      throw damaged(`a journal record of the unknown type ${cursor.type}`);
  }
}
