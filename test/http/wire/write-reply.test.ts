/** Large replies, over real connections that take them slowly, or not at all. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { BodyBudget } from '../../../src/http/wire/body-reader.ts';
import type { HttpReply } from '../../../src/http/wire/message.ts';
import { Peers } from '../../../src/http/wire/read-request.ts';
import { createHttpServer, type HttpServer } from '../../../src/http/wire/server.ts';
import type { CidrList } from '../../../src/lib/addresses.ts';
import { silentLogger } from '../../../src/lib/logger.ts';

const large = randomBytes(12_345_678);
/** Parts of all sizes, some larger than what is written at once. */
const inParts = { parts: partsOf(large), length: large.length };
const noProxies: CidrList = { contains: () => false };
const servers: HttpServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(0);
});

const bodies: Readonly<Record<string, HttpReply['body']>> = { '/large': large, '/parts': inParts };

function partsOf(whole: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0, size = 1; start < whole.length; start += size, size = (size * 7 + 3) % 900_000) {
    parts.push(whole.subarray(start, start + size));
  }
  return parts;
}

async function listening(): Promise<{ server: HttpServer; port: number }> {
  const server = await createHttpServer({
    peers: new Peers(noProxies),
    nowMs: Date.now,
    userAgentCharsMax: 100,
    bodies: new BodyBudget(1000),
    logger: silentLogger,
  });
  server.serve({
    mounts: [
      {
        prefix: '/',
        route: ({ path }, replyTo) =>
          replyTo.send({ status: 200, headers: [], body: bodies[path] ?? 'small' }),
        bodyBytesMax: () => 100,
        overBudget: { status: 503, headers: [], body: '' },
        readsApiKey: false,
        guards: false,
        base: '',
      },
    ],
    live: null,
    livePaths: [],
  });
  servers.push(server);
  return { server, port: server.listen({ host: '127.0.0.1', port: 0 }) };
}

async function asking(port: number, path: string, method = 'GET'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

/** Reads a whole reply, resting after each part for `restTurns` turns of the event loop, in which the server writes on. */
async function readReply(socket: Socket, bytes: number, restTurns: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of socket) {
    parts.push(part);
    size += part.length;
    const head = Buffer.concat(parts.slice(0, 2)).indexOf('\r\n\r\n');
    if (size >= head + 4 + bytes) break;
    for (let turn = 0; turn < restTurns; turn++) await nextTurn();
  }
  const whole = Buffer.concat(parts);
  return whole.subarray(whole.indexOf('\r\n\r\n') + 4);
}

test('a large reply comes whole, to one that reads at once and to one that rests between', async () => {
  const { port } = await listening();
  for (const [path, restTurns] of [
    ['/large', 0],
    ['/large', 2],
    ['/parts', 0],
    ['/parts', 2],
  ] as const) {
    const socket = await asking(port, path);
    const body = await readReply(socket, large.length, restTurns);
    expect(body.equals(large)).toBe(true);
    socket.destroy();
  }
});

test('a connection that takes no more of its reply holds up no other, and none of the server when it goes', async () => {
  const { server, port } = await listening();
  const stuck = await asking(port, '/large');
  await once(stuck, 'readable');
  const other = await asking(port, '/small');
  expect((await readReply(other, 5, 0)).toString()).toBe('small');
  other.destroy();
  stuck.destroy();
  // Without end, if it waited for the one that is gone.
  await server.stop(1e9);
  servers.length = 0;
});

test('a stop waits for a reply that is still being taken', async () => {
  const { server, port } = await listening();
  const socket = await asking(port, '/large');
  await once(socket, 'readable');
  const reading = readReply(socket, large.length, 1);
  const stopped = server.stop(1e9);
  servers.length = 0;
  expect((await reading).equals(large)).toBe(true);
  await stopped;
});

test('HEAD of a large reply gives its length and sends none of it', async () => {
  const { port } = await listening();
  for (const path of Object.keys(bodies)) {
    const socket = await asking(port, path, 'HEAD');
    const [head] = await once(socket, 'data');
    expect(String(head)).toContain(`Content-Length: ${large.length}`);
    expect(String(head).endsWith('\r\n\r\n')).toBe(true);
    socket.destroy();
  }
});
