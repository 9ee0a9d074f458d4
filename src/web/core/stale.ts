/** This file keeps from when the page is, if something on it could not be asked for again and is older than it should be. */
import { useEffect, useState } from 'preact/hooks';

/** Times of the last answers, by the part of the page that asked. */
const stale = new Map<object, number>();
const changed = 'knell.stale';

/** Notes how old a part is; `atMs` is null when it is up to date again, or nobody sees it any more. */
export function noteStale(asker: object, atMs: number | null): void {
  if (stale.get(asker) === (atMs ?? undefined)) return;
  if (atMs === null) stale.delete(asker);
  else stale.set(asker, atMs);
  dispatchEvent(new Event(changed));
}

/** Returns the time of the oldest part; null while all is up to date. */
export function useStale(): number | null {
  const oldest = (): number | null => (stale.size === 0 ? null : Math.min(...stale.values()));
  const [atMs, setAtMs] = useState(oldest);
  useEffect(() => {
    const look = (): void => setAtMs(oldest());
    look();
    addEventListener(changed, look);
    return () => removeEventListener(changed, look);
  }, []);
  return atMs;
}
