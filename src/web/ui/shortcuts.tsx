/** The single keys of the list, and the dialog that explains them. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { addressOf, go } from '../core/route.ts';

const kept = 'knell.keys';

export function shortcutsWanted(): boolean {
  return localStorage.getItem(kept) !== 'off';
}

interface ShortcutsProps {
  readonly mayEdit: boolean;
  readonly wanted: boolean;
  readonly change: (wanted: boolean) => void;
}

const keys: readonly (readonly [keys: readonly string[], words: string, isForEditors?: true])[] = [
  [['/'], 'Search'],
  [['j', 'k'], 'Next, previous check'],
  [['Enter'], 'Open the check'],
  [['x'], 'Select the check', true],
  [['z'], 'Snooze the check for an hour', true],
  [['n'], 'Create a check, on every page', true],
  [['Ctrl K'], 'Search pages, checks, outputs and actions'],
  [['?'], 'Show these keys'],
];

const asked = 'knell.shortcuts';

/** Single letters can be turned off: people who speak to the browser, or hit keys by mistake, need that. */
export function Shortcuts({ mayEdit, wanted, change }: ShortcutsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const show = (): void => dialog.current?.showModal();
  useEffect(() => {
    addEventListener(asked, show);
    return () => removeEventListener(asked, show);
  }, []);
  return (
    <div class="keys">
      <button type="button" class="quiet" aria-haspopup="dialog" onClick={show}>
        Keyboard shortcuts
      </button>
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Keyboard shortcuts</h2>
        <dl>
          {keys
            .filter(([, , isForEditors]) => mayEdit || !isForEditors)
            .map(([names, words]) => (
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
          <input
            type="checkbox"
            checked={wanted}
            onChange={() => {
              localStorage.setItem(kept, wanted ? 'off' : 'on');
              change(!wanted);
            }}
          />
          Use these keys
        </label>
        <div class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </dialog>
    </div>
  );
}

interface Keys {
  readonly wanted: boolean;
  readonly search: { readonly current: HTMLInputElement | null };
  readonly project: string;
  readonly mayEdit: boolean;
  readonly total: number;
  /** The place of the row that the keys have chosen; -1 for none. */
  readonly chosen: number;
  readonly choose: (at: number) => void;
  readonly row: CheckRow | null;
  readonly select: (row: CheckRow) => void;
  readonly snooze: (row: CheckRow) => void;
}

const field = /^(?:INPUT|SELECT|TEXTAREA)$/;

/** Whether letters are meant for the element. The boxes of rows take none: the keys go on from there. */
function takesKeys(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && field.test(target.tagName) && !target.matches('.row input');
}

/** Listens to keys from the very frame in which the list is seen. */
export function useShortcuts(options: Keys): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      // A dialog that asks something comes first.
      if (document.querySelector('dialog[open]')) return;
      const { target, key } = event;
      if (key === 'Escape' && target instanceof HTMLElement && field.test(target.tagName)) target.blur();
      if (takesKeys(target)) return;
      if (options.wanted && act(options, key, target)) event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
}

/** Begins a new check with `n` on every page of a project; not where one types, nor under a question or a menu. */
export function useNewCheckKey(project: string, mayEdit: boolean): void {
  useEffect(() => {
    if (!mayEdit) return;
    const pressed = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (key !== 'n' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const address = addressOf(project, 'new');
      if (takesKeys(target) || document.querySelector('dialog[open], [role=menu]')) return;
      if (!shortcutsWanted() || location.pathname === address) return;
      event.preventDefault();
      go(address);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [project, mayEdit]);
}

/** Returns whether the key means something. */
function act(options: Keys, key: string, target: EventTarget | null): boolean {
  const { search, project, mayEdit, total, chosen, choose, row, select, snooze } = options;
  const to = (at: number): void => choose(Math.max(0, Math.min(at, total - 1)));
  if (key === '/') search.current?.focus();
  else if (key === '?') dispatchEvent(new Event(asked));
  else if (key === 'j') to(chosen + 1);
  else if (key === 'k') to(chosen - 1);
  else if (key === 'x' && mayEdit && row) select(row);
  else if (key === 'z' && mayEdit && row) snooze(row);
  else if (key === 'Enter' && row && target === document.body) go(addressOf(project, 'checks', row.id));
  else return false;
  return true;
}
