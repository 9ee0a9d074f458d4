/**
 * The button that saves what a form changes. It is off while nothing has changed, since there is nothing to save; the button of a
 * form for something new looks off at most, until its few fields are filled, and the form says what is missing. And the question
 * before changes are lost.
 * Invariant: what decides is the form when it is sent, never how its button looks.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Unsaved, useLeaving, useUnsaved, whatIsUnsaved } from '../core/typed.ts';
import { useWhyOff } from './bits.tsx';

export const unchangedWords = 'Nothing has changed yet.';

/**
 * Returns whether a form is as it was opened, and what looks at it anew. A form for something new is never that. Fields without a
 * name are their page's to compare. Once it is changed, its page is not left without a question.
 */
export function useUnchanged(
  box: { readonly current: HTMLFormElement | null },
  isEdit = true,
): readonly [isSame: boolean, look: () => boolean] {
  const before = useRef<string | null>(null);
  /** What a form gets from the server after it was opened is no change. */
  const isTouched = useRef(false);
  const [isSame, setSame] = useState(isEdit);
  useUnsaved(() => isTouched.current && box.current !== null && before.current !== textOf(box.current));
  const look = (): boolean => {
    const same = isEdit && box.current !== null && before.current === textOf(box.current);
    setSame(same);
    return same;
  };
  const looks = useRef(look);
  looks.current = look;
  useLayoutEffect(() => {
    const form = box.current;
    if (!form) return;
    before.current = textOf(form);
    isTouched.current = false;
    setSame(isEdit);
    // What a button or a key of the form changes is in its fields once they are rendered.
    const later = (): void => {
      isTouched.current = true;
      if (isEdit) setTimeout(() => looks.current());
    };
    const events = ['input', 'change', 'click', 'keyup'] as const;
    for (const event of events) form.addEventListener(event, later);
    return () => {
      for (const event of events) form.removeEventListener(event, later);
    };
  }, [box, isEdit]);
  return [isSame, look];
}

/** Returns all that the fields of a form say, those too that are off for now. */
function textOf(form: HTMLFormElement): string {
  return JSON.stringify(Array.from(form.elements, fieldText).filter(({ length }) => length > 0));
}

function fieldText(field: Element): readonly (string | boolean)[] {
  if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type))
    return field.name === '' ? [] : [field.name, field.value, field.checked];
  const isField =
    field instanceof HTMLInputElement ||
    field instanceof HTMLSelectElement ||
    field instanceof HTMLTextAreaElement;
  return isField && field.name !== '' ? [field.name, field.value] : [];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the fields that are others than before: the rest is not sent, so that it stays as somebody else has saved it meanwhile.
 * Of those that mean something only together, all are sent once one of them is another.
 */
export function changedOf(
  now: Fields,
  before: Fields,
  together: readonly (readonly string[])[] = [],
): Fields {
  const isOther = (name: string): boolean => JSON.stringify(now[name]) !== JSON.stringify(before[name]);
  const sent = (name: string): boolean =>
    (together.find((names) => names.includes(name)) ?? [name]).some(isOther);
  return Object.fromEntries(Object.entries(now).filter(([name]) => sent(name)));
}

/** Returns what looks up the fields that a form has others of than when it was opened; for something new, that is all. */
export function useChanged(
  box: { readonly current: HTMLFormElement | null },
  fieldsOf: (form: FormData) => Fields,
  isEdit = true,
): (form: FormData, together?: readonly (readonly string[])[]) => Fields {
  const before = useRef<Fields>({});
  useLayoutEffect(() => {
    if (isEdit && box.current) before.current = fieldsOf(new FormData(box.current));
  }, [box, isEdit]);
  return (form, together) => changedOf(fieldsOf(form), before.current, together);
}

interface SaveProps {
  readonly isSame: boolean;
  readonly busy?: boolean;
  /** Id of the line beside it that says what is to be filled in before; empty once it is. */
  readonly wantedBy?: string;
  readonly children: ComponentChildren;
}

/** It is off without `disabled`: that would take the focus from it. */
export function SaveButton({ isSame, busy = false, wantedBy = '', children }: SaveProps) {
  const [whyOff, askWhy] = useWhyOff(isSame ? unchangedWords : '');
  return (
    <>
      <button
        type="submit"
        class="main"
        aria-disabled={busy || isSame || wantedBy !== ''}
        aria-describedby={wantedBy || undefined}
        title={isSame ? unchangedWords : undefined}
        onClick={askWhy}
      >
        {children}
      </button>
      {whyOff}
    </>
  );
}

interface LeaveWords {
  readonly title: string;
  readonly lost: string;
  readonly leave: string;
}

const leaveWords: Readonly<Record<Unsaved, LeaveWords>> = {
  changed: {
    title: 'Leave without saving?',
    lost: 'What you have changed here is lost then.',
    leave: 'Discard changes',
  },
  key: {
    title: 'Leave without copying the key?',
    lost: 'You have not copied this key. It is not shown again, and stays valid until you revoke it.',
    leave: 'Leave',
  },
  link: {
    title: 'Leave without copying the link?',
    lost: 'You have not copied this link. It is not shown again; you can create another one.',
    leave: 'Leave',
  },
};

/** Asks before a page is left whose form has unsaved changes, or which shows what was not copied. */
export function LeaveQuestion() {
  const dialog = useRef<HTMLDialogElement>(null);
  /** What leaves; null while nothing is asked. */
  const [asked, ask] = useState<{ readonly leave: () => void; readonly what: Unsaved } | null>(null);
  useLeaving((leave) => ask({ leave, what: whatIsUnsaved() ?? 'changed' }));
  useLayoutEffect(() => {
    if (asked && dialog.current?.open === false) dialog.current.showModal();
  }, [asked]);
  if (!asked) return null;
  const close = (): void => dialog.current?.close();
  const words = leaveWords[asked.what];
  return (
    <dialog
      ref={dialog}
      aria-labelledby="leave-title"
      aria-describedby="leave-words"
      // The event comes a moment after: by then it may be open again, as somebody leaves anew.
      onClose={() => dialog.current?.open || ask(null)}
    >
      <h2 id="leave-title">{words.title}</h2>
      <p id="leave-words">{words.lost}</p>
      <div class="actions">
        <button
          type="button"
          class="danger"
          onClick={() => {
            close();
            asked.leave();
          }}
        >
          {words.leave}
        </button>
        <button type="button" class="main" autofocus onClick={close}>
          Stay
        </button>
      </div>
    </dialog>
  );
}
