/**
 * Who asks: the user of the session cookie, or the one that a trusted proxy names in the header it was told to.
 * Invariant: the header counts only when a trusted proxy sent it, and only when the setting names it.
 */
import type { User } from '../../domain/user.ts';
import type { Engine } from '../../engine/engine.ts';
import { asUserId, newUuid } from '../../lib/ids.ts';
import type { HttpRequest } from '../message.ts';
import { type Opened, sessionMs, type Tokens } from './tokens.ts';

export const sessionCookie = 'knell_session';
export const csrfHeader = 'x-knell-csrf';

export interface Visitor {
  readonly user: User;
  /** What the token against forged requests is bound to. */
  readonly session: string;
  /** The session as it can be signed out of; null for one whom the proxy has signed in. */
  readonly opened: Opened | null;
}

export interface Reception {
  readonly engine: Pick<Engine, 'read' | 'change'>;
  readonly tokens: Tokens;
  /** In lower case; null for none. */
  readonly proxyHeader: string | null;
}

/** Headers that `visitorOf` looks at. */
export function readsOf({ proxyHeader }: Pick<Reception, 'proxyHeader'>): readonly string[] {
  return ['cookie', csrfHeader, ...(proxyHeader === null ? [] : [proxyHeader])];
}

/** Null: nobody that is known. `create`: whether one whom the proxy names for the first time becomes a user. */
export async function visitorOf(at: Reception, request: HttpRequest): Promise<Visitor | null> {
  const known = knownVisitor(at, request);
  const name = proxyName(at, request);
  if (known !== null || name === null) return known;
  const role = at.engine.read.users().length === 0 ? 'owner' : 'viewer';
  const user: User = {
    id: asUserId(newUuid()),
    name,
    role,
    passwordHash: '',
    createdAtMs: request.receivedAtMs,
  };
  await at.engine.change.putUser(user);
  return { user, session: `proxy ${user.id}`, opened: null };
}

/** The same without making anybody a user. */
export function knownVisitor(at: Reception, request: HttpRequest): Visitor | null {
  const users = at.engine.read.users();
  const name = proxyName(at, request);
  if (name !== null) {
    const user = users.find((one) => one.name.toLowerCase() === name.toLowerCase());
    return user ? { user, session: `proxy ${user.id}`, opened: null } : null;
  }
  const session = cookieOf(request);
  const opened = at.tokens.openSession(session, users, request.receivedAtMs);
  if (!opened || at.engine.read.sessionEnded(opened.user.id, opened.id)) return null;
  return { user: opened.user, session, opened };
}

function proxyName({ proxyHeader }: Reception, request: HttpRequest): string | null {
  if (proxyHeader === null || !request.trusted) return null;
  return request.headers[proxyHeader]?.trim() || null;
}

function cookieOf({ headers }: HttpRequest): string {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=');
    if (name === sessionCookie) return value;
  }
  return '';
}

/** The cookie that keeps `session`, or with an empty one ends it. */
export function setCookie(session: string, { scheme }: HttpRequest): readonly [string, string] {
  const age = session === '' ? 0 : Math.floor(sessionMs / 1000);
  const secure = scheme === 'https' ? '; Secure' : '';
  return [
    'Set-Cookie',
    `${sessionCookie}=${session}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`,
  ];
}
