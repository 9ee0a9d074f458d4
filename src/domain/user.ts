/**
 * Who may sign in to the web page, and what each of the roles may do there. Plain facts.
 * Not here: how a password is checked, who is asking (`http/web`). Invariant: each role may do all that the next may.
 */
import type { UserId } from '../lib/ids.ts';
import type { Growing } from './unknown-fields.ts';

export const roles = ['owner', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

export interface User extends Growing {
  readonly id: UserId;
  /** Unique among users, whatever the case of its letters. */
  readonly name: string;
  readonly role: Role;
  /** Parameters, salt and hash; empty for one who has set no password yet. */
  readonly passwordHash: string;
  readonly createdAtMs: number;
}

/** A session that its user signed out of before its time. What a session is: `http/web/tokens`. */
export interface EndedSession extends Growing {
  readonly userId: UserId;
  readonly id: string;
  /** When it would have ended by itself; from then on it can be forgotten. */
  readonly untilMs: number;
  readonly endedAtMs: number;
}

/** Without an owner nobody can change anything: the server prints a link that creates one. */
export function hasOwner(users: readonly User[]): boolean {
  return users.some(({ role }) => role === 'owner');
}

export function mayActAs(role: Role, wanted: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(wanted);
}
