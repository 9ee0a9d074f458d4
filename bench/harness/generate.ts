/**
 * The suite's own load generator, a process of its own: keep-alive connections, one request at a time on each. Reads a
 * `FiledLoad` as JSON, prints a `Loaded` as JSON.
 *
 * Without a rate each connection sends the next request when the last is answered. With one, requests fall due at fixed
 * times whatever the server does, and latency is counted from when a request was due, not from when a connection was
 * free for it: a stall then shows in every request it held up (no coordinated omission). What the generator itself is
 * late is in the latency too; its timer alone adds up to a millisecond.
 *
 * Invariant: what is sent before the counting begins is among the `requests`, and in no other figure.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { FiledLoad, Loaded } from './generator.ts';
import { percentile } from './numbers.ts';

let input = '';
for await (const chunk of process.stdin) input += chunk;
const load: FiledLoad = JSON.parse(input);
const { hostname, port } = new URL(load.url);
const method = load.method ?? 'GET';
const body = load.body ?? '';
const rest = `Host: bench\r\n${body ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : ''}\r\n${body}`;
const paths = readFileSync(load.pathsFile, 'utf8').trimEnd().split('\n');
/** Until then requests are sent and answered, but not counted: the code of this very process is still cold. */
const warmUpMs = Math.min(500, load.seconds * 500);
const latencies: number[] = [];
let requests = 0;
let errors = 0;
let at = 0;
let ended = false;

/** Due times of requests that wait for a free connection, from `dueFrom` on, and connections that wait for a request. */
const due: number[] = [];
let dueFrom = 0;
const idle: Client[] = [];

interface Client {
  readonly socket: Socket;
  dueMs: number;
  reply: string;
}

function send(client: Client, dueMs: number): void {
  at = (at + 1) % paths.length;
  client.dueMs = dueMs;
  client.reply = '';
  client.socket.write(`${method} ${paths[at]} HTTP/1.1\r\n${rest}`, 'latin1');
}

/** Replies are short and come whole or in two pieces: the header's length says which. */
function complete(reply: string): boolean {
  const end = reply.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (method === 'HEAD') return true;
  return reply.length >= end + 4 + Number(/content-length: (\d+)/i.exec(reply)?.[1] ?? 0);
}

function free(client: Client): void {
  if (ended) client.socket.destroy();
  else if (load.rate === undefined) send(client, performance.now());
  else {
    const next = due[dueFrom];
    if (next === undefined) idle.push(client);
    else {
      dueFrom++;
      send(client, next);
    }
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
      requests++;
      if (client.dueMs >= countFromMs) latencies.push(performance.now() - client.dueMs);
      if (!client.reply.startsWith('HTTP/1.1 2')) errors++;
      free(client);
    });
    client.socket.on('error', () => errors++);
    client.socket.on('close', () => {
      // The server hung up in the middle of the load.
      if (!ended) errors++;
      resolve();
    });
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
      // Each in turn: one that rests for ten seconds is hung up on.
      const client = idle.shift();
      if (client) send(client, dueMs);
      else due.push(dueMs);
    }
  }, 1);
}

const startedMs = performance.now();
const countFromMs = startedMs + warmUpMs;
let startCpu = process.cpuUsage();
setTimeout(() => {
  startCpu = process.cpuUsage();
}, warmUpMs);
setTimeout(
  () => {
    ended = true;
  },
  warmUpMs + load.seconds * 1000,
);
if (load.rate !== undefined) pace(load.rate, startedMs);
await Promise.all(Array.from({ length: load.connections }, open));
// A request that was due and never got a connection has waited to the end: left out, it would make the tail look short.
const answered = latencies.length;
const seconds = (performance.now() - countFromMs) / 1000;
for (; dueFrom < due.length; dueFrom++) latencies.push(performance.now() - (due[dueFrom] ?? 0));
const cpu = process.cpuUsage(startCpu);
const loaded: Loaded = {
  perSecond: answered / seconds,
  p50Ms: percentile(latencies, 50),
  p90Ms: percentile(latencies, 90),
  p99Ms: percentile(latencies, 99),
  p999Ms: percentile(latencies, 99.9),
  requests,
  errors,
  cpu: (cpu.user + cpu.system) / 1e6 / seconds,
};
process.stdout.write(JSON.stringify(loaded));
