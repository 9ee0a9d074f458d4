/**
 * What was written by hand before the records had named fields: in journal batches of versions 1 and 2, history tables up to
 * data format 4 and snapshots up to format 3. Always readable, never written: `toNamed` converts them to today's records.
 * Invariant: the layouts below are history; nothing here changes with the domain but the names of what is read.
 */

import {
  type ApiKey,
  type Channel,
  type ChannelSettings,
  channelKinds,
  type Installation,
  keyScopes,
  type Project,
  plans,
} from '../../domain/accounts/project.ts';
import { type EndedSession, roles, type User } from '../../domain/accounts/user.ts';
import { type CheckConfig, type CheckKind, defaultConfig } from '../../domain/check/check.ts';
import { type Delivery, deliveryStates } from '../../domain/deliveries/delivery.ts';
import {
  asBadgeId,
  asChannelId,
  asCheckId,
  asDeliveryId,
  asKeyId,
  asProjectId,
  asUserId,
} from '../../lib/ids.ts';
import { ByteReader, damaged } from './byte-reader.ts';
import type { StoredCheck } from './check.ts';
import { type Intern, noIntern } from './named-record.ts';
import { readChange } from './ping.ts';
import { type RowKind, type RowReaders, rows } from './rows.ts';

export const legacyRows: RowReaders = {
  installation: { read: (bytes) => whole(bytes, readInstallation) },
  project: { read: (bytes) => whole(bytes, readProject) },
  key: { read: (bytes) => whole(bytes, readKey) },
  channel: { read: (bytes) => whole(bytes, readChannel) },
  user: { read: (bytes) => whole(bytes, readUser) },
  'ended-session': { read: (bytes) => whole(bytes, readEndedSession) },
  delivery: { read: (bytes) => whole(bytes, readDelivery) },
  'status-page': { read: notYet },
  check: { read: (bytes, intern = noIntern) => whole(bytes, (reader) => readCheckRow(reader, intern)) },
};

/** Today's record of an old one. */
export const toNamed: Readonly<Record<RowKind, (bytes: Uint8Array) => Buffer>> = {
  installation: (bytes) => rows.installation.write(legacyRows.installation.read(bytes)),
  project: (bytes) => rows.project.write(legacyRows.project.read(bytes)),
  key: (bytes) => rows.key.write(legacyRows.key.read(bytes)),
  channel: (bytes) => rows.channel.write(legacyRows.channel.read(bytes)),
  user: (bytes) => rows.user.write(legacyRows.user.read(bytes)),
  'ended-session': (bytes) => rows['ended-session'].write(legacyRows['ended-session'].read(bytes)),
  delivery: (bytes) => rows.delivery.write(legacyRows.delivery.read(bytes)),
  'status-page': notYet,
  check: (bytes) => rows.check.write(legacyRows.check.read(bytes)),
};

/** There were none. */
function notYet(): never {
  throw damaged('a status page in data that are older');
}

const reader = new ByteReader();

function whole<Fact>(bytes: Uint8Array, read: (reader: ByteReader) => Fact): Fact {
  const fact = read(reader.open(bytes));
  if (reader.left > 0) throw damaged('a record is longer than what it holds');
  return fact;
}

function readInstallation(reader: ByteReader): Installation {
  const createdAtMs = reader.f64();
  return { badgeSecret: reader.string(), createdAtMs };
}

function readProject(reader: ByteReader): Project {
  const id = asProjectId(reader.uuid());
  const createdAtMs = reader.f64();
  const plan = reader.oneOf(plans, reader.u8());
  return { id, name: reader.string(), plan, badgeKey: reader.string(), createdAtMs };
}

function readKey(reader: ByteReader): ApiKey {
  const id = asKeyId(reader.string());
  const projectId = asProjectId(reader.uuid());
  const createdAtMs = reader.f64();
  const scope = reader.oneOf(keyScopes, reader.u8());
  const hash = reader.string();
  const isClear = reader.u8() === 1;
  const clear = reader.string();
  return { id, projectId, scope, hash, clear: isClear ? clear : null, createdAtMs };
}

const isLate = 1;
const isDisabled = 2;

function readChannel(reader: ByteReader): Channel {
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
    timeZone: '',
    late: (flags & isLate) !== 0,
    disabled: (flags & isDisabled) !== 0,
    disabledReason: '',
    unverified: false,
    lastError: reader.string(),
    announcePending: false,
  };
}

function readUser(reader: ByteReader): User {
  const id = asUserId(reader.uuid());
  const createdAtMs = reader.f64();
  const role = reader.oneOf(roles, reader.u8());
  return { id, name: reader.string(), role, passwordHash: reader.string(), createdAtMs };
}

function readEndedSession(reader: ByteReader): EndedSession {
  const userId = asUserId(reader.uuid());
  const untilMs = reader.f64();
  const endedAtMs = reader.f64();
  return { userId, untilMs, endedAtMs, id: reader.string() };
}

function readDelivery(reader: ByteReader): Delivery {
  const id = asDeliveryId(reader.uuid());
  const checkId = asCheckId(reader.uuid());
  const channelId = asChannelId(reader.uuid());
  const change = readChange(reader);
  const state = reader.oneOf(deliveryStates, reader.u8());
  const attempts = reader.u32();
  const notBeforeMs = reader.f64();
  const sinceMs = reader.f64();
  const endedMs = reader.f64();
  return {
    id,
    checkId,
    channelId,
    change,
    state,
    attempts,
    notBeforeMs,
    sinceMs,
    endedMs,
    error: reader.string(),
  };
}

const kinds: readonly CheckKind[] = ['simple', 'cron', 'oncalendar'];

const isManualResume = 1;
const isPostOnly = 2;
const isFilterSubject = 4;
const isFilterBody = 8;
const isFilterHttpBody = 16;
const isFilterDefaultFail = 32;

function readCheckRow(reader: ByteReader, intern: Intern): StoredCheck {
  const projectId = asProjectId(intern.text(reader.uuid()));
  const badgeId = asBadgeId(reader.uuid());
  const createdAtMs = reader.f64();
  return { projectId, badgeId, createdAtMs, config: readConfig(reader, intern) };
}

function readConfig(reader: ByteReader, intern: Intern): CheckConfig {
  const kind = reader.oneOf(kinds, reader.u8());
  const flags = reader.u8();
  const timeoutS = reader.u32();
  const graceS = reader.u32();
  return {
    ...defaultConfig,
    name: reader.string(),
    slug: reader.string(),
    tags: intern.text(reader.string()),
    desc: reader.string(),
    kind,
    timeoutS,
    graceS,
    schedule: intern.text(reader.string()),
    tz: intern.text(reader.string()),
    manualResume: (flags & isManualResume) !== 0,
    methods: flags & isPostOnly ? 'POST' : '',
    startKw: intern.text(reader.string()),
    successKw: intern.text(reader.string()),
    failureKw: intern.text(reader.string()),
    filterSubject: (flags & isFilterSubject) !== 0,
    filterBody: (flags & isFilterBody) !== 0,
    filterHttpBody: (flags & isFilterHttpBody) !== 0,
    filterDefaultFail: (flags & isFilterDefaultFail) !== 0,
    channels: readChannels(reader, intern),
  };
}

const noChannels: CheckConfig['channels'] = [];

function readChannels(reader: ByteReader, intern: Intern): CheckConfig['channels'] {
  const count = reader.varint();
  if (count === 0) return noChannels;
  if (count * 16 > reader.left) throw damaged('a check has too many integrations');
  return Array.from({ length: count }, () => asChannelId(intern.text(reader.uuid())));
}
