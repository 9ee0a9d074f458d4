/** A proxy for outgoing requests, as companies have them: plain HTTP by whole URLs, HTTPS through CONNECT. */
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export class ForwardProxy {
  /** What was asked for: method and target. */
  readonly asked: string[] = [];
  /** `user:password`; null: everybody may use it. */
  login: string | null = null;
  readonly #portOf: (host: string) => number;
  readonly #server = createServer((request, response) => this.#forward(request, response));
  readonly #sockets = new Set<Socket>();

  private constructor(portOf: (host: string) => number) {
    this.#portOf = portOf;
    this.#server.on('connection', (socket) => this.#sockets.add(socket));
    this.#server.on('connect', (request: IncomingMessage, socket: Socket) => this.#tunnel(request, socket));
  }

  /** `portOf`: on this machine, for a host that is asked for. */
  static async start(portOf: (host: string) => number): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(portOf);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  url(user = ''): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${user === '' ? '' : `${user}@`}127.0.0.1:${port}`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #mayPass({ headers }: IncomingMessage): boolean {
    if (this.login === null) return true;
    return headers['proxy-authorization'] === `Basic ${Buffer.from(this.login).toString('base64')}`;
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    this.asked.push(`${method} ${url}`);
    if (!this.#mayPass(request)) {
      response.writeHead(407).end();
      return;
    }
    const { hostname, pathname, search } = new URL(url);
    const options = { port: this.#portOf(hostname), path: pathname + search, method, headers };
    const forwarded = ask({ host: '127.0.0.1', ...options }, (answer) =>
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }

  #tunnel(request: IncomingMessage, socket: Socket): void {
    const { url = '' } = request;
    this.asked.push(`CONNECT ${url}`);
    if (!this.#mayPass(request)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const upstream = connect(this.#portOf(url.replace(/:\d+$/, '')), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  }
}
