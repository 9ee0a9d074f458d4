/** HTTP as bytes: for what no client library would send, or not in such pieces. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Sends `pieces`, each as a segment that a server in this process has read before the next one comes, and resolves to all
 * that comes back until the server closes the connection, or until `replies` of them have come.
 */
export async function exchange(
  url: string,
  pieces: readonly (string | Uint8Array)[],
  replies = Number.POSITIVE_INFINITY,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/[[\]]/g, ''), port: Number(port), noDelay: true });
  let received = '';
  socket.setEncoding('latin1');
  socket.on('error', () => {});
  const over = once(socket, 'close');
  const enough = new Promise<void>((resolve) => {
    socket.on('data', (text: string) => {
      received += text;
      if (countReplies(received) >= replies) resolve();
    });
  });
  await once(socket, 'connect');
  for (const piece of pieces) {
    socket.write(piece);
    // A write to the loopback is in the other socket's buffer when it returns: the next turn reads it.
    await nextTurn();
    await nextTurn();
  }
  if (replies > 0) await Promise.race([over, enough]);
  socket.destroy();
  return received;
}

/** A connection whose request is in flight. */
export class OpenExchange {
  readonly #socket: Socket;
  #received = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('error', () => {});
    socket.on('data', (text: string) => {
      this.#received += text;
    });
  }

  static async begin(url: string, head: string): Promise<OpenExchange> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    const exchange = new OpenExchange(socket);
    await once(socket, 'connect');
    socket.write(head);
    return exchange;
  }

  write(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** All that has come once there are so many replies, or the connection has closed. */
  async replies(count: number): Promise<string> {
    while (countReplies(this.#received) < count && !this.#socket.destroyed) {
      await Promise.race([once(this.#socket, 'data'), once(this.#socket, 'close')]);
    }
    return this.#received;
  }

  async closed(): Promise<void> {
    if (!this.#socket.destroyed) await once(this.#socket, 'close');
  }

  vanish(): void {
    this.#socket.destroy();
  }
}

/** Whole ones, by their Content-Length. */
function countReplies(text: string): number {
  let count = 0;
  for (let rest = text; ; count++) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return count;
    const length = Number(/^content-length: (\d+)/im.exec(rest.slice(0, end))?.[1] ?? 0);
    if (rest.length < end + 4 + length) return count;
    rest = rest.slice(end + 4 + length);
  }
}

/** The status of each reply in `text`, in their order. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Of the last reply. */
export function bodyIn(text: string): string {
  return text.slice(text.lastIndexOf('\r\n\r\n') + 4);
}
