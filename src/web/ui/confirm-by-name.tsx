/** The content of a dialog before something is gone for good: what goes, and its name, which has to be typed. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Act, Problem } from './bits.tsx';

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
  /** Fields behind that of the name, and whether they are filled. */
  readonly more?: ComponentChildren;
  readonly isFilled?: boolean;
}

export function ConfirmByName(props: ConfirmByNameProps) {
  const { id, title, name, label, run, close, children, more, isFilled = true } = props;
  const [typed, setTyped] = useState('');
  const [failed, setFailed] = useState('');
  const isReady = typed.trim() === name.trim() && isFilled;
  return (
    <>
      <h2 id={id}>{title}</h2>
      {children}
      <label>
        Type <strong>{name}</strong> to confirm
        <input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} autocomplete="off" />
      </label>
      {more}
      <Problem text={failed} />
      <div class="actions">
        <Act class="danger" run={() => run(typed)} failed={setFailed} disabled={!isReady}>
          {label}
        </Act>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </>
  );
}
