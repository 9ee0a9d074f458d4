/** SMTP by hand, byte for byte: what no well-behaved client would send. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

export interface MailServerAddress {
  readonly host: string;
  readonly port: number;
}

export function addressOf(smtp: string): MailServerAddress {
  const at = smtp.lastIndexOf(':');
  return { host: smtp.slice(0, at), port: Number(smtp.slice(at + 1)) };
}

export class MailClient {
  #socket: Socket;
  #received = '';
  #closed = false;
  #wake: (() => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#listenTo(socket);
  }

  static async open(smtp: string, localAddress?: string): Promise<MailClient> {
    const socket = connect({ ...addressOf(smtp), ...(localAddress ? { localAddress } : {}) });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new MailClient(socket);
  }

  /** Connected, greeted, and introduced. */
  static async greeted(smtp: string, localAddress?: string): Promise<MailClient> {
    const client = await MailClient.open(smtp, localAddress);
    await client.reply();
    await client.ask('EHLO test');
    return client;
  }

  #listenTo(socket: Socket): void {
    socket.on('data', (chunk) => {
      this.#received += chunk.toString('latin1');
      this.#wake?.();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#closed = true;
      this.#wake?.();
    });
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  write(bytes: string | Uint8Array): void {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Writes `bytes` and waits until the kernel has taken them. */
  async pour(bytes: Uint8Array): Promise<void> {
    if (this.#socket.write(bytes) || this.#closed) return;
    const socket = this.#socket;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
  }

  /** The next reply, all its lines; empty when the connection has ended. */
  async reply(): Promise<string> {
    for (;;) {
      const whole = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3}(?: [^\r\n]*)?\r\n/.exec(this.#received)?.[0];
      if (whole !== undefined) {
        this.#received = this.#received.slice(whole.length);
        return whole.trimEnd();
      }
      if (this.#closed) return '';
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  ask(command: string): Promise<string> {
    this.write(`${command}\r\n`);
    return this.reply();
  }

  /** A whole mail; resolves to the reply to its dot, or to the first refusal. */
  async send(recipients: readonly string[], message: string | Uint8Array): Promise<string> {
    for (const command of [
      'MAIL FROM:<job@example.org>',
      ...recipients.map((to) => `RCPT TO:<${to}>`),
      'DATA',
    ]) {
      const reply = await this.ask(command);
      if (!/^[23]/.test(reply)) return reply;
    }
    this.write(message);
    return this.ask('\r\n.');
  }

  /** Goes on under TLS. */
  async startTls(): Promise<TLSSocket> {
    this.#socket.removeAllListeners('data');
    const secure = connectTls({ socket: this.#socket, rejectUnauthorized: false });
    await new Promise<void>((resolve, reject) => {
      secure.once('secureConnect', resolve);
      secure.once('error', reject);
    });
    this.#socket = secure;
    this.#listenTo(secure);
    return secure;
  }

  async closed(): Promise<void> {
    while (!this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Gone without a word. */
  vanish(): void {
    this.#socket.destroy();
  }
}
