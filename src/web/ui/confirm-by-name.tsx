/** The content of a dialog before something is gone for good: what goes, and its name, which has to be typed. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { Refusal } from '../core/calls.ts';
import { Act, Problem } from './bits.tsx';
import { FieldErrorText, type FormErrors, markedInvalid, useFormErrors } from './field-error.tsx';

interface ConfirmByNameProps {
  /** Of the title, by which the dialog is labelled. */
  readonly id: string;
  readonly title: string;
  readonly name: string;
  /** Whether there is so little to lose that a plain question does. */
  readonly isPlain?: boolean;
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
  const { id, title, name, label, run, close, children, more, isPlain = false, isFilled = true } = props;
  const [typed, setTyped] = useState('');
  const errors = useFormErrors();
  const isNamed = isPlain || typed.trim() === name.trim();
  const confirm = async (): Promise<void> => {
    if (!isNamed) throw new Refusal(`Type ${name} first.`, 'name');
    await run(isPlain ? name : typed);
  };
  return (
    <form ref={errors.form} noValidate onSubmit={(event) => event.preventDefault()}>
      <h2 id={id}>{title}</h2>
      {children}
      {!isPlain && (
        <>
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
        </>
      )}
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
        {/* Enter pressed once too often deletes nothing. */}
        <button type="button" onClick={close} autofocus={isPlain}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** What goes with a check. */
export function goneWords({ nPings }: Pick<CheckRow, 'nPings'>): string {
  const lost = nPings === 0 ? 'It never had a ping.' : 'Its pings and history are deleted with it.';
  return `${lost} Its ping URL will return 404.`;
}
