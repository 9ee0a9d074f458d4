/** Compares signatures. */
import { timingSafeEqual } from 'node:crypto';

/** Compares in constant time. */
export function same(right: string, given: string): boolean {
  const a = Buffer.from(right);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}
