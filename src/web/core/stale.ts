/** This file keeps from when the page is and why, if something on it could not be asked for again and is older than it should be, and what was seen before. */
import { useEffect, useState } from 'preact/hooks';

export interface Staleness {
  /** Time of the last answer. */
  readonly atMs: number;
  /** What is wrong, in a few words. */
  readonly why: string;
  /** Whether it is what was seen before one came back to it. */
  readonly isSeen?: boolean;
}

/** By the part of the page that asked. */
const stale = new Map<object, Staleness>();
const changed = 'knell.stale';

/** Notes how old a part is; null when it is up to date again, or nobody sees it any more. */
export function noteStale(asker: object, now: Staleness | null): void {
  const before = stale.get(asker);
  if (before?.atMs === now?.atMs && before?.why === now?.why && before?.isSeen === now?.isSeen) return;
  if (now === null) stale.delete(asker);
  else stale.set(asker, now);
  dispatchEvent(new Event(changed));
}

/** Parts of the page in place of which it says that they could not be loaded, with what is said there, if it is why nothing answers. */
const lacking = new Map<object, string>();

/** Notes what is said in place of a part that is not there; null once it is, or nobody waits for it any more. */
export function noteLacking(asker: object, said: string | null): void {
  if ((lacking.get(asker) ?? null) === said) return;
  if (said === null) lacking.delete(asker);
  else lacking.set(asker, said);
  dispatchEvent(new Event(changed));
}

/** Returns what the page says if it has nothing of which one could say how old it is; null if it has. */
export function useLacking(): string | null {
  const saidFirst = (): string | null =>
    lacking.size === 0 ? null : ([...lacking.values()].find((said) => said !== '') ?? '');
  const [found, setFound] = useState(saidFirst);
  useEffect(() => {
    const look = (): void => setFound(saidFirst());
    look();
    addEventListener(changed, look);
    return () => removeEventListener(changed, look);
  }, []);
  return found;
}

/** Returns the oldest part; null while all is up to date. */
export function useStale(): Staleness | null {
  const oldest = (): Staleness | null =>
    [...stale.values()].reduce<Staleness | null>(
      (found, one) => (found === null || one.atMs < found.atMs ? one : found),
      null,
    );
  const [found, setFound] = useState(oldest);
  useEffect(() => {
    const look = (): void => setFound(oldest());
    look();
    addEventListener(changed, look);
    return () => removeEventListener(changed, look);
  }, []);
  return found;
}

export interface Seen<T> {
  readonly answer: T;
  readonly atMs: number;
}

/**
 * What was shown last, by the address that it was asked for from: for a device that has no network when one comes back to it. It is
 * forgotten with the document, as when somebody signs out.
 */
const seen = new Map<string, Seen<unknown>>();

/** Some ten pages of checks, each of which asks for a dozen answers, and what is above them. */
const seenMax = 150;

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
