/** The dialog that explains the keys of the page one is on, and switches them off. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** What the keys move through: the rows of the list, the checks beside one, or nothing; the incidents have a search. */
export type KeysOf = 'list' | 'check' | 'incidents' | 'other';

interface Key {
  readonly names: readonly string[];
  readonly words: string;
  readonly isForEditors?: true;
  /** The page on which they count; every page if left out. */
  readonly on?: KeysOf;
}

const keys: readonly Key[] = [
  { names: ['/'], words: 'Search', on: 'list' },
  { names: ['/'], words: 'Search', on: 'incidents' },
  { names: ['j', 'k'], words: 'Next, previous check', on: 'list' },
  { names: ['j', 'k'], words: 'Next, previous check', on: 'check' },
  { names: ['e'], words: 'Edit the check', isForEditors: true, on: 'check' },
  { names: ['z'], words: 'Snooze the check for an hour, or end its snooze', isForEditors: true, on: 'check' },
  { names: ['Enter'], words: 'Open the check', on: 'list' },
  { names: ['x'], words: 'Select the check', isForEditors: true, on: 'list' },
  { names: ['a'], words: 'Select all checks that are listed, or none', isForEditors: true, on: 'list' },
  { names: ['b'], words: 'Actions on the selected checks', isForEditors: true, on: 'list' },
  { names: ['z'], words: 'Snooze the check for an hour, or end its snooze', isForEditors: true, on: 'list' },
  { names: ['u'], words: 'Undo what was done last, while the message about it is there', isForEditors: true },
  { names: ['n'], words: 'Create a check, on every page but the manual', isForEditors: true },
  { names: ['Ctrl Enter'], words: 'Save a form, also from a text of several lines', isForEditors: true },
  { names: ['Ctrl K'], words: 'Search pages, checks, outputs and actions; in the manual, only that' },
  { names: ['?'], words: 'Show these keys, on every page but the manual' },
];

interface ShortcutsDialogProps {
  readonly of: KeysOf;
  readonly mayEdit: boolean;
  /** Whether the keys are used, and what keeps that they are or are not. */
  readonly used: boolean;
  readonly keep: (used: boolean) => void;
  readonly close: () => void;
}

/** Single letters can be turned off: people who speak to the browser, or hit keys by mistake, need that. */
export function ShortcutsDialog({ of, mayEdit, used, keep, close }: ShortcutsDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [wanted, want] = useState(used);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const toggle = (): void => {
    keep(!wanted);
    want(!wanted);
  };
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={close}>
      <h2 id="keys-title">Keyboard shortcuts</h2>
      <dl>
        {keys
          .filter(({ on, isForEditors }) => (on ?? of) === of && (mayEdit || !isForEditors))
          .map(({ names, words }) => (
            <div key={words}>
              <dt>
                {names.map((name) => (
                  <kbd key={name}>{name}</kbd>
                ))}
              </dt>
              <dd>{words}</dd>
            </div>
          ))}
      </dl>
      <label class="tick">
        <input type="checkbox" checked={wanted} onChange={toggle} />
        Use these keys
      </label>
      <div class="actions">
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}
