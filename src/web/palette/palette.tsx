/** The command palette of every page of a project, which Ctrl+K or Cmd+K opens. It is loaded when it is first needed. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageProps } from '../core/page-props.ts';
import { Lazy } from '../ui/lazy.tsx';

const asked = 'knell.palette';

export function openPalette(): void {
  dispatchEvent(new Event(asked));
}

const load = () => import('./palette-dialog.tsx').then(({ PaletteDialog }) => PaletteDialog);

/** The palette; `check` is the id of the one that is open, empty for none. */
export function Palette(props: PageProps & { readonly check: string }) {
  /** Number of the opening that is shown; null for none. */
  const [shown, setShown] = useState<number | null>(null);
  const openings = useRef(0);
  /** What was typed before there was a field. */
  const early = useRef('');
  useEffect(() => {
    const toggle = (): void => {
      const open = document.querySelector<HTMLDialogElement>('dialog[open]');
      // A dialog that asks something comes first.
      if (open?.matches('.palette')) open.close();
      // Each opening has a new number: the event of one that closed just now may still come, and must not close this one.
      else if (!open) setShown(++openings.current);
    };
    const pressed = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey) return;
      if (event.altKey || event.shiftKey) return;
      event.preventDefault();
      toggle();
    };
    addEventListener('keydown', pressed);
    addEventListener(asked, toggle);
    return () => {
      removeEventListener('keydown', pressed);
      removeEventListener(asked, toggle);
    };
  }, []);
  // What is typed while the palette is being loaded is for none of the keys of the page.
  useLayoutEffect(() => {
    if (shown === null) return;
    const held = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return;
      if (event.key.length > 1 && !/^(?:Escape|Backspace|Enter)$/.test(event.key)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.key === 'Escape') setShown(null);
      else if (event.key === 'Backspace') early.current = early.current.slice(0, -1);
      else if (event.key.length === 1) early.current += event.key;
    };
    early.current = '';
    addEventListener('keydown', held, true);
    return () => removeEventListener('keydown', held, true);
  }, [shown]);
  if (shown === null) return null;
  const close = (): void => setShown((current) => (current === shown ? null : current));
  return <Lazy key={shown} load={load} props={{ ...props, close, early }} />;
}
