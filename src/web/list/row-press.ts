/**
 * What a press anywhere in a row is for: it opens the check. While rows are selected, a finger selects instead, since it has no keys to
 * hold. Readers of the screen and the keyboard have the one link of the row.
 * Invariant: a press on a control is the control's, and one that ends a selection of text opens nothing.
 */
import { go } from '../core/route.ts';

const controls = 'button, input, [role=menu], .row-actions';

interface RowPress {
  /** Address of the check. */
  readonly href: string;
  /** Selects the check, or no longer; null while nothing is selected. */
  readonly toggle: (() => void) | null;
}

export function rowPressed(event: MouseEvent, { href, toggle }: RowPress): void {
  const { target, currentTarget, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (event.defaultPrevented || !(target instanceof Element) || target.closest(controls)) return;
  if (toggle !== null && isFinger(event)) {
    event.preventDefault();
    toggle();
    return;
  }
  if (target.closest('a') || shiftKey || altKey || endsSelection(currentTarget)) return;
  if (ctrlKey || metaKey) open(href, '_blank', 'noopener');
  else go(href);
}

/** A press by a key, or by what reads the screen, has no clicks and is no finger's. */
function isFinger(event: MouseEvent): boolean {
  if (event.detail === 0) return false;
  const kind = 'pointerType' in event ? event.pointerType : '';
  return kind === '' || kind === undefined ? matchMedia('(pointer: coarse)').matches : kind === 'touch';
}

function endsSelection(row: EventTarget | null): boolean {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || !(row instanceof Node)) return false;
  return selection.containsNode(row, true);
}
