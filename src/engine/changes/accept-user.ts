/**
 * The users of the web page: made, changed and removed; and the sessions that they sign out of.
 * Invariants: names are unique whatever their case, and once there is an owner there is always one. A session that was
 * signed out of is over at once, and when that is answered, on disk.
 */

import {
  type EndedSession,
  hasOtherAccess,
  hasOwner,
  type User,
  type UserSession,
} from '../../domain/accounts/user.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import { KnellError } from '../../lib/errors.ts';
import type { UserId } from '../../lib/ids.ts';
import { auditFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import { userFact } from '../context/member-facts.ts';
import { endedSessionsMax, sessionsListedMax } from '../contract/limits.ts';
import { appended } from './appended.ts';
import { allDurable } from './settled.ts';

export async function putUser(context: EngineContext, asked: User): Promise<void> {
  const { users, endedSessions } = context.registry;
  const name = asked.name.toLowerCase();
  if (name.trim() === '' || name.length > nameCharsMax)
    throw new KnellError('usage', `a name has 1 to ${nameCharsMax} characters`, { field: 'name' });
  const before = users.get(asked.id);
  const user = withoutGoneProjects(context, withoutVoidSessions(before, asked));
  const { usersMax } = context.bounds;
  if (!before && users.size >= usersMax)
    throw new KnellError(
      'conflict',
      `there are ${usersMax} users, the most there may be: an owner can remove some`,
    );
  for (const other of users.values()) {
    if (other.id !== user.id && other.name.toLowerCase() === name)
      throw new KnellError('conflict', `a user named ${user.name} exists already`, { field: 'name' });
  }
  if (user.role !== 'owner') assertNotLastOwner(context, user.id);
  users.set(user.id, user);
  // A new password makes every session before it void, those that were signed out of too.
  const isNewPassword = before !== undefined && before.passwordHash !== user.passwordHash;
  const ended = isNewPassword ? endedSessions.removeAll(user.id) : null;
  const undo = (): void => {
    if (before) users.set(user.id, before);
    else users.delete(user.id);
    if (ended) endedSessions.restore(user.id, ended);
  };
  await appended(
    context,
    { type: 'put', kind: 'user', fact: user },
    undo,
    userFact(context.registry, before ?? null, user),
  );
  if (before && hasOtherAccess(before, user)) context.events.userChanged.publish(user.id);
}

/** A new password, or a sign-out of all, ends every session before it, and what somebody with one of them has asked for. */
function withoutVoidSessions(before: User | undefined, user: User): User {
  const isVoid = before?.passwordHash !== user.passwordHash || before.sessionsFromMs !== user.sessionsFromMs;
  if (!isVoid || !(user.sessions || user.newAddress)) return user;
  return { ...user, sessions: undefined, newAddress: undefined };
}

/** Roles in projects that are no more. So there are never more of them than projects. */
function withoutGoneProjects({ registry }: EngineContext, user: User): User {
  const projects = user.projects?.filter(({ projectId }) => registry.projectIndex(projectId) !== null);
  return projects?.length === user.projects?.length ? user : { ...user, projects };
}

/**
 * Changes a user that is there, as it is by now: `change` sees what others have changed meanwhile, and may throw. Resolves to the
 * user as it is then.
 */
export async function updateUser(
  context: EngineContext,
  id: UserId,
  change: (user: User) => User,
): Promise<User> {
  const before = context.registry.users.get(id);
  if (!before) throw new KnellError('not-found', 'this user was removed');
  const user = change(before);
  await putUser(context, user);
  return user;
}

/** Notes that a session was used. No change that anybody made: it is not in the audit log. */
export async function touchSession(context: EngineContext, id: UserId, session: UserSession): Promise<void> {
  const { users, endedSessions } = context.registry;
  const before = users.get(id);
  if (!before || endedSessions.has(id, session.id)) return;
  const others = (before.sessions ?? []).filter(
    (one) => one.id !== session.id && one.untilMs > session.usedAtMs,
  );
  const user: User = { ...before, sessions: [session, ...others].slice(0, sessionsListedMax) };
  users.set(id, user);
  await appended(context, { type: 'put', kind: 'user', fact: user }, () => users.set(id, before), null);
}

export async function deleteUser(context: EngineContext, id: UserId): Promise<void> {
  const { users, endedSessions } = context.registry;
  const user = users.get(id);
  if (!user) throw new KnellError('not-found', 'no such user');
  assertNotLastOwner(context, id);
  users.delete(id);
  const ended = endedSessions.removeAll(id);
  const undo = (): void => {
    users.set(id, user);
    endedSessions.restore(id, ended);
  };
  const fact = auditFact('deleted', 'member', { subjectId: id, name: user.name });
  await appended(context, { type: 'removed', kind: 'user', id }, undo, fact);
  context.events.userChanged.publish(id);
}

/** A browser that signs out twice at once has signed out once; both are answered when it is on disk. */
export async function endSession(context: EngineContext, session: EndedSession): Promise<void> {
  const { endedSessions, users } = context.registry;
  const { userId, id, endedAtMs } = session;
  if (endedSessions.has(userId, id)) return allDurable(context);
  if (endedSessions.sweep(userId, endedAtMs) >= endedSessionsMax) throw tooManyEnded;
  endedSessions.add(session);
  const user = users.get(userId);
  const listed = user?.sessions?.some((one) => one.id === id) === true ? user : null;
  if (listed) {
    const sessions = listed.sessions?.filter((one) => one.id !== id);
    users.set(userId, { ...listed, sessions });
  }
  const name = user?.name ?? '';
  const fact = auditFact('signed-out', 'session', { subjectId: userId, name });
  const undo = (): void => {
    endedSessions.remove(session);
    if (listed) users.set(userId, listed);
  };
  context.store.beginGroup();
  const done = appended(context, { type: 'put', kind: 'ended-session', fact: session }, undo, fact);
  const after = users.get(userId);
  if (listed && after) context.store.append({ type: 'put', kind: 'user', fact: after }, null);
  context.store.endGroup();
  await done;
}

const tooManyEnded = new KnellError(
  'conflict',
  'you have signed out too often of late: setting a new password ends all your sessions',
);

/** Throws for the last owner. Among imported users there is none at first. */
function assertNotLastOwner({ registry }: EngineContext, without: UserId): void {
  const users = [...registry.users.values()];
  if (!hasOwner(users) || hasOwner(users.filter(({ id }) => id !== without))) return;
  throw new KnellError('conflict', 'somebody must be an owner: make another user one first');
}
