/**
 * Reports everything durable to the engine at start: the history's rows, then the journal's tail in order.
 * Blocks: nobody is served yet. Invariant: a check of the history is reported once, its state with it.
 */
import { type Check, type CheckState, freshState } from '../../domain/check.ts';
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
import { type Intern, readCheckRow, readState } from '../codec/check.ts';
import { readDelivery, readOwed } from '../codec/delivery.ts';
import {
  readChannel,
  readEndedSession,
  readInstallation,
  readKey,
  readProject,
  readUser,
  recordTypes,
} from '../codec/records.ts';
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
  return (text) => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    if (strings.size < internedMax) strings.set(text, text);
    return text;
  };
}

function loadConfig(tables: HistoryTables, sink: LoadSink): void {
  tables.config.scan({ start: lowestKey, end: highestKey }, (key, value) => {
    const reader = new ByteReader(value);
    switch (key[0]) {
      case configKinds.installation:
        return sink.installation(readInstallation(reader));
      case configKinds.project:
        return sink.project(readProject(reader));
      case configKinds.key:
        return sink.key(readKey(reader));
      case configKinds.channel:
        return sink.channel(readChannel(reader));
      case configKinds.user:
        return sink.user(readUser(reader));
      case configKinds['ended-session']:
        return sink.sessionEnded(readEndedSession(reader));
      default:
        throw damaged('a row of an unknown kind');
    }
  });
}

function loadChecks(tables: HistoryTables, sink: LoadSink, intern: Intern): void {
  const rowReader = new ByteReader();
  const stateReader = new ByteReader();
  let count = 0;
  tables.checks.scan({ start: lowestKey, end: highestKey }, (uuid, row) => {
    const key = Buffer.from(uuid);
    const id = asCheckId(rowReader.open(key).uuid());
    // Decoded before the next read overwrites it.
    const check = readCheckRow(rowReader.open(row), { id, state: freshState }, intern);
    const stored = tables.states.get(key);
    if (!stored) throw damaged('a check without a state');
    stateReader.open(stored).skip(counterBytes);
    sink.check(withState(check, readState(stateReader)));
    count++;
    if (count % progressEvery === 0) sink.progress(count);
  });
  sink.progress(count);
}

function loadOutbox(tables: HistoryTables, sink: LoadSink): void {
  const reader = new ByteReader();
  tables.outbox.scan({ start: lowestKey, end: highestKey }, (_key, row) => {
    sink.delivery(readDelivery(reader.open(row)));
  });
}

function withState(check: Check, state: CheckState): Check {
  const { id, projectId, badgeId, createdAtMs, config } = check;
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

/** What its changes owe counts, whether or not a later record replaces its state. */
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
    sink.check(readCheckRow(cursor.pastChanges(), { id, state }, intern));
  } else if (latest.has(cursor)) sink.state(id, readState(reader));
  if (cursor.toOwed()) for (const delivery of readOwed(cursor.reader, id)) sink.delivery(delivery);
}

function loadConfigRecord(cursor: BatchCursor, sink: LoadSink): void {
  const reader = cursor.reader.window(cursor.start, cursor.end);
  switch (cursor.type) {
    case recordTypes.installation:
      sink.installation(readInstallation(reader));
      break;
    case recordTypes.project:
      sink.project(readProject(reader));
      break;
    case recordTypes.key:
      sink.key(readKey(reader));
      break;
    case recordTypes['key-deleted']:
      sink.keyDeleted(asKeyId(reader.string()));
      break;
    case recordTypes.channel:
      sink.channel(readChannel(reader));
      break;
    case recordTypes['channel-deleted']:
      sink.channelDeleted(asChannelId(reader.uuid()));
      break;
    case recordTypes.delivery:
      sink.delivery(readDelivery(reader));
      break;
    case recordTypes['delivery-ended']:
      sink.deliveryEnded(asDeliveryId(reader.uuid()));
      break;
    case recordTypes.user:
      sink.user(readUser(reader));
      break;
    case recordTypes['user-deleted']:
      sink.userDeleted(asUserId(reader.uuid()));
      break;
    case recordTypes['session-ended']:
      sink.sessionEnded(readEndedSession(reader));
      break;
    case recordTypes['project-deleted']:
      sink.projectDeleted(asProjectId(reader.uuid()));
      break;
    case recordTypes.alive:
      sink.alive(reader.f64());
      break;
    default:
      throw damaged(`a journal record of the unknown type ${cursor.type}`);
  }
}
