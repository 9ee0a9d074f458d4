/**
 * Opens the dialog that explains the keys. Only the frame of the page imports it: what is loaded from a file that other pages share
 * splits that file off, and the list would need one more before it is seen.
 */
import { useEffect, useState } from 'preact/hooks';
import { Lazy } from './lazy.tsx';
import { isShortcut, keepShortcuts, shortcutsAsked, shortcutsWanted } from './shortcuts.tsx';
import type { KeysOf } from './shortcuts-dialog.tsx';

const load = () => import('./shortcuts-dialog.tsx').then(({ ShortcutsDialog }) => ShortcutsDialog);

/** Explains the keys when `?` is pressed on any page of a project. The dialog is loaded then. */
export function Shortcuts({ of, mayEdit }: { readonly of: KeysOf; readonly mayEdit: boolean }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (): void => setOpen(true);
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== '?' || !isShortcut(event)) return;
      event.preventDefault();
      open();
    };
    addEventListener(shortcutsAsked, open);
    addEventListener('keydown', pressed);
    return () => {
      removeEventListener(shortcutsAsked, open);
      removeEventListener('keydown', pressed);
    };
  }, []);
  if (!isOpen) return null;
  const close = (): void => setOpen(false);
  return <Lazy load={load} props={{ of, mayEdit, used: shortcutsWanted(), keep: keepShortcuts, close }} />;
}
