/** Whether something on the page is older than it should be, as the server could not be asked again: from when it is. */
import { useEffect, useState } from 'preact/hooks';

/** By who asked: when it was last answered. */
const stale = new Map<object, number>();
const changed = 'knell.stale';

/** `atMs`: null when it is up to date again, or nobody sees it any more. */
export function noteStale(asker: object, atMs: number | null): void {
  if (stale.get(asker) === (atMs ?? undefined)) return;
  if (atMs === null) stale.delete(asker);
  else stale.set(asker, atMs);
  dispatchEvent(new Event(changed));
}

/** Of the oldest; null while all is up to date. */
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
