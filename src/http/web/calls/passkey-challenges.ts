/**
 * What a browser has to sign to add a passkey or to sign in with one. In memory: a restart in between means trying again.
 * Invariants: each is good once, for some minutes, and for what it was made for; there is a most, and the oldest goes first.
 */
import { randomBytes } from 'node:crypto';
import type { UserId } from '../../../lib/ids.ts';
import { minute } from '../../../lib/units.ts';

/** As long as people look for their key. */
const goodMs = 5 * minute;
const challengesMax = 10_000;
const challengeBytes = 32;

interface Challenge {
  /** Who adds a passkey; null for a sign-in, when nobody knows yet who it is. */
  readonly userId: UserId | null;
  readonly atMs: number;
}

export class PasskeyChallenges {
  /** By the challenge in base64url, oldest first. */
  readonly #open = new Map<string, Challenge>();

  create(userId: UserId | null, atMs: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(randomBytes(challengeBytes));
    this.#open.set(Buffer.from(bytes).toString('base64url'), { userId, atMs });
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= challengesMax) break;
      this.#open.delete(oldest);
    }
    return bytes;
  }

  /** Whether it was made for that, lately; from now on it is not. */
  take(challenge: string, userId: UserId | null, nowMs: number): boolean {
    const found = this.#open.get(challenge);
    if (!found || found.userId !== userId) return false;
    this.#open.delete(challenge);
    return nowMs - found.atMs <= goodMs;
  }
}
