/**
 * Short messages at the lower edge, ten seconds each. Some have a way back from what was just done.
 * Invariant: a message that goes gives the focus back to what had it before.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../core/calls.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo: (() => Promise<unknown>) | null;
}

const shownMs = 10_000;
const said = 'knell.said';
let count = 0;

/** Shows `text`; with `undo`, a button that takes the action back. */
export function say(text: string, undo: (() => Promise<unknown>) | null = null): void {
  dispatchEvent(new CustomEvent<Toast>(said, { detail: { id: ++count, text, undo } }));
}

export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<HTMLElement | null>(null);
  const drop = (id: number): void => {
    const going = box.current?.querySelector(`[data-toast="${id}"]`);
    if (going?.contains(document.activeElement)) cameFrom.current?.focus({ preventScroll: true });
    setToasts((before) => before.filter((one) => one.id !== id));
  };
  const entered = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof HTMLElement && !box.current?.contains(relatedTarget))
      cameFrom.current = relatedTarget;
  };
  useEffect(() => {
    const add = (event: Event): void => {
      const { detail } = event as CustomEvent<Toast>;
      // Pressed twice, it is said once, with the way back of the last.
      setToasts((before) => [...before.filter(({ text }) => text !== detail.text).slice(-2), detail]);
      setTimeout(() => drop(detail.id), shownMs);
    };
    addEventListener(said, add);
    return () => removeEventListener(said, add);
  }, []);
  const undo = ({ id, undo: back }: Toast): void => {
    drop(id);
    back?.().then(
      () => say('Undone.'),
      (error: unknown) => say(messageOf(error)),
    );
  };
  return (
    <div class="toasts" role="status" ref={box} onFocusIn={entered}>
      {toasts.map((toast) => (
        <div key={toast.id} class="toast" data-toast={toast.id}>
          <span>{toast.text}</span>
          {toast.undo && (
            <button type="button" onClick={() => undo(toast)}>
              Undo
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
