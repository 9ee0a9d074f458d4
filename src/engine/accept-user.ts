/**
 * The users of the web page: made, changed and removed.
 * Invariant: names are unique whatever their case, and once there are users one of them is an owner.
 */
import type { User } from '../domain/user.ts';
import { KnellError } from '../lib/errors.ts';
import type { UserId } from '../lib/ids.ts';
import { appended } from './accept-admin.ts';
import type { Rooms } from './rooms.ts';

const nameCharsMax = 100;

export async function putUser(rooms: Rooms, user: User): Promise<void> {
  const { users } = rooms.registry;
  const name = user.name.toLowerCase();
  if (name.trim() === '' || name.length > nameCharsMax)
    throw new KnellError('usage', `a name has 1 to ${nameCharsMax} characters`);
  const before = users.get(user.id);
  for (const other of users.values()) {
    if (other.id !== user.id && other.name.toLowerCase() === name)
      throw new KnellError('conflict', `a user named ${user.name} exists already`);
  }
  if (user.role !== 'owner') mustLeaveAnOwner(rooms, user.id);
  users.set(user.id, user);
  await appended(rooms, { type: 'user', user }, () => {
    if (before) users.set(user.id, before);
    else users.delete(user.id);
  });
}

export async function deleteUser(rooms: Rooms, id: UserId): Promise<void> {
  const { users } = rooms.registry;
  const user = users.get(id);
  if (!user) throw new KnellError('not-found', 'no such user');
  mustLeaveAnOwner(rooms, id);
  users.delete(id);
  await appended(rooms, { type: 'user-deleted', id }, () => users.set(id, user));
}

function mustLeaveAnOwner({ registry }: Rooms, without: UserId): void {
  for (const user of registry.users.values()) {
    if (user.id !== without && user.role === 'owner') return;
  }
  throw new KnellError('conflict', 'somebody must be an owner: make another user one first');
}
