/**
 * What happens to a form with unsaved changes when its session ends elsewhere: it stays, and can be saved once its person has signed
 * in again in another tab.
 * Invariant: nobody else who signs in sees it.
 */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { PageState } from '../domain/views/page-view.ts';
import { fromRoot } from './core/base-path.ts';
import { isUnsaved, leaveUnasked } from './core/typed.ts';
import { say } from './ui/toasts.tsx';

interface Kept {
  /** As it was before the session ended, while what is on the page is kept. */
  readonly state: PageState | null;
  readonly isOver: boolean;
}

/** Keeps the state of the page while the session is over and a form has unsaved changes; asks again when somebody looks at the page. */
export function useKept(answer: PageState | null, reload: () => void): Kept {
  const last = useRef<PageState | null>(null);
  const isOver = answer !== null && answer.user === null && last.current !== null && isUnsaved();
  const wasOver = useRef(false);
  const isOther = wasOver.current && answer?.user != null && answer.user.id !== last.current?.user?.id;
  useEffect(() => {
    if (isOther) {
      leaveUnasked();
      location.reload();
    } else if (wasOver.current && !isOver && answer?.user) say('You are signed in again, and can save now.');
    wasOver.current = isOver;
    if (!isOver) return;
    addEventListener('focus', reload);
    document.addEventListener('visibilitychange', reload);
    return () => {
      removeEventListener('focus', reload);
      document.removeEventListener('visibilitychange', reload);
    };
  }, [isOver, isOther, reload]);
  if (isOther) return { state: null, isOver: false };
  if (answer?.user) last.current = answer;
  return isOver ? { state: last.current, isOver } : { state: answer, isOver };
}

/** Says that the session is over, and again when somebody tries to save. It has no place on the page: that would move the form. */
export function SignedOut({ isOver }: Pick<Kept, 'isOver'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (!isOver) return dialog.current?.close();
    const show = (): void => {
      if (dialog.current?.open === false) dialog.current.showModal();
    };
    show();
    addEventListener('submit', show, { capture: true });
    return () => removeEventListener('submit', show, { capture: true });
  }, [isOver]);
  return (
    <dialog ref={dialog} aria-labelledby="signed-out-title" aria-describedby="signed-out-words">
      <h2 id="signed-out-title">You were signed out</h2>
      <p id="signed-out-words">
        What you have changed here is kept. Sign in in the new tab, then come back and save it.
      </p>
      <div class="actions">
        <a class="button main" href={fromRoot('/sign-in')} target="_blank" rel="noopener noreferrer">
          Sign in
        </a>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}
