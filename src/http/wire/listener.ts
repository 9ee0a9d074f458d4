/**
 * What both HTTP listeners serve, and what they are given: the contract between `server` (uWebSockets.js), `compat-server`
 * (node:http) and `app`, which hands the same mounts to both.
 * Invariant: a path has the same route on every listener.
 */
import { messageOf } from '../../lib/errors.ts';
import { type Logger, redactUrl } from '../../lib/logger.ts';
import type { BodyBudget } from './body-reader.ts';
import type { HttpReply, HttpRequest, LiveEndpoint, ReplyTo, Route } from './message.ts';
import type { Peers } from './read-request.ts';
import { text } from './replies.ts';

type CallbackRoute = (request: HttpRequest, replyTo: ReplyTo) => void;

export interface Mount {
  /** Requests whose path begins with this. */
  readonly prefix: string;
  /** What of the path comes before the paths that Knell knows, and is cut off: see `Served`. */
  readonly base: string;
  readonly route: CallbackRoute;
  /** What of a request's body is handed on, by its head; the rest is read and dropped. */
  readonly bodyBytesMax: (head: HttpRequest) => number;
  /** The reply when the bodies in flight leave no memory for another one. */
  readonly overBudget: HttpReply;
  /** Whether X-Api-Key is looked for: every header read is a call into the library. */
  readonly readsApiKey: boolean;
  /** Whether its route asks who the client is. Reading all lines of X-Forwarded-For costs as much as half a ping. */
  readonly guards: boolean;
  /** Its route has read the request when it returns: the listener may use the object for the next one. */
  readonly readsAtOnce?: boolean;
  /** Further headers that are handed on, in lower case. */
  readonly reads?: readonly string[];
  /** Those of them that count only when they come in one line: who wrote the first of two is not known. */
  readonly single?: readonly string[];
}

/** What of a request's head a route has asked for. */
export type HeadReads = Pick<Mount, 'base' | 'readsApiKey' | 'guards' | 'reads' | 'single'>;

/** What a listener serves. */
export interface Served {
  /** The most used first; a path that none takes goes to the last. */
  readonly mounts: readonly Mount[];
  readonly live: LiveEndpoint | null;
  /** Where live connections are asked for: at the paths that Knell knows, and below the path of its base URL. */
  readonly livePaths: readonly string[];
}

export interface ListenerOptions {
  readonly peers: Peers;
  readonly nowMs: () => number;
  readonly userAgentCharsMax: number;
  readonly bodies: BodyBudget;
  readonly logger: Logger;
}

/** Headers of up to 16 kB: behind sign-in proxies cookies alone exceed the 4 kB that uWebSockets.js takes by itself. */
export const headerBytesMax = 16_384;

/** A ping's log shows its method, which a client may make up: the longest registered one has 17 (IANA). */
export const methodCharsMax = 20;

/** A route that answers by promise, as a route that answers by callback. What it throws becomes a 500. */
export function byCallback(route: Route, logger: Logger): CallbackRoute {
  return (request, replyTo) => {
    Promise.resolve()
      .then(() => route(request))
      .then(
        (reply) => replyTo.send(reply),
        (error: unknown) => {
          logger.error({ path: redactUrl(request.path), error: messageOf(error) }, 'a request failed');
          replyTo.send(text(500, 'internal error'));
        },
      );
  };
}
