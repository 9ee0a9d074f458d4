/**
 * A request as plain values and a reply as plain values: the contract between `server.ts`, which alone knows the
 * native library, and the routes.
 */
import type { Scheme } from '../../domain/check/ping.ts';

export interface HttpRequest {
  /** As sent: in upper case, unless a client made one up. */
  readonly method: string;
  /** As sent, still percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the question mark; empty for none. */
  readonly query: string;
  /** The X-Api-Key header; null when absent. */
  readonly apiKey: string | null;
  /** Those that its mount asks for, by lower-case name; one that was not sent is empty. */
  readonly headers: Readonly<Record<string, string>>;
  /** Came through a trusted proxy, whose word about the client counts. */
  readonly trusted: boolean;
  readonly userAgent: string;
  readonly scheme: Exclude<Scheme, 'email'>;
  /** For information: the leftmost forwarded address where a trusted proxy says so. */
  readonly remoteAddr: string;
  /**
   * For guarding: the rightmost address that is not a trusted proxy, of IPv6 its /64. Empty on mounts that guard nothing.
   */
  readonly clientAddr: string;
  readonly body: Uint8Array;
  /** The body was longer than the route takes: `body` holds its first part. */
  readonly bodyCut: boolean;
  /** Epoch milliseconds, stamped once. */
  readonly receivedAtMs: number;
  /** Of a change that a node hands to the leader: a random UUID, so that it is made once however often the node asks for it. */
  readonly idempotencyKey?: string | undefined;
}

export interface HttpReply {
  /** One of a few that are the same each time: its headers are made ready once. */
  readonly fixed?: true;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | InParts;
}

/** A body too large to be put together: written a part at a time. */
export interface InParts {
  readonly parts: readonly Uint8Array[];
  /** Of all parts. */
  readonly length: number;
}

/** Where the reply to one request goes: once, at once or later. A ping costs no promise. */
export interface ReplyTo {
  send(reply: HttpReply): void;
}

/** A route answers at once or later; never throws for what a client can cause. */
export type Route = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

export interface LiveAccess {
  /** What the request may subscribe to. */
  readonly topics: readonly string[];
  /** One of these: whose connections are counted together. */
  readonly owner: string;
  /** What a listener that sends `text` subscribes to from then on, besides `topics`. */
  readonly watch: (text: string) => readonly string[];
}

/** Who may subscribe to what is published. */
export interface LiveEndpoint {
  readonly path: string;
  readonly reads: readonly string[];
  /** Those that count only when they come in one line. */
  readonly single: readonly string[];
  readonly authorize: (request: HttpRequest) => LiveAccess | null;
  readonly connectionsMax: number;
  /** Of one owner. */
  readonly connectionsPerUserMax: number;
  /** Called with the number of listeners, whenever that changes; `watchesMore`: one of them watches what it did not watch before. */
  readonly listeners: (count: number, watchesMore: boolean) => void;
}

/** Sends `text` to all who listen to `topic`. */
export type Publish = (topic: string, text: string) => void;

/** Closes the connections of all who listen to `topic`: they may come back, and are asked again who they are. */
export type Dismiss = (topic: string) => void;

/** A base URL that ends with a slash gives some clients `//api//v3/checks/`. */
export function mergedSlashes(path: string): string {
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
}
