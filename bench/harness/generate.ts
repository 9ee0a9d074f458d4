/**
 * The suite's own load generator, a process of its own: keep-alive connections, one request at a time on each. Reads a
 * `Load` as JSON, prints a `Loaded` as JSON.
 *
 * Without a rate each connection sends the next request when the last is answered. With one, requests fall due at fixed
 * times whatever the server does, and latency is counted from when a request was due, not from when a connection was
 * free for it: a stall then shows in every request it held up (no coordinated omission).
 */
import { connect, type Socket } from 'node:net';
import type { Load, Loaded } from './load.ts';
import { percentile } from './numbers.ts';

let input = '';
for await (const chunk of process.stdin) input += chunk;
const load: Load = JSON.parse(input);
const { hostname, port } = new URL(load.url);
const latencies: number[] = [];
let errors = 0;
let at = 0;
let ended = false;

/** Due times of requests that wait for a free connection, and connections that wait for a request. */
const due: number[] = [];
const idle: Client[] = [];

interface Client {
  readonly socket: Socket;
  dueMs: number;
  reply: string;
}

function send(client: Client, dueMs: number): void {
  at = (at + 1) % load.paths.length;
  client.dueMs = dueMs;
  client.reply = '';
  client.socket.write(`GET ${load.paths[at]} HTTP/1.1\r\nHost: bench\r\n\r\n`);
}

/** Replies are short and come whole or in two pieces: the header's length tells. */
function complete(reply: string): boolean {
  const end = reply.indexOf('\r\n\r\n');
  if (end < 0) return false;
  return reply.length >= end + 4 + Number(/content-length: (\d+)/i.exec(reply)?.[1] ?? 0);
}

function free(client: Client): void {
  if (ended) client.socket.destroy();
  else if (load.rate === undefined) send(client, performance.now());
  else {
    const next = due.shift();
    if (next === undefined) idle.push(client);
    else send(client, next);
  }
}

function open(): Promise<void> {
  return new Promise((resolve) => {
    const client: Client = { socket: connect(Number(port), hostname), dueMs: 0, reply: '' };
    client.socket.setNoDelay(true).setEncoding('latin1');
    client.socket.on('connect', () => free(client));
    client.socket.on('data', (chunk) => {
      client.reply += chunk;
      if (!complete(client.reply)) return;
      latencies.push(performance.now() - client.dueMs);
      if (!client.reply.startsWith('HTTP/1.1 2')) errors++;
      free(client);
    });
    client.socket.on('error', () => errors++);
    client.socket.on('close', () => resolve());
  });
}

/** Lets requests fall due at the rate; looks every millisecond. */
function pace(rate: number, startedMs: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (ended) {
      clearInterval(timer);
      for (const client of idle) client.socket.destroy();
      return;
    }
    for (const goal = ((performance.now() - startedMs) * rate) / 1000; sent < goal; sent++) {
      const dueMs = startedMs + (sent * 1000) / rate;
      const client = idle.pop();
      if (client) send(client, dueMs);
      else due.push(dueMs);
    }
  }, 1);
}

const startedMs = performance.now();
const startCpu = process.cpuUsage();
setTimeout(() => {
  ended = true;
}, load.seconds * 1000);
if (load.rate !== undefined) pace(load.rate, startedMs);
await Promise.all(Array.from({ length: load.connections }, open));
const seconds = (performance.now() - startedMs) / 1000;
const cpu = process.cpuUsage(startCpu);
const loaded: Loaded = {
  perSecond: latencies.length / seconds,
  p50Ms: percentile(latencies, 50),
  p90Ms: percentile(latencies, 90),
  p99Ms: percentile(latencies, 99),
  p999Ms: percentile(latencies, 99.9),
  requests: latencies.length,
  errors,
  cpu: (cpu.user + cpu.system) / 1e6 / seconds,
};
process.stdout.write(JSON.stringify(loaded));
