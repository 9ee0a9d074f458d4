/** Bearer tokens (RFC 6750): taken out of their header, and compared so that the time says nothing of the secret. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Null when `authorization` holds none. */
export function bearerToken(authorization: string): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
}

export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
