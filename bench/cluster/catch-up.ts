/**
 * A node that was away: how many entries of the log it reads in a second, of pings and of an idle cluster. The entries are written
 * without waiting for the answers, as no leader does, since what is measured is reading. Three nats-servers, a Knell that writes
 * the beginning, and then another one that reads all, each alone.
 */
import { join } from 'node:path';
import { connectServers } from '../../src/cluster/joining/connect.ts';
import { type Check, defaultConfig, freshState } from '../../src/domain/check/check.ts';
import { decide } from '../../src/engine/registry/check-actor.ts';
import { asBadgeId, asCheckId, asProjectId } from '../../src/lib/ids.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { UuidWords } from '../../src/lib/uuid-words.ts';
import { ByteWriter } from '../../src/store/codec/byte-writer.ts';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { beginBatch, writePingRecord, writeRecord } from '../../src/store/journal/records.ts';
import { encodeEntry } from '../../src/store/replicated/envelope.ts';
import { askStreamInfo, incarnationOf, logSubject } from '../../src/store/replicated/jetstream.ts';
import { createJetStreamLog } from '../../src/store/replicated/jetstream-log.ts';
import type { NatsLink } from '../../src/store/replicated/nats-link.ts';
import { appendsInFlightMax, type EntryKind } from '../../src/store/replicated/replicated-log.ts';
import type { Context, Figure, Found } from '../harness/bench.ts';
import { type Server, startKnell } from '../harness/process.ts';
import { cpuMsOf } from '../harness/watch-cpu.ts';
import { findNats, NatsServers } from './nats.ts';
import { until } from './until.ts';

const secret = 'a-secret-of-the-bench';
const clusterName = 'knell';
/** Published before their number is compared with what the stream has: it drops what it cannot keep up with. */
const aheadMax = 2000;
const checks = 100;
const entriesTarget = { atLeast: 50_000 };

const entries: Readonly<Record<Context['size'], number>> = {
  smoke: 2000,
  quick: 50_000,
  normal: 200_000,
  full: 1_000_000,
};

export async function run(context: Context): Promise<Found> {
  const program = await findNats(context.size !== 'smoke');
  if (program === null)
    return {
      figures: [],
      skipped: 'there is no nats-server 2.12.4 or later, nor Go to build it',
    };
  const nats = await NatsServers.start(program, join(context.dir, 'nats'));
  const link = await connectServers({
    ...{ cluster: nats.urls, clusterName, clusterCa: null, name: 'bench', logger: silentLogger },
    signal: new AbortController().signal,
  });
  try {
    const ids = await begin(context.dir, nats, link);
    context.progress(0.1);
    const count = entries[context.size];
    const writer = await Writer.at(link);
    await writer.claim();
    await writer.write(count, heartbeatOf);
    context.progress(0.3);
    const heartbeats = await figuresOf(context, nats, 'b', count, 'of an idle cluster', writer.lastSeq);
    await writer.write(count, pingsOf(ids));
    context.progress(0.7);
    const pings = await figuresOf(context, nats, 'b', count, 'of a ping each', writer.lastSeq);
    return {
      figures: [...heartbeats, ...pings],
      load: '3 nats-servers that sync always, a Knell that reads',
    };
  } finally {
    await link.close();
    await nats.end();
  }
}

/** The log, and checks in it. */
async function begin(dir: string, nats: NatsServers, link: NatsLink): Promise<readonly string[]> {
  const log = await createJetStreamLog(
    {
      ...{ link, cluster: clusterName, node: 'bench', scheduler: eventLoop, logger: silentLogger },
      randomHex: () => 'bench',
      signal: new AbortController().signal,
    },
    { firstSeq: 1, incarnation: 'bench' },
  );
  await log.close();
  const server = await start(dir, nats, 'a');
  const key = await until('the leader prints its keys', async () => {
    return /read-write +(\S+)/.exec(server.printed())?.[1] ?? null;
  });
  const ids: string[] = [];
  while (ids.length < checks) {
    const body = JSON.stringify({ name: `job-${ids.length}`, timeout: 86_400 });
    const headers = { 'X-Api-Key': key };
    const answer = await fetch(`${server.url}/api/v3/checks/`, { method: 'POST', headers, body });
    const { uuid }: { uuid: string } = JSON.parse(await answer.text());
    ids.push(uuid);
  }
  await server.end('SIGTERM');
  return ids;
}

function start(dir: string, nats: NatsServers, name: string): Promise<Server> {
  return startKnell({
    dataDir: join(dir, `knell-${name}`),
    env: {
      KNELL_CLUSTER: nats.urls.join(','),
      KNELL_NODE: name,
      KNELL_METRICS: `key:${secret}`,
    },
    logFile: join(dir, `knell-${name}.log`),
  });
}

/** From when its clients open, at which it has read nothing of what is new, until it has all. */
async function figuresOf(
  { dir }: Context,
  nats: NatsServers,
  name: string,
  count: number,
  what: string,
  lastSeq: number,
): Promise<readonly Figure[]> {
  const natsMs = (): number => nats.pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  const server = await start(dir, nats, name);
  const fromMs = performance.now();
  const [fromSeq, fromCpuMs, fromNatsMs] = [await appliedOf(server), cpuMsOf(server.pid), natsMs()];
  await until('all is read', async () => (await appliedOf(server)) >= lastSeq);
  const read = lastSeq - fromSeq;
  const seconds = (performance.now() - fromMs) / 1000;
  const cpuUs = ((cpuMsOf(server.pid) - fromCpuMs) * 1000) / read;
  const natsUs = ((natsMs() - fromNatsMs) * 1000) / read;
  await server.end('SIGTERM');
  const note = `${read} of ${count} read in ${seconds.toFixed(1)} s`;
  return [
    { name: `entries a second, ${what}`, value: read / seconds, unit: '/s', target: entriesTarget, note },
    { name: `processor of the node, ${what}`, value: cpuUs, unit: 'µs an entry' },
    { name: `processor of the nats-servers, ${what}`, value: natsUs, unit: 'µs an entry' },
  ];
}

async function appliedOf(server: Server): Promise<number> {
  const headers = { Authorization: `Bearer ${secret}` };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  return Number(/^knell_cluster_applied (\S+)/m.exec(text)?.[1] ?? 0);
}

/** Writes entries as a leader of that name would, and waits only now and then. */
class Writer {
  lastSeq: number;
  readonly #link: NatsLink;
  readonly #subject: string;
  #epoch = 0;

  private constructor(link: NatsLink, subject: string, lastSeq: number) {
    this.#link = link;
    this.#subject = subject;
    this.lastSeq = lastSeq;
  }

  static async at(link: NatsLink): Promise<Writer> {
    const info = await askStreamInfo(link, clusterName);
    if (info === null) throw new Error('there is no stream');
    const subject = logSubject(clusterName, incarnationOf(info.config, clusterName));
    return new Writer(link, subject, info.state.last_seq);
  }

  async claim(): Promise<void> {
    this.#epoch = this.lastSeq + 1;
    for (let at = 0; at < appendsInFlightMax; at++) this.#put(at === 0 ? 'claim' : 'empty', Buffer.alloc(0));
    await this.#stored();
  }

  async write(count: number, bytesOf: (at: number) => Buffer): Promise<void> {
    for (let at = 0; at < count; at++) {
      this.#put('batch', bytesOf(at));
      if (at % aheadMax === 0) await this.#stored();
    }
    await this.#stored();
  }

  #put(kind: EntryKind, bytes: Buffer): void {
    const entry = { seq: ++this.lastSeq, kind, epoch: this.#epoch, node: 'ghost', bytes };
    this.#link.publish({ subject: this.#subject, data: encodeEntry(entry) });
  }

  async #stored(): Promise<void> {
    await until(`entry ${this.lastSeq} is stored`, async () => {
      const info = await askStreamInfo(this.#link, clusterName).catch(() => null);
      return (info?.state.last_seq ?? 0) >= this.lastSeq;
    });
  }
}

const writer = new ByteWriter(1000);

function heartbeatOf(): Buffer {
  beginBatch(writer);
  writeRecord(writer, { type: 'alive', atMs: Date.now() });
  return writer.copy();
}

function pingsOf(ids: readonly string[]): (at: number) => Buffer {
  const projectId = asProjectId('00000000-0000-4000-8000-000000000000');
  const all: Check[] = ids.map((id) => ({
    ...{ id: asCheckId(id), projectId, badgeId: asBadgeId(id), createdAtMs: Date.now() },
    config: { ...defaultConfig, name: id, timeoutS: 86_400 },
    state: freshState,
  }));
  const words = new UuidWords();
  return (at) => {
    const index = at % all.length;
    const before = all[index];
    if (!before) throw new Error('there are checks');
    const check = decide(before, { type: 'success', atMs: Date.now(), rid: null });
    all[index] = check;
    beginBatch(writer);
    words.parse(check.id);
    writePingRecord(writer, {
      id: words,
      state: check.state,
      body: new Uint8Array(0),
      ping: {
        ...{ n: check.state.nPings, atMs: Date.now(), signal: 'success', scheme: 'http', method: 'GET' },
        ...{
          remoteAddr: '10.0.0.1',
          ua: 'curl/8.5.0',
          byHand: false,
          rid: null,
          host: '',
          note: null,
          figures: [],
          about: '',
          results: [],
          exitStatus: null,
          bodyBytes: 0,
        },
      },
    });
    return writer.copy();
  };
}
