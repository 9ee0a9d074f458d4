/**
 * The way back closes the palette on a phone, where that is what one presses: while it is open, the history has another entry with the
 * same address.
 * Invariant: once the palette is closed, the history is as it was before.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface Back {
  /** Takes the entry away, if it is still there, and then does that. */
  readonly leave: (run: () => void) => void;
}

export function useBack(dialog: { readonly current: HTMLDialogElement | null }): Back {
  const isHeld = useRef(false);
  useLayoutEffect(() => {
    if (!matchMedia('(max-width: 767px), (pointer: coarse)').matches) return;
    history.pushState(history.state, '');
    isHeld.current = true;
    const left = (): void => {
      if (!isHeld.current) return;
      isHeld.current = false;
      dialog.current?.close();
    };
    addEventListener('popstate', left);
    return () => removeEventListener('popstate', left);
  }, []);
  return {
    leave: (run) => {
      if (!isHeld.current) {
        run();
        return;
      }
      isHeld.current = false;
      addEventListener('popstate', () => run(), { once: true });
      history.back();
    },
  };
}
