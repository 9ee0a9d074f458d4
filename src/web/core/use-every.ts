/** This file asks again and again, while somebody looks, for what the server does not publish. */
import { useEffect } from 'preact/hooks';

/** Asks every `everyMs`, or never if it is null. It does not ask while the page is hidden. */
export function useEvery(everyMs: number | null, run: () => void): void {
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => document.hidden || run(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, run]);
}
