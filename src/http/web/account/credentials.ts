/**
 * Code that signing in and the account page share: the password of a call, the limits of tries, the beginning of a session.
 * Invariant: a try is counted before the password is read.
 */

import { sessionMs } from '../../../commands/secrets/limits.ts';
import { wrongPasswordDetail } from '../../../domain/accounts/audit.ts';
import { mailAddressOf, type User } from '../../../domain/accounts/user.ts';
import { passwordCharsMax } from '../../../domain/limits.ts';
import { KnellError } from '../../../lib/errors.ts';
import { recentSignInMs } from '../../limits.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { PublicCall, UserCall } from '../calls/call.ts';
import { setCookie } from '../calls/principal.ts';
import { noteUse } from './sessions.ts';

export const busy = errorReply(503, 'too many are signing in, try again in a moment', [['Retry-After', '2']]);
export function beginSession({ context, request, nowMs }: PublicCall, user: User): HttpReply {
  const session = context.tokens.session(user, nowMs);
  const verified = context.tokens.verifySession(session, [user], nowMs);
  if (verified) noteUse(context, { user, session: verified }, request);
  return jsonReply({}, 200, [setCookie(session, request, context.basePath)]);
}

/** Refuses the change if somebody set another password while this one was checked. */
export function unlessChanged(now: User, checked: User, fields: Partial<User>): User {
  if (now.passwordHash !== checked.passwordHash)
    throw new KnellError('conflict', 'your password was changed meanwhile: sign in again');
  return { ...now, ...fields };
}

/** Returns null if the body has the current password in `field`; else the reply. */
export async function wrongPassword(call: UserCall, field = 'password'): Promise<HttpReply | null> {
  const { context, principal, request } = call;
  const { user, session } = principal;
  if (session !== null && user.passwordHash === '')
    return errorReply(409, 'you sign in without a password: there is none here');
  if (session === null) return errorReply(409, 'a proxy signs you in: there is no password here');
  const limited = throttled(call, user.name.toLowerCase());
  if (limited) return limited;
  const right = await context.passwords.verify(passwordIn(call, field), user.passwordHash);
  if (right === null) return busy;
  if (right) return null;
  context.signIns.failed(user, request, wrongPasswordDetail);
  return jsonReply({ error: 'this is not your current password', field }, 400);
}

const noPassword = jsonReply({ error: 'give your current password', field: 'present' }, 400);

export const passwordForLinks = jsonReply(
  {
    error: 'give your current password: links for a new one will go to another address',
    field: 'present',
  },
  400,
);

/**
 * Refuses a change without the current password, in the field `present`, that sends links for a new password elsewhere: a session
 * alone must not become a password. `after` is the user with the change.
 */
export async function wrongOwner(call: UserCall, after: User): Promise<HttpReply | null> {
  const { user, session } = call.principal;
  if (session === null || user.passwordHash === '') return null;
  const agreed = ({ reports, ...of }: User): string | null =>
    mailAddressOf({ ...of, reports: reports && { ...reports, isConfirmed: true } });
  if (agreed(user) === agreed(after)) return null;
  if (passwordIn(call, 'present') === '') return passwordForLinks;
  return wrongPassword(call, 'present');
}

/**
 * Returns null if the body has the current password, in the field `present`, or if a user without one has signed in just now; else
 * the reply, which is `missing` where the body has no password.
 */
export async function wrongUser(call: UserCall, missing = noPassword): Promise<HttpReply | null> {
  const { user, session } = call.principal;
  if (session !== null && user.passwordHash !== '' && passwordIn(call, 'present') === '') return missing;
  if (session === null || user.passwordHash !== '') return wrongPassword(call, 'present');
  const isRecent = session.untilMs - sessionMs > call.nowMs - recentSignInMs;
  return isRecent
    ? null
    : errorReply(409, 'sign out and in again first: there is no password to ask you for');
}

/** The password is not trimmed: blanks are part of it. */
export function passwordIn({ json }: PublicCall, name = 'password'): string {
  const password = json[name];
  return typeof password === 'string' ? password.slice(0, passwordCharsMax) : '';
}

export function throttled({ context, request, nowMs }: PublicCall, account: string): HttpReply | null {
  const waitSeconds = context.tries.take(request.clientAddr, account, nowMs);
  if (waitSeconds === 0) return null;
  const message = `too many attempts, try again in ${waitSeconds} s`;
  return errorReply(429, message, [['Retry-After', String(waitSeconds)]]);
}
