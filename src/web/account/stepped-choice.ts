/**
 * A select that acts on what is chosen in it.
 * Invariant: what the keys only pass over is not acted on: by keyboard, Enter does, or that the focus leaves; Escape puts back what was.
 */
import { useEffect, useRef, useState } from 'preact/hooks';

/** Returns the attributes of the select. `put`: acts on another value; false if it stays as it was. */
export function useStepped(saved: string, put: (value: string) => Promise<boolean>) {
  /** What is shown until it is saved, or put back. */
  const [chosen, choose] = useState<string | null>(null);
  /** Whether a key is down that goes from value to value: some of these open a list, in which a choice is final. */
  const isStepping = useRef(false);
  const isWaiting = useRef(false);
  useEffect(() => {
    if (!isWaiting.current) choose(null);
  }, [saved]);
  const act = (next: string): void => {
    isWaiting.current = false;
    if (next === saved) choose(null);
    else void put(next).then((isPut) => isPut || choose(null));
  };
  const stepped = (): void => {
    isStepping.current = false;
  };
  return {
    value: chosen ?? saved,
    onChange({ currentTarget: { value } }: { readonly currentTarget: HTMLSelectElement }): void {
      choose(value);
      if (isStepping.current) isWaiting.current = true;
      else act(value);
    },
    onKeyDown(event: KeyboardEvent): void {
      const { key, altKey } = event;
      isStepping.current = !altKey && !['Enter', ' ', 'Tab', 'Escape'].includes(key);
      if (!isWaiting.current || chosen === null) return;
      if (key === 'Enter') act(chosen);
      if (key === 'Escape') act(saved);
      if (key === 'Enter' || key === 'Escape') event.preventDefault();
    },
    onKeyUp: stepped,
    onPointerDown: stepped,
    onBlur(): void {
      if (isWaiting.current && chosen !== null) act(chosen);
    },
  };
}
