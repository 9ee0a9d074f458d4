/** This file moves the focus when what had it is gone from the page: by keyboard one would otherwise begin at the top again. */
import { useEffect, useRef } from 'preact/hooks';

/**
 * Gives the focus to what is shown once `shown` is another and nothing has the focus. It does not do so at first, when one
 * begins at the top. `shown` is empty while nothing is shown yet.
 */
export function useFocus(shown: string): void {
  const before = useRef(shown);
  useEffect(() => {
    const was = before.current;
    before.current = shown;
    if (was !== '' && was !== shown && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  }, [shown]);
}
