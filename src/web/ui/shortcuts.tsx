/** The single keys of the list and of every page, and the button that explains them. */
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { addressOf, go } from '../core/route.ts';

const kept = 'knell.keys';

export function shortcutsWanted(): boolean {
  return localStorage.getItem(kept) !== 'off';
}

export function keepShortcuts(wanted: boolean): void {
  localStorage.setItem(kept, wanted ? 'on' : 'off');
}

/** The event that opens the explanation. */
export const shortcutsAsked = 'knell.shortcuts';

export function ShortcutsButton() {
  return (
    <div class="keys">
      <button
        type="button"
        class="quiet"
        aria-haspopup="dialog"
        onClick={() => dispatchEvent(new Event(shortcutsAsked))}
      >
        Keyboard shortcuts
      </button>
    </div>
  );
}

interface Keys {
  readonly search: { readonly current: HTMLInputElement | null };
  readonly project: string;
  readonly mayEdit: boolean;
  /** Chooses the row after the one that the keys have chosen, or before it. */
  readonly step: (by: 1 | -1) => void;
  /** The row that they have chosen; null for none that can be seen. */
  readonly row: CheckRow | null;
  readonly select: (row: CheckRow) => void;
  /** Selects all checks that the filter finds, or none if they are. */
  readonly selectAll: () => void;
  readonly snooze: (row: CheckRow) => void;
  /** Goes to what can be done to the rows that are selected. */
  readonly toBulk: () => void;
}

const field = /^(?:INPUT|SELECT|TEXTAREA)$/;

const withoutLetters =
  '[type=checkbox], [type=radio], [type=button], [type=submit], [type=range], [type=color]';

/** Whether letters are meant for the element. Boxes to tick take none: the keys go on from there. */
export function takesKeys(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && field.test(target.tagName) && !target.matches(withoutLetters);
}

/** Whether a key that was pressed is for the page: not where one types, nor under a question or a menu. */
export function isShortcut({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || takesKeys(target)) return false;
  return shortcutsWanted() && document.querySelector('dialog[open], [role=menu]') === null;
}

/** Empties the field of a search that is not empty, as browsers do where they do; returns whether it was one. */
function emptied(target: HTMLElement): boolean {
  if (!(target instanceof HTMLInputElement) || target.type !== 'search' || target.value === '') return false;
  target.value = '';
  target.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}

/** Listens to keys from the very frame in which the list is seen. */
export function useShortcuts(options: Keys): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      // A dialog that asks something comes first.
      if (document.querySelector('dialog[open]')) return;
      const { target, key } = event;
      if (key === 'Escape' && target instanceof HTMLElement && field.test(target.tagName)) {
        if (emptied(target)) event.preventDefault();
        else target.blur();
      }
      if (takesKeys(target)) return;
      if (shortcutsWanted() && act(options, key, target)) event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
}

/** Gives the focus to the search of a page with `/`, as in the list. */
export function useSearchKey(search: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.defaultPrevented || !isShortcut(event)) return;
      event.preventDefault();
      search.current?.focus();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [search]);
}

/** Whether it is Ctrl+Enter or Cmd+Enter, which is about the form and never about the field. */
export function isSaveKey({ key, ctrlKey, metaKey, isComposing }: KeyboardEvent): boolean {
  return key === 'Enter' && ctrlKey !== metaKey && !isComposing;
}

/**
 * Presses the button that saves a form with Ctrl+Enter or Cmd+Enter, from anywhere in the form. It counts whether or not single keys are
 * used.
 */
export function useSubmitKey(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { target } = event;
      if (!isSaveKey(event) || event.defaultPrevented || !(target instanceof HTMLElement)) return;
      const form = target.closest('form');
      // What is searched for beside a form is not saved.
      if (!form && (!field.test(target.tagName) || target.matches('[type=search]'))) return;
      // What Enter in a field of one line presses; where a field is in no form, the button of its part.
      const [part, wanted] = form
        ? [form, 'button:not([type=button], [type=reset], :disabled)']
        : [target.closest('section, dialog'), 'button.main:not(:disabled)'];
      const button = part?.querySelector<HTMLElement>(wanted);
      if (!button) return;
      event.preventDefault();
      button.click();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

/** Begins a new check with `n` on every page of a project. */
export function useNewCheckKey(project: string, mayEdit: boolean): void {
  useEffect(() => {
    if (!mayEdit) return;
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== 'n' || event.defaultPrevented || !isShortcut(event)) return;
      const address = addressOf(project, 'new');
      if (location.pathname === address) return;
      event.preventDefault();
      go(address);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [project, mayEdit]);
}

/** Returns whether the key means something. */
function act(options: Keys, key: string, target: EventTarget | null): boolean {
  const { search, project, mayEdit, step, row, select, selectAll, snooze, toBulk } = options;
  if (key === '/') search.current?.focus();
  else if (key === 'j') step(1);
  else if (key === 'k') step(-1);
  else if (key === 'x' && mayEdit && row) select(row);
  else if (key === 'a' && mayEdit) selectAll();
  else if (key === 'z' && mayEdit && row) snooze(row);
  else if (key === 'b') toBulk();
  else if (key === 'Enter' && row && target === document.body) go(addressOf(project, 'checks', row.id));
  else return false;
  return true;
}
