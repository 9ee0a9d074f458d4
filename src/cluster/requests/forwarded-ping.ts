/**
 * A ping as a client hands it to the leader: `PingRequest` as bytes and back. By hand, as the ping's record is
 * (`store/codec/ping`): it is on the path of every ping of a node that does not lead.
 * Invariant: what the engine reads of a request is the same on both sides. One object serves for every ping that is read.
 */
import { type Action, pingActions, type Searchable } from '../../domain/check/classify.ts';
import type { GivenNewCheck } from '../../domain/check/new-check.ts';
import { type Scheme, schemes } from '../../domain/check/ping.ts';
import { noResults, type Result } from '../../domain/results/result.ts';
import type { PingRequest, PingTarget } from '../../engine/contract/engine.ts';
import { asRunId, type RunId } from '../../lib/ids.ts';
import { UuidWords } from '../../lib/uuid-words.ts';
import type { ByteReader } from '../../store/codec/byte-reader.ts';
import { type ByteWriter, stringBytesMax } from '../../store/codec/byte-writer.ts';

/** A list's order is the format: what is added comes last. */
const actions: readonly Action[] = pingActions;
const errors: readonly PingRequest['error'][] = [null, 'bad-exit-status', 'bad-run-id'];
const targets = ['uuid', 'slug', 'slug-create', 'mailbox'] as const;
const methods = ['', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;
const otherMethod = 255;
/** `body`: keywords are looked for in the ping's own body. */
const searched = ['body', 'mail', 'mail-unread', 'http', 'by-hand'] as const;
type Searched = (typeof searched)[number];

/** In the first byte, which has the target in bits 0 and 1, the error in 2 and 3, and what is searched in 4 to 6. */
const hasSettings = 128;
const searchedBits = 7;
const hasExit = 16;
const hasRid = 32;
const hasBody = 64;
/** The action, the name of the machine and the results are in a part of their own. */
const hasMore = 128;
const actionBits = 3;

const methodNumbers: ReadonlyMap<string, number> = new Map(methods.map((name, index) => [name, index]));

/** The most that `writeForwardedPing` writes. */
export function forwardedPingBytesMax({
  target,
  method,
  remoteAddr,
  ua,
  host,
  results,
  body,
  searchable,
}: PingRequest): number {
  const named =
    target.by === 'uuid'
      ? 16
      : stringBytesMax(target.pingKey) + stringBytesMax(target.slug) + settingsBytesMax(target);
  const texts =
    stringBytesMax(method) + stringBytesMax(remoteAddr) + stringBytesMax(ua) + stringBytesMax(host);
  const numbers = results.reduce((sum, { name }) => sum + 8 + stringBytesMax(name), 1);
  return 48 + named + texts + numbers + body.length + searchableBytesMax(searchable, body);
}

function settingsBytesMax(target: PingTarget): number {
  return target.by === 'slug' && target.settings ? stringBytesMax(JSON.stringify(target.settings)) : 0;
}

function searchableBytesMax(searchable: Searchable, body: Uint8Array): number {
  if (searchable.via === 'http') return searchable.body === body ? 0 : 4 + searchable.body.length;
  if (searchable.via !== 'mail') return 0;
  return searchable.texts.reduce(
    (sum, text) => sum + stringBytesMax(text),
    5 + stringBytesMax(searchable.subject),
  );
}

/** Space must be reserved. */
export function writeForwardedPing(writer: ByteWriter, request: PingRequest): void {
  const { target, exitStatus, rid, host, results, body, searchable } = request;
  const action = actions.indexOf(request.action);
  const isMore = action > actionBits || host !== '' || results.length > 0;
  const method = methodNumbers.get(request.method) ?? otherMethod;
  const search = searchedBy(searchable, body);
  const kind = target.by === 'slug' && target.create ? 'slug-create' : target.by;
  const settings = target.by === 'slug' ? (target.settings ?? null) : null;
  writer.u8(
    targets.indexOf(kind) |
      (errors.indexOf(request.error) << 2) |
      (searched.indexOf(search) << 4) |
      (settings === null ? 0 : hasSettings),
  );
  writer.u8(
    (isMore ? hasMore : action) |
      (schemes.indexOf(request.scheme) << 2) |
      (exitStatus === null ? 0 : hasExit) |
      (rid === null ? 0 : hasRid) |
      (body.length === 0 ? 0 : hasBody),
  );
  writer.u8(method);
  writer.f64(request.receivedAtMs);
  if (target.by === 'uuid') writer.uuidWords(target.uuid);
  else {
    writer.string(target.pingKey);
    writer.string(target.slug);
    if (settings !== null) writer.string(JSON.stringify(settings));
  }
  writer.string(request.remoteAddr);
  writer.string(request.ua);
  if (method === otherMethod) writer.string(request.method);
  // Written as sent: an exit status that is too large is refused by the engine, if the check exists.
  if (exitStatus !== null) writer.f64(exitStatus);
  if (rid !== null) writer.uuid(rid);
  if (isMore) {
    writer.u8(action);
    writer.string(host);
    writer.u8(results.length);
    for (const { name, value } of results) {
      writer.string(name);
      writer.f64(value);
    }
  }
  if (body.length > 0) writeBytes(writer, body);
  if (search !== 'body') writeSearchable(writer, searchable);
}

function searchedBy(searchable: Searchable, body: Uint8Array): Searched {
  if (searchable.via !== 'http') return searchable.via;
  return searchable.body === body ? 'body' : 'http';
}

function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  writer.u32(bytes.length);
  writer.raw(bytes);
}

function writeSearchable(writer: ByteWriter, searchable: Searchable): void {
  if (searchable.via === 'http') writeBytes(writer, searchable.body);
  if (searchable.via !== 'mail') return;
  writer.string(searchable.subject);
  writer.varint(searchable.texts.length);
  for (const text of searchable.texts) writer.string(text);
}

const noBody = new Uint8Array(0);
const unread: Searchable = { via: 'mail-unread' };
const byHand: Searchable = { via: 'by-hand' };

/** One ping after the other: the engine has read it before the next one is. */
export class ReadPing implements PingRequest {
  target: PingTarget;
  error: PingRequest['error'] = null;
  action: Action = 'success';
  exitStatus: number | null = null;
  rid: RunId | null = null;
  host = '';
  results: readonly Result[] = noResults;
  scheme: Scheme = 'http';
  method = '';
  remoteAddr = '';
  ua = '';
  /** A view of what was read. */
  body: Uint8Array = noBody;
  searchable: Searchable;
  receivedAtMs = 0;
  readonly #byUuid = { by: 'uuid' as const, uuid: new UuidWords() };
  readonly #inBody: { readonly via: 'http'; body: Uint8Array } = { via: 'http', body: noBody };

  constructor() {
    this.target = this.#byUuid;
    this.searchable = this.#inBody;
  }

  /** Throws for bytes that mean nothing. */
  read(reader: ByteReader): this {
    const kinds = reader.u8();
    const parts = reader.u8();
    const method = reader.u8();
    this.error = reader.oneOf(errors, (kinds >> 2) & 3);
    this.action = reader.oneOf(actions, parts & actionBits);
    this.scheme = reader.oneOf(schemes, (parts >> 2) & 3);
    this.receivedAtMs = reader.f64();
    this.#readTarget(reader, reader.oneOf(targets, kinds & 3), (kinds & hasSettings) !== 0);
    this.remoteAddr = reader.string();
    this.ua = reader.string();
    this.method = method === otherMethod ? reader.string() : reader.oneOf(methods, method);
    this.exitStatus = parts & hasExit ? reader.f64() : null;
    this.rid = parts & hasRid ? asRunId(reader.uuid()) : null;
    if (parts & hasMore) this.action = reader.oneOf(actions, reader.u8());
    this.host = parts & hasMore ? reader.string() : '';
    this.results = parts & hasMore ? resultsOf(reader) : noResults;
    this.body = parts & hasBody ? reader.raw(reader.u32()) : noBody;
    this.#readSearchable(reader, reader.oneOf(searched, (kinds >> 4) & searchedBits));
    return this;
  }

  #readTarget(reader: ByteReader, by: (typeof targets)[number], isSet: boolean): void {
    if (by === 'uuid') {
      const { uuid } = this.#byUuid;
      uuid.w0 = signed(reader);
      uuid.w1 = signed(reader);
      uuid.w2 = signed(reader);
      uuid.w3 = signed(reader);
      this.target = this.#byUuid;
      return;
    }
    const pingKey = reader.string();
    const slug = reader.string();
    if (by === 'mailbox') {
      this.target = { by, pingKey, slug };
      return;
    }
    const settings = isSet ? (JSON.parse(reader.string()) as GivenNewCheck) : null;
    this.target = { by: 'slug', pingKey, slug, create: by === 'slug-create', settings };
  }

  #readSearchable(reader: ByteReader, by: Searched): void {
    if (by === 'body') {
      this.#inBody.body = this.body;
      this.searchable = this.#inBody;
    } else if (by === 'mail-unread') this.searchable = unread;
    else if (by === 'by-hand') this.searchable = byHand;
    else if (by === 'http') this.searchable = { via: 'http', body: reader.raw(reader.u32()) };
    else {
      const subject = reader.string();
      const texts = Array.from({ length: reader.varint() }, () => reader.string());
      this.searchable = { via: 'mail', subject, texts };
    }
  }
}

function resultsOf(reader: ByteReader): readonly Result[] {
  return Array.from({ length: reader.u8() }, () => ({ name: reader.string(), value: reader.f64() }));
}

/** Words are written with their highest byte first. */
function signed(reader: ByteReader): number {
  const word = reader.u32();
  return ((word & 255) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}
