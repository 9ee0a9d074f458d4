/** The single keys of a check's page that change something: `e` edits it, `z` snoozes it for an hour, or ends that. */
import { useLayoutEffect } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { snooze, snoozeFor, unsnooze } from '../actions/row-actions.tsx';
import { isSnoozedRow } from '../rows/row-words.ts';
import { isShortcut } from '../ui/shortcuts.tsx';

interface ActionKeys {
  readonly project: string;
  readonly row: CheckRow;
  readonly mayEdit: boolean;
  readonly edit: () => void;
  readonly nowMs: number;
}

/** What people do most to a check, by the keys of the list. A paused one has no alerts to snooze. */
export function useActionKeys({ project, row, mayEdit, edit, nowMs }: ActionKeys): void {
  useLayoutEffect(() => {
    if (!mayEdit) return;
    const pressed = (event: KeyboardEvent): void => {
      const { key, repeat } = event;
      if (repeat || event.defaultPrevented || !isShortcut(event)) return;
      if (key === 'e') {
        // Not into the first field of the form.
        event.preventDefault();
        edit();
      } else if (key === 'z' && row.status !== 'paused')
        void (isSnoozedRow(row, nowMs) ? unsnooze(project, row) : snooze(project, row, snoozeFor(1)));
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
}
