/**
 * The button that saves what a form changes. It is off while nothing has changed, since there is nothing to save; the button of a
 * form for something new looks off at most, until its few fields are filled, and the form says what is missing. And the question
 * before changes are lost.
 * Invariant: what decides is the form when it is sent, never how its button looks.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLeaving, useUnsaved } from '../core/typed.ts';

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
  const look = (): boolean => {
    const same = isEdit && box.current !== null && before.current === textOf(box.current);
  useUnsaved(() => isTouched.current && box.current !== null && before.current !== textOf(box.current));
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

interface SaveProps {
  readonly isSame: boolean;
  readonly busy?: boolean;
  /** Id of the line beside it that says what is to be filled in before; empty once it is. */
  readonly wantedBy?: string;
  readonly children: ComponentChildren;
}

/** It is off without `disabled`: that would take the focus from it. */
export function SaveButton({ isSame, busy = false, wantedBy = '', children }: SaveProps) {
  return (
    <button
      type="submit"
      class="main"
      aria-disabled={busy || isSame || wantedBy !== ''}
      aria-describedby={wantedBy || undefined}
      title={isSame ? unchangedWords : undefined}
    >
      {children}
    </button>
  );
}

/** Asks before a page is left whose form has unsaved changes. */
export function LeaveQuestion() {
  const dialog = useRef<HTMLDialogElement>(null);
  const leave = useRef(() => {});
  useLeaving((go) => {
    leave.current = go;
    if (dialog.current?.open === false) dialog.current.showModal();
  });
  const close = (): void => dialog.current?.close();
  return (
    <dialog ref={dialog} aria-labelledby="leave-title" aria-describedby="leave-words">
      <h2 id="leave-title">Leave without saving?</h2>
      <p id="leave-words">What you have changed here is lost then.</p>
      <div class="actions">
        <button type="button" class="main" onClick={close}>
          Stay
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            close();
            leave.current();
          }}
        >
          Discard changes
        </button>
      </div>
    </dialog>
  );
}
