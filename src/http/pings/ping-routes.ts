/**
 * The HTTP listener for pings: `/ping/<uuid>` and `/ping/<ping_key>/<slug>`, each also with `/start`, `/fail`, `/log` or an
 * exit status. It takes plain values off the request and passes them to the engine, which decides what they mean.
 */
import type { Action } from '../../domain/check/classify.ts';
import { noResults, type Result } from '../../domain/results/result.ts';
import type { Engine, PingOutcome, PingRequest, PingTarget } from '../../engine/contract/engine.ts';
import { parseRunId, type RunId } from '../../lib/ids.ts';
import { UuidWords, uuidChars } from '../../lib/uuid-words.ts';
import { type HttpRequest, mergedSlashes, type ReplyTo } from '../wire/message.ts';
import { pingReplies, pingText } from '../wire/replies.ts';
import { hostOf, lastOf, word } from './address-words.ts';
import { givenResults } from './given-results.ts';
import { asksForMaintenance } from './maintenance-routes.ts';
import { newCheckOf } from './new-check.ts';

export const pingPrefix = '/ping/';

/** Clients of a base URL that ends with a slash ask for `//ping//…`. */
export function isPingPath(path: string): boolean {
  return mergedSlashes(path).startsWith(pingPrefix);
}

const slash = '/'.charCodeAt(0);

type PingRoute = (request: HttpRequest, replyTo: ReplyTo) => void;

/**
 * A refusal is answered at once, a ping once it is durable. `serveMaintenance`: what is no ping, but asks for maintenance; only what is
 * no ping is looked at for that.
 */
export function createPingRoutes(
  engine: Pick<Engine, 'acceptPing'>,
  serveMaintenance: PingRoute | null = null,
): PingRoute {
  const ping = new OpenPing();
  return (request, replyTo) => {
    if (request.method === 'OPTIONS') {
      replyTo.send(pingReplies.preflight);
      return;
    }
    const refusal = ping.read(request);
    if (refusal === null) engine.acceptPing(ping, send, replyTo);
    else if (typeof refusal === 'object') engine.acceptPing(ping, sendWith(refusal.error), replyTo);
    else if (refusal === 'not-found' && serveMaintenance && asksForMaintenance(request))
      serveMaintenance(request, replyTo);
    else replyTo.send(pingReplies[refusal]);
  };
}

function send(outcome: PingOutcome, replyTo: ReplyTo): void {
  replyTo.send(pingReplies[outcome]);
}

function sendWith(error: string): typeof send {
  return (outcome, replyTo) => {
    if (outcome === 'bad-settings') replyTo.send(pingText(400, error));
    else send(outcome, replyTo);
  };
}

/** A map, not a plain object: a client may ask for `constructor`, which every object has. */
const actions: ReadonlyMap<string, Action> = new Map([
  ['start', 'start'],
  ['fail', 'fail'],
  ['log', 'log'],
  ['warn', 'warn'],
  ['alive', 'alive'],
]);
const digits = /^[0-9]+$/;
const noBody = new Uint8Array(0);

type Refusal = 'malformed' | 'not-found' | 'unknown-key';

/** What is wrong with the settings of the check that the ping may create. It matters only if there is no check yet. */
interface WrongSettings {
  readonly error: string;
}

/** One object serves one ping after the other: the engine has read it before the next one comes. */
class OpenPing implements PingRequest {
  target: PingTarget;
  error: PingRequest['error'] = null;
  action: Action = 'success';
  exitStatus: number | null = null;
  rid: RunId | null = null;
  host = '';
  results: readonly Result[] = noResults;
  scheme: PingRequest['scheme'] = 'http';
  method = '';
  remoteAddr = '';
  ua = '';
  body: Uint8Array = noBody;
  readonly searchable: { readonly via: 'http'; body: Uint8Array } = { via: 'http', body: noBody };
  receivedAtMs = 0;
  readonly #byUuid = { by: 'uuid' as const, uuid: new UuidWords() };
  readonly #bySlug = { by: 'slug' as const, pingKey: '', slug: '', create: false };

  constructor() {
    this.target = this.#byUuid;
  }

  /** Returns a text if the request is no ping. Whose ping it may be is found out by the engine. */
  read(request: HttpRequest): Refusal | WrongSettings | null {
    this.error = null;
    this.rid = null;
    this.host = '';
    this.results = noResults;
    const { path } = request;
    const refusal = this.#readPath(path.includes('%') ? decoded(path) : path);
    if (refusal !== null) return refusal;
    if (this.exitStatus !== null && this.exitStatus > 255) this.error = 'bad-exit-status';
    const wrong = request.query === '' ? null : this.#readQuery(new URLSearchParams(request.query));
    this.scheme = request.scheme;
    this.method = request.method;
    this.remoteAddr = request.remoteAddr;
    this.ua = request.userAgent;
    this.body = request.body;
    this.searchable.body = request.body;
    this.receivedAtMs = request.receivedAtMs;
    return wrong;
  }

  /**
   * Reads what the path names. Returns `malformed` for a slug in upper case, `not-found` for a path that is no ping address.
   */
  #readPath(path: string): Refusal | null {
    const { length } = path;
    const afterUuid = pingPrefix.length + uuidChars;
    if (length === afterUuid || path.charCodeAt(afterUuid) === slash) {
      if (length <= afterUuid + 1) this.#readSuffix('');
      else if (!this.#readSuffix(path.slice(afterUuid + 1))) return this.#readSlugPath(path);
      if (this.#byUuid.uuid.parse(path, pingPrefix.length)) {
        this.target = this.#byUuid;
        return null;
      }
    }
    return this.#readSlugPath(path);
  }

  #readSlugPath(path: string): Refusal | null {
    const [pingKey = '', slug = '', suffix, more] = path.slice(pingPrefix.length).split('/');
    if (more !== undefined || !word.test(slug)) return 'not-found';
    if (!word.test(pingKey)) return 'unknown-key';
    if (suffix === '' || !this.#readSuffix(suffix ?? '')) return 'not-found';
    if (slug !== slug.toLowerCase()) return 'malformed';
    this.#bySlug.pingKey = pingKey;
    this.#bySlug.slug = slug;
    this.target = this.#bySlug;
    return null;
  }

  /** Returns false for anything that is not a suffix. An empty one means a success. */
  #readSuffix(suffix: string): boolean {
    this.action = 'success';
    this.exitStatus = null;
    if (suffix === '') return true;
    const action = actions.get(suffix);
    if (action !== undefined) this.action = action;
    else if (digits.test(suffix)) this.exitStatus = Number(suffix);
    else return false;
    return true;
  }

  #readQuery(query: URLSearchParams): WrongSettings | null {
    const rid = lastOf(query, 'rid');
    if (rid !== null) {
      this.rid = parseRunId(rid);
      if (this.rid === null) this.error ??= 'bad-run-id';
    }
    this.host = hostOf(lastOf(query, 'host'));
    this.results = givenResults(query);
    return this.target === this.#bySlug && lastOf(query, 'create') === '1' ? this.#create(query) : null;
  }

  /** The target is an object of its own: `#bySlug` would have to be reset for each ping. */
  #create(query: URLSearchParams): WrongSettings | null {
    const settings = newCheckOf(query);
    const isWrong = settings !== null && 'error' in settings;
    this.target = { ...this.#bySlug, create: true, settings: isWrong ? 'bad' : settings };
    return isWrong ? settings : null;
  }
}

/**
 * Decodes a path once, slashes too, as Django does. Text that is not a valid encoding stays as it is, and is part of no
 * address.
 */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
