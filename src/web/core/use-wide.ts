/** Whether the window is wider than a phone, which pages lay out differently and not only by their style. */
import { useEffect, useMemo, useState } from 'preact/hooks';

export function useWide(): boolean {
  const wide = useMemo(() => matchMedia('(min-width: 768px)'), []);
  const [isWide, setWide] = useState(wide.matches);
  useEffect(() => {
    const look = (): void => setWide(wide.matches);
    wide.addEventListener('change', look);
    return () => wide.removeEventListener('change', look);
  }, [wide]);
  return isWide;
}
