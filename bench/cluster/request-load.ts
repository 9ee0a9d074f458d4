/**
 * Pings handed to the leader as a client hands them, over NATS in full messages, without the HTTP requests that a client has them
 * from: what a leader can take. A process of its own. Reads an `RequestLoad` as JSON, prints a `Loaded` as JSON: its latencies are
 * of whole messages, from when one is published until the last of its answers is there.
 */
import { readFileSync } from 'node:fs';
import { forwardedPingBytesMax, writeForwardedPing } from '../../src/cluster/requests/forwarded-ping.ts';
import {
  answerKinds,
  beginRequest,
  beginRequests,
  endMessage,
  endRequest,
  isRecorded,
  openAnswers,
  readOutcome,
  requestHeadBytes,
  requestKinds,
} from '../../src/cluster/requests/request-codec.ts';
import { subjectsOf } from '../../src/cluster/requests/subjects.ts';
import type { PingRequest } from '../../src/engine/contract/engine.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { ByteReader } from '../../src/store/codec/byte-reader.ts';
import { ByteWriter } from '../../src/store/codec/byte-writer.ts';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { connectNats } from '../../src/store/replicated/nats-link.ts';
import { words } from '../../test/support/words.ts';
import type { Loaded } from '../harness/generator.ts';
import { percentile } from '../harness/numbers.ts';

export interface RequestLoad {
  readonly servers: readonly string[];
  readonly cluster: string;
  readonly leader: string;
  readonly epoch: number;
  /** One a line. */
  readonly uuidsFile: string;
  /** In each message. */
  readonly pings: number;
  /** Messages whose answers are waited for at the same time. */
  readonly inFlight: number;
  readonly seconds: number;
}

let input = '';
for await (const chunk of process.stdin) input += chunk;
const load: RequestLoad = JSON.parse(input);
const uuids = readFileSync(load.uuidsFile, 'utf8').trimEnd().split('\n').map(words);
const link = await connectNats({
  urls: load.servers,
  token: null,
  tls: null,
  name: 'bench',
  scheduler: eventLoop,
  logger: silentLogger,
  signal: new AbortController().signal,
});
const bus = link.bus();
const client = { name: 'bench', id: process.pid };
const subjects = subjectsOf(load.cluster);
const head = { ...client, epoch: load.epoch };
const writer = new ByteWriter(256_000);
const reader = new ByteReader();
/** Until then nothing is counted: the code of this very process is still cold. */
const warmUpMs = Math.min(500, load.seconds * 500);

/** By the message's place among all: when it was published, and how many of its answers are missing. */
const waiting = new Map<number, { readonly sentMs: number; missing: number }>();
const latencies: number[] = [];
let sent = 0;
let requests = 0;
let counted = 0;
let errors = 0;

function pingOf(uuid: ReturnType<typeof words>): PingRequest {
  const body = new Uint8Array(0);
  return {
    target: { by: 'uuid', uuid },
    error: null,
    action: 'success',
    exitStatus: null,
    rid: null,
    host: '',
    results: [],
    scheme: 'http',
    method: 'GET',
    remoteAddr: '127.0.0.1',
    ua: 'bench',
    body,
    searchable: { via: 'http', body },
    receivedAtMs: Date.now(),
  };
}

const pings = uuids.map(pingOf);
const pingBytesMax = Math.max(...pings.map((ping) => requestHeadBytes + forwardedPingBytesMax(ping)));

/** Of the leader's clock, in its latest answer. */
let echoMs = Number.NEGATIVE_INFINITY;

function beginMessage(): void {
  beginRequests(writer, head, { echoMs, sentAtMs: Date.now(), lowestPing: 1, lowestRequest: 1 });
}

function publish(): void {
  beginMessage();
  const first = sent * load.pings;
  const receivedAtMs = Date.now();
  for (let number = first; number < first + load.pings; number++) {
    const ping = pings[number % pings.length];
    if (!ping) continue;
    writer.reserve(pingBytesMax);
    const start = writer.length;
    beginRequest(writer, requestKinds.ping, number + 1);
    writeForwardedPing(writer, { ...ping, receivedAtMs });
    endRequest(writer, start);
  }
  waiting.set(sent++, { sentMs: performance.now(), missing: load.pings });
  bus.publish(subjects.requests(load.leader), endMessage(writer));
}

function answered(number: number, isOk: boolean): void {
  const at = Math.floor((number - 1) / load.pings);
  const message = waiting.get(at);
  if (!message) return;
  requests++;
  if (!isOk) errors++;
  const nowMs = performance.now();
  if (nowMs >= countFromMs && nowMs < endMs) counted++;
  if (--message.missing > 0) return;
  waiting.delete(at);
  if (message.sentMs >= countFromMs && nowMs < endMs) latencies.push(nowMs - message.sentMs);
  if (nowMs < endMs) publish();
  else if (waiting.size === 0) over();
}

let over = (): void => {};
const ended = new Promise<void>((resolve) => {
  over = resolve;
});
const countFromMs = performance.now() + warmUpMs;
const endMs = countFromMs + load.seconds * 1000;
let startCpu = process.cpuUsage();
setTimeout(() => {
  startCpu = process.cpuUsage();
}, warmUpMs);
let cpu = Number.NaN;
setTimeout(() => {
  const used = process.cpuUsage(startCpu);
  cpu = (used.user + used.system) / 1e6 / load.seconds;
}, endMs - performance.now());
bus.subscribe(subjects.answers(client), (message) => {
  const answers = openAnswers(reader, message);
  if (answers === null) return;
  const isFirst = echoMs === Number.NEGATIVE_INFINITY;
  echoMs = answers.stampMs;
  while (isFirst && sent < load.inFlight) publish();
  while (reader.left > 0) {
    if (reader.u8() !== answerKinds.ping) throw new Error('an answer to no ping');
    answered(reader.f64(), isRecorded(readOutcome(reader)));
  }
});
// The leader takes what comes behind an answer of its own.
beginMessage();
bus.publish(subjects.requests(load.leader), endMessage(writer));
await ended;
await link.close();
const loaded: Loaded = {
  perSecond: counted / load.seconds,
  p50Ms: percentile(latencies, 50),
  p90Ms: percentile(latencies, 90),
  p99Ms: percentile(latencies, 99),
  p999Ms: percentile(latencies, 99.9),
  requests,
  errors,
  cpu,
};
process.stdout.write(JSON.stringify(loaded));
