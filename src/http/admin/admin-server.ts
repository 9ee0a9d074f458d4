/**
 * The admin socket: `knell.sock` in the data directory. Everybody who may open the file may run the commands: the file system
 * is the permission. A request is one JSON object; the answer is lines of JSON: progress, then the result or the error.
 * It does not use uWebSockets.js, which takes over a live socket's path without asking; these requests are rare.
 */
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { KnellError, messageOf } from '../../lib/errors.ts';
import { adminRequestBytesMax } from '../limits.ts';
import type { AdminCommands, AdminRequest } from './admin-routes.ts';

const socketName = 'knell.sock';

/** One line of the answer. */
export type AdminLine =
  | { readonly progress: number }
  | { readonly result: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };

interface AdminServer {
  stop(): Promise<void>;
}

/**
 * Opens the socket. The caller holds the lock of the data directory, so an existing socket belongs to a process that has ended.
 */
export async function createAdminServer(dataDir: string, run: AdminCommands): Promise<AdminServer> {
  rmSync(join(dataDir, socketName), { force: true });
  const server = createServer((request, response) => {
    answer(run, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const directory = openSync(dataDir, constants.O_RDONLY);
  try {
    await listen(server, socketAddress(dataDir, directory));
  } finally {
    closeSync(directory);
  }
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Bytes of a socket path: the kernel refuses longer ones. The descriptor of a directory makes any path short. */
const socketPathMax = 100;

/** Path to bind or connect to; `directory` is an open descriptor of the data directory. */
export function socketAddress(dataDir: string, directory: number): string {
  const path = join(dataDir, socketName);
  if (Buffer.byteLength(path) <= socketPathMax || process.platform !== 'linux') return path;
  return `/proc/self/fd/${directory}/${socketName}`;
}

function listen(server: Server, path: string): Promise<void> {
  // The socket must never have a wider mode, not even for an instant, so chmod afterwards would be too late.
  const umask = process.umask(0o177);
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new KnellError('data-dir-unreadable', `cannot open the admin socket: ${cause.message}`, { cause }),
      ),
    );
    server.listen(path, resolve);
    process.umask(umask);
  });
}

async function answer(run: AdminCommands, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const say = (line: AdminLine): void => {
    response.write(`${JSON.stringify(line)}\n`);
  };
  response.setHeader('Content-Type', 'application/jsonl');
  try {
    const asked = await readAdminRequest(request);
    say({ result: (await run(asked, (progress) => say({ progress }))) ?? null });
  } catch (error) {
    const code = error instanceof KnellError ? error.code : 'internal';
    say({ error: { code, message: messageOf(error) } });
  }
  response.end();
}

async function readAdminRequest(request: IncomingMessage): Promise<AdminRequest> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > adminRequestBytesMax) throw new KnellError('usage', 'the request is too large');
    parts.push(part);
  }
  const asked: unknown = JSON.parse(Buffer.concat(parts).toString());
  const command = field(asked, 'command');
  const args = field(asked, 'args');
  if (typeof command !== 'string' || typeof args !== 'object' || args === null) {
    throw new KnellError('usage', 'the request must be {"command": "…", "args": {…}}');
  }
  return { command, args: { ...args } };
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
