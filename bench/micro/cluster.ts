/** What a ping costs that a node hands to the owner: as bytes, back, and its answer. In messages of 64. */
import {
  AskHead,
  askHeadBytes,
  askKinds,
  beginAsk,
  beginMessage,
  endAsk,
  endMessage,
  messageKinds,
  openMessage,
  pingAnswerBytes,
  readOutcome,
  writePingAnswer,
} from '../../src/cluster/ask-codec.ts';
import { pingAskBytesMax, ReadPing, writePingAsk } from '../../src/cluster/ping-ask.ts';
import type { PingRequest } from '../../src/engine/engine.ts';
import { UuidWords } from '../../src/lib/uuid-words.ts';
import { ByteReader } from '../../src/store/codec/byte-reader.ts';
import { ByteWriter } from '../../src/store/codec/byte-writer.ts';
import { benchMs } from '../harness/checks.ts';
import type { Task } from '../harness/micro.ts';

const count = 64;
const head = { name: 'node-a', id: 123, epoch: 456 };
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
    scheme: 'http',
    method: body.length === 0 ? 'GET' : 'POST',
    remoteAddr: '192.168.100.27',
    ua: 'curl/8.5.0',
    body,
    searchable: { door: 'http', body },
    receivedAtMs: benchMs,
  };
}

function encode(ping: PingRequest): Buffer {
  beginMessage(writer, messageKinds.asks, head);
  for (let number = 1; number <= count; number++) {
    writer.reserve(askHeadBytes + pingAskBytesMax(ping));
    const start = writer.length;
    beginAsk(writer, askKinds.ping, number);
    writePingAsk(writer, ping);
    endAsk(writer, start);
  }
  return endMessage(writer);
}

const ask = new AskHead();
const read = new ReadPing();

function decode(message: Buffer): number {
  openMessage(reader, messageKinds.asks, message);
  let sum = 0;
  while (reader.left > 0) {
    ask.read(reader);
    sum += read.read(reader).receivedAtMs;
    reader.at = ask.end;
  }
  return sum;
}

function encodeAnswers(): Buffer {
  beginMessage(writer, messageKinds.answers, head);
  writer.reserve(count * pingAnswerBytes);
  for (let number = 1; number <= count; number++) writePingAnswer(writer, number, 'ok');
  return endMessage(writer);
}

function decodeAnswers(message: Buffer): number {
  openMessage(reader, messageKinds.answers, message);
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

export const clusterTasks: readonly Task[] = [
  { name: 'forward a ping: encode', times: count, run: () => encode(short) },
  { name: 'forward a ping: decode', times: count, run: () => decode(shortMessage) },
  { name: 'forward a ping with 1 kB: encode', times: count, run: () => encode(long) },
  { name: 'forward a ping with 1 kB: decode', times: count, run: () => decode(longMessage) },
  { name: 'forward a ping: encode its answer', times: count, run: encodeAnswers },
  { name: 'forward a ping: decode its answer', times: count, run: () => decodeAnswers(answers) },
];
