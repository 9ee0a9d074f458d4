/**
 * The users of the web page: made, changed and removed; and the sessions that they sign out of.
 * Invariants: names are unique whatever their case, and once there is an owner there is always one. A session that was
 * signed out of is over at once, and when that is answered, on disk.
 */
import { type EndedSession, hasOwner, type User } from '../domain/user.ts';
import { KnellError } from '../lib/errors.ts';
import type { UserId } from '../lib/ids.ts';
import { appended } from './accept-admin.ts';
import { auditFact, userFact } from './audit-facts.ts';
import type { EngineContext } from './context.ts';

const nameCharsMax = 100;

export async function putUser(context: EngineContext, user: User): Promise<void> {
  const { users, endedSessions } = context.registry;
  const name = user.name.toLowerCase();
  if (name.trim() === '' || name.length > nameCharsMax)
    throw new KnellError('usage', `a name has 1 to ${nameCharsMax} characters`);
  const before = users.get(user.id);
  const { usersMax } = context.bounds;
  if (!before && users.size >= usersMax)
    throw new KnellError(
      'conflict',
      `there are ${usersMax} users, the most there may be: an owner can remove some`,
    );
  for (const other of users.values()) {
    if (other.id !== user.id && other.name.toLowerCase() === name)
      throw new KnellError('conflict', `a user named ${user.name} exists already`);
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
  await appended(context, { type: 'user', user }, undo, userFact(before ?? null, user));
  if (before) context.events.userChanged.publish(user.id);
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
  await appended(context, { type: 'user-deleted', id }, undo, fact);
  context.events.userChanged.publish(id);
}

/** A browser that signs out twice at once has signed out once; both are answered when it is on disk. */
export async function endSession(context: EngineContext, session: EndedSession): Promise<void> {
  const { endedSessions } = context.registry;
  const { userId, id, endedAtMs } = session;
  if (endedSessions.has(userId, id)) return allDurable(context);
  if (endedSessions.sweep(userId, endedAtMs) >= endedSessionsMax) throw tooManyEnded;
  endedSessions.add(session);
  const name = context.registry.users.get(userId)?.name ?? '';
  const fact = auditFact('signed-out', 'session', { subjectId: userId, name });
  await appended(context, { type: 'session-ended', session }, () => endedSessions.remove(session), fact);
}

/** Resolves when all that was appended so far is durable. */
function allDurable({ store }: EngineContext): Promise<void> {
  return new Promise((resolve, reject) => {
    store.barrier({ durable: resolve, rolledBack: () => reject(storeFull) });
  });
}

const storeFull = new KnellError('store-full', 'the disk is full: nothing was changed; free some space');

/**
 * Of one user, within the life of a session: 60 bytes each, and a program that signs in and out every five minutes stays
 * below it. Refusing is better than forgetting one, which would make it good again.
 */
const endedSessionsMax = 10_000;
const tooManyEnded = new KnellError(
  'conflict',
  'you have signed out too often of late: setting a new password ends all your sessions',
);

/** Among imported users there is none at first. */
function assertNotLastOwner({ registry }: EngineContext, without: UserId): void {
  const users = [...registry.users.values()];
  if (!hasOwner(users) || hasOwner(users.filter(({ id }) => id !== without))) return;
  throw new KnellError('conflict', 'somebody must be an owner: make another user one first');
}
