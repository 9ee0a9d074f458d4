/**
 * The page's sessions that were signed out of, by user, in memory.
 * Invariant: one that would still be good by its time is never forgotten, unless its user has gone or has a new password,
 * both of which make it void.
 */
import type { EndedSession } from '../../domain/accounts/user.ts';
import type { UserId } from '../../lib/ids.ts';

/** The ends of one user's sessions, by session id. */
type EndedOfUser = ReadonlyMap<string, number>;

export class EndedSessions {
  readonly #byUser = new Map<UserId, Map<string, number>>();

  has(userId: UserId, id: string): boolean {
    return this.#byUser.get(userId)?.has(id) ?? false;
  }

  add({ userId, id, untilMs }: EndedSession): void {
    const known = this.#byUser.get(userId);
    if (known) known.set(id, untilMs);
    else this.#byUser.set(userId, new Map([[id, untilMs]]));
  }

  remove({ userId, id }: EndedSession): void {
    this.#byUser.get(userId)?.delete(id);
  }

  /** Forgets those of a user that have run out; returns how many are left. */
  sweep(userId: UserId, nowMs: number): number {
    const ended = this.#byUser.get(userId);
    if (!ended) return 0;
    for (const [id, untilMs] of ended) {
      if (untilMs < nowMs) ended.delete(id);
    }
    return ended.size;
  }

  /** Removes all of a user's and returns them, so that `restore` can undo it. */
  removeAll(userId: UserId): EndedOfUser {
    const ended = this.#byUser.get(userId) ?? new Map();
    this.#byUser.delete(userId);
    return ended;
  }

  restore(userId: UserId, ended: EndedOfUser): void {
    const since = this.#byUser.get(userId) ?? [];
    this.#byUser.set(userId, new Map([...ended, ...since]));
  }
}
