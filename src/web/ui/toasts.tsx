/**
 * Short messages at the lower edge, for ten seconds where they have a way back from what was just done, also by a key; else for as long as
 * they take to read.
 * Invariants: a message that goes gives the focus back to what had it before; none goes while the pointer or the focus is there, nor
 * on the way there by Tab.
 */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { sentence } from '../../domain/words/sentence.ts';
import { messageOf } from '../core/calls.ts';
import { focusWhatIsShown } from '../core/use-focus.ts';
import { isShortcut, shortcutsWanted, takesKeys } from './shortcuts.tsx';

/**
 * A way back from what was done that has words of its own, or says itself what came of it. `run` gets the words for when that is that all
 * was undone. What is no way back is not offered here: the key that takes it would do something else.
 */
export interface ToastAction {
  readonly words: string;
  readonly run: (undone: string) => Promise<unknown>;
}

/** The words of a button that takes back what was done. */
export const undoWords = 'Undo';

interface Toast {
  readonly id: number;
  readonly text: string;
  /** The way back from what was done. */
  readonly undo: (() => Promise<unknown>) | ToastAction | null;
  /** Ids of the checks of whose alerts, or of the integration or the setting of which it says something; none if it is about something else. */
  readonly about: readonly string[];
}

const shownMs = 10_000;
/** Of what offers nothing to press: a line or so, and for each character more than that the time to read it. */
const lineMs = 5000;
const lineChars = 50;
const charMs = 100;

/** Milliseconds for which a message is there. */
function shownFor({ text, undo }: Toast): number {
  if (undo) return shownMs;
  return Math.min(shownMs, lineMs + charMs * Math.max(0, text.length - lineChars));
}

const said = 'knell.said';
const gone = 'knell.gone';
let count = 0;

/**
 * Shows `text`, whose first line is what was done; with `undo`, a button that takes the action back. `about` names the checks of whose alerts it says something: it takes
 * the place of what was said of them before, which holds no more. An empty text says nothing: what is done at the server reports so that
 * nothing went wrong.
 */
export function say(text: string, undo: Toast['undo'] = null, about: readonly string[] = []): void {
  if (text === '') return;
  dispatchEvent(new CustomEvent<Toast>(said, { detail: { id: ++count, text: sentence(text), undo, about } }));
}

const saidNext = 'knell.said-next';

/** Shows `text` once the page has been loaded again, which takes away what it says now. */
export function sayNext(text: string): void {
  sessionStorage.setItem(saidNext, text);
}

/**
 * Takes away the messages with a way back: checks were deleted, or are in another project, and it would find them no more. Of which checks
 * each message is, only some say.
 */
export function forgetWaysBack(): void {
  dispatchEvent(new Event(gone));
}

/** Whether `older` contradicts `newer`. What was said of more checks than the newer one names still holds for the others. */
function isOver(older: Toast, newer: Toast): boolean {
  if (older.text === newer.text) return true;
  return older.about.length > 0 && older.about.every((id) => newer.about.includes(id));
}

/** A field with a limit keeps the beginning of what is pasted, without a word by the browser: this says so. */
function sayCut({ target: field, clipboardData }: ClipboardEvent): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  const { value, maxLength, selectionStart: from, selectionEnd: to } = field;
  if (maxLength < 0 || field.readOnly || from === null || to === null) return;
  const pasted = clipboardData?.getData('text/plain').trim() ?? '';
  if (value.length - (to - from) + pasted.length > maxLength)
    say(`At most ${maxLength.toLocaleString()} characters fit there: the end of what you pasted is cut off.`);
}

/** Readers of screens are given it by the button. */
function UndoKey() {
  return (
    <span aria-hidden="true">
      <kbd>u</kbd>
    </span>
  );
}

/** The newest with a way back. */
function wayBackIn(toasts: readonly Toast[]): Toast | undefined {
  return toasts.findLast(({ undo }) => undo !== null);
}

function offeredBy({ undo }: Toast): string {
  return typeof undo === 'function' ? undoWords : (undo?.words ?? '');
}

/** Those that are shown, each for its time. `box`: where. */
function useShown(box: RefObject<HTMLDivElement | null>, cameFrom: RefObject<HTMLElement | null>) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const shown = useRef(toasts);
  const timers = useRef<readonly number[]>([]);
  shown.current = toasts;
  const show = (next: readonly Toast[]): void => {
    const had = document.activeElement?.closest('[data-toast]')?.getAttribute('data-toast');
    if (had && !next.some(({ id }) => String(id) === had)) cameFrom.current?.focus({ preventScroll: true });
    shown.current = next;
    setToasts(next);
  };
  const drop = (id: number): void => show(shown.current.filter((one) => one.id !== id));
  const hold = (): void => {
    for (const timer of timers.current) clearTimeout(timer);
    timers.current = [];
  };
  const time = (one: Toast): void => {
    // A finger is nowhere, while browsers say that it is still where it pressed last.
    const held = matchMedia('(hover: hover)').matches ? ':hover, :focus-within' : ':focus-within';
    if (box.current?.matches(held)) return;
    timers.current = [...timers.current, window.setTimeout(() => drop(one.id), shownFor(one))];
  };
  /** Gives each its whole time, from now on. */
  const goOn = (): void => {
    hold();
    for (const one of shown.current) time(one);
  };
  return { toasts, shown, show, drop, time, hold, goOn };
}

/** Whether letters go into a field now: `u` would be typed there, or choose by what its choices begin with. */
function useTyping(): boolean {
  const [isTyping, setTyping] = useState(false);
  useEffect(() => {
    const look = (): void => setTyping(takesKeys(document.activeElement));
    // Nothing has the focus yet while it moves from one to the next.
    const left = (): void => void setTimeout(look);
    addEventListener('focusin', look);
    addEventListener('focusout', left);
    look();
    return () => {
      removeEventListener('focusin', look);
      removeEventListener('focusout', left);
    };
  }, []);
  return isTyping;
}

export function Toasts() {
  const box = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<HTMLElement | null>(null);
  const { toasts, shown, show, drop, time, hold, goOn } = useShown(box, cameFrom);
  const entered = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof HTMLElement && !box.current?.contains(relatedTarget))
      cameFrom.current = relatedTarget;
  };
  useEffect(() => {
    const add = (event: Event): void => {
      const { detail } = event as CustomEvent<Toast>;
      // Pressed twice, it is said once, with the way back of the last.
      show([...shown.current.filter((one) => !isOver(one, detail)).slice(-2), detail]);
      time(detail);
    };
    const pressed = (event: KeyboardEvent): void => {
      if (event.key === 'Tab') goOn();
      const newest = wayBackIn(shown.current);
      if (event.key !== 'u' || !newest || event.defaultPrevented || !isShortcut(event)) return;
      event.preventDefault();
      undo(newest);
    };
    const forget = (): void => show(shown.current.filter(({ undo }) => undo === null));
    addEventListener(said, add);
    addEventListener(gone, forget);
    addEventListener('paste', sayCut);
    addEventListener('keydown', pressed);
    const next = sessionStorage.getItem(saidNext) ?? '';
    say(next);
    // What had the focus went with the page before.
    if (next !== '') focusWhatIsShown();
    sessionStorage.removeItem(saidNext);
    return () => {
      removeEventListener(said, add);
      removeEventListener(gone, forget);
      removeEventListener('paste', sayCut);
      removeEventListener('keydown', pressed);
    };
  }, []);
  const undo = ({ id, undo: back, text, about }: Toast): void => {
    const [done = ''] = text.split('\n');
    // As it was said: that somebody is an editor now would read as if it still held.
    const undone = `Undone: “${done}”`;
    drop(id);
    setTimeout(goOn);
    const failed = (error: unknown): void => say(messageOf(error));
    if (typeof back === 'function') back().then(() => say(undone, null, about), failed);
    else back?.run(undone).catch(failed);
  };
  const isTyping = useTyping();
  const keyed = shortcutsWanted() && !isTyping ? wayBackIn(toasts) : undefined;
  return (
    <div
      class="toasts"
      role="status"
      ref={box}
      onFocusIn={(event) => {
        entered(event);
        hold();
      }}
      onFocusOut={() => setTimeout(goOn)}
      onPointerEnter={hold}
      onPointerLeave={() => setTimeout(goOn)}
    >
      {toasts.map((toast) => (
        <div key={toast.id} class="toast" data-toast={toast.id}>
          <span>{toast.text}</span>
          {toast.undo && (
            <button
              type="button"
              aria-keyshortcuts={toast === keyed ? 'u' : undefined}
              onClick={() => undo(toast)}
            >
              {offeredBy(toast)}
              {toast === keyed && <UndoKey />}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
