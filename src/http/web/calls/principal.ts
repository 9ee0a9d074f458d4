/**
 * Authenticates requests of the page: the user of the session cookie, or the one that a trusted proxy names in a header.
 * Invariant: the header counts only if a trusted proxy sent it and the setting names it.
 */

import { sessionMs } from '../../../commands/secrets/limits.ts';
import type { Tokens, VerifiedSession } from '../../../commands/secrets/tokens.ts';
import { actorOf, type Origin } from '../../../domain/accounts/audit.ts';
import type { User } from '../../../domain/accounts/user.ts';
import type { Engine } from '../../../engine/contract/engine.ts';
import { asUserId, newUuid } from '../../../lib/ids.ts';
import type { HttpRequest } from '../../wire/message.ts';

const sessionCookie = 'knell_session';
export const csrfHeader = 'x-knell-csrf';

export interface Principal {
  readonly user: User;
  /** Value that the CSRF token is bound to. */
  readonly csrfBinding: string;
  /** The session that signing out ends; null for a user whom the proxy has signed in. */
  readonly session: VerifiedSession | null;
}

export interface AuthContext {
  readonly engine: Pick<Engine, 'read' | 'change' | 'changeBy'>;
  readonly tokens: Tokens;
  /** Header in lower case; null if there is none. */
  readonly proxyHeader: string | null;
}

/** Headers that `authenticate` reads. */
export function authHeaders({ proxyHeader }: Pick<AuthContext, 'proxyHeader'>): readonly string[] {
  return ['cookie', csrfHeader, ...(proxyHeader === null ? [] : [proxyHeader])];
}

/**
 * Headers that count only if they come in one line: a client may have written the first one, before the proxy added its own.
 */
export function singleHeaders({ proxyHeader }: Pick<AuthContext, 'proxyHeader'>): readonly string[] {
  return proxyHeader === null ? [] : [proxyHeader];
}

/** Returns null if the request is not authenticated. A user whom the proxy names for the first time is created. */
export async function authenticate(context: AuthContext, request: HttpRequest): Promise<Principal | null> {
  const known = principalOf(context, request);
  const name = proxyName(context, request);
  if (known !== null || name === null) return known;
  const role = context.engine.read.users().length === 0 ? 'owner' : 'viewer';
  const user: User = {
    id: asUserId(newUuid()),
    name,
    role,
    passwordHash: '',
    createdAtMs: request.receivedAtMs,
  };
  await context.engine.changeBy(originOf(user, request)).putUser(user);
  return { user, csrfBinding: `proxy ${user.id}`, session: null };
}

/** Returns the author of the request, for the audit log. */
export function originOf(
  { id, name }: Pick<User, 'id' | 'name'>,
  { clientAddr, receivedAtMs, idempotencyKey }: HttpRequest,
): Origin {
  return { actor: actorOf('member', name, id, clientAddr), atMs: receivedAtMs, idempotencyKey };
}

/** Authenticates in the same way, but creates no user. */
export function principalOf(context: AuthContext, request: HttpRequest): Principal | null {
  const users = context.engine.read.users();
  const name = proxyName(context, request);
  if (name !== null) {
    const user = users.find((one) => one.name.toLowerCase() === name.toLowerCase());
    return user ? { user, csrfBinding: `proxy ${user.id}`, session: null } : null;
  }
  const cookie = cookieOf(request, sessionCookie);
  const session = context.tokens.verifySession(cookie, users, request.receivedAtMs);
  if (!session || context.engine.read.sessionEnded(session.user.id, session.id)) return null;
  return { user: session.user, csrfBinding: cookie, session };
}

function proxyName({ proxyHeader }: AuthContext, request: HttpRequest): string | null {
  if (proxyHeader === null || !request.trusted) return null;
  return request.headers[proxyHeader]?.trim() || null;
}

export function cookieOf({ headers }: HttpRequest, wanted: string): string {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=');
    if (name === wanted) return value;
  }
  return '';
}

/** Builds the cookie with `session` for paths below `basePath`; an empty session deletes the cookie. */
export function setCookie(
  session: string,
  { scheme }: HttpRequest,
  basePath: string,
): readonly [string, string] {
  const age = session === '' ? 0 : Math.floor(sessionMs / 1000);
  const secure = scheme === 'https' ? '; Secure' : '';
  return [
    'Set-Cookie',
    `${sessionCookie}=${session}; Path=${basePath}/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`,
  ];
}
