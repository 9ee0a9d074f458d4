/**
 * Passwords into what is kept of them, and back into yes or no: scrypt, on the thread pool.
 * Not here: whose password it is, how often one may try (`sign-in`).
 * Invariant: at most one scrypt runs at a time, so that it takes neither the memory nor the threads that the store's
 * commits need; and a comparison takes the same time whatever it finds.
 */

import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import type { ScryptCost } from '../../domain/accounts/password-hash.ts';
import {
  costOf,
  hashBytes,
  passwordHash,
  saltBytes,
  scryptCost,
} from '../../domain/accounts/password-hash.ts';
import { passwordsWaitingMax, scryptMemoryBytesMax } from './limits.ts';

export interface Passwords {
  /** Null when too many wait. */
  hash(password: string): Promise<string | null>;
  /** Verifies a password. For an unknown user, whose `hash` is empty, it takes as long and is false. Null when too many wait. */
  verify(password: string, hash: string): Promise<boolean | null>;
}

/** `cost` of new ones: a test that is not about it may have one that takes no time. */
export function createPasswords(cost: ScryptCost = scryptCost): Passwords {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const derive = async (password: string, salt: Buffer, of: ScryptCost): Promise<Buffer | null> => {
    if (waiting >= passwordsWaitingMax) return null;
    waiting++;
    const mine = last.then(() => derived(password, salt, of));
    last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      waiting--;
    }
  };
  return {
    async hash(password) {
      const salt = randomBytes(saltBytes);
      const key = await derive(password, salt, cost);
      return key && passwordHash(salt, key, cost);
    },
    async verify(password, hash) {
      const { salt, key: wanted } = partsOf(hash);
      const key = await derive(password, salt, hash === '' ? cost : costOf(hash));
      return key && isSame(wanted, key);
    },
  };
}

/** Both hold their thread for 0.2 s: for a command, not for a server. */
export const passwordsOfCommand = {
  hash(password: string): string {
    const salt = randomBytes(saltBytes);
    return passwordHash(salt, derivedNow(password, salt, scryptCost));
  },
  verify(password: string, hash: string): boolean {
    const { salt, key } = partsOf(hash);
    return isSame(key, derivedNow(password, salt, costOf(hash)));
  },
} as const;

/** Splits a hash. An empty one gives parts that no password matches. */
function partsOf(hash: string): { readonly salt: Buffer; readonly key: Buffer } {
  const [, , , , salt = '', key = ''] = hash.split('$');
  return {
    salt: Buffer.from(salt || 'nobody', 'base64url'),
    key: key === '' ? randomBytes(hashBytes) : Buffer.from(key, 'base64url'),
  };
}

function isSame(wanted: Buffer, key: Buffer): boolean {
  return wanted.length === key.length && timingSafeEqual(wanted, key);
}

/** The same text may be typed as different code points: NFKC makes them one. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

function derivedNow(password: string, salt: Buffer, cost: ScryptCost): Buffer {
  return scryptSync(normalized(password), salt, hashBytes, { ...cost, maxmem: scryptMemoryBytesMax });
}

function derived(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  const options = { ...cost, maxmem: scryptMemoryBytesMax };
  return new Promise((resolve, reject) => {
    scrypt(normalized(password), salt, hashBytes, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
