/** The content of a dialog before something is gone for good: what goes, and its name, which has to be typed. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../core/calls.ts';
import { Act, Problem } from './bits.tsx';
import { FieldErrorText, type FormErrors, markedInvalid, useFormErrors } from './field-error.tsx';

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
  const isNamed = typed.trim() === name.trim();
  const confirm = async (): Promise<void> => {
    if (!isNamed) throw new Refusal(`Type ${name} first.`, 'name');
    await run(typed);
  };
  return (
    <form ref={errors.form} noValidate onSubmit={(event) => event.preventDefault()}>
      <h2 id={id}>{title}</h2>
      {children}
      <label>
        Type <strong>{name}</strong> to confirm
        <input
          value={typed}
          onInput={(event) => errors.typed(setTyped)(event.currentTarget.value)}
          autocomplete="off"
          {...markedInvalid('name', errors.invalid)}
        />
      </label>
      <FieldErrorText name="name" invalid={errors.invalid} />
      {more?.of(errors)}
      <Problem text={errors.otherThan('name', ...(more ? [more.field] : []))} />
      <div class="actions">
        <Act
          class="danger"
          run={confirm}
          failed={errors.failed}
          wants={!isNamed ? `Type ${name} first.` : isFilled ? '' : 'Enter your current password first.'}
          isDefault
        >
          {label}
        </Act>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}
