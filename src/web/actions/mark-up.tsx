/**
 * The place where a question about checks is asked, whatever part of the page began it. Its dialog is loaded when it is first
 * needed.
 */
import { useEffect, useState } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { Lazy } from '../ui/lazy.tsx';
import type { MarkUp } from './mark-up-dialog.tsx';
import type { Pause } from './pause-dialog.tsx';

const asked = 'knell.mark-up';
const pauseAsked = 'knell.pause';

/** A ping by hand of a check that is down notifies everybody that it is up. */
export function askToMarkUp(about: MarkUp): void {
  dispatchEvent(new CustomEvent<MarkUp>(asked, { detail: about }));
}

/** A pause ends the outages of checks that are down. Returns whether it is wanted; `rows` are all that are to be paused. */
export function askToPause(rows: readonly CheckRow[]): Promise<boolean> {
  return new Promise((answer) =>
    dispatchEvent(new CustomEvent<Pause>(pauseAsked, { detail: { rows, answer } })),
  );
}

const load = () => import('./mark-up-dialog.tsx').then(({ MarkUpDialog }) => MarkUpDialog);
const loadPause = () => import('./pause-dialog.tsx').then(({ PauseDialog }) => PauseDialog);

export function Questions() {
  const [about, forget] = useAsked<MarkUp>(asked);
  const [pause, forgetPause] = useAsked<Pause>(pauseAsked);
  return (
    <>
      {about && <Lazy load={load} props={{ ...about, close: forget }} />}
      {pause && <Lazy load={loadPause} props={{ ...pause, close: forgetPause }} />}
    </>
  );
}

function useAsked<Question>(name: string): readonly [Question | null, () => void] {
  const [about, setAbout] = useState<Question | null>(null);
  useEffect(() => {
    const take = (event: Event): void => setAbout((event as CustomEvent<Question>).detail);
    addEventListener(name, take);
    return () => removeEventListener(name, take);
  }, []);
  return [about, () => setAbout(null)];
}
