/**
 * The HTTP listener, and the only file that knows uWebSockets.js. It turns requests into plain values and writes the replies.
 * It chooses the mount of a path; the mount decides what the path means.
 * Invariants: a request object is read before its handler returns, because it is invalid afterwards. A reply is written at most
 * once, and never to a connection that is gone.
 */

import type * as Uws from 'uWebSockets.js';
import type { ListenAddress } from '../../lib/addresses.ts';
import { KnellError } from '../../lib/errors.ts';
import {
  headerBytesMax,
  listenerBacklogBytesMax,
  listenerMinutesMax,
  methodCharsMax,
  watchBytesMax,
} from '../limits.ts';
import { BodyReader } from './body-reader.ts';
import type { ListenerOptions, Mount, Served } from './listener.ts';
import { type Listener, LiveListeners } from './live-listeners.ts';
import type { Dismiss, LiveEndpoint, Publish } from './message.ts';
import { cannotListen } from './probe-port.ts';
import { emptyRequest, isMalformed, mayHaveBody, type OpenRequest, readHead } from './read-head.ts';
import { OnlyPeer, type Peer, type Peers } from './read-request.ts';
import { OpenReplies, OpenReply } from './write-reply.ts';

// The library has these, but its typings lack them: the option that refuses a port which another process listens on.
declare module 'uWebSockets.js' {
  export const LIBUS_LISTEN_EXCLUSIVE_PORT: Uws.ListenOptions;
  interface TemplatedApp {
    listen(
      host: Uws.RecognizedString,
      port: number,
      options: Uws.ListenOptions,
      done: (socket: Uws.us_listen_socket | false) => void,
    ): Uws.TemplatedApp;
  }
}

/** Paths of PEM files. */
interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface HttpServer {
  /**
   * Sets what is served, once and before `listen`. It comes after creation because what is served may itself publish and
   * dismiss.
   */
  serve(served: Served): void;
  /** Opens the listener and returns its port. Throws a KnellError `port-in-use`. */
  listen(address: ListenAddress): number;
  /** Reads the certificate again, for connections that begin from now on. Throws if it cannot be used. */
  renew(): void;
  readonly publish: Publish;
  readonly dismiss: Dismiss;
  readonly isListenedTo: (topic: string) => boolean;
  /** Topics that have a listener, each once. */
  readonly topics: () => readonly string[];
  /** Stops taking connections, waits at most `graceMs` for accepted requests, then closes the rest. */
  stop(graceMs: number): Promise<void>;
}

/*
 * One limit is compiled into the library: it closes a connection on which nothing has come for 10 s, and one whose request is
 * not complete after 10 s, unless its body comes at 16 kB/s or more.
 */

async function loadNative(): Promise<typeof Uws> {
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(headerBytesMax);
  try {
    return await import('uWebSockets.js');
  } catch (cause) {
    const platform = `${process.platform} ${process.arch}, Node ${process.versions.node}`;
    const advice = 'Knell runs on Node 20 and 22, on Linux with glibc, macOS and Windows';
    throw new KnellError('platform-unsupported', `uWebSockets.js has no binary for ${platform}: ${advice}`, {
      cause,
    });
  }
}

export async function createHttpServer(
  options: ListenerOptions & { readonly tls?: TlsFiles | null },
): Promise<HttpServer> {
  const native = await loadNative();
  const open = new OpenReplies();
  const only = new OnlyPeer();
  const reading: Reading = { ...options, open, only, reused: emptyRequest(), mounts: [], live: null };
  const listeners = new LiveListeners();
  const apps = new Apps(native, options, only);
  return {
    serve({ live, livePaths, mounts }) {
      reading.mounts = mounts;
      reading.live = live;
      apps.open((app) => {
        if (reading.live) for (const path of livePaths) openLive({ reading, app, listeners }, path);
        for (const [at, { prefix }] of reading.mounts.entries()) openMount(reading, app, prefix, at);
      });
    },
    dismiss: (topic) => listeners.dismiss(topic),
    isListenedTo: (topic) => listeners.count(topic) > 0,
    topics: () => listeners.topics(),
    listen: (address) => apps.listen(address),
    renew: () => apps.renew(),
    publish: (topic, text) => apps.publish(topic, text),
    async stop(graceMs) {
      apps.stopListening();
      await open.drained(graceMs);
      apps.close();
      reading.mounts = [];
      reading.live = null;
    },
  };
}

interface OpenApp {
  readonly app: Uws.TemplatedApp;
  connections: number;
  /** Whether it has stopped listening. */
  isRetired: boolean;
}

type SetUp = (app: Uws.TemplatedApp) => void;

/** Milliseconds for which the old app still takes connections after a new one has begun to listen. */
const handOverMs = 5;

/**
 * The library's app, or several. A certificate belongs to its app, so a renewed one needs a new app; the old app serves its
 * connections until they end.
 */
class Apps {
  readonly #native: typeof Uws;
  readonly #tls: TlsFiles | null;
  readonly #count: (res: Uws.HttpResponse, change: number) => void;
  readonly #apps = new Set<OpenApp>();
  #setUp: SetUp = () => {};
  #newest: OpenApp | null = null;
  #listening: Uws.us_listen_socket | null = null;
  #address: ListenAddress | null = null;

  constructor(native: typeof Uws, { peers, tls }: { peers: Peers; tls?: TlsFiles | null }, only: OnlyPeer) {
    this.#native = native;
    this.#tls = tls ?? null;
    this.#count = (res, change) => {
      if (change > 0) only.opened(peerOf(peers, res));
      else only.closed();
    };
  }

  /** Creates the first app. Throws a KnellError `usage` if the certificate cannot be used. */
  open(setUp: SetUp): void {
    this.#setUp = setUp;
    this.#newest = this.#create();
  }

  /** Under TLS other sockets of this process may listen on the same port, so the port was probed before. */
  listen({ host, port }: ListenAddress): number {
    const first = this.#listenOn({ host, port });
    const real = this.#native.us_socket_local_port(first);
    this.#listening = first;
    if (this.#tls && port === 0) {
      // The library lets a port be shared only if its number is given.
      this.#native.us_listen_socket_close(first);
      this.#listening = this.#listenOn({ host, port: real });
    }
    this.#address = { host, port: real };
    return real;
  }

  /** Serves new connections under the certificate that the files contain now. Throws if they do not match. */
  renew(): void {
    const [old, oldSocket] = [this.#newest, this.#listening];
    if (!old || !oldSocket || !this.#address) return;
    this.#newest = this.#create();
    try {
      this.#listening = this.#listenOn(this.#address);
    } catch (error) {
      this.#drop(this.#newest);
      this.#newest = old;
      throw error;
    }
    // The old app first takes what waits, in a turn of its own: connections that are still queued when its socket closes are
    // reset.
    setTimeout(() => setImmediate(() => this.#retire(old, oldSocket)), handOverMs);
  }

  publish(topic: string, text: string): void {
    for (const { app } of this.#apps) app.publish(topic, text);
  }

  stopListening(): void {
    if (this.#listening) this.#native.us_listen_socket_close(this.#listening);
    this.#listening = null;
  }

  close(): void {
    for (const one of [...this.#apps]) this.#drop(one);
  }

  #create(): OpenApp {
    const app = this.#tls ? this.#native.SSLApp(sslOptions(this.#tls)) : this.#native.App();
    const created: OpenApp = { app, connections: 0, isRetired: false };
    const count = (res: Uws.HttpResponse, change: number): void => {
      this.#count(res, change);
      created.connections += change > 0 ? 1 : -1;
      if (created.isRetired && created.connections === 0) setImmediate(() => this.#drop(created));
    };
    app.filter(count);
    this.#setUp(app);
    this.#apps.add(created);
    return created;
  }

  #listenOn({ host, port }: ListenAddress): Uws.us_listen_socket {
    const isShared = this.#tls !== null && port !== 0;
    let opened: Uws.us_listen_socket | null = null;
    this.#newest?.app.listen(
      host,
      port,
      isShared ? 0 : this.#native.LIBUS_LISTEN_EXCLUSIVE_PORT,
      (socket) => {
        opened = socket || null;
      },
    );
    if (!opened) throw cannotListen({ host, port });
    return opened;
  }

  #retire(old: OpenApp, socket: Uws.us_listen_socket): void {
    if (!this.#apps.has(old)) return;
    this.#native.us_listen_socket_close(socket);
    old.isRetired = true;
    if (old.connections === 0) this.#drop(old);
  }

  #drop(one: OpenApp): void {
    if (this.#apps.delete(one)) one.app.close();
  }
}

function sslOptions({ certFile, keyFile }: TlsFiles): Uws.AppOptions {
  return { cert_file_name: certFile, key_file_name: keyFile };
}

/** `at`: of the mount among those of `reading`. */
function openMount(reading: Reading, app: Uws.TemplatedApp, prefix: string, at: number): void {
  app.get(`${prefix}*`, (res, req) => handle(reading, at, 'GET', res, req));
  app.any(`${prefix}*`, (res, req) => {
    const method = req.getCaseSensitiveMethod().slice(0, methodCharsMax);
    handle(reading, at, method, res, req);
  });
}

/**
 * Everything that is needed to read a request. The library never frees the functions of an app: they find what is served in here,
 * where it is until the server has stopped.
 */
interface Reading extends ListenerOptions {
  mounts: readonly Mount[];
  live: LiveEndpoint | null;
  readonly open: OpenReplies;
  readonly only: OnlyPeer;
  /** Object for requests that their route reads at once. */
  readonly reused: OpenRequest;
}

/** Uses the only peer if there is one: asking the library for the address costs as much as taking the ping. */
function senderOf({ only, peers }: Reading, res: Uws.HttpResponse): Peer {
  return only.peer ?? peerOf(peers, res);
}

function peerOf(peers: Peers, res: Uws.HttpResponse): Peer {
  return peers.of(new Uint8Array(res.getRemoteAddress()));
}

/** `method` comes from the route: most requests are a GET, which has a route of its own, so the library need not be asked. */
function handle(
  reading: Reading,
  at: number,
  method: string,
  res: Uws.HttpResponse,
  req: Uws.HttpRequest,
): void {
  const mount = reading.mounts[at];
  if (mount === undefined) {
    res.close();
    return;
  }
  const hasBody = mayHaveBody(method, req);
  if (hasBody && isMalformed(mount, req)) {
    refuseUnclearLength(res);
    return;
  }
  const reused = mount.readsAtOnce && !hasBody ? reading.reused : undefined;
  const request = readHead(reading, mount, method, senderOf(reading, res), req, reused);
  const replyTo = new OpenReply(reading.open, res, method === 'HEAD');
  if (!hasBody) {
    mount.route(request, replyTo);
    return;
  }
  const bytesMax = mount.bodyBytesMax(request);
  const reader = new BodyReader(reading.bodies, bytesMax, mount.keepsBodyEnd?.(request));
  replyTo.holds = reader;
  let isFirst = true;
  res.onData((chunk, isLast) => {
    if (isFirst && isLast && mount.readsAtOnce && chunk.byteLength <= bytesMax) {
      // The body came in one chunk, and is read before the library takes its memory back, so it is not copied.
      request.body = new Uint8Array(chunk);
      mount.route(request, replyTo);
      return;
    }
    isFirst = false;
    reader.take(new Uint8Array(chunk));
    if (!isLast) return;
    if (reader.overBudget) {
      replyTo.send(mount.overBudget);
      return;
    }
    request.body = reader.body();
    request.bodyCut = reader.cut;
    mount.route(request, replyTo);
  });
}

interface LiveParts {
  readonly reading: Reading;
  readonly app: Uws.TemplatedApp;
  readonly listeners: LiveListeners;
}

/**
 * Opens WebSockets that listen and name what they watch. A listener that cannot keep up is disconnected; it comes back and
 * reads everything anew. After an hour a connection ends, and its user is authenticated again.
 */
function openLive({ reading, app, listeners }: LiveParts, path: string): void {
  app.ws<Listener>(path, {
    maxPayloadLength: watchBytesMax,
    maxBackpressure: listenerBacklogBytesMax,
    closeOnBackpressureLimit: true,
    maxLifetime: listenerMinutesMax,
    upgrade(res, req, context) {
      const { live } = reading;
      if (live === null) {
        res.close();
        return;
      }
      const access = live.authorize(
        readHead(
          reading,
          { ...live, base: '', readsApiKey: false, guards: false },
          'GET',
          senderOf(reading, res),
          req,
        ),
      );
      if (access === null) {
        res.writeStatus('403 Forbidden').end();
        return;
      }
      const ofOwner = listeners.count(access.owner);
      if (ofOwner >= live.connectionsPerUserMax || listeners.size >= live.connectionsMax) {
        const most = `${live.connectionsPerUserMax} live connections of a user, ${live.connectionsMax} in all`;
        res.writeStatus('429 Too Many Requests').end(`there are at most ${most}: close some pages`);
        return;
      }
      const header = (name: string): string => req.getHeader(`sec-websocket-${name}`);
      res.upgrade(
        { access, topics: access.topics },
        header('key'),
        header('protocol'),
        header('extensions'),
        context,
      );
    },
    open(socket) {
      listeners.add(socket);
      reading.live?.listeners(listeners.size, false);
    },
    message(socket, message) {
      const watchesMore = listeners.watch(socket, Buffer.from(message).toString());
      reading.live?.listeners(listeners.size, watchesMore);
    },
    close(socket) {
      listeners.remove(socket);
      reading.live?.listeners(listeners.size, false);
    },
  });
}

/**
 * Answers in a later turn: until a request is answered, the library does not take the bytes after it for another one, and
 * closes.
 */
function refuseUnclearLength(res: Uws.HttpResponse): void {
  let isGone = false;
  res.onAborted(() => {
    isGone = true;
  });
  setImmediate(() => {
    if (isGone) return;
    res.cork(() => res.writeStatus('400 Bad Request').end('the length of the body is not clear', true));
  });
}
