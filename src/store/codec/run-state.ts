/**
 * The runs of a check as a record in its row (`check`). Those in flight are laid out by hand: a check may have a hundred, and each
 * start and end writes them all.
 * Invariant: a key below never changes its meaning; a state that is written comes out equal.
 */
import {
  type EarlyEnd,
  type HostState,
  hostStatuses,
  noRuns,
  type OpenRun,
  type RunState,
  type UsualResult,
} from '../../domain/check/run-state.ts';
import { asRunId } from '../../lib/ids.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter, stringBytesMax } from './byte-writer.ts';
import {
  count,
  instant,
  listOf,
  nested,
  oneOf,
  optional,
  optionalList,
  required,
  text,
  uuid,
} from './field-codecs.ts';
import { type FieldCodec, Shape } from './named-record.ts';

const hasRid = 1;
const hasAlive = 2;
const hasCredit = 4;
const hasHost = 8;

const openRuns: FieldCodec<readonly OpenRun[]> = {
  pack(runs) {
    const writer = new ByteWriter(48 * runs.length);
    for (const run of runs) writeRun(writer, run);
    return writer.copy();
  },
  unpack(stored) {
    if (!(stored instanceof Uint8Array)) return undefined;
    const reader = new ByteReader(stored);
    const runs: OpenRun[] = [];
    while (reader.left > 0) runs.push(readRun(reader));
    return runs;
  },
};

function writeRun(writer: ByteWriter, { rid, startedMs, aliveMs, notBeforeMs, host }: OpenRun): void {
  writer.reserve(48 + stringBytesMax(host));
  writer.u8(
    (rid === null ? 0 : hasRid) |
      (aliveMs === 0 ? 0 : hasAlive) |
      (notBeforeMs === 0 ? 0 : hasCredit) |
      (host === '' ? 0 : hasHost),
  );
  writer.f64(startedMs);
  if (rid !== null) writer.uuid(rid);
  if (aliveMs !== 0) writer.f64(aliveMs);
  if (notBeforeMs !== 0) writer.f64(notBeforeMs);
  if (host !== '') writer.string(host);
}

function readRun(reader: ByteReader): OpenRun {
  const parts = reader.u8();
  return {
    startedMs: reader.f64(),
    rid: parts & hasRid ? asRunId(reader.uuid()) : null,
    aliveMs: parts & hasAlive ? reader.f64() : 0,
    notBeforeMs: parts & hasCredit ? reader.f64() : 0,
    host: parts & hasHost ? reader.string() : '',
  };
}

const host = new Shape<HostState>({
  name: required('name', text),
  status: optional('status', oneOf(hostStatuses), 'due'),
  fromMs: optional('from', instant, 0),
  reportedMs: optional('reported', instant, 0),
});

const earlyEnd = new Shape<EarlyEnd>({
  rid: required('rid', uuid(asRunId)),
  atMs: required('at', instant),
});

const doubles: FieldCodec<readonly number[]> = {
  pack(values) {
    const writer = new ByteWriter(8 * values.length);
    for (const value of values) writer.f64(value);
    return writer.copy();
  },
  unpack(stored) {
    if (!(stored instanceof Uint8Array)) return undefined;
    const reader = new ByteReader(stored);
    return Array.from({ length: reader.left / 8 }, () => reader.f64());
  },
};

const usualResult = new Shape<UsualResult>({
  name: required('name', text),
  values: required('values', doubles),
});

export const runStateShape = new Shape<RunState>({
  open: { ...optional('open', openRuns, noRuns.open), leftOut: (runs) => runs.length === 0 },
  lastStartMs: optional('last_start', instant, 0),
  hosts: optionalList('hosts', listOf(nested(host))),
  slotMs: optional('slot', instant, 0),
  slotDueMs: optional('slot_due', instant, 0),
  reports: optional('reports', count, 0),
  durations: optionalList('durations', listOf(instant)),
  earlyEnds: optionalList('early_ends', listOf(nested(earlyEnd))),
  results: optionalList('results', listOf(nested(usualResult))),
});
