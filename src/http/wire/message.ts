/**
 * A request and a reply as plain values: the contract between the routes and `server.ts`, the only file that knows the native
 * library.
 */
import type { Scheme } from '../../domain/check/ping.ts';

export interface HttpRequest {
  /** Method as it was sent: in upper case, unless the client invented one. */
  readonly method: string;
  /** Path as it was sent, still percent-encoded, without the query. */
  readonly path: string;
  /** Query as it was sent, without the question mark; empty if there is none. */
  readonly query: string;
  /** The X-Api-Key header; null if absent. */
  readonly apiKey: string | null;
  /** The headers that the mount reads, by lower-case name; one that was not sent is empty. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the request came through a trusted proxy, so that its headers about the client count. */
  readonly trusted: boolean;
  readonly userAgent: string;
  readonly scheme: Exclude<Scheme, 'email'>;
  /** Address for information: the leftmost forwarded one if a trusted proxy forwards it. */
  readonly remoteAddr: string;
  /** Address for limits: the rightmost one that is not a trusted proxy; of IPv6 its /64. Empty on mounts without limits. */
  readonly clientAddr: string;
  readonly body: Uint8Array;
  /** Whether the body was longer than the route takes, so that `body` is only its first part. */
  readonly bodyCut: boolean;
  /** Epoch milliseconds, stamped once. */
  readonly receivedAtMs: number;
  /** A random UUID, of a change that a node passes to the leader: the change is made once, however often the node sends it. */
  readonly idempotencyKey?: string | undefined;
}

export interface HttpReply {
  /** Set for the few replies that are the same each time: their headers are prepared once. */
  readonly fixed?: true;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | InParts;
  /** Instead of a body: called with the connection once the head is written. Not for HEAD, which gets only the head. */
  readonly stream?: (connection: StreamConnection) => void;
}

/** A connection to which one writes as long as either side wants it. */
export interface StreamConnection {
  /** False if the connection has not taken all of it yet: what follows should wait until it is drained. Nothing is lost. */
  write(text: string): boolean;
  /** Ends the body; the connection is closed. */
  end(): void;
  /** Called each time when the connection has taken what was written. */
  onDrained(handler: () => void): void;
  /** Called once, when the connection is gone or the body has ended; at once if it is over already. */
  onClosed(handler: () => void): void;
}

/** A body too large to be joined: it is written a part at a time. */
export interface InParts {
  readonly parts: readonly Uint8Array[];
  /** Bytes of all parts. */
  readonly length: number;
}

/** Takes the reply to one request, once, either at once or later. A ping costs no promise. */
export interface ReplyTo {
  send(reply: HttpReply): void;
}

/** A route answers at once or later. It never throws for anything that a client can cause. */
export type Route = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

export interface LiveAccess {
  /** Topics that the request may subscribe to. */
  readonly topics: readonly string[];
  /** One of the topics: connections are counted by it. */
  readonly owner: string;
  /** Returns the topics, besides `topics`, that a listener subscribes to after it has sent `text`. */
  readonly watch: (text: string) => readonly string[];
}

/** Decides who may subscribe to what is published. */
export interface LiveEndpoint {
  readonly path: string;
  readonly reads: readonly string[];
  /** Headers that count only if they come in one line. */
  readonly single: readonly string[];
  readonly authorize: (request: HttpRequest) => LiveAccess | null;
  readonly connectionsMax: number;
  /** Connections of one owner. */
  readonly connectionsPerUserMax: number;
  /** Called with the number of listeners, whenever that changes. `watchesMore` is true if one of them watches something new. */
  readonly listeners: (count: number, watchesMore: boolean) => void;
}

/** Sends `text` to all connections that listen to `topic`. */
export type Publish = (topic: string, text: string) => void;

/** Closes all connections that listen to `topic`. They may come back, and are authenticated again. */
export type Dismiss = (topic: string) => void;

/** Merges slashes: with a base URL that ends with a slash some clients ask for `//api//v3/checks/`. */
export function mergedSlashes(path: string): string {
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
}
