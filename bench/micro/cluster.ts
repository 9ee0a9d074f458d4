/**
 * What a ping costs that a node hands to the owner: as bytes, back, and its answer; then all that client and owner do for it, apart
 * from its HTTP request, the bus and the engine. In messages of 64.
 */

import type { Bus } from '../../src/cluster/bus/bus.ts';
import {
  forwardedPingBytesMax,
  ReadPing,
  writeForwardedPing,
} from '../../src/cluster/requests/forwarded-ping.ts';
import { Forwarder } from '../../src/cluster/requests/forwarder.ts';
import {
  beginAnswers,
  beginRequest,
  beginRequests,
  endMessage,
  endRequest,
  openAnswers,
  openRequests,
  pingAnswerBytes,
  RequestHead,
  readOutcome,
  requestHeadBytes,
  requestKinds,
  writePingAnswer,
} from '../../src/cluster/requests/request-codec.ts';
import { RequestServer } from '../../src/cluster/requests/request-server.ts';
import { subjectsOf } from '../../src/cluster/requests/subjects.ts';
import type { PingOutcome, PingRequest } from '../../src/engine/contract/engine.ts';
import { UuidWords } from '../../src/lib/uuid-words.ts';
import { limits } from '../../src/limits.ts';
import { ByteReader } from '../../src/store/codec/byte-reader.ts';
import { ByteWriter } from '../../src/store/codec/byte-writer.ts';
import { benchMs } from '../harness/checks.ts';
import type { Task } from '../harness/micro.ts';

const count = 64;
const head = { name: 'node-a', id: 123, epoch: 456 };
const marks = { echoMs: 0, sentAtMs: benchMs, lowestPing: 1, lowestRequest: 1 };
const writer = new ByteWriter(256_000);
const reader = new ByteReader();
const uuid = new UuidWords();
uuid.parse('5f0a7b1c-93f4-4f56-8a11-0e5d8f6a7b2c');

function pingOf(body: Uint8Array): PingRequest {
  return {
    target: { by: 'uuid', uuid },
    error: null,
    action: 'success',
    exitStatus: null,
    rid: null,
    host: '',
    results: [],
    scheme: 'http',
    method: body.length === 0 ? 'GET' : 'POST',
    remoteAddr: '192.168.100.27',
    ua: 'curl/8.5.0',
    body,
    searchable: { via: 'http', body },
    receivedAtMs: benchMs,
  };
}

function encode(ping: PingRequest): Buffer {
  beginRequests(writer, head, marks);
  for (let number = 1; number <= count; number++) {
    writer.reserve(requestHeadBytes + forwardedPingBytesMax(ping));
    const start = writer.length;
    beginRequest(writer, requestKinds.ping, number);
    writeForwardedPing(writer, ping);
    endRequest(writer, start);
  }
  return endMessage(writer);
}

const ask = new RequestHead();
const read = new ReadPing();

function decode(message: Buffer): number {
  openRequests(reader, message);
  let sum = 0;
  while (reader.left > 0) {
    ask.read(reader);
    sum += read.read(reader).receivedAtMs;
    reader.at = ask.end;
  }
  return sum;
}

function encodeAnswers(): Buffer {
  beginAnswers(writer, head, 0);
  writer.reserve(count * pingAnswerBytes);
  for (let number = 1; number <= count; number++) writePingAnswer(writer, number, 'ok');
  return endMessage(writer);
}

function decodeAnswers(message: Buffer): number {
  openAnswers(reader, message);
  let sum = 0;
  while (reader.left > 0) {
    reader.u8();
    sum += reader.f64();
    sum += readOutcome(reader).length;
  }
  return sum;
}

const short = pingOf(new Uint8Array(0));
const long = pingOf(new Uint8Array(1000));
const shortMessage = encode(short);
const longMessage = encode(long);
const answers = encodeAnswers();

/** Runs what is due `soon` when it is asked to. */
class Turns {
  #due: (() => void)[] = [];

  readonly elapsedMs = (): number => performance.now();
  readonly after = (): (() => void) => () => {};
  readonly soon = (run: () => void): (() => void) => {
    this.#due.push(run);
    return () => {};
  };

  end(): void {
    const due = this.#due;
    this.#due = [];
    for (const run of due) run();
  }
}

/** Client and owner, with nothing between them, and an engine that has all answers ready at the end of the turn. */
class Pair {
  readonly #turns = new Turns();
  readonly #forwarder: Forwarder;
  readonly #waiting: (() => void)[] = [];
  #answered = 0;

  constructor() {
    const common = { subjects: subjectsOf('bench'), scheduler: this.#turns };
    const silent: Bus = { messageBytesMax: 1_000_000, publish() {}, subscribe: () => ({ stop() {} }) };
    const client = { name: 'client', id: 1 };
    const nowMs = (): number => benchMs;
    this.#forwarder = new Forwarder({
      ...common,
      bus: silent,
      client,
      limits: limits.cluster.forward,
      nowMs,
    });
    const server = new RequestServer({
      ...common,
      bus: silent,
      node: 'owner',
      limits: limits.cluster.serve,
      nowMs,
      together: { begin() {}, note() {}, end() {} },
      known: { has: () => false, isWhole: () => true, add() {} },
    });
    server.own(1, {
      acceptPing: (_, answer, who) => this.#waiting.push(() => answer('ok', who)),
      serve: () => Promise.reject(new Error('not benched')),
      certainly: () => true,
      isWell: () => true,
    });
    this.#forwarder.takeOver(server, 1);
    // The greeting and its answer.
    this.#turns.end();
  }

  readonly #answer = (outcome: PingOutcome): void => {
    this.#answered += outcome.length;
  };

  message(ping: PingRequest): number {
    for (let number = 1; number <= count; number++) this.#forwarder.acceptPing(ping, this.#answer, null);
    this.#turns.end();
    for (const answer of this.#waiting) answer();
    this.#waiting.length = 0;
    this.#turns.end();
    return this.#answered;
  }
}

const pair = new Pair();

export const clusterTasks: readonly Task[] = [
  { name: 'forward a ping: encode', times: count, run: () => encode(short) },
  { name: 'forward a ping: decode', times: count, run: () => decode(shortMessage) },
  { name: 'forward a ping with 1 kB: encode', times: count, run: () => encode(long) },
  { name: 'forward a ping with 1 kB: decode', times: count, run: () => decode(longMessage) },
  { name: 'forward a ping: encode its answer', times: count, run: encodeAnswers },
  { name: 'forward a ping: decode its answer', times: count, run: () => decodeAnswers(answers) },
  { name: 'forward a ping: client and owner', times: count, run: () => pair.message(short) },
  { name: 'forward a ping with 1 kB: client and owner', times: count, run: () => pair.message(long) },
];
