/**
 * The mail listener: hands on mails as plain values and sends the replies. The one file that touches smtp-server. The endpoint
 * decides whose mailbox an address is and what a mail means (`mail-to-ping`).
 * Invariant: a mail is handed on only when its final dot has been seen, and answered only by what the endpoint answers.
 */
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import type { CidrList, ListenAddress } from '../lib/addresses.ts';
import type { Certificate } from '../lib/certificate.ts';
import { KnellError, messageOf } from '../lib/errors.ts';
import { newUuid } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import { ConnectionLimiter, type ConnectionLimits, type LimitedConnection } from './connection-limiter.ts';
import { KeptBytes, MailBudget } from './kept-bytes.ts';
import { lingerMs } from './limits.ts';
import { MailBatcher } from './mail-batcher.ts';
import type { MailEndpoint, ReceivedMail, SmtpReply } from './message.ts';
import { peekFirstBytes, readProxyHeader, startsVersion2 } from './proxy-header.ts';
import { listenerReplies, mailReplies } from './replies.ts';

export interface SmtpLimits extends ConnectionLimits {
  readonly mailBytesMax: number;
  readonly mailBytesReadMax: number;
  readonly mailsBytesMax: number;
  readonly recipientsMax: number;
  readonly idleMs: number;
  readonly batchMs: number;
  readonly commandBytesMax: number;
}

interface SmtpServerOptions {
  readonly endpoint: MailEndpoint;
  readonly limits: SmtpLimits;
  /** The name of Knell in its greeting. */
  readonly name: string;
  /** Certificate for STARTTLS; null where it is not offered. */
  readonly certificate: Certificate | null;
  /** Peers that must begin with a PROXY protocol line; null for none. */
  readonly proxies: CidrList | null;
  readonly nowMs: () => number;
  readonly logger: Logger;
}

export interface SmtpEndpoint {
  /** Opens the listener and resolves to its port. Rejects with a KnellError `port-in-use`. */
  listen(address: ListenAddress): Promise<number>;
  /** Replaces the certificate for the connections that begin TLS from now on. */
  renew(certificate: Certificate): void;
  /** Takes no more connections, waits for the mails in flight, at most `graceMs`, then closes the rest. */
  stop(graceMs: number): Promise<void>;
}

export function createSmtpServer(options: SmtpServerOptions): SmtpEndpoint {
  const server = new MailServer(options);
  return {
    listen: (address) => listen(server, address),
    renew: (certificate) => server.updateSecureContext(certificate),
    stop: (graceMs) => server.stop(graceMs),
  };
}

/** Commands that no machine needs here; most of them are jokes, or are for mail servers that trust each other. */
const disabledCommands = ['AUTH', 'XCLIENT', 'XFORWARD', 'HELP', 'WIZ', 'SHELL', 'KILL'];

class MailServer extends SMTPServer {
  readonly #options: SmtpServerOptions;
  readonly #limiter: ConnectionLimiter;
  readonly #budget: MailBudget;
  readonly #batcher: MailBatcher;
  readonly #sockets = new Set<Socket>();
  /** Ids of sessions whose mail is coming in or waits for its answer. */
  readonly #mails = new Set<string>();
  #isStopping = false;
  #whenNoMails: (() => void) | null = null;

  constructor(options: SmtpServerOptions) {
    super({ ...libraryOptions(options), ...options.certificate });
    this.#options = options;
    this.#limiter = new ConnectionLimiter(options.limits);
    this.#budget = new MailBudget(options.limits.mailsBytesMax);
    this.#batcher = new MailBatcher(options.limits.batchMs);
    this.on('error', (error) => options.logger.debug({ error: error.message }, 'a mail connection failed'));
    this.server.maxConnections = 2 * options.limits.connectionsMax;
    this.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      // The library listens for errors only a turn later; one before that would end the process.
      socket.on('error', () => {});
    });
  }

  override connect(socket: Socket, socketOptions?: SMTPConnectionOptions | null): void {
    const connection = new PromptConnection(this, socket, socketOptions ?? {}, this.#limiter);
    this.connections.add(connection);
    connection.on('error', (error: Error) => this.emit('error', error));
    connection.init();
  }

  /** A PROXY line is believed only of trusted peers: it names the address that a ping is logged with. */
  override _expectsProxyHeader(socket: Socket): boolean {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/i, '');
    return this.#options.proxies?.contains(address) ?? false;
  }

  /** Reads version 2 here and leaves version 1 to the library. */
  override _handleProxy(socket: Socket, callback: ProxyHook): void {
    if (!this._expectsProxyHeader(socket)) {
      super._handleProxy(socket, callback);
      return;
    }
    peekFirstBytes(socket, (bytes) => {
      if (!startsVersion2(bytes)) super._handleProxy(socket, callback);
      else
        readProxyHeader(socket, (error, remoteAddr) =>
          callback(error, { id: newUuid(), ...(remoteAddr === null ? {} : { remoteAddress: remoteAddr }) }),
        );
    });
  }

  // The library's own hooks wait a turn of the loop each; these answer at once. Only one waits for a microtask: if a whole
  // pipelined mail were taken within the call that ends the mail before it, the library would not go on after it.
  override onConnect(_session: SMTPServerSession, callback: Hook): void {
    callback();
  }

  override onMailFrom(_address: unknown, _session: SMTPServerSession, callback: Hook): void {
    queueMicrotask(callback);
  }

  override onRcptTo({ address }: { address: string }, _session: SMTPServerSession, callback: Hook): void {
    const refusal = this.#options.endpoint.refusal(address);
    if (refusal instanceof Promise) void refusal.then((later) => callback(later && asError(later)));
    else callback(refusal && asError(refusal));
  }

  override onData(stream: SMTPServerDataStream, session: SMTPServerSession, callback: DataHook): void {
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    const kept = new KeptBytes(this.#budget, this.#options.endpoint.bytesWanted(recipients));
    this.#mails.add(session.id);
    this.#batcher.start();
    stream.on('data', (chunk: Buffer) => {
      kept.add(chunk);
      if (kept.total > this.#options.limits.mailBytesReadMax)
        this.#close(session.id, listenerReplies.endless);
    });
    stream.once('error', () => {}); // A client has vanished; 'close' follows.
    stream.once('close', () => {
      if (stream.readableEnded) return;
      this.#batcher.abort();
      this.#finished(session.id, kept);
    });
    stream.once('end', () => {
      const mail = mailOf(recipients, session, kept, this.#options.nowMs());
      this.#batcher.complete(() =>
        this.#deliver(mail, kept, (reply) => this.#answer(session, kept, reply, callback)),
      );
    });
  }

  #answer({ id }: SMTPServerSession, kept: KeptBytes, reply: SmtpReply, callback: DataHook): void {
    this.#finished(id, kept);
    if (reply.code < 400) callback(null, reply.text);
    else callback(asError(reply));
    if (this.#isStopping) this.#close(id, listenerReplies.ending);
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.options.closeTimeout = graceMs;
    const closed = new Promise<void>((resolve) => this.close(resolve));
    for (const { id } of [...this.connections]) {
      if (!this.#mails.has(id)) this.#close(id, listenerReplies.ending);
    }
    await within(graceMs - lingerMs, this.#noMails());
    await within(lingerMs, closed);
    for (const socket of this.#sockets) socket.destroy();
  }

  #deliver(mail: ReceivedMail, { total, overBudget }: KeptBytes, answer: (reply: SmtpReply) => void): void {
    const { endpoint, limits } = this.#options;
    // Whatever is answered here, the library replies 552 to a message over the limit it was given.
    if (total > limits.mailBytesMax) answer(mailReplies.failed);
    else if (overBudget) answer(listenerReplies.overBudget);
    else endpoint.deliver(mail, answer);
  }

  #finished(sessionId: string, kept: KeptBytes): void {
    kept.release();
    this.#mails.delete(sessionId);
    if (this.#mails.size === 0) this.#whenNoMails?.();
  }

  #noMails(): Promise<void> {
    if (this.#mails.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenNoMails = resolve;
    });
  }

  #close(sessionId: string, { code, text }: SmtpReply): void {
    for (const connection of this.connections) {
      if (connection.id === sessionId) connection.send(code, text);
    }
  }
}

type ProxyHook = Parameters<SMTPServer['_handleProxy']>[1];
type Hook = (error?: Error | null) => void;
type DataHook = (error?: Error | null, message?: string) => void;

function libraryOptions({
  limits,
  name,
  certificate,
}: SmtpServerOptions): ConstructorParameters<typeof SMTPServer>[0] {
  return {
    name,
    banner: 'Knell',
    heloResponse: '%s',
    disabledCommands: certificate ? disabledCommands : [...disabledCommands, 'STARTTLS'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    // Appliances write senders that no standard allows, such as `user.@example.org`; nobody answers them here.
    lenientAddressParsing: true,
    size: limits.mailBytesMax,
    rejectOversized: true,
    maxRecipients: limits.recipientsMax,
    maxCommandLength: limits.commandBytesMax,
    maxClients: limits.connectionsMax,
    socketTimeout: limits.idleMs,
    logger: false,
  };
}

function mailOf(
  recipients: readonly string[],
  { envelope, remoteAddress }: SMTPServerSession,
  kept: KeptBytes,
  receivedAtMs: number,
): ReceivedMail {
  const sender = envelope.mailFrom ? envelope.mailFrom.address : '';
  return {
    sender,
    recipients,
    remoteAddr: remoteAddress,
    bytes: kept.bytes(),
    cut: kept.cut,
    receivedAtMs,
  };
}

function asError({ code, text }: SmtpReply): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/**
 * Sends the greeting at once. The library holds it back for 100 ms, to catch senders of spam that talk first. Here a mail has an
 * effect only if its sender knows the secret address of a check, and a job that connects, pings and leaves would spend nearly
 * all of its time on that pause.
 */
class PromptConnection extends SMTPConnection implements LimitedConnection {
  readonly #limiter: ConnectionLimiter;

  constructor(
    server: SMTPServer,
    socket: Socket,
    options: SMTPConnectionOptions,
    limiter: ConnectionLimiter,
  ) {
    super(server, socket, options);
    this.#limiter = limiter;
    socket.once('close', () => limiter.remove(this));
  }

  get isBusy(): boolean {
    return Boolean(this.session.envelope?.mailFrom);
  }

  evict(): void {
    this.send(listenerReplies.busy.code, listenerReplies.busy.text);
  }

  /** Refuses text that is no address like an unknown mailbox: the refusal is the same, whatever is wrong with the name. */
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    const { code: refused, text } = mailReplies['not-found'];
    if (context === 'MAILBOX_SYNTAX_ERROR') super.send(refused, text);
    else super.send(code, data, context);
  }

  override init(): void {
    this._setListeners(() => {
      if (this.#limiter.add(this)) this.connectionReady();
      else this.evict();
    });
  }
}

function listen(server: SMTPServer, { host, port }: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error): void => {
      const why = `cannot listen on ${host}:${port} for mail: ${messageOf(cause)}`;
      reject(new KnellError('port-in-use', why, { cause }));
    };
    server.server.once('error', refuse);
    server.listen(port, host, () => {
      server.server.off('error', refuse);
      resolve(portOf(server.server.address()));
    });
  });
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Resolves when `done` does, after `ms` milliseconds at the latest. */
async function within(ms: number, done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([done, late]);
  clearTimeout(timer);
}
