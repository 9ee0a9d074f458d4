/**
 * The connection to NATS: the one file that touches `@nats-io/*`. `jetstream` knows what messages mean.
 * Invariants: the library is loaded only when a cluster is configured. Once connected, the link reconnects until it is closed.
 * Nothing is kept for a connection that is gone: what is published meanwhile is lost. No error and no line of the log says
 * the token.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ConnectionOptions, Msg, NatsConnection, Status } from '@nats-io/transport-node';
import { KnellError, messageOf } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Scheduler } from '../disk/scheduler.ts';
import { natsLinkLimits } from './limits.ts';
import { type NatsAddresses, natsAddresses } from './nats-addresses.ts';
import { identityOf } from './server-identity.ts';

export interface NatsMessage {
  /** The data, in memory of its own. */
  readonly data: Buffer;
  /** Status as in HTTP, if the answer carries one; else 0. */
  readonly status: number;
  /** Empty if there is none of this name. */
  header(name: string): string;
}

export interface NatsPublish {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Subject to which an answer is sent. */
  readonly reply?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Files in PEM; each null for what the system has. */
export interface NatsTls {
  readonly caFile: string | null;
  readonly certFile: string | null;
  readonly keyFile: string | null;
}

export interface NatsLinkOptions {
  /** `nats://host:4222`, or `tls://…`; user information in it is a token, or a user and a password. */
  readonly urls: readonly string[];
  /** Instead of one in the URLs. */
  readonly token: string | null;
  readonly tls: NatsTls | null;
  /** The node's name, for those who list the connections of a server. */
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Ends the attempts to connect. */
  readonly signal: AbortSignal;
}

/** A link's messages, as the nodes of one cluster have them (`cluster/bus/bus`). */
export interface NatsBus {
  readonly messageBytesMax: number;
  publish(subject: string, message: Uint8Array): void;
  subscribe(subject: string, take: (message: Uint8Array) => void): { stop(): void };
}

/**
 * Tries until a server answers or `signal` ends it; the log says so every 30 s. Rejects with a KnellError when a server refuses
 * the token (`cluster-access`), a URL or the file of the authority is wrong (`usage`), and with the signal's reason.
 */
export async function connectNats(options: NatsLinkOptions): Promise<NatsLink> {
  const { connect, headers, errors } = await import('@nats-io/transport-node');
  const { scheduler, logger, signal } = options;
  const addresses = natsAddresses(options.urls);
  const names = addresses.servers.join(', ');
  if (options.tls?.caFile) checkAuthority(options.tls.caFile);
  let sayAtMs = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      const connection = await connect(connectionOptions(options, addresses));
      // The library has forgotten those that did not answer.
      connection.setServers([...addresses.servers]);
      return new NatsLink(connection, headers, options);
    } catch (error) {
      if (error instanceof errors.AuthorizationError) throw refused(names, error);
      if (scheduler.elapsedMs() >= sayAtMs) {
        logger.warn(
          `cannot reach NATS at ${names} (${messageOf(error)}): ${adviceOn(error)}trying again until it answers`,
        );
        sayAtMs = scheduler.elapsedMs() + natsLinkLimits.reminderMs;
      }
    }
    await pause(scheduler, signal);
  }
}

/** Advice on a TLS error, which does not end by itself, unless servers are being replaced. */
function adviceOn(error: unknown): string {
  const message = messageOf(error);
  if (/does not support 'tls'/.test(message)) return 'KNELL_CLUSTER has tls://, and its files have no TLS; ';
  if (/certificate|self.signed|altname/i.test(message))
    return 'KNELL_CLUSTER_CA must name the authority of its certificate, which must be valid for its host; ';
  return '';
}

/** The library reads the file at each attempt, so a wrong one would look like a server that does not answer. */
function checkAuthority(file: string): void {
  try {
    new X509Certificate(readFileSync(file));
  } catch (error) {
    const message = `KNELL_CLUSTER_CA: ${file} is no certificate in PEM that can be read (${messageOf(error)})`;
    throw new KnellError('usage', message, { cause: error });
  }
}

function connectionOptions(
  { token, tls, name }: NatsLinkOptions,
  addresses: NatsAddresses,
): ConnectionOptions {
  const { servers, isTls, user, password } = addresses;
  const auth = token ?? addresses.token;
  return {
    servers: [...servers],
    name: `knell ${name}`,
    timeout: natsLinkLimits.connectMs,
    pingInterval: natsLinkLimits.pingMs,
    maxPingOut: natsLinkLimits.pingsOutMax,
    maxReconnectAttempts: -1,
    reconnectTimeWait: natsLinkLimits.reconnectMs,
    // A token is changed on one server after the other.
    ignoreAuthErrorAbort: true,
    // The addresses that servers name may be out of reach from here; and while they are added, the first connection never gives
    // up.
    ignoreClusterUpdates: true,
    noAsyncTraces: true,
    ...(auth === null ? {} : { token: auth }),
    ...(user === null ? {} : { user, pass: password ?? '' }),
    ...(isTls || tls ? { tls: tlsOptions(tls, addresses.hosts) } : {}),
  };
}

function tlsOptions(tls: NatsTls | null, hosts: readonly string[]): NonNullable<ConnectionOptions['tls']> {
  const options = {
    // The library hands on what it does not know to `tls.connect`.
    checkServerIdentity: identityOf(hosts),
    ...(tls?.caFile ? { caFile: tls.caFile } : {}),
    ...(tls?.certFile ? { certFile: tls.certFile } : {}),
    ...(tls?.keyFile ? { keyFile: tls.keyFile } : {}),
  };
  return options;
}

function refused(names: string, cause: Error): KnellError {
  return new KnellError(
    'cluster-access',
    `NATS at ${names} refuses the token: it must be the one in the files of nats-server`,
    { cause },
  );
}

function pause(scheduler: Scheduler, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = scheduler.after(natsLinkLimits.connectPauseMs, end);
    signal.addEventListener('abort', end);
  });
}

type Headers = typeof import('@nats-io/transport-node')['headers'];

export class NatsLink {
  readonly #connection: NatsConnection;
  readonly #headers: Headers;
  readonly #logger: Logger;
  readonly #onReconnect = new Set<() => void>();
  #isConnected = true;

  constructor(connection: NatsConnection, headers: Headers, { logger }: NatsLinkOptions) {
    this.#connection = connection;
    this.#headers = headers;
    this.#logger = logger;
    void this.#watch();
  }

  /** Version of the server that the link is connected to, or was last. */
  get serverVersion(): string {
    return this.#connection.info?.version ?? '';
  }

  get messageBytesMax(): number {
    return this.#connection.info?.max_payload ?? 1_000_000;
  }

  /** Name of the cluster that the server is part of, as NATS has it; empty if it has none. */
  get clusterName(): string {
    return this.#connection.info?.cluster ?? '';
  }

  /** The hosts of all servers that the link knows of, without ports. */
  get hosts(): readonly string[] {
    return [...new Set(this.#connection.getServers().map(({ hostname }) => hostname))];
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Never throws, never waits. `data` may be changed afterwards. */
  publish({ subject, data, reply, headers }: NatsPublish): void {
    if (!this.#isConnected || this.#connection.isClosed()) return;
    const its = headers && this.#headers();
    for (const [name, value] of Object.entries(headers ?? {})) its?.set(name, value);
    try {
      this.#connection.publish(subject, Buffer.from(data), {
        ...(reply === undefined ? {} : { reply }),
        ...(its ? { headers: its } : {}),
      });
    } catch (error) {
      this.#logger.error(`a message to ${subject} was not sent: ${messageOf(error)}`);
    }
  }

  /** `take` gets the subject too, of which `subject` may be a pattern. */
  subscribe(subject: string, take: (message: NatsMessage, subject: string) => void): { stop(): void } {
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) this.#logger.error(`NATS refuses to deliver ${subject}: ${messageOf(error)}`);
        else take(messageFrom(message), message.subject);
      },
    });
    return { stop: () => subscription.unsubscribe() };
  }

  /** Rejects when nobody answers within `timeoutMs`, at once when nobody listens or there is no connection. */
  async request(subject: string, data: string, timeoutMs: number): Promise<NatsMessage> {
    if (!this.#isConnected) throw new Error('not connected to NATS');
    return messageFrom(await this.#connection.request(subject, data, { timeout: timeoutMs }));
  }

  /** Calls `run` after each time that the connection was gone. */
  onReconnect(run: () => void): { stop(): void } {
    this.#onReconnect.add(run);
    return { stop: () => this.#onReconnect.delete(run) };
  }

  bus(): NatsBus {
    const link = this;
    return {
      get messageBytesMax() {
        return link.messageBytesMax;
      },
      publish: (subject, message) => this.publish({ subject, data: message }),
      subscribe: (subject, take) => this.subscribe(subject, ({ data }) => take(data)),
    };
  }

  async close(): Promise<void> {
    this.#onReconnect.clear();
    await this.#connection.close();
  }

  async #watch(): Promise<void> {
    for await (const status of this.#connection.status()) this.#changed(status);
    this.#isConnected = false;
  }

  #changed(status: Status): void {
    switch (status.type) {
      case 'disconnect':
        if (this.#isConnected) this.#logger.warn(`the connection to NATS at ${status.server} is gone`);
        this.#isConnected = false;
        return;
      case 'reconnect':
        this.#isConnected = true;
        this.#logger.info(`connected to NATS at ${status.server} again`);
        for (const run of this.#onReconnect) run();
        return;
      case 'error':
        this.#logger.error(`NATS says: ${messageOf(status.error)}`);
        return;
    }
  }
}

function messageFrom({ data, headers }: Msg): NatsMessage {
  return {
    data: Buffer.from(data),
    status: headers?.code ?? 0,
    header: (name) => headers?.get(name) ?? '',
  };
}
