/**
 * One call of the page as its endpoints see it: routed, authenticated, the body read.
 */
import type { Delivery } from '../../domain/delivery.ts';
import type { SnapshotsView } from '../../domain/page-view.ts';
import type { Channel, Project } from '../../domain/project.ts';
import { KnellError } from '../../lib/errors.ts';
import type { JsonObject } from '../api/request-json.ts';
import type { Dismiss, HttpReply, HttpRequest } from '../message.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { Passwords } from './passwords.ts';
import type { AuthContext, Principal } from './principal.ts';

/** Sends a test message now; a group's to each of its members. */
export type SendTest = (
  channel: Channel,
) => Promise<readonly { readonly ok: boolean; readonly error: string }[]>;

/** What the page asks of the outbox. */
export interface WebOutbox {
  /** Those that have waited longest first, more or less. */
  all(): Iterable<Delivery>;
  get(id: string): Delivery | null;
  /** An id. How many there were: none that is under way just now. */
  retry(id: string): number;
  drop(id: string): number;
}

/** What all endpoints share. */
export interface WebContext extends AuthContext {
  readonly passwords: Passwords;
  readonly sendTest: SendTest;
  readonly outbox: WebOutbox;
  /** The snapshots that there are, and why there is no newer one. */
  readonly snapshots: () => Promise<SnapshotsView>;
  readonly byAddress: RateLimit;
  readonly byAccount: RateLimit;
  readonly baseUrl: string;
  /** Null where no mail is taken. */
  readonly emailDomain: string | null;
  /** Ends the live news of those who may hear them no more, by a topic of `live`. */
  readonly dismiss: Dismiss;
}

/** Signed in or not. */
export interface PublicCall {
  readonly context: WebContext;
  readonly request: HttpRequest;
  readonly principal: Principal | null;
  readonly json: JsonObject;
  readonly path: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

export interface UserCall extends PublicCall {
  readonly principal: Principal;
}

export interface ProjectCall extends UserCall {
  readonly project: Project;
}

export type EndpointReply = HttpReply | Promise<HttpReply>;

/** A text of the body, cut of its blanks; empty when there is none. */
export function textIn(json: JsonObject, name: string): string {
  const value = json[name];
  return typeof value === 'string' ? value.trim() : '';
}

export function oneOf<T extends string>(allowed: readonly T[], json: JsonObject, name: string): T {
  const found = allowed.find((one) => one === json[name]);
  if (found === undefined) throw new KnellError('usage', `${name} must be one of ${allowed.join(', ')}`);
  return found;
}
