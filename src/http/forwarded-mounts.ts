/**
 * The mounts of a node of a cluster: what is not its own to decide goes to the owner, where a forwarded request finds the mount
 * that the listeners would have chosen. Not here: how it gets there (`cluster/`), who owns the log.
 * Invariant: pings are not forwarded as requests: their route has a way of its own.
 */
import type { HttpRefusal } from '../cluster/under-way.ts';
import { errorReply } from './json-reply.ts';
import type { Mount, Served } from './listener.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import { pingPrefix } from './ping-routes.ts';
import { notFound, notRecordedWords } from './replies.ts';

interface ForwardOptions {
  /** Whether this node answers the request itself. */
  isLocal(request: HttpRequest): boolean;
  /** Never rejects. */
  answer(request: HttpRequest): Promise<HttpReply>;
  /** Some page has begun or ended to listen at this node. */
  listenersChanged(): void;
}

export function forwardedBy(served: Served, options: ForwardOptions): Served {
  const { live } = served;
  return {
    ...served,
    live: live && { ...live, listeners: () => options.listenersChanged() },
    mounts: served.mounts.map((mount) => (isForPings(mount) ? mount : forwarding(mount, options))),
  };
}

function isForPings({ base, prefix }: Mount): boolean {
  return prefix === base + pingPrefix;
}

function forwarding(mount: Mount, { isLocal, answer }: ForwardOptions): Mount {
  return {
    ...mount,
    route(request, replyTo) {
      if (isLocal(request)) mount.route(request, replyTo);
      else void answer(request).then((reply) => replyTo.send(reply));
    },
  };
}

/** What the listeners of this node would answer. The path is without the base already. */
export function routeOf({ mounts }: Served, request: HttpRequest): Promise<HttpReply> {
  const mount = mounts.find(({ base, prefix }) => request.path.startsWith(prefix.slice(base.length)));
  return new Promise((resolve) => {
    if (mount) mount.route(request, { send: resolve });
    else resolve(notFound);
  });
}

const again = ['Retry-After', '2'] as const;
const fromAnywhere = ['Access-Control-Allow-Origin', '*'] as const;

/** To what the owner did not answer. */
export const refusalReplies: Readonly<Record<HttpRefusal, HttpReply>> = {
  unavailable: errorReply(503, notRecordedWords, [again, fromAnywhere]),
  'in-doubt': errorReply(
    503,
    'the owner of the cluster changed meanwhile: this may have been done; look before you try again',
    [again, fromAnywhere],
  ),
  'too-large': errorReply(503, 'too many large replies at once, try again in a moment', [
    again,
    fromAnywhere,
  ]),
};
