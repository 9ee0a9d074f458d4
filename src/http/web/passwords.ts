/**
 * Passwords into what is kept of them, and back into yes or no: scrypt, on the thread pool.
 * Not here: whose password it is, how often one may try (`sign-in`).
 * Invariant: at most one scrypt runs at a time, so that it takes neither the memory nor the threads that the store's
 * commits need; and a comparison takes the same time whatever it finds.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** OWASP's scrypt parameters for 32 MB: about 0.2 s. */
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;
const hashBytes = 32;
const memoryBytesMax = 64 * 1024 * 1024;
/** Waiting for their turn; those after them are asked to come back. */
const waitingMax = 16;

export const passwordCharsMin = 10;
export const passwordCharsMax = 200;

export interface Passwords {
  /** Null when too many wait. */
  hash(password: string): Promise<string | null>;
  /** Also for an unknown user, whose `hash` is empty: that takes as long and is false. Null when too many wait. */
  verify(password: string, hash: string): Promise<boolean | null>;
}

export function createPasswords(): Passwords {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const derive = async (password: string, salt: Buffer): Promise<Buffer | null> => {
    if (waiting >= waitingMax) return null;
    waiting++;
    const mine = last.then(() => derived(password, salt));
    last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      waiting--;
    }
  };
  return {
    async hash(password) {
      const salt = randomBytes(16);
      const key = await derive(password, salt);
      return key && ['scrypt', cost.N, cost.r, cost.p, b64(salt), b64(key)].join('$');
    },
    async verify(password, hash) {
      const [, , , , salt = '', kept = ''] = hash.split('$');
      const key = await derive(password, Buffer.from(salt || 'nobody', 'base64url'));
      if (key === null) return null;
      const wanted = kept === '' ? randomBytes(hashBytes) : Buffer.from(kept, 'base64url');
      return wanted.length === key.length && timingSafeEqual(wanted, key);
    },
  };
}

function derived(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same text may be typed as different code points: NFKC makes them one.
    scrypt(password.normalize('NFKC'), salt, hashBytes, { ...cost, maxmem: memoryBytesMax }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function b64(bytes: Buffer): string {
  return bytes.toString('base64url');
}
