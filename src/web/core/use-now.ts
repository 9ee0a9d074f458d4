/** The server's time, which is updated every second, so that relative times stay right. */
import { useEffect, useState } from 'preact/hooks';

export function useNow(offsetMs: number): number {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return Date.now() + offsetMs;
}
