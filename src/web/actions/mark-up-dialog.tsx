/** The question "Mark as up?": before a check that is down is pinged by hand, it says who will be notified. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CheckRow, MarkUpView } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { messageOf, send, useAsk } from '../core/calls.ts';
import { momentWords } from '../core/words.ts';
import { pingPath } from '../rows/api-check.ts';
import { nameOf } from '../rows/row-words.ts';
import { Problem, useUnread } from '../ui/bits.tsx';
import { say } from '../ui/toasts.tsx';

export interface MarkUp {
  readonly project: string;
  readonly row: CheckRow;
}

/** Integrations that are named; the others are counted. */
const namedMax = 6;

export function MarkUpDialog({ project, row, close }: MarkUp & { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isUnread = useUnread();
  const isSending = useRef(false);
  const [failed, setFailed] = useState('');
  const { data, error } = useAsk<MarkUpView>(pingPath(project, row.id));
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isSending.current || isUnread) return;
    isSending.current = true;
    await send('POST', pingPath(project, row.id), { mark_up: true }).then(
      () => {
        dialog.current?.close();
        say(`${nameOf(row)} is marked as up.`);
      },
      (reason: unknown) => setFailed(messageOf(reason)),
    );
    isSending.current = false;
  };
  return (
    <dialog ref={dialog} aria-labelledby="mark-up-title" onClose={close}>
      <form onSubmit={submit} noValidate>
        <h2 id="mark-up-title">Mark {nameOf(row)} as up?</h2>
        <p>A ping by hand is recorded as a success, in your name.</p>
        {data && isSaid(data) && <p>{notifiedWords(data)}</p>}
        {data && data.snoozedUntilMs === null && <Unreached {...data} />}
        {data && data.unsent.length > 0 && (
          <p>The alert that it is down, which is still waiting for {named(data.unsent)}, is not sent.</p>
        )}
        {data && data.stillSent.length > 0 && <p>{stillSentWords(data.stillSent)}</p>}
        <Problem text={failed || error} />
        <div class="actions">
          <button type="submit" class="main" aria-disabled={isUnread}>
            Mark as up
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Of those that are tried, and will probably fail, another sentence says so. */
function isSaid({ notified, failing, snoozedUntilMs }: MarkUpView): boolean {
  return snoozedUntilMs !== null || notified.length > 0 || failing.length === 0;
}

/** They do not get what would replace it. */
function stillSentWords(channels: MarkUpView['stillSent']): string {
  const who = `${named(channels)} ${channels.length === 1 ? 'is' : 'are'}`;
  return `${who} not notified that it is up: the alert is still sent, and says when it was over.`;
}

function notifiedWords({ notified, snoozedUntilMs }: MarkUpView): string {
  if (snoozedUntilMs !== null) {
    const until = momentWords(snoozedUntilMs, Date.now());
    return `Nobody is notified now: it is snoozed until ${until}.`;
  }
  return notified.length === 0
    ? 'Nobody is notified that it is up.'
    : `Notified that it is up: ${named(notified)}.`;
}

/** Those that it will probably not reach. */
function Unreached({ failing, unable }: MarkUpView) {
  return (
    <>
      {failing.length > 0 && (
        <p class="bad">{named(failing)}: tried, but the last notifications there have failed.</p>
      )}
      {unable.length > 0 && <p class="bad">{named(unable)}: cannot send, so nothing arrives there.</p>}
    </>
  );
}

/** Puts integrations into words, such as `#ops (Slack), On call (Email) and 3 more`. */
function named(channels: MarkUpView['notified']): string {
  const words = channels.map(({ name, kind, apart = '' }) => {
    const { title } = kinds[kind].form;
    const notes = [name === '' ? '' : title, apart].filter((note) => note !== '');
    return notes.length === 0 ? title : `${name || title} (${notes.join(', ')})`;
  });
  if (words.length <= namedMax) return words.join(', ');
  return `${words.slice(0, namedMax).join(', ')} and ${words.length - namedMax} more`;
}
