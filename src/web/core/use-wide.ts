/** Whether the window is wide, or high, enough for what pages lay out differently, and not only by their style. */
import { useEffect, useMemo, useState } from 'preact/hooks';

/** `minPx`: from there on it is wider than a phone, if nothing is said. */
export function useWide(minPx = 768, side: 'width' | 'height' = 'width'): boolean {
  const wide = useMemo(() => matchMedia(`(min-${side}: ${minPx}px)`), [minPx, side]);
  const [isWide, setWide] = useState(wide.matches);
  useEffect(() => {
    const look = (): void => setWide(wide.matches);
    wide.addEventListener('change', look);
    return () => wide.removeEventListener('change', look);
  }, [wide]);
  return isWide;
}
