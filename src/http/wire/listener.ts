/**
 * The contract between the two HTTP listeners, `server` (uWebSockets.js) and `compat-server` (node:http), and the code that
 * gives both the same mounts.
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
  /** Beginning of the paths that this mount serves. */
  readonly prefix: string;
  /** Beginning of the path, before the paths that Knell knows, which is cut off; see `Served`. */
  readonly base: string;
  readonly route: CallbackRoute;
  /** Bytes of a request's body that the route gets, by its head; the rest is read and dropped. */
  readonly bodyBytesMax: (head: HttpRequest) => number;
  /** Whether of a longer body the end is kept, too; otherwise it is the beginning, which no route reads. */
  readonly keepsBodyEnd?: (head: HttpRequest) => boolean;
  /** The reply if the bodies in flight leave no memory for another one. */
  readonly overBudget: HttpReply;
  /** Whether the route takes the request's pings to the leader by itself: other requests are handed to it whole. */
  readonly takesPings?: (request: HttpRequest) => boolean;
  /** Whether X-Api-Key is read: every header that is read is a call into the library. */
  readonly readsApiKey: boolean;
  /** Whether the route uses the address of the client. Reading all lines of X-Forwarded-For costs as much as half a ping. */
  readonly guards: boolean;
  /** Whether the route has read the request when it returns, so that the listener may reuse the object for the next one. */
  readonly readsAtOnce?: boolean;
  /** Further headers that the route gets, in lower case. */
  readonly reads?: readonly string[];
  /** Those of `reads` that count only if they come in one line: the author of the first of two lines is unknown. */
  readonly single?: readonly string[];
}

/** Parts of a request's head that a route reads. */
export type HeadReads = Pick<Mount, 'base' | 'readsApiKey' | 'guards' | 'reads' | 'single'>;

/** Everything that a listener serves. */
export interface Served {
  /** Mounts, the most used first. A path that no mount matches goes to the last one. */
  readonly mounts: readonly Mount[];
  readonly live: LiveEndpoint | null;
  /** Paths of live connections: the paths that Knell knows, and the same below the path of its base URL. */
  readonly livePaths: readonly string[];
}

export interface ListenerOptions {
  readonly peers: Peers;
  readonly nowMs: () => number;
  readonly userAgentCharsMax: number;
  readonly bodies: BodyBudget;
  readonly logger: Logger;
}

/** Turns a route that answers by promise into one that answers by callback. An exception becomes a 500. */
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
