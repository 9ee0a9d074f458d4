/** The server's time, which is updated every second, so that relative times stay right. */
import { useEffect, useState } from 'preact/hooks';
import type { Live } from './live.ts';

/** As `useNow`; while the connection is lost, when it broke: nobody knows whether what was down then still is. */
export function useLiveNow({ connected, lostAtMs, offsetMs }: Live): number {
  const nowMs = useNow(offsetMs);
  return connected || lostAtMs === null ? nowMs : lostAtMs + offsetMs;
}

export function useNow(offsetMs: number): number {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return Date.now() + offsetMs;
}
