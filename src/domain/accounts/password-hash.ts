/**
 * What is kept of a password, as text: `scrypt$N$r$p$salt$key`. Of members and of status pages.
 * Not here: the hashing itself (`commands/secrets/passwords`).
 */

/** In characters. */
export const passwordCharsMin = 10;
export const passwordCharsMax = 200;

/** OWASP's scrypt parameters for 32 MB: about 0.2 s. */
export const scryptCost = { N: 2 ** 15, r: 8, p: 3 } as const;
export const saltBytes = 16;
export const hashBytes = 32;

export function passwordHash(salt: Buffer, key: Buffer): string {
  return ['scrypt', scryptCost.N, scryptCost.r, scryptCost.p, ...[salt, key].map(base64Url)].join('$');
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
