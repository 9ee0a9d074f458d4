/** A reverse proxy that serves Knell under a path, and hands that path on or strips it. */
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';

export class PrefixProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** `target` is asked for when a request comes: it may listen later. Everything outside `prefix` is 404. */
  static async start(prefix: string, strips: boolean, target: () => string): Promise<PrefixProxy> {
    const pathOf = ({ url = '' }: IncomingMessage): string | null => {
      if (url !== prefix && !url.startsWith(`${prefix}/`)) return null;
      return strips ? url.slice(prefix.length) || '/' : url;
    };
    const server = createServer((request, response) => {
      const path = pathOf(request);
      if (path === null) {
        response.writeHead(404).end('not here');
        return;
      }
      const { method = 'GET', headers } = request;
      const forwarded = ask(target() + path, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      forwarded.once('error', () => response.destroy());
      request.pipe(forwarded);
    });
    server.on('upgrade', (request, socket, head) => {
      const { hostname, port } = new URL(target());
      const lines = request.rawHeaders.flatMap((name, at, all) =>
        at % 2 ? [] : [`${name}: ${all[at + 1]}`],
      );
      const upstream = connect({ host: hostname, port: Number(port) });
      upstream.write(`GET ${pathOf(request)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
      for (const end of [upstream, socket]) end.on('error', () => socket.destroy());
    });
    const proxy = new PrefixProxy(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** `http://localhost:port`. */
  get origin(): string {
    const address = this.#server.address();
    return `http://localhost:${typeof address === 'object' ? address?.port : ''}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
