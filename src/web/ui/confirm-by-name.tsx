/** The content of a dialog before something is gone for good: what goes, and its name, which has to be typed. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Act, Problem } from './bits.tsx';
import { type FormErrors, useFormErrors } from './field-error.tsx';

interface ConfirmByNameProps {
  /** Of the title, by which the dialog is labelled. */
  readonly id: string;
  readonly title: string;
  readonly name: string;
  /** Of the button. */
  readonly label: string;
  readonly run: (typed: string) => Promise<unknown>;
  readonly close: () => void;
  /** What is gone then. */
  readonly children: ComponentChildren;
  /** A field behind that of the name, which says itself what is wrong with it, and whether it is filled. */
  readonly more?: { readonly field: string; readonly of: (errors: FormErrors) => ComponentChildren };
  readonly isFilled?: boolean;
}

export function ConfirmByName(props: ConfirmByNameProps) {
  const { id, title, name, label, run, close, children, more, isFilled = true } = props;
  const [typed, setTyped] = useState('');
  const errors = useFormErrors();
  const isReady = typed.trim() === name.trim() && isFilled;
  return (
    <form ref={errors.form} noValidate onSubmit={(event) => event.preventDefault()}>
      <h2 id={id}>{title}</h2>
      {children}
      <label>
        Type <strong>{name}</strong> to confirm
        <input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} autocomplete="off" />
      </label>
      {more?.of(errors)}
      <Problem text={errors.otherThan(...(more ? [more.field] : []))} />
      <div class="actions">
        <Act class="danger" run={() => run(typed)} failed={errors.failed} disabled={!isReady} isDefault>
          {label}
        </Act>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}
