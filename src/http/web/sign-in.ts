/**
 * Signing in and out, and setting a password by a one-time link.
 * Invariant: every try is counted, per address and per account, before anything is looked up; the answer to a wrong
 * name is the answer to a wrong password, and takes as long.
 */
import type { PageState } from '../../domain/page-view.ts';
import type { User } from '../../domain/user.ts';
import { asUserId, newUuid } from '../../lib/ids.ts';
import { errorReply, jsonReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import { type OpenCall, textIn, type VisitorCall } from './call.ts';
import { sessionTopic, userTopic } from './live.ts';
import { passwordCharsMax, passwordCharsMin } from './passwords.ts';
import { setCookie } from './visitor.ts';

export function showState({ room, visitor, nowMs }: OpenCall): HttpReply {
  const { read } = room.engine;
  const user = visitor && { id: visitor.user.id, name: visitor.user.name, role: visitor.user.role };
  const state: PageState = {
    user,
    byProxy: visitor !== null && visitor.opened === null,
    fresh: read.users().length === 0,
    csrf: visitor ? room.tokens.csrf(visitor.session) : '',
    projects: visitor ? read.projects().map(({ id, name, plan }) => ({ id, name, plan })) : [],
    baseUrl: room.baseUrl,
    emailDomain: room.emailDomain,
    nowMs,
  };
  return jsonReply(state);
}

export async function signIn(call: OpenCall): Promise<HttpReply> {
  const { room, json } = call;
  const name = textIn(json, 'name').toLowerCase();
  const refused = throttled(call, name);
  if (refused) return refused;
  const user = room.engine.read.users().find((one) => one.name.toLowerCase() === name);
  const right = await room.passwords.verify(passwordIn(call), user?.passwordHash ?? '');
  if (right === null) return busy;
  if (!right || !user) return errorReply(401, 'name or password is wrong');
  return welcomed(call, user);
}

export async function signOut({ room, request, visitor, nowMs }: VisitorCall): Promise<HttpReply> {
  const { user, opened } = visitor;
  if (opened) {
    const { id, untilMs } = opened;
    await room.engine.change.endSession({ userId: user.id, id, untilMs, endedAtMs: nowMs });
    room.dismiss(sessionTopic(user.id, id));
  }
  return jsonReply({}, 200, [setCookie('', request)]);
}

/** Whose link it is, so that the page can say so. */
export function showLink(call: OpenCall): HttpReply {
  const refused = throttled(call, '');
  if (refused) return refused;
  const link = linkIn(call);
  if (link === null) return badLink;
  return jsonReply({ kind: link.kind, name: link.kind === 'user' ? link.user.name : '' });
}

/** Uses the link up: the password it sets is part of what was signed, and the first user ends the first link. */
export async function setPassword(call: OpenCall): Promise<HttpReply> {
  const { room, json, nowMs } = call;
  const refused = throttled(call, '');
  if (refused) return refused;
  if (linkIn(call) === null) return badLink;
  const password = passwordIn(call);
  if (password.length < passwordCharsMin)
    return errorReply(400, `a password has at least ${passwordCharsMin} characters`);
  const passwordHash = await room.passwords.hash(password);
  if (passwordHash === null) return busy;
  // Looked at again: between the two somebody else may have used it.
  const link = linkIn(call);
  if (link === null) return badLink;
  const user: User =
    link.kind === 'user'
      ? { ...link.user, passwordHash }
      : {
          id: asUserId(newUuid()),
          name: textIn(json, 'name') || 'owner',
          role: 'owner',
          passwordHash,
          createdAtMs: nowMs,
        };
  await room.engine.change.putUser(user);
  room.dismiss(userTopic(user.id));
  return welcomed(call, user);
}

const busy = errorReply(503, 'too many are signing in, try again in a moment', [['Retry-After', '2']]);
const badLink = errorReply(
  410,
  'this link is used up or too old: an owner makes a new one under Settings, "knell password reset" on the server prints one',
);

function welcomed({ room, request, nowMs }: OpenCall, user: User): HttpReply {
  const session = room.tokens.session(user, nowMs);
  return jsonReply({}, 200, [setCookie(session, request)]);
}

function linkIn({ room, json, nowMs }: OpenCall) {
  return room.tokens.linkOf(textIn(json, 'link'), room.engine.read.users(), nowMs);
}

/** Not trimmed: blanks are part of a password. */
function passwordIn({ json }: OpenCall): string {
  const { password } = json;
  return typeof password === 'string' ? password.slice(0, passwordCharsMax) : '';
}

/** Both are asked, so that neither tells of the other. */
function throttled({ room, request, nowMs }: OpenCall, account: string): HttpReply | null {
  const ofAddress = room.byAddress.take(request.clientAddr, nowMs);
  const ofAccount = account === '' ? 0 : room.byAccount.take(account, nowMs);
  const waitSeconds = Math.max(ofAddress, ofAccount);
  if (waitSeconds === 0) return null;
  const message = `too many tries, try again in ${waitSeconds} s`;
  return errorReply(429, message, [['Retry-After', String(waitSeconds)]]);
}
