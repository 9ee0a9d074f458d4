/** What can be done to a check. Deleting asks for its name: it cannot be undone. */
import { useRef, useState } from 'preact/hooks';
import type { CheckRow } from '../domain/page-view.ts';
import { apiPath } from './api-check.ts';
import { Act, Problem } from './bits.tsx';
import { send } from './door.ts';
import { addressOf, go } from './route.ts';

interface ActionsProps {
  readonly row: CheckRow;
  readonly project: string;
  readonly edit: () => void;
}

export function CheckActions({ row, project, edit }: ActionsProps) {
  const [error, setError] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const path = apiPath(project, `checks/${row.id}`);
  const paused = row.status === 'paused';
  return (
    <>
      <div class="actions">
        <button type="button" onClick={edit}>
          Edit
        </button>
        <Act run={() => send('POST', `${path}/${paused ? 'resume' : 'pause'}`)} failed={setError}>
          {paused ? 'Resume' : 'Pause'}
        </Act>
        <a class="button" href={addressOf(project, 'new', row.id)}>
          Clone
        </a>
        <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>
          Delete…
        </button>
      </div>
      <Problem text={error} />
      <dialog ref={dialog} aria-labelledby="delete-title">
        <Delete
          row={row}
          path={path}
          close={() => dialog.current?.close()}
          gone={addressOf(project, 'checks')}
        />
      </dialog>
    </>
  );
}

interface DeleteProps {
  readonly row: CheckRow;
  readonly path: string;
  readonly close: () => void;
  readonly gone: string;
}

function Delete({ row, path, close, gone }: DeleteProps) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState('');
  const name = row.name || row.slug || 'delete';
  const remove = async (): Promise<void> => {
    await send('DELETE', path);
    close();
    go(gone);
  };
  return (
    <>
      <h2 id="delete-title">Delete this check?</h2>
      <p>Its pings and history are deleted with it. Its ping URL will return 404.</p>
      <label>
        Type <strong>{name}</strong> to confirm
        <input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} autocomplete="off" />
      </label>
      <Problem text={error} />
      <div class="actions">
        <Act class="danger" run={remove} failed={setError} disabled={typed.trim() !== name.trim()}>
          Delete permanently
        </Act>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </>
  );
}
