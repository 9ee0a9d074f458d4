/** What can be done to all checks that are selected. Floats at the lower edge while there are any; Escape closes it. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { CheckRow, ListView, ProjectView } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { addTag, assign, deleteChecks, moveChecks, setPaused } from '../actions/row-actions.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';

interface BulkProps {
  readonly project: string;
  readonly rows: readonly CheckRow[];
  readonly channels: ListView['channels'];
  /** All that the user may move them to. */
  readonly projects: readonly ProjectView[];
  readonly clear: () => void;
}

export function BulkBar({ project, rows, channels, projects, clear }: BulkProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [tag, setTag] = useState('');
  useEffect(() => {
    const pressed = ({ key, target }: KeyboardEvent): void => {
      const isInside = target instanceof Element && target.closest('dialog, [role=menu], input[type=search]');
      if (key === 'Escape' && !isInside) clear();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [clear]);
  const all = rows.length === 1 ? '1 check' : `${rows.length} checks`;
  const others = projects.filter(({ id, role }) => id !== project && role !== 'viewer');
  const then = (work: Promise<void>): void => void work.then(clear);
  return (
    <section class="bulk" aria-label="Selected checks">
      <strong class="figure">{all} selected</strong>
      <button type="button" onClick={() => then(setPaused(project, rows, true))}>
        <Icon name="pause" />
        Pause
      </button>
      <button type="button" onClick={() => then(setPaused(project, rows, false))}>
        <Icon name="play" />
        Resume
      </button>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const [first = ''] = tag.trim().split(/\s+/);
          if (first !== '') then(addTag(project, rows, first));
        }}
      >
        <input
          aria-label="Tag to add"
          placeholder="Add tag"
          size={8}
          value={tag}
          onInput={(event) => setTag(event.currentTarget.value)}
        />
      </form>
      {channels.length > 0 && (
        <Menu label="Notify…">
          {channels.map(({ id, kind, name }) => (
            <MenuItem key={id} run={() => then(assign(project, rows, id, name || kinds[kind].form.title))}>
              {name || kinds[kind].form.title}
            </MenuItem>
          ))}
        </Menu>
      )}
      {others.length > 0 && (
        <Menu label="Move to…">
          {others.map((target) => (
            <MenuItem key={target.id} run={() => then(moveChecks(project, rows, target))}>
              {target.name}
            </MenuItem>
          ))}
        </Menu>
      )}
      <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>
        <Icon name="trash" />
        Delete…
      </button>
      <button type="button" class="symbol" aria-label="Clear the selection" onClick={clear}>
        <Icon name="close" />
      </button>
      <dialog ref={dialog} aria-label="Delete checks">
        <h2>Delete {all}?</h2>
        <p>Their pings and history are deleted with them. Their ping URLs will return 404.</p>
        <div class="actions">
          <button
            type="button"
            class="danger"
            onClick={() => {
              dialog.current?.close();
              then(deleteChecks(project, rows));
            }}
          >
            Delete permanently
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
    </section>
  );
}
