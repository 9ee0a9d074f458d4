/**
 * The counterpart of a commit to a cluster's log: one message of 4 kB after the other, published to a stream of three replicas
 * behind the one before it, nothing else. A process of its own: `publish.js URLS SECONDS` prints the median, as JSON.
 */
import { randomBytes } from 'node:crypto';
import { silentLogger } from '../../src/lib/logger.ts';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { JetStream } from '../../src/store/replicated/jetstream.ts';
import { createJetStreamLog } from '../../src/store/replicated/jetstream-log.ts';
import { connectNats } from '../../src/store/replicated/nats-link.ts';
import { percentile } from '../harness/numbers.ts';

const [urls = '', seconds = '1'] = process.argv.slice(2);
const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
const { signal } = new AbortController();
const common = { scheduler: eventLoop, logger: silentLogger, signal };
const link = await connectNats({ ...common, urls: urls.split(','), token: null, tls: null, name: 'bare' });
// A stream of its own in each run.
const cluster = `bare-${randomHex(4)}`;
const incarnation = randomHex(8);
await createJetStreamLog({ ...common, link, cluster, node: 'bare', randomHex }, { firstSeq: 1, incarnation });
const stream = new JetStream(link, cluster, incarnation, `bare.${cluster}`);
const bytes = Buffer.alloc(4096, 7);
const commitsMs: number[] = [];
const endMs = performance.now() + Number(seconds) * 1000;
let seq = 0;
for (let startedMs = performance.now(); startedMs < endMs; startedMs = performance.now()) {
  const message = { id: `${cluster}.${seq}`, bytes, expectedSeq: seq };
  const answer = await new Promise<string>((resolve) => stream.publish(message, ({ kind }) => resolve(kind)));
  if (answer !== 'stored') throw new Error(`the stream says ${answer}`);
  seq++;
  commitsMs.push(performance.now() - startedMs);
}
await stream.close();
await link.close();
process.stdout.write(JSON.stringify({ p50Ms: percentile(commitsMs, 50) }));
