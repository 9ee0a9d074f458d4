/** The question "Pause?": before checks that are down are paused, it says what that ends. */
import { useEffect, useRef } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { checksWords } from '../core/words.ts';
import { nameOf } from '../rows/row-words.ts';
import { useUnread } from '../ui/bits.tsx';

export interface Pause {
  /** All that are to be paused. */
  readonly rows: readonly CheckRow[];
  readonly answer: (isWanted: boolean) => void;
}

export function PauseDialog({ rows, answer, close }: Pause & { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isUnread = useUnread();
  const isWanted = useRef(false);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isUnread) return;
    isWanted.current = true;
    dialog.current?.close();
  };
  const closed = (): void => {
    close();
    answer(isWanted.current);
  };
  const [only] = rows;
  return (
    <dialog ref={dialog} aria-labelledby="pause-title" aria-describedby="pause-words" onClose={closed}>
      <form onSubmit={submit} noValidate>
        <h2 id="pause-title">Pause {rows.length === 1 && only ? nameOf(only) : checksWords(rows.length)}?</h2>
        <p id="pause-words">{endedWords(rows)}</p>
        <div class="actions">
          <button type="submit" class="main" aria-disabled={isUnread}>
            Pause
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** An incident has other checks, too. */
function endedWords(rows: readonly CheckRow[]): string {
  const down = rows.filter(({ status }) => status === 'down').length;
  if (rows.length === 1)
    return 'It is down: its outage ends, and so does its incident unless other checks in it are down. After Resume it waits for its next ping, and alerts only then.';
  const which =
    down === rows.length ? 'They are' : `${down.toLocaleString()} of them ${down === 1 ? 'is' : 'are'}`;
  return `${which} down: ${down === 1 ? 'its outage ends' : 'their outages end'}, and so do incidents in which no other check is down. After Resume they wait for their next ping, and alert only then.`;
}
