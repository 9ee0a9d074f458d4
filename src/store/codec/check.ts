/**
 * Checks as bytes: what their owner set, and their state. The same bytes lie in journal, history and snapshot.
 * Invariant: the two deadlines are derived and not kept; a decoded state says NEVER for both.
 */
import {
  type Check,
  type CheckConfig,
  type CheckKind,
  type CheckState,
  statuses,
} from '../../domain/check.ts';
import { asBadgeId, asChannelId, asProjectId, asRunId, type CheckId } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import { type ByteReader, damaged } from './byte-reader.ts';
import { type ByteWriter, stringBytesMax } from './byte-writer.ts';

const kinds: readonly CheckKind[] = ['simple', 'cron', 'oncalendar'];

/** Which of the optional parts of a state follow. */
const hasLastPing = 1;
const hasStarted = 2;
const hasRid = 4;
const hasDuration = 8;
const hasCredits = 16;

/** The most that `writeState` writes. */
export const stateBytesMax = 1 + 2 + 6 + 5 * 8 + 16;

/** A state behind its length, so that the fold can carry it over without decoding. Room must be reserved. */
export function writeState(writer: ByteWriter, state: CheckState): void {
  const start = writer.length;
  let parts = 0;
  writer.u8(0);
  writer.u8(statuses.indexOf(state.status));
  writer.u8(0);
  writer.u48(state.nPings);
  if (state.lastPingMs !== null) {
    parts |= hasLastPing;
    writer.f64(state.lastPingMs);
  }
  if (state.startedMs !== null) {
    parts |= hasStarted;
    writer.f64(state.startedMs);
  }
  if (state.startRid !== null) {
    parts |= hasRid;
    writer.uuid(state.startRid);
  }
  if (state.lastDurationMs !== null) {
    parts |= hasDuration;
    writer.f64(state.lastDurationMs);
  }
  if (state.graceNotBeforeMs !== 0 || state.downNotBeforeMs !== 0) {
    parts |= hasCredits;
    writer.f64(state.graceNotBeforeMs);
    writer.f64(state.downNotBeforeMs);
  }
  writer.patchU8(start, writer.length - start - 1);
  writer.patchU8(start + 2, parts);
}

export function readState(reader: ByteReader): CheckState {
  const size = reader.u8();
  const end = reader.at + size;
  const status = reader.oneOf(statuses, reader.u8());
  const parts = reader.u8();
  const nPings = reader.u48();
  const lastPingMs = parts & hasLastPing ? reader.f64() : null;
  const startedMs = parts & hasStarted ? reader.f64() : null;
  const startRid = parts & hasRid ? asRunId(reader.uuid()) : null;
  const lastDurationMs = parts & hasDuration ? reader.f64() : null;
  const graceNotBeforeMs = parts & hasCredits ? reader.f64() : 0;
  const downNotBeforeMs = parts & hasCredits ? reader.f64() : 0;
  if (reader.at !== end) throw damaged('a state has a wrong length');
  return {
    status,
    nPings,
    lastPingMs,
    startedMs,
    startRid,
    lastDurationMs,
    graceNotBeforeMs,
    downNotBeforeMs,
    expectedAtMs: NEVER,
    downAtMs: NEVER,
  };
}

/** `nPings` of the state that begins at `start` of `bytes`, without decoding the rest. */
export function nPingsOfState(reader: ByteReader): number {
  reader.skip(3);
  return reader.u48();
}

const isManualResume = 1;
const isPostOnly = 2;
const isFilterSubject = 4;
const isFilterBody = 8;
const isFilterHttpBody = 16;
const isFilterDefaultFail = 32;

function flagsOf(config: CheckConfig): number {
  return (
    (config.manualResume ? isManualResume : 0) |
    (config.methods === 'POST' ? isPostOnly : 0) |
    (config.filterSubject ? isFilterSubject : 0) |
    (config.filterBody ? isFilterBody : 0) |
    (config.filterHttpBody ? isFilterHttpBody : 0) |
    (config.filterDefaultFail ? isFilterDefaultFail : 0)
  );
}

/** All of a check but its id and its state. Reserves its own room. */
export function writeCheckRow(writer: ByteWriter, check: Check): void {
  const { config } = check;
  const { name, slug, tags, desc, schedule, tz, startKw, successKw, failureKw } = config;
  const texts = [name, slug, tags, desc, schedule, tz, startKw, successKw, failureKw];
  const textBytes = texts.reduce((sum, text) => sum + stringBytesMax(text), 0);
  writer.reserve(64 + textBytes + config.channels.length * 16);
  writer.uuid(check.projectId);
  writer.uuid(check.badgeId);
  writer.f64(check.createdAtMs);
  writer.u8(kinds.indexOf(config.kind));
  writer.u8(flagsOf(config));
  writer.u32(config.timeoutS);
  writer.u32(config.graceS);
  for (const text of texts) writer.string(text);
  writer.varint(config.channels.length);
  for (const channel of config.channels) writer.uuid(channel);
}

/** Gives back one string for equal ones: a million checks share few time zones, schedules and projects. */
export type Intern = (text: string) => string;

export interface CheckRow {
  readonly id: CheckId;
  readonly state: CheckState;
}

/** The check of a row that `writeCheckRow` wrote. */
export function readCheckRow(reader: ByteReader, { id, state }: CheckRow, intern: Intern): Check {
  const projectId = asProjectId(intern(reader.uuid()));
  const badgeId = asBadgeId(reader.uuid());
  const createdAtMs = reader.f64();
  return { id, projectId, badgeId, createdAtMs, config: readConfig(reader, intern), state };
}

function readConfig(reader: ByteReader, intern: Intern): CheckConfig {
  const kind = reader.oneOf(kinds, reader.u8());
  const flags = reader.u8();
  const timeoutS = reader.u32();
  const graceS = reader.u32();
  return {
    name: reader.string(),
    slug: reader.string(),
    tags: intern(reader.string()),
    desc: reader.string(),
    kind,
    timeoutS,
    graceS,
    schedule: intern(reader.string()),
    tz: intern(reader.string()),
    manualResume: (flags & isManualResume) !== 0,
    methods: flags & isPostOnly ? 'POST' : '',
    startKw: intern(reader.string()),
    successKw: intern(reader.string()),
    failureKw: intern(reader.string()),
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
  return Array.from({ length: count }, () => asChannelId(intern(reader.uuid())));
}
