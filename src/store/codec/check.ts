/**
 * Checks as bytes: what their owner set, as a record of named fields, and their state, by hand, since every ping writes it.
 * The same bytes lie in journal, history and snapshot.
 * Invariant: the two deadlines are derived and not kept; a decoded state says NEVER for both.
 */

import type { AlertState } from '../../domain/check/alert-state.ts';
import {
  type Check,
  type CheckConfig,
  type CheckState,
  defaultConfig,
  type Status,
  statuses,
} from '../../domain/check/check.ts';
import {
  type CheckField,
  checkFieldNames,
  checkFields,
  checkKinds,
} from '../../domain/check/check-fields.ts';
import { type Acknowledgement, type Hold, holdReasons, type Snooze } from '../../domain/check/snooze.ts';
import { type Growing, unknownFields } from '../../domain/check/unknown-fields.ts';
import { asBadgeId, asChannelId, asIncidentId, asProjectId, asRunId } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import { type ByteReader, damaged } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { changeShape } from './change-shape.ts';
import {
  count,
  flag,
  instant,
  listOf,
  nested,
  oneOf,
  optional,
  optionalList,
  required,
  sharedText,
  sharedUuid,
  sharedUuids,
  text,
  uuid,
} from './field-codecs.ts';
import { formerRulesShape } from './former-rules-shape.ts';
import {
  type Draft,
  type FieldRule,
  type Intern,
  noIntern,
  packRecord,
  Shape,
  unpackRecord,
  withUnknown,
} from './named-record.ts';
import { runStateShape } from './run-state.ts';

/** Which of the optional parts of a state follow. */
const hasLastPing = 1;
const hasStarted = 2;
const hasRid = 4;
const hasDuration = 8;
const hasCredits = 16;
/** No part follows: the last run was a warning. */
const isWarned = 32;

/** The most that `writeState` writes. */
export const stateBytesMax = 1 + 2 + 6 + 5 * 8 + 16;

/** A state behind its length, so that the fold can carry it over without decoding. Space must be reserved. */
export function writeState(writer: ByteWriter, state: CheckState): void {
  const start = writer.length;
  let parts = state.isWarned ? isWarned : 0;
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
    isWarned: (parts & isWarned) !== 0,
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

/** Returns the duration of the last run from the state that begins at `start`, without decoding the rest; null for none. */
export function durationInState(bytes: Buffer, start: number): number | null {
  const parts = bytes[start + 2] ?? 0;
  if (!(parts & hasDuration)) return null;
  const before = (parts & hasLastPing ? 8 : 0) + (parts & hasStarted ? 8 : 0) + (parts & hasRid ? 16 : 0);
  return bytes.readDoubleLE(start + 3 + 6 + before);
}

/** The status of the state that begins at `start`. */
export function statusInState(bytes: Buffer, start: number): Status {
  const status = statuses[bytes[start + 1] ?? statuses.length];
  if (status === undefined) throw damaged('a state has an unknown status');
  return status;
}

/** All of a check but its id and its state. */
export type StoredCheck = Omit<Check, 'id' | 'state'>;

interface CheckHead extends Omit<StoredCheck, 'config'>, Growing {}

const acknowledgement = new Shape<Acknowledgement>({
  atMs: required('at', instant),
  by: optional('by', text, ''),
});

/** `check-facts` reads the end of either without decoding it. */
const withheld = {
  atMs: required('at', instant),
  untilMs: required('until', instant),
  wasDown: optional('was_down', flag, false),
  downAtMs: optional('down_at', instant, 0),
  withheld: optionalList('withheld', listOf(nested(changeShape))),
};
const snooze = new Shape<Snooze>({ ...withheld, by: optional('by', text, '') });
const hold = new Shape<Hold>({
  ...withheld,
  reason: required('reason', oneOf(holdReasons)),
  about: optional('about', text, ''),
});

const alertState = new Shape<AlertState>({
  outcomes: optional('outcomes', text, ''),
  nextMissMs: optional('next_miss', instant, 0),
  changesMs: optionalList('changes', listOf(instant)),
});

const head = new Shape<CheckHead>({
  projectId: required('project', sharedUuid(asProjectId)),
  badgeId: required('badge', uuid(asBadgeId)),
  createdAtMs: required('created', instant),
  acknowledgement: optional('acknowledged', nested(acknowledgement), undefined),
  snooze: optional('snoozed', nested(snooze), undefined),
  hold: optional('held', nested(hold), undefined),
  incident: optional('incident', uuid(asIncidentId), undefined),
  /** `check-facts` reads whether it is there. */
  alerting: optional('alerting', nested(alertState), undefined),
  /** `check-facts` reads whether it is there. */
  runs: optional('runs', nested(runStateShape), undefined),
  formerRetention: optional('former_retention', listOf(nested(formerRulesShape)), undefined),
});

/** Uses the JSON names of the table of fields: a new field needs nothing here. */
const config = new Shape<CheckConfig>(
  Object.fromEntries(checkFieldNames.map((name): readonly unknown[] => [name, ruleOf(checkFields[name])])),
);

function ruleOf(field: CheckField): FieldRule<unknown> {
  switch (field.kind) {
    case 'text':
      return optional(field.json, field.shared ? sharedText : text, field.default);
    case 'schedule':
    case 'zone':
      return optional(field.json, sharedText, field.default);
    case 'integer':
      return optional(field.json, count, field.default);
    case 'flag':
      return optional(field.json, flag, field.default);
    case 'choice':
      return optional(field.json, oneOf(field.choices), field.default);
    case 'schedule-kind':
      return optional(field.json, oneOf(checkKinds), field.default);
    case 'channels':
      return optionalList(field.json, sharedUuids(asChannelId));
  }
}

/** A check that changes is written twice in a row, into the table of the checks and into the journal. */
let written: { readonly check: StoredCheck; readonly bytes: Buffer } | null = null;

/** One flat record; what it says beyond both shapes is kept with the configuration, which every update copies. */
export const checkRow = {
  /** The bytes are not to be changed. */
  write(check: StoredCheck): Buffer {
    if (written?.check === check) return written.bytes;
    const record: Record<string, unknown> = {};
    head.put(record, check);
    config.put(record, check.config);
    const bytes = packRecord(record);
    written = { check, bytes };
    return bytes;
  },

  read(bytes: Uint8Array, intern: Intern = noIntern): StoredCheck {
    const stored = unpackRecord(bytes);
    const draft: Draft = {};
    const draftConfig: Draft = { ...defaultConfig };
    let missing = head.requiredCount;
    let unknown: Record<string, unknown> | null = null;
    for (const key in stored) {
      const value = stored[key];
      if (config.take(draftConfig, key, value, intern) !== null) continue;
      const isRequired = head.take(draft, key, value, intern);
      if (isRequired === null) unknown = withUnknown(unknown, key, value);
      else if (isRequired) missing--;
    }
    if (missing > 0) throw damaged('a check lacks its project or its badge');
    if (unknown) draftConfig[unknownFields] = unknown;
    draft.config = draftConfig;
    return draft as unknown as StoredCheck;
  },
};
