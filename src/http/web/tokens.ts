/**
 * What the page signs: sessions, one-time links, tokens against forged requests.
 * Invariant: a token is good only for the user, the purpose and the password that it was made for: whoever gets a new
 * password is signed out everywhere, and a link is used up by what it is for. The secret comes from the
 * installation's, so tokens survive a restart.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { User } from '../../domain/user.ts';
import { day } from '../../lib/units.ts';

export const sessionMs = 30 * day;
const linkMs = day;

/** `first`: nobody has set a password yet; else a link with which that user sets one. */
export type Link = { readonly kind: 'first' } | { readonly kind: 'user'; readonly user: User };

/** What a token says that is good: whose it is, which of theirs, until when. */
export interface Opened {
  readonly user: User;
  readonly id: string;
  readonly untilMs: number;
}

export interface Tokens {
  session(user: User, nowMs: number): string;
  /** Null when it is no session, or one that has run out. Not here: whether somebody has signed out of it. */
  openSession(token: string, users: readonly User[], nowMs: number): Opened | null;
  csrf(session: string): string;
  isCsrf(session: string, token: string): boolean;
  /** For the first user when `user` is null. */
  link(user: User | null, nowMs: number): string;
  linkOf(token: string, users: readonly User[], nowMs: number): Link | null;
}

/** `secret` is asked for when it is needed: it is made with the installation. */
export function createTokens(secret: () => string): Tokens {
  const sign = (purpose: string, ...parts: readonly string[]): string =>
    createHmac('sha256', `web page ${secret()}`)
      .update(JSON.stringify([purpose, ...parts]))
      .digest('base64url');

  const signed = (purpose: string, user: User, untilMs: number): string => {
    const head = `${user.id}.${untilMs}.${randomBytes(9).toString('base64url')}`;
    return `${head}.${sign(purpose, head, user.passwordHash)}`;
  };

  const opened = (purpose: string, token: string, users: readonly User[], nowMs: number): Opened | null => {
    const [id = '', untilMs = '', nonce = '', signature = ''] = token.split('.');
    const user = users.find((one) => one.id === id);
    if (!user || !(Number(untilMs) > nowMs)) return null;
    if (!same(sign(purpose, `${id}.${untilMs}.${nonce}`, user.passwordHash), signature)) return null;
    return { user, id: nonce, untilMs: Number(untilMs) };
  };

  return {
    session: (user, nowMs) => signed('session', user, nowMs + sessionMs),
    openSession: (token, users, nowMs) => opened('session', token, users, nowMs),
    csrf: (session) => sign('csrf', session),
    isCsrf: (session, token) => same(sign('csrf', session), token),
    link: (user, nowMs) => (user ? signed('link', user, nowMs + linkMs) : sign('first')),
    linkOf(token, users, nowMs) {
      if (users.length === 0) return same(sign('first'), token) ? { kind: 'first' } : null;
      const link = opened('link', token, users, nowMs);
      return link && { kind: 'user', user: link.user };
    },
  };
}

/** In constant time. */
function same(right: string, given: string): boolean {
  const a = Buffer.from(right);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}
