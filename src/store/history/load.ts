/**
 * Reports everything durable to the engine at start: the history's rows, then the journal's tail in order.
 * Blocks: nobody is served yet. Invariant: a check of the history is reported once, its state with it.
 */
import type { Check, CheckState } from '../../domain/check.ts';
import {
  asChannelId,
  asCheckId,
  asDeliveryId,
  asKeyId,
  asProjectId,
  asUserId,
  type CheckId,
} from '../../lib/ids.ts';
import { BatchCursor } from '../codec/batch-cursor.ts';
import { ByteReader, damaged } from '../codec/byte-reader.ts';
import { readState, type StoredCheck } from '../codec/check.ts';
import { readDeliveries } from '../codec/delivery.ts';
import type { Intern } from '../codec/named-record.ts';
import { recordTypes } from '../codec/records.ts';
import { rows } from '../codec/rows.ts';
import { uuidBytes, uuidText } from '../codec/uuid.ts';
import type { NumberedBatch } from '../journal/batch-log.ts';
import { LatestStates } from '../journal/latest-states.ts';
import { highestKey, lowestKey } from '../lmdb-env.ts';
import type { LoadSink } from '../store.ts';
import { configKinds, counterBytes, type HistoryTables, readMeta } from './tables.ts';

const progressEvery = 10_000;
/** Of different strings that many checks may share; beyond it each check keeps its own. */
const internedMax = 100_000;

export function load(tables: HistoryTables, tail: readonly NumberedBatch[], sink: LoadSink): void {
  const intern = createIntern();
  loadConfig(tables, sink);
  const aliveMs = readMeta(tables, 'alive');
  if (aliveMs !== null) sink.alive(aliveMs);
  loadChecks(tables, sink, intern);
  loadOutbox(tables, sink);
  loadTail(tail, sink, intern);
}

export function createIntern(): Intern {
  const strings = new Map<string, string>();
  const uuids = new Map<number, KnownUuid>();
  return {
    text(text) {
      const known = strings.get(text);
      if (known !== undefined) return known;
      if (strings.size < internedMax) strings.set(text, text);
      return text;
    },
    uuid(bytes, start) {
      const word = wordAt(bytes, start);
      const known = uuids.get(word);
      if (known && isSame(known.bytes, bytes, start)) return known.text;
      const text = uuidText(bytes, start);
      if (known === undefined && uuids.size < internedMax)
        uuids.set(word, { bytes: Uint8Array.from(bytes.subarray(start, start + uuidBytes)), text });
      return text;
    },
  };
}

/** Found by the first of its words: of two that share it, the later is not kept. */
interface KnownUuid {
  readonly bytes: Uint8Array;
  readonly text: string;
}

function wordAt(bytes: Uint8Array, start: number): number {
  const high = ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0);
  return (high << 16) | ((bytes[start + 2] ?? 0) << 8) | (bytes[start + 3] ?? 0);
}

function isSame(known: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < uuidBytes; at++) if (known[at] !== bytes[start + at]) return false;
  return true;
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

function loadChecks(tables: HistoryTables, sink: LoadSink, intern: Intern): void {
  const stateReader = new ByteReader();
  let count = 0;
  tables.checks.scan({ start: lowestKey, end: highestKey }, (uuid, row) => {
    const key = Buffer.from(uuid);
    // Decoded before the next read overwrites it.
    const check = rows.check.read(row, intern);
    const stored = tables.states.get(key);
    if (!stored) throw damaged('a check without a state');
    stateReader.open(stored).skip(counterBytes);
    sink.check(checkOf(asCheckId(uuidText(key)), check, readState(stateReader)));
    count++;
    if (count % progressEvery === 0) sink.progress(count);
  });
  sink.progress(count);
}

function loadOutbox(tables: HistoryTables, sink: LoadSink): void {
  tables.outbox.scan({ start: lowestKey, end: highestKey }, (_key, row) => {
    sink.delivery(rows.delivery.read(row));
  });
}

function checkOf(id: CheckId, row: StoredCheck, state: CheckState): Check {
  const { projectId, badgeId, createdAtMs, config } = row;
  return { id, projectId, badgeId, createdAtMs, config, state };
}

function loadTail(tail: readonly NumberedBatch[], sink: LoadSink, intern: Intern): void {
  const cursor = new BatchCursor();
  const deleted = new Set<CheckId>();
  const latest = new LatestStates(tail);
  for (const batch of tail) {
    cursor.open(batch.bytes);
    while (cursor.next()) {
      if (cursor.type <= recordTypes['check-deleted'])
        loadCheckRecord(cursor, { deleted, latest, sink, intern });
      else loadConfigRecord(cursor, sink);
    }
  }
}

interface TailLoad {
  readonly deleted: Set<CheckId>;
  readonly latest: LatestStates;
  readonly sink: LoadSink;
  readonly intern: Intern;
}

/** The deliveries of its changes count, whether or not a later record replaces its state. */
function loadCheckRecord(cursor: BatchCursor, { deleted, latest, sink, intern }: TailLoad): void {
  const reader = cursor.reader.window(cursor.start, cursor.end);
  const id = asCheckId(reader.uuid());
  if (deleted.size > 0 && deleted.has(id)) return;
  if (cursor.type === recordTypes['check-deleted']) {
    deleted.add(id);
    sink.checkDeleted(id);
    return;
  }
  if (cursor.type === recordTypes.check) {
    const state = readState(reader);
    sink.check(checkOf(id, cursor.rows.check.read(cursor.row(), intern), state));
  } else if (latest.has(cursor)) sink.state(id, readState(reader));
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
    case recordTypes.alive:
      sink.alive(reader.f64());
      break;
    default:
      throw damaged(`a journal record of the unknown type ${cursor.type}`);
  }
}
