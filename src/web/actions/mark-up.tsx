/**
 * The place where a question about a check is asked, whatever part of the page began it. The dialog is loaded when it is first
 * needed.
 */
import { useEffect, useState } from 'preact/hooks';
import { Lazy } from '../ui/lazy.tsx';
import type { MarkUp } from './mark-up-dialog.tsx';

const asked = 'knell.mark-up';

/** A ping by hand of a check that is down notifies everybody that it is up. */
export function askToMarkUp(about: MarkUp): void {
  dispatchEvent(new CustomEvent<MarkUp>(asked, { detail: about }));
}

const load = () => import('./mark-up-dialog.tsx').then(({ MarkUpDialog }) => MarkUpDialog);

export function Questions() {
  const [about, setAbout] = useState<MarkUp | null>(null);
  useEffect(() => {
    const take = (event: Event): void => setAbout((event as CustomEvent<MarkUp>).detail);
    addEventListener(asked, take);
    return () => removeEventListener(asked, take);
  }, []);
  return about && <Lazy load={load} props={{ ...about, close: () => setAbout(null) }} />;
}
