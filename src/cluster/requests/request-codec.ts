/**
 * The messages between a client and the leader: many requests in one, their answers in another. Not here: what a ping (`forwarded-ping`)
 * or an HTTP request (`forwarded-request`) looks like, who sends what when (`forwarder`, `request-server`).
 *
 * A message is a head, entries and a CRC-32 of all of it. Each entry has a number that its client gave it. What is too large for
 * one message goes in parts, in order. The head of an answer has a stamp of the leader's clock, and that of the next requests returns
 * it: however long a message is held back on its way, the leader knows how old it is at most, without a clock in common.
 * Invariants: the first byte is the version of the format. A message that is damaged or newer is refused as a whole, and no byte
 * of it has an effect. A client's number means one request only, for as long as its process lives: a new process has another id.
 */
import { crc32 } from 'node:zlib';
import { type PingOutcome, pingOutcomes } from '../../engine/contract/engine.ts';
import { assert, KnellError } from '../../lib/errors.ts';
import type { ByteReader } from '../../store/codec/byte-reader.ts';
import { type ByteWriter, stringBytesMax } from '../../store/codec/byte-writer.ts';
import { requestPartBytesMax } from '../bus/limits.ts';

/** 2: by what a leader recognizes a late copy of a request (`RequestMarks`, the stamp of an answer). */
export const messageVersion = 2;
/** Kinds of messages that a node says it can read (`node-status`). */
const messageKinds = { requests: 1, answers: 2 } as const;
type MessageKind = (typeof messageKinds)[keyof typeof messageKinds];

/** Whose requests these are, or for whom these answers. */
export interface Client {
  /** The node's name. */
  readonly name: string;
  /** 32 bits, drawn anew when the process starts. */
  readonly id: number;
}

export interface MessageHead extends Client {
  /** Epoch of the leader that is asked, or that answers. */
  readonly epoch: number;
}

/** Marks of all requests of a client, in the head of each message. */
export interface RequestMarks {
  /** The latest stamp of this leader that has come; milliseconds of the leader's `elapsedMs`. The message was sent after it. */
  readonly echoMs: number;
  /** Time on the client's wall clock, which also dates its pings and requests. */
  readonly sentAtMs: number;
  /** The lowest numbers of a ping and of a request that the client still waits for: it has given up on what is below. */
  readonly lowestPing: number;
  readonly lowestRequest: number;
}

/** Pings are numbered from 1 on, requests from here on: a number means one request of its client. */
export const firstRequestNumber = 2 ** 40;

const checksumBytes = 4;
const marksBytes = 32;
/** Version, kind, epoch, id and the length of the name. */
const headBytesMin = 15;

/** The most that a message of no entry takes. */
export function emptyMessageBytesMax({ name }: Client): number {
  return headBytesMin + stringBytesMax(name) + marksBytes + checksumBytes;
}

/** `beginRequests` and `beginAnswers` write what follows this head. */
function beginMessage(writer: ByteWriter, kind: MessageKind, { epoch, id, name }: MessageHead): void {
  writer.clear();
  writer.reserve(headBytesMin + stringBytesMax(name) + marksBytes);
  writer.u8(messageVersion);
  writer.u8(kind);
  writer.f64(epoch);
  writer.u32(id);
  writer.string(name);
}

export function beginRequests(writer: ByteWriter, head: MessageHead, marks: RequestMarks): void {
  beginMessage(writer, messageKinds.requests, head);
  writer.f64(marks.echoMs);
  writer.f64(marks.sentAtMs);
  writer.f64(marks.lowestPing);
  writer.f64(marks.lowestRequest);
}

/** `stampMs`: by the leader's `elapsedMs`, now. */
export function beginAnswers(writer: ByteWriter, head: MessageHead, stampMs: number): void {
  beginMessage(writer, messageKinds.answers, head);
  writer.f64(stampMs);
}

/** The whole message, in memory of its own. */
export function endMessage(writer: ByteWriter): Buffer {
  const checksum = crc32(writer.view());
  writer.reserve(checksumBytes);
  writer.u32(checksum);
  return writer.copy();
}

export interface RequestsHead extends MessageHead, RequestMarks {}

export interface AnswersHead extends MessageHead {
  readonly stampMs: number;
}

/** Leaves `reader` at the first entry. Null for what is damaged, newer or of another kind. */
export function openRequests(reader: ByteReader, message: Uint8Array): RequestsHead | null {
  const head = openMessage(reader, messageKinds.requests, message);
  return (
    head &&
    unlessDamaged(() => ({
      ...head,
      echoMs: reader.f64(),
      sentAtMs: reader.f64(),
      lowestPing: reader.f64(),
      lowestRequest: reader.f64(),
    }))
  );
}

/** Opens a message of answers, as `openRequests` does one of requests. */
export function openAnswers(reader: ByteReader, message: Uint8Array): AnswersHead | null {
  const head = openMessage(reader, messageKinds.answers, message);
  return head && unlessDamaged(() => ({ ...head, stampMs: reader.f64() }));
}

function openMessage(reader: ByteReader, kind: MessageKind, message: Uint8Array): MessageHead | null {
  const end = message.length - checksumBytes;
  if (end < headBytesMin || message[0] !== messageVersion || message[1] !== kind) return null;
  reader.open(message).window(end, message.length);
  if (reader.u32() !== crc32(message.subarray(0, end))) return null;
  return unlessDamaged(() => {
    reader.window(2, end);
    const epoch = reader.f64();
    const id = reader.u32();
    return { epoch, id, name: reader.string() };
  });
}

/** Null where `read` meets bytes that mean nothing. */
export function unlessDamaged<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

export function isDamage(error: unknown): boolean {
  return error instanceof KnellError && error.code === 'store-broken';
}

/** `more`: so much of an HTTP reply has come, and the rest may follow. */
export const requestKinds = { ping: 1, http: 2, more: 3 } as const;
const isPart = 16;
const isAgain = 32;
const kindMask = 15;

/** Kind, number and length. */
export const requestHeadBytes = 13;
/** Bytes of the head of an entry that is a part: it has the part's offset and the length of the whole. */
export const partHeadBytes = requestHeadBytes + 8;

/** Begins a request; the bytes until `endRequest` are the content. Space for the head must be reserved. */
export function beginRequest(writer: ByteWriter, kind: number, number: number): void {
  writer.u8(kind);
  writer.f64(number);
  writer.u32(0);
}

/** `start`: where the entry begins. */
export function endRequest(writer: ByteWriter, start: number): void {
  writer.patchU32(start + 9, writer.length - start - requestHeadBytes);
}

/** One part of the content of a request. */
export interface RequestPart {
  readonly kind: number;
  readonly number: number;
  readonly offset: number;
  readonly total: number;
  readonly bytes: Uint8Array;
}

export function writeRequestPart(
  writer: ByteWriter,
  { kind, number, offset, total, bytes }: RequestPart,
): void {
  writer.reserve(partHeadBytes + bytes.length);
  const start = writer.length;
  beginRequest(writer, kind | isPart, number);
  writer.u32(offset);
  writer.u32(total);
  writer.raw(bytes);
  endRequest(writer, start);
}

/** The HTTP reply to `number` has come up to `received` bytes. */
export function writeMore(writer: ByteWriter, number: number, received: number): void {
  writer.reserve(requestHeadBytes + 6);
  const start = writer.length;
  beginRequest(writer, requestKinds.more, number);
  writer.u48(received);
  endRequest(writer, start);
}

/** An entry as it was sent before, to another leader. */
export function writeAgain(writer: ByteWriter, entry: Uint8Array): void {
  writer.reserve(entry.length);
  const start = writer.length;
  writer.raw(entry);
  writer.patchU8(start, (entry[0] ?? 0) | isAgain);
}

/** The head of one request: filled in anew for each. */
export class RequestHead {
  kind = 0;
  number = 0;
  /** It was sent to another leader before, so its record may be in the log. */
  again = false;
  /** Its content is the part from `offset` on of `total` bytes. */
  part = false;
  offset = 0;
  total = 0;
  /** Offset at which its content ends. */
  end = 0;

  /** Leaves `reader` at the content. Throws for bytes that mean nothing. */
  read(reader: ByteReader): void {
    const flags = reader.u8();
    this.kind = flags & kindMask;
    this.again = (flags & isAgain) !== 0;
    this.part = (flags & isPart) !== 0;
    this.number = reader.f64();
    const size = reader.u32();
    const start = reader.skip(size);
    this.end = reader.at;
    reader.at = start;
    if (!this.part) return;
    this.offset = reader.u32();
    this.total = reader.u32();
  }
}

/** Bytes of the outcomes; a new one gets a new byte, since nodes of two versions talk to each other. */
const outcomeBytes = {
  ok: 0,
  created: 1,
  'not-found': 2,
  ambiguous: 3,
  'over-limit': 4,
  'too-many-new': 5,
  'slug-too-long': 6,
  'store-full': 7,
  unavailable: 8,
  'bad-exit-status': 9,
  'bad-run-id': 10,
  'log-silent': 11,
  'unknown-key': 12,
  'bad-settings': 13,
} as const satisfies Readonly<Record<PingOutcome, number>>;
const outcomes: PingOutcome[] = [];
for (const outcome of pingOutcomes) outcomes[outcomeBytes[outcome]] = outcome;

/** Such a ping is in the log. */
export function isRecorded(outcome: PingOutcome): boolean {
  return outcome === 'ok' || outcome === 'created';
}

const retryable: ReadonlySet<PingOutcome> = new Set(['unavailable', 'store-full', 'log-silent']);

/** It says what is or is not there: only a node that is certain to lead knows that. */
export function isVerdict(outcome: PingOutcome): boolean {
  return !isRecorded(outcome) && !retryable.has(outcome);
}

export const answerKinds = { ping: 1, http: 2 } as const;
/** Kind, number, outcome. */
export const pingAnswerBytes = 10;
/** Kind, number, where the part begins, length of the whole, length of the part. */
export const httpAnswerHeadBytes = 25;

/** Space must be reserved. */
export function writePingAnswer(writer: ByteWriter, number: number, outcome: PingOutcome): void {
  writer.u8(answerKinds.ping);
  writer.f64(number);
  writer.u8(outcomeBytes[outcome]);
}

export interface HttpAnswerPart {
  readonly number: number;
  readonly offset: number;
  readonly total: number;
  readonly bytes: Uint8Array;
}

export function writeHttpAnswer(writer: ByteWriter, { number, offset, total, bytes }: HttpAnswerPart): void {
  assert(bytes.length <= requestPartBytesMax, 'a reply goes in parts');
  writer.reserve(httpAnswerHeadBytes + bytes.length);
  writer.u8(answerKinds.http);
  writer.f64(number);
  writer.u48(offset);
  writer.u48(total);
  writer.u32(bytes.length);
  writer.raw(bytes);
}

/** A ping's outcome that a newer leader has and this client does not know asks for another try. */
export function readOutcome(reader: ByteReader): PingOutcome {
  return outcomes[reader.u8()] ?? 'unavailable';
}

/** `bytes` are a view of the message. */
export function readHttpAnswer(reader: ByteReader): HttpAnswerPart {
  const number = reader.f64();
  const offset = reader.u48();
  const total = reader.u48();
  return { number, offset, total, bytes: reader.raw(reader.u32()) };
}
