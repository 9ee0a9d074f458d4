/**
 * Whether somebody has typed something on this page that is only there: loading the document anew would lose it, and so would leaving
 * a form before it is saved.
 * Invariant: a field that is gone, or empty again, does not count.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Fields in which somebody has typed. */
const fields = new Set<HTMLInputElement | HTMLTextAreaElement>();

addEventListener(
  'input',
  ({ target, isTrusted }) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isTrusted && isField) fields.add(target);
  },
  { capture: true },
);

export function hasTyped(): boolean {
  for (const field of fields) if (!field.isConnected) fields.delete(field);
  return [...fields].some(({ value }) => value !== '');
}

/** What would be lost with a page: what was changed in a form, or a key or a link that is shown only once. */
export type Unsaved = 'changed' | 'key' | 'link';

/** What says, of each form that is shown, whether it has changes that are saved nowhere. */
const forms = new Map<() => boolean, Unsaved>();
const leaving = 'knell.leaving';

/** Whether a form that is shown has changes that are saved nowhere. */
export function isUnsaved(): boolean {
  return whatIsUnsaved() !== null;
}

/** Null for nothing. What was changed is the first to be said. */
export function whatIsUnsaved(): Unsaved | null {
  const lost = [...forms].filter(([isChanged]) => isChanged()).map(([, what]) => what);
  return lost.find((what) => what === 'changed') ?? lost[0] ?? null;
}

/** The browser asks in its own words before the document goes. */
function holdDocument(event: BeforeUnloadEvent): void {
  if (isUnsaved()) event.preventDefault();
}

/** Of a form: while it has unsaved changes, its page is not left without a question. */
export function useUnsaved(isChanged: () => boolean, what: Unsaved = 'changed'): void {
  const latest = useRef(isChanged);
  latest.current = isChanged;
  useLayoutEffect(() => {
    const look = (): boolean => latest.current();
    forms.set(look, what);
    addEventListener('beforeunload', holdDocument);
    return () => {
      forms.delete(look);
      if (forms.size === 0) removeEventListener('beforeunload', holdDocument);
    };
  }, [what]);
}

/**
 * What is stored of a field, and what notes that something else was saved: it counts at once, and not when the page was asked for
 * again, which may take as long as the network takes.
 */
export function useStored<T>(stored: T): readonly [stored: T, noteSaved: (value: T) => void] {
  const [saved, setSaved] = useState<{ readonly value: T; readonly instead: T } | null>(null);
  const noteSaved = (value: T): void => setSaved({ value, instead: stored });
  return [saved !== null && saved.instead === stored ? saved.value : stored, noteSaved];
}

/** What is shown may be left from now on: its form was saved, or given up on purpose. */
export function leaveUnasked(): void {
  forms.clear();
}

/** Whether the page may be left. If not, its person is asked, and `leave` is called if that is the answer. */
export function mayLeave(leave: () => void): boolean {
  if (!isUnsaved()) return true;
  const detail = (): void => {
    leaveUnasked();
    leave();
  };
  return dispatchEvent(new CustomEvent(leaving, { detail, cancelable: true }));
}

/** Of what asks: it is given what leaves the page. */
export function useLeaving(ask: (leave: () => void) => void): void {
  useEffect(() => {
    const take = (event: Event): void => {
      event.preventDefault();
      ask((event as CustomEvent<() => void>).detail);
    };
    addEventListener(leaving, take);
    return () => removeEventListener(leaving, take);
  }, []);
}
