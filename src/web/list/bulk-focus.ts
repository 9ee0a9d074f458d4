/**
 * What gives the focus to the bar of the checks that are selected.
 * Invariant: a selection that the key before has asked for counts, whether the bar is shown by then or not.
 */
import { useState } from 'preact/hooks';
import { say } from '../ui/toasts.tsx';
import type { Selection } from './use-selection.ts';

/** `isEntered`: whether the bar takes the focus once it is there. */
export function useToBulk({ settled }: Pick<Selection, 'settled'>) {
  const [isEntered, want] = useState(false);
  const enter = (): void => {
    if (focusBulk()) return;
    void settled().then((isAny) => (isAny ? want(true) : say('Select checks first, by x or their boxes.')));
  };
  return { isEntered, enter, entered: () => want(false) };
}

/** Gives the focus to the first button that does something to the rows that are selected; false where there is none. */
export function focusBulk(): boolean {
  const buttons = [...document.querySelectorAll<HTMLElement>('.bulk button')];
  const seen = buttons.filter((button) => button.offsetParent !== null);
  const first = seen.find((button) => button.ariaDisabled !== 'true') ?? seen[0];
  first?.focus();
  return first !== undefined;
}
