/**
 * The bytes of a journal batch: a version byte, then records, each a type byte, its length and its parts. Not here: what a
 * check (`check-codec`) or a ping (`ping-codec`) looks like.
 *
 * Invariant: a record can be stepped over by its length alone, and the parts that the fold carries on (check row, state,
 * changes, ping, body) stand in the bytes as the history keeps them.
 */

import type { ApiKey, Channel, Installation, Project } from '../../domain/project.ts';
import { type ChannelSettings, channelKinds, keyScopes, plans } from '../../domain/project.ts';
import { type EndedSession, roles, type User } from '../../domain/user.ts';
import { asChannelId, asKeyId, asProjectId, asUserId } from '../../lib/ids.ts';
import { deliveryEndings, type JournalRecord } from '../store.ts';
import { type ByteReader, damaged } from './byte-reader.ts';
import { type ByteWriter, stringBytesMax } from './byte-writer.ts';
import { stateBytesMax, writeCheckRow, writeState } from './check.ts';
import { writeDelivery, writeOwed } from './delivery.ts';
import { changeBytes, pingBytesMax, writeChanges, writePing } from './ping.ts';

/** 2: the changes of a check's record are followed by the deliveries they owe. */
export const batchVersion = 2;
/** The oldest that is still read: an upgrade may find batches of it. */
export const batchVersionMin = 1;

export const recordTypes = {
  ping: 1,
  state: 2,
  check: 3,
  'check-deleted': 4,
  installation: 5,
  project: 6,
  key: 7,
  'key-deleted': 8,
  channel: 9,
  'channel-deleted': 10,
  alive: 11,
  delivery: 12,
  'delivery-ended': 13,
  user: 20,
  'user-deleted': 21,
  'project-deleted': 22,
  'session-ended': 23,
} as const satisfies Record<JournalRecord['type'], number>;

/** Type byte and length. */
export const recordHeadBytes = 5;

export function beginBatch(writer: ByteWriter): void {
  writer.clear();
  writer.reserve(1);
  writer.u8(batchVersion);
}

/** Appends `record` to the batch in `writer`. */
export function writeRecord(writer: ByteWriter, record: JournalRecord): void {
  const start = writer.length;
  writer.reserve(recordHeadBytes);
  writer.u8(recordTypes[record.type]);
  writer.u32(0);
  writeParts(writer, record);
  writer.patchU32(start + 1, writer.length - start - recordHeadBytes);
}

function writeParts(writer: ByteWriter, record: JournalRecord): void {
  switch (record.type) {
    case 'ping':
      writePingParts(writer, record);
      break;
    case 'state':
      writer.reserve(17 + stateBytesMax + changeBytes * record.changes.length);
      writer.uuid(record.check.id);
      writeState(writer, record.check.state);
      writeChanges(writer, record.changes);
      if (record.changes.length > 0) writeOwed(writer, record.owed);
      break;
    case 'check':
      writeCheckParts(writer, record);
      break;
    case 'check-deleted':
    case 'channel-deleted':
    case 'user-deleted':
    case 'project-deleted':
      writer.reserve(16);
      writer.uuid(record.id);
      break;
    case 'key-deleted':
      writer.reserve(stringBytesMax(record.id));
      writer.string(record.id);
      break;
    case 'installation':
      writeInstallation(writer, record.installation);
      break;
    case 'project':
      writeProject(writer, record.project);
      break;
    case 'key':
      writeKey(writer, record.key);
      break;
    case 'channel':
      writeChannel(writer, record.channel);
      break;
    case 'delivery':
      writeDelivery(writer, record.delivery);
      break;
    case 'delivery-ended':
      writer.reserve(17);
      writer.uuid(record.id);
      writer.u8(deliveryEndings.indexOf(record.ending));
      break;
    case 'user':
      writeUser(writer, record.user);
      break;
    case 'session-ended':
      writeEndedSession(writer, record.session);
      break;
    case 'alive':
      writer.reserve(8);
      writer.f64(record.atMs);
      break;
  }
}

type PingRecord = Extract<JournalRecord, { type: 'ping' }>;
type CheckRecord = Extract<JournalRecord, { type: 'check' }>;

/** Id, state, changes and what they owe, ping; the rest of the record is the body. */
function writePingParts(writer: ByteWriter, { check, ping, body, changes, owed }: PingRecord): void {
  writer.reserve(17 + stateBytesMax + changeBytes * changes.length + pingBytesMax(ping) + body.length);
  writer.uuid(check.id);
  writeState(writer, check.state);
  writeChanges(writer, changes);
  if (changes.length > 0) {
    writeOwed(writer, owed);
    writer.reserve(pingBytesMax(ping) + body.length);
  }
  writePing(writer, ping);
  if (body.length > 0) writer.raw(body);
}

/** Id, state, changes and what they owe; the rest of the record is the check's row. */
function writeCheckParts(writer: ByteWriter, { check, changes, owed }: CheckRecord): void {
  writer.reserve(17 + stateBytesMax + changeBytes * changes.length);
  writer.uuid(check.id);
  writeState(writer, check.state);
  writeChanges(writer, changes);
  if (changes.length > 0) writeOwed(writer, owed);
  writeCheckRow(writer, check);
}

export function writeInstallation(writer: ByteWriter, installation: Installation): void {
  writer.reserve(8 + stringBytesMax(installation.badgeSecret));
  writer.f64(installation.createdAtMs);
  writer.string(installation.badgeSecret);
}

export function readInstallation(reader: ByteReader): Installation {
  const createdAtMs = reader.f64();
  return { badgeSecret: reader.string(), createdAtMs };
}

export function writeProject(writer: ByteWriter, project: Project): void {
  writer.reserve(32 + stringBytesMax(project.name) + stringBytesMax(project.badgeKey));
  writer.uuid(project.id);
  writer.f64(project.createdAtMs);
  writer.u8(plans.indexOf(project.plan));
  writer.string(project.name);
  writer.string(project.badgeKey);
}

export function readProject(reader: ByteReader): Project {
  const id = asProjectId(reader.uuid());
  const createdAtMs = reader.f64();
  const plan = reader.oneOf(plans, reader.u8());
  return { id, name: reader.string(), plan, badgeKey: reader.string(), createdAtMs };
}

export function writeKey(writer: ByteWriter, key: ApiKey): void {
  const clear = key.clear ?? '';
  writer.reserve(32 + stringBytesMax(key.id) + stringBytesMax(key.hash) + stringBytesMax(clear));
  writer.string(key.id);
  writer.uuid(key.projectId);
  writer.f64(key.createdAtMs);
  writer.u8(keyScopes.indexOf(key.scope));
  writer.string(key.hash);
  writer.u8(key.clear === null ? 0 : 1);
  writer.string(clear);
}

export function readKey(reader: ByteReader): ApiKey {
  const id = asKeyId(reader.string());
  const projectId = asProjectId(reader.uuid());
  const createdAtMs = reader.f64();
  const scope = reader.oneOf(keyScopes, reader.u8());
  const hash = reader.string();
  const isClear = reader.u8() === 1;
  const clear = reader.string();
  return { id, projectId, scope, hash, clear: isClear ? clear : null, createdAtMs };
}

export function writeChannel(writer: ByteWriter, channel: Channel): void {
  writer.reserve(64 + stringBytesMax(channel.name) + stringBytesMax(channel.value));
  writer.uuid(channel.id);
  writer.uuid(channel.projectId);
  writer.f64(channel.createdAtMs);
  writer.string(channel.kind);
  writer.string(channel.name);
  writer.string(channel.value);
  if (channel.settings) writeChannelSettings(writer, channel.settings);
}

const isLate = 1;
const isDisabled = 2;

function writeChannelSettings(writer: ByteWriter, settings: ChannelSettings): void {
  writer.reserve(9 + stringBytesMax(settings.lastError));
  writer.u32(settings.delayS);
  writer.u32(settings.repeatS);
  writer.u8((settings.late ? isLate : 0) | (settings.disabled ? isDisabled : 0));
  writer.string(settings.lastError);
}

export function readChannel(reader: ByteReader): Channel {
  const id = asChannelId(reader.uuid());
  const projectId = asProjectId(reader.uuid());
  const createdAtMs = reader.f64();
  const kindName = reader.string();
  const kind = channelKinds.find((known) => known === kindName);
  if (kind === undefined) throw damaged(`an integration of the unknown kind ${kindName}`);
  const channel = { id, projectId, kind, name: reader.string(), value: reader.string(), createdAtMs };
  return reader.left > 0 ? { ...channel, settings: readChannelSettings(reader) } : channel;
}

function readChannelSettings(reader: ByteReader): ChannelSettings {
  const delayS = reader.u32();
  const repeatS = reader.u32();
  const flags = reader.u8();
  return {
    delayS,
    repeatS,
    late: (flags & isLate) !== 0,
    disabled: (flags & isDisabled) !== 0,
    lastError: reader.string(),
  };
}

export function writeUser(writer: ByteWriter, user: User): void {
  writer.reserve(32 + stringBytesMax(user.name) + stringBytesMax(user.passwordHash));
  writer.uuid(user.id);
  writer.f64(user.createdAtMs);
  writer.u8(roles.indexOf(user.role));
  writer.string(user.name);
  writer.string(user.passwordHash);
}

export function readUser(reader: ByteReader): User {
  const id = asUserId(reader.uuid());
  const createdAtMs = reader.f64();
  const role = reader.oneOf(roles, reader.u8());
  return { id, name: reader.string(), role, passwordHash: reader.string(), createdAtMs };
}

export function writeEndedSession(writer: ByteWriter, session: EndedSession): void {
  writer.reserve(32 + stringBytesMax(session.id));
  writer.uuid(session.userId);
  writer.f64(session.untilMs);
  writer.f64(session.endedAtMs);
  writer.string(session.id);
}

export function readEndedSession(reader: ByteReader): EndedSession {
  const userId = asUserId(reader.uuid());
  const untilMs = reader.f64();
  const endedAtMs = reader.f64();
  return { userId, untilMs, endedAtMs, id: reader.string() };
}
