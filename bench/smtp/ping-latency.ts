/**
 * How long an HTTP ping waits while mail pours in, and while none does: in turns, in one run. Pings come at a steady
 * rate, whatever the answers do, so that a stall counts for everyone it would have met.
 * Wanted: p99 at most doubled. `--smoke`: a moment, to see that it works.
 */
import { connect, type Socket } from 'node:net';
import { mailClient, pour } from './mail-load.ts';
import { startKnell } from './servers.ts';

const isSmoke = process.argv.includes('--smoke');
const rounds = isSmoke ? 1 : 5;
const roundMs = isSmoke ? 200 : 4000;
const pingsPerSecond = 1000;
const connections = 16;
const mailConnections = 8;
const endless = 100_000_000;

/** One kept-alive connection; answers come in the order of the requests. */
class Pinger {
  readonly #socket: Socket;
  readonly #request: string;
  readonly #sentMs: number[] = [];

  constructor(url: URL, heard: (tookMs: number) => void) {
    this.#request = `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
    this.#socket = connect(Number(url.port), url.hostname);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk) => {
      for (const _ of chunk.toString('latin1').matchAll(/HTTP\/1\.1 200/g)) {
        heard(performance.now() - (this.#sentMs.shift() ?? 0));
      }
    });
  }

  get isWaiting(): boolean {
    return this.#sentMs.length > 0;
  }

  /** `dueMs`: when the ping should have been sent. */
  ping(dueMs: number): void {
    this.#sentMs.push(dueMs);
    this.#socket.write(this.#request);
  }

  end(): void {
    this.#socket.destroy();
  }
}

/** Pings that find every connection waiting are sent when one is free, and count from when they were due. */
async function measure(url: URL): Promise<number[]> {
  const took: number[] = [];
  const due: number[] = [];
  const send = (): void => {
    for (const pinger of pingers) {
      if (due.length === 0) return;
      if (!pinger.isWaiting) pinger.ping(due.shift() ?? 0);
    }
  };
  const pingers = Array.from(
    { length: connections },
    () =>
      new Pinger(url, (ms) => {
        took.push(ms);
        send();
      }),
  );
  const startedMs = performance.now();
  for (let sent = 0; performance.now() - startedMs < roundMs; ) {
    for (const nowMs = performance.now(); startedMs + (sent * 1000) / pingsPerSecond <= nowMs; sent++) {
      due.push(startedMs + (sent * 1000) / pingsPerSecond);
    }
    send();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  for (const pinger of pingers) pinger.end();
  return took;
}

function quantile(took: readonly number[], part: number): number {
  return [...took].sort((a, b) => a - b)[Math.floor(took.length * part)] ?? 0;
}

const knell = await startKnell(false);
const url = new URL(knell.pingUrl);
const quiet: number[] = [];
const busy: number[] = [];
for (let round = 0; round <= rounds; round++) {
  const alone = await measure(url);
  const ending = new AbortController();
  const load = { connections: mailConnections, mails: endless };
  const poured = pour(knell.smtp, knell.recipient, load, ending.signal);
  const together = await measure(url);
  ending.abort();
  await poured;
  if (round === 0 && !isSmoke) continue; // Code is compiled while it runs.
  quiet.push(...alone);
  busy.push(...together);
}
await knell.stop();

console.log(
  `${pingsPerSecond} pings/s over ${connections} connections; mail: ${mailConnections} connections, ${mailClient}`,
);
for (const [name, took] of [
  ['no mail', quiet],
  ['mail pours in', busy],
] as const) {
  console.log(
    `${name}: p50 ${quantile(took, 0.5).toFixed(2)} ms, p99 ${quantile(took, 0.99).toFixed(2)} ms (${took.length})`,
  );
}
console.log(`p99 ratio ${(quantile(busy, 0.99) / quantile(quiet, 0.99)).toFixed(2)}`);
