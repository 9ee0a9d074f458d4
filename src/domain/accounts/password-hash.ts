/**
 * The stored form of a password, as text: `scrypt$N$r$p$salt$key`. For members and status pages.
 * Not here: the hashing itself (`commands/secrets/passwords`).
 */

export interface ScryptCost {
  /** Rounds: a power of two, at most that of `scryptCost`. */
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's scrypt parameters for 32 MB: about 0.2 s. */
export const scryptCost: ScryptCost = { N: 2 ** 15, r: 8, p: 3 };
export const saltBytes = 16;
export const hashBytes = 32;

export function passwordHash(salt: Buffer, key: Buffer, { N, r, p }: ScryptCost = scryptCost): string {
  return ['scrypt', N, r, p, ...[salt, key].map(base64Url)].join('$');
}

/** Cost with which a hash was made; today's cost for none, and for text that is no hash. */
export function costOf(hash: string): ScryptCost {
  const [, N = '', r = '', p = ''] = hash.split('$');
  const isKnown = Number(N) <= scryptCost.N && Number(r) === scryptCost.r && Number(p) === scryptCost.p;
  return isKnown && Number(N) > 1 ? { ...scryptCost, N: Number(N) } : scryptCost;
}

/** Whether `text` has the form in which a password is kept. */
export function isPasswordHash(text: string): boolean {
  const [, , , , salt = '', key = ''] = text.split('$');
  const [saltFound, keyFound] = [Buffer.from(salt, 'base64url'), Buffer.from(key, 'base64url')];
  const isWhole = saltFound.length === saltBytes && keyFound.length === hashBytes;
  return isWhole && passwordHash(saltFound, keyFound) === text;
}

function base64Url(bytes: Buffer): string {
  return bytes.toString('base64url');
}
