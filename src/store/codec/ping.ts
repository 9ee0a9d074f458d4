/**
 * Pings and status changes as bytes; the same in journal, history and snapshot, so that the fold copies them.
 *
 * The bytes are laid out by hand, unlike those of rows that are seldom written (`rows`): every ping writes a state and a ping.
 * Both together take 290 ns so; as a msgpack array 830 ns and 29 % more bytes, as a map of named fields 930 to 1,000 ns (minima
 * of 60 rounds, busy machine). That is 0.55 to 0.7 µs of the 11 µs that a ping costs at 256 connections: 5 to 6 %, over the 5 %
 * that would be worth it.
 *
 * Invariant: a ping begins with its length and its `n`, so that one can step over it without decoding.
 */
import { type Status, statuses } from '../../domain/check/check.ts';
import { type Cause, causes, type StatusChange } from '../../domain/check/flip.ts';
import {
  type NoteFigures,
  noFigures,
  type Ping,
  type PingNote,
  type PingOutput,
  pingNotes,
  type Scheme,
  type Signal,
  schemes,
  signals,
} from '../../domain/check/ping.ts';
import { noResults, type Result } from '../../domain/results/result.ts';
import type { RunPing } from '../../domain/runs/latest-runs.ts';
import { assert } from '../../lib/errors.ts';
import { asRunId, type RunId } from '../../lib/ids.ts';
import { ByteReader, damaged } from './byte-reader.ts';
import { type ByteWriter, stringBytesMax } from './byte-writer.ts';
import { uuidBytes } from './uuid.ts';

/** Methods that take one byte; 255 announces another one in full. */
const methods = ['', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;
const otherMethod = 255;

const hasRid = 1;
const hasExit = 2;
const hasBody = 4;
/** Flags a ping that a person sent. It takes no extra byte, and a version that does not know the flag reads the rest. */
const isByHand = 8;
const hasHost = 16;
const hasNote = 32;
/** Follows the note, so that a ping without one takes no byte more. */
const hasFigures = 64;
/** Come last, so that a ping without any takes no byte more. */
const hasResults = 128;

const numbers = {
  signal: numbering<Signal>(signals),
  scheme: numbering<Scheme>(schemes),
  method: numbering<string>(methods),
  status: numbering<Status>(statuses),
  cause: numbering<Cause>(causes),
  note: numbering<PingNote>(pingNotes),
};

function numbering<Name>(names: readonly Name[]): ReadonlyMap<Name, number> {
  return new Map(names.map((name, index) => [name, index]));
}

/** The most that `writePing` writes. */
export function pingBytesMax(ping: Ping): number {
  const host = ping.host === '' ? 0 : stringBytesMax(ping.host);
  const figures = 8 * ping.figures.length;
  const texts = stringBytesMax(ping.remoteAddr) + stringBytesMax(ping.method) + stringBytesMax(ping.ua);
  const about = ping.about === '' ? 0 : stringBytesMax(ping.about);
  return 64 + texts + host + figures + about + resultsBytesMax(ping.results);
}

/** Space must be reserved. */
export function writePing(writer: ByteWriter, ping: Ping): void {
  const start = writer.length;
  const method = numbers.method.get(ping.method) ?? otherMethod;
  const parts =
    (ping.rid === null ? 0 : hasRid) |
    (ping.exitStatus === null ? 0 : hasExit) |
    (ping.bodyBytes === 0 ? 0 : hasBody) |
    (ping.byHand ? isByHand : 0) |
    (ping.host === '' ? 0 : hasHost) |
    (ping.note === null ? 0 : hasNote) |
    (ping.figures.length === 0 ? 0 : hasFigures) |
    (ping.results.length === 0 ? 0 : hasResults);
  writer.u16(0);
  writer.u48(ping.n);
  writer.f64(ping.atMs);
  writer.u8((numbers.signal.get(ping.signal) ?? 0) | ((numbers.scheme.get(ping.scheme) ?? 0) << 4));
  writer.u8(method);
  writer.u8(parts);
  writer.string(ping.remoteAddr);
  writer.string(ping.ua);
  if (method === otherMethod) writer.string(ping.method);
  if (ping.rid !== null) writer.uuid(ping.rid);
  if (ping.exitStatus !== null) writer.u16(ping.exitStatus);
  if (ping.bodyBytes !== 0) writer.u32(ping.bodyBytes);
  if (ping.host !== '') writer.string(ping.host);
  if (ping.note !== null) writer.u8(numbers.note.get(ping.note) ?? 0);
  if (ping.note === 'result') writer.string(ping.about);
  if (ping.figures.length !== 0) writeFigures(writer, ping.figures);
  if (ping.results.length !== 0) writeResults(writer, ping.results);
  const size = writer.length - start - 2;
  assert(size < 65_536, 'the listeners bound what a ping carries besides its body');
  writer.patchU16(start, size);
}

function writeFigures(writer: ByteWriter, figures: NoteFigures): void {
  writer.u8(figures.length);
  for (const figure of figures) writer.f64(figure);
}

function readFigures(reader: ByteReader): NoteFigures {
  return Array.from({ length: reader.u8() }, () => reader.f64());
}

function resultsBytesMax(results: readonly Result[]): number {
  let bytes = results.length === 0 ? 0 : 1;
  for (const { name } of results) bytes += 8 + stringBytesMax(name);
  return bytes;
}

function writeResults(writer: ByteWriter, results: readonly Result[]): void {
  writer.u8(results.length);
  for (const { name, value } of results) {
    writer.string(name);
    writer.f64(value);
  }
}

function readResults(reader: ByteReader): readonly Result[] {
  return Array.from({ length: reader.u8() }, () => ({ name: reader.string(), value: reader.f64() }));
}

/** One ping; `bodyFrom` is the oldest ping whose body is still kept. */
export function readPing(reader: ByteReader, bodyFrom: number): Ping {
  const size = reader.u16();
  const end = reader.at + size;
  const n = reader.u48();
  const atMs = reader.f64();
  const kinds = reader.u8();
  const methodNumber = reader.u8();
  const parts = reader.u8();
  const remoteAddr = reader.string();
  const ua = reader.string();
  const method = methodNumber === otherMethod ? reader.string() : reader.oneOf(methods, methodNumber);
  const rid = parts & hasRid ? asRunId(reader.uuid()) : null;
  const exitStatus = parts & hasExit ? reader.u16() : null;
  const bodyBytes = parts & hasBody ? reader.u32() : 0;
  const host = parts & hasHost ? reader.string() : '';
  const note = parts & hasNote ? reader.oneOf(pingNotes, reader.u8()) : null;
  const about = note === 'result' ? reader.string() : '';
  const figures = parts & hasFigures ? readFigures(reader) : noFigures;
  const results = parts & hasResults ? readResults(reader) : noResults;
  if (reader.at !== end) throw damaged('a ping has a wrong length');
  return {
    n,
    atMs,
    signal: reader.oneOf(signals, kinds & 15),
    scheme: reader.oneOf(schemes, kinds >> 4),
    remoteAddr,
    method,
    ua,
    byHand: (parts & isByHand) !== 0,
    rid,
    exitStatus,
    host,
    note,
    figures,
    about,
    results,
    bodyBytes: n < bodyFrom ? 0 : bodyBytes,
  };
}

/** Reads the parts of one ping that describe its run; steps over the rest. */
export function readRunPing(reader: ByteReader): RunPing {
  const size = reader.u16();
  const end = reader.at + size;
  const n = reader.u48();
  const atMs = reader.f64();
  const signal = reader.oneOf(signals, reader.u8() & 15);
  const methodNumber = reader.u8();
  const parts = reader.u8();
  let rid: RunId | null = null;
  let exitStatus: number | null = null;
  let host = '';
  let note: PingNote | null = null;
  let figures = noFigures;
  let about = '';
  let results = noResults;
  if (parts & (hasRid | hasExit | hasHost | hasNote | hasResults)) {
    for (let texts = methodNumber === otherMethod ? 3 : 2; texts > 0; texts--) reader.skip(reader.varint());
    if (parts & hasRid) rid = asRunId(reader.uuid());
    if (parts & hasExit) exitStatus = reader.u16();
    if (parts & hasBody) reader.skip(4);
    if (parts & hasHost) host = reader.string();
    if (parts & hasNote) note = reader.oneOf(pingNotes, reader.u8());
    if (note === 'result') about = reader.string();
    if (parts & hasFigures) figures = readFigures(reader);
    if (parts & hasResults) results = readResults(reader);
  }
  reader.skip(end - reader.at);
  const byHand = (parts & isByHand) !== 0;
  return { n, atMs, signal, rid, exitStatus, host, note, figures, about, results, byHand };
}

/** Reads the parts of one ping that a search needs; steps over the rest. `bodyFrom` as of `readPing`. */
export function readPingOutput(reader: ByteReader, bodyFrom: number): PingOutput {
  const size = reader.u16();
  const end = reader.at + size;
  const n = reader.u48();
  const atMs = reader.f64();
  const kinds = reader.u8();
  const methodNumber = reader.u8();
  const parts = reader.u8();
  let bodyBytes = 0;
  if (parts & hasBody && n >= bodyFrom) {
    for (let texts = methodNumber === otherMethod ? 3 : 2; texts > 0; texts--) reader.skip(reader.varint());
    if (parts & hasRid) reader.skip(uuidBytes);
    if (parts & hasExit) reader.skip(2);
    bodyBytes = reader.u32();
  }
  reader.skip(end - reader.at);
  return {
    n,
    atMs,
    signal: reader.oneOf(signals, kinds & 15),
    scheme: reader.oneOf(schemes, kinds >> 4),
    bodyBytes,
  };
}

/** Steps over one ping and returns its `n`. */
export function skipPing(reader: ByteReader): number {
  const size = reader.u16();
  const start = reader.skip(size);
  const end = reader.at;
  reader.at = start;
  const n = reader.u48();
  reader.at = end;
  return n;
}

/** Length, n, instant, kinds: what can be looked at where a ping lies, without a reader. */
const atMsOffset = 2 + 6;
const kindsOffset = atMsOffset + 8;
const pingHeadBytes = kindsOffset + 1;

/** Bytes of the ping that begins at `start`, with its length field. */
export function pingBytesAt(bytes: Buffer, start: number): number {
  const size = 2 + bytes.readUInt16LE(start);
  if (size < pingHeadBytes || start + size > bytes.length) throw damaged('a ping has a wrong length');
  return size;
}

export function atMsOfPing(bytes: Buffer, start: number): number {
  return bytes.readDoubleLE(start + atMsOffset);
}

/** What a ping reported of its run, without reading the rest where it reported nothing. */
export function resultsOfPing(bytes: Buffer, start: number): readonly Result[] {
  const parts = bytes[start + kindsOffset + 2] ?? 0;
  return parts & hasResults ? readRunPing(resultsReader.open(bytes.subarray(start))).results : noResults;
}

const resultsReader = new ByteReader();

export function signalOfPing(bytes: Buffer, start: number): Signal {
  const signal = signals[(bytes[start + kindsOffset] ?? 0) & 15];
  if (signal === undefined) throw damaged('a ping has an unknown signal');
  return signal;
}

/** Whether the ping came with a body, kept or not. */
export function hasBodyAt(bytes: Buffer, start: number): boolean {
  return ((bytes[start + kindsOffset + 2] ?? 0) & hasBody) !== 0;
}

export const changeBytes = 10;

/** Space for `1 + changeBytes * changes.length` must be reserved. */
export function writeChanges(writer: ByteWriter, changes: readonly StatusChange[]): void {
  assert(changes.length < 256, 'one step makes few changes');
  writer.u8(changes.length);
  for (const change of changes) writeChange(writer, change);
}

/** Space for `changeBytes` must be reserved. */
export function writeChange(writer: ByteWriter, change: StatusChange): void {
  writer.f64(change.atMs);
  writer.u8((numbers.status.get(change.from) ?? 0) | ((numbers.status.get(change.to) ?? 0) << 4));
  writer.u8(numbers.cause.get(change.cause) ?? 0);
}

export function readChange(reader: ByteReader): StatusChange {
  const atMs = reader.f64();
  const pair = reader.u8();
  return {
    atMs,
    from: reader.oneOf(statuses, pair & 15),
    to: reader.oneOf(statuses, pair >> 4),
    cause: reader.oneOf(causes, reader.u8()),
  };
}
