/** What is asked for again and again while somebody looks: what the server does not publish. */
import { useEffect } from 'preact/hooks';

/** `everyMs`: null for never. Not while the page is hidden. */
export function useEvery(everyMs: number | null, run: () => void): void {
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => document.hidden || run(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, run]);
}
