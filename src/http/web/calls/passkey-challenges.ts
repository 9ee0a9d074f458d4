/**
 * Challenges that a browser has to sign to add a passkey or to sign in with one. They are in memory: after a restart the user
 * tries again.
 * Invariants: each is valid once, for some minutes, and for its own purpose; their number is bounded, and the oldest is dropped
 * first.
 */
import { randomBytes } from 'node:crypto';
import type { UserId } from '../../../lib/ids.ts';
import { passkeyChallengeMsMax, passkeyChallengesMax } from '../../limits.ts';

const challengeBytes = 32;

interface Challenge {
  /** The user who adds a passkey; null for a sign-in, when the user is not known yet. */
  readonly userId: UserId | null;
  readonly atMs: number;
}

export class PasskeyChallenges {
  /** Challenges by their value in base64url, the oldest first. */
  readonly #open = new Map<string, Challenge>();

  create(userId: UserId | null, atMs: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(randomBytes(challengeBytes));
    this.#open.set(Buffer.from(bytes).toString('base64url'), { userId, atMs });
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= passkeyChallengesMax) break;
      this.#open.delete(oldest);
    }
    return bytes;
  }

  /** Whether it was made for that purpose, and recently. It is invalid from now on. */
  take(challenge: string, userId: UserId | null, nowMs: number): boolean {
    const found = this.#open.get(challenge);
    if (!found || found.userId !== userId) return false;
    this.#open.delete(challenge);
    return nowMs - found.atMs <= passkeyChallengeMsMax;
  }
}
