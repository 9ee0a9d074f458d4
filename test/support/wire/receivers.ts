/** Real receivers on loopback for what Knell sends: an HTTP server that answers as set, a mail server that keeps all. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { patienceMs } from '../patience.ts';
import type { Certificate } from './certificate.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly bytes: Buffer;
  readonly atMs: number;
}

/** Answers a request; by default 200. */
export type Answering = (received: Received, response: ServerResponse, nth: number) => void;

export class HttpReceiver {
  readonly all: Received[] = [];
  answering: Answering = (_, response) => {
    response.end('ok');
  };
  readonly #server: ReturnType<typeof createServer>;
  #listeners: (() => void)[] = [];

  private constructor(certificate: Certificate | null) {
    const take = (request: IncomingMessage, response: ServerResponse): void => this.#take(request, response);
    this.#server =
      certificate === null
        ? createServer(take)
        : createTlsServer(
            { cert: readFileSync(certificate.certFile), key: readFileSync(certificate.keyFile) },
            take,
          );
  }

  /** With a certificate it speaks HTTPS. */
  static async start(certificate: Certificate | null = null): Promise<HttpReceiver> {
    const receiver = new HttpReceiver(certificate);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => {});
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const bytes = Buffer.concat(parts);
      const received = { method, path, headers, body: bytes.toString(), bytes, atMs: Date.now() };
      this.all.push(received);
      this.answering(received, response, this.all.length);
      for (const received of this.#listeners) received();
    });
  }

  /** Resolves once `count` requests have come. */
  async until(count: number, withinMs = patienceMs): Promise<readonly Received[]> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${this.all.length} requests of ${count} came`)),
        withinMs,
      );
      const look = (): void => {
        if (this.all.length < count) return;
        clearTimeout(timer);
        this.#listeners = this.#listeners.filter((one) => one !== look);
        resolve();
      };
      this.#listeners.push(look);
      look();
    });
    return this.all;
  }

  keys(): readonly string[] {
    return this.all.map(({ headers }) => String(headers['idempotency-key']));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

export class MailReceiver {
  readonly all: ReceivedMail[] = [];
  /** The answer to a recipient: null to accept it. */
  refuse: (address: string) => { readonly code: number; readonly message: string } | null = () => null;
  #received: () => void = () => {};
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => {
      const refusal = this.refuse(address);
      if (refusal) done(Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
      else done();
    },
    onData: (stream, { envelope }, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        this.all.push({ from, to, text: Buffer.concat(parts).toString() });
        done();
        this.#received();
      });
    },
  });

  static async start(): Promise<MailReceiver> {
    const receiver = new MailReceiver();
    await new Promise<void>((resolve) => {
      receiver.#server.listen(0, '127.0.0.1', () => resolve());
    });
    return receiver;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  async until(count: number): Promise<readonly ReceivedMail[]> {
    while (this.all.length < count) {
      await new Promise<void>((resolve) => {
        this.#received = resolve;
      });
    }
    return this.all;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
