/**
 * What was shown last, by the address that it was asked for from: for a device that has no network when one comes back to it. It is
 * kept in memory, and forgotten with the document, as when somebody signs out.
 */

export interface Seen<T> {
  readonly answer: T;
  readonly atMs: number;
}

/** Some ten pages of checks, each of which asks for a dozen answers, and what is above them. */
const seenMax = 150;

const seen = new Map<string, Seen<unknown>>();

/** Those that were shown the longest time ago are forgotten first. */
export function noteSeen(address: string, answer: unknown): void {
  seen.delete(address);
  seen.set(address, { answer, atMs: Date.now() });
  const [oldest] = seen.keys();
  if (seen.size > seenMax && oldest !== undefined) seen.delete(oldest);
}

export function seenLast<T>(address: string): Seen<T> | null {
  return (seen.get(address) as Seen<T> | undefined) ?? null;
}
