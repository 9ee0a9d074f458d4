/** Takes bearer tokens (RFC 6750) out of their header, and compares them so that the time reveals nothing of the secret. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns null if `authorization` contains no bearer token. */
export function bearerToken(authorization: string): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
}

export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
