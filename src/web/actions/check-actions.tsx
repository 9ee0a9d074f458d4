/**
 * The actions on one check: the bar with their buttons, and what the buttons ask. Deleting asks for the check's name, since it
 * cannot be undone.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { snoozeQuery } from '../../domain/accounts/page-address.ts';
import type { CheckRow, Overview, ProjectView } from '../../domain/views/page-view.ts';
import { send, useAsk } from '../core/calls.ts';
import { addressOf, go, replaceSearch, useSearch } from '../core/route.ts';
import { apiPath } from '../rows/api-check.ts';
import { nameOf } from '../rows/row-words.ts';
import { ConfirmByName, goneWords } from '../ui/confirm-by-name.tsx';
import { forgetWaysBack, say } from '../ui/toasts.tsx';
import { ActionsBar } from './actions-bar.tsx';
import { moveChecks } from './bulk-actions.ts';
import { snooze, snoozes } from './row-actions.tsx';
import { ShownOn } from './shown-on.tsx';
import { SnoozeUntil, snoozeHint } from './snooze-until.tsx';

/** Of the address by which the palette opens a dialog of the page. */
const askQuery = 'ask';

interface ActionsProps {
  readonly row: CheckRow;
  readonly project: string;
  readonly edit: () => void;
  /** Address of pings; null for those who may not see it. */
  readonly pingUrl: string | null;
  /** The projects that the user may move the check to. */
  readonly projects: readonly ProjectView[];
}

export function CheckActions({ row, project, edit, pingUrl, projects }: ActionsProps) {
  const move = useRef<HTMLDialogElement>(null);
  const hour = useRef<HTMLDialogElement>(null);
  const isAsked = useSearch().includes(snoozeQuery) && row.status !== 'paused';
  useEffect(() => {
    if (isAsked && !hour.current?.open) hour.current?.showModal();
  }, [isAsked]);
  const others = projects.filter(({ id, role }) => id !== project && role !== 'viewer');
  const dialog = useRef<HTMLDialogElement>(null);
  const date = useRef<HTMLDialogElement>(null);
  // What is asked for its dialog is not asked on every page of a check.
  const [asked, setAsked] = useState(false);
  const show = (of: { readonly current: HTMLDialogElement | null }) => (): void => {
    setAsked(true);
    of.current?.showModal();
  };
  const isMovable = others.length > 0;
  const question = new URLSearchParams(useSearch()).get(askQuery);
  useEffect(() => {
    if (question === 'delete' && !dialog.current?.open) show(dialog)();
    if (question === 'move' && isMovable && !move.current?.open) show(move)();
  }, [question, isMovable]);
  const shownOn = asked && <ShownOn project={project} rows={[row]} />;
  return (
    <>
      <ActionsBar
        {...{ row, project, edit, pingUrl }}
        snoozeUntil={() => date.current?.showModal()}
        move={isMovable ? show(move) : null}
        remove={show(dialog)}
      />
      <dialog ref={date} aria-labelledby="snooze-title">
        <SnoozeUntil
          run={(choice) => void snooze(project, row, choice)}
          close={() => date.current?.close()}
        />
      </dialog>
      <dialog ref={hour} aria-labelledby="snooze-for-title" onClose={forgetQuestion}>
        <SnoozeFor row={row} project={project} close={() => hour.current?.close()} />
      </dialog>
      <dialog ref={move} aria-labelledby="move-title" onClose={forgetQuestion}>
        <Move {...{ row, project, others, shownOn, asked }} close={() => move.current?.close()} />
      </dialog>
      <dialog ref={dialog} aria-labelledby="delete-title" onClose={forgetQuestion}>
        <Delete
          {...{ row, shownOn }}
          path={apiPath(project, `checks/${row.id}`)}
          close={() => dialog.current?.close()}
          gone={addressOf(project, 'checks')}
        />
      </dialog>
    </>
  );
}

interface AnswerProps {
  readonly row: CheckRow;
  readonly project: string;
  readonly close: () => void;
}

/** Removes the question from the address, so that a reload does not ask it again. */
function forgetQuestion(): void {
  const query = new URLSearchParams(location.search);
  const isAsked = query.has('snooze') || query.has(askQuery);
  query.delete('snooze');
  query.delete(askQuery);
  if (isAsked) replaceSearch(query.toString());
}

/** The dialog that a link in an alert mail opens. */
function SnoozeFor({ row, project, close }: AnswerProps) {
  const choices = snoozes();
  const [chosen, choose] = useState(0);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    close();
    const choice = choices[chosen];
    if (choice) void snooze(project, row, choice);
  };
  return (
    <form onSubmit={submit} noValidate>
      <h2 id="snooze-for-title">Snooze {nameOf(row)}?</h2>
      <p>{snoozeHint}</p>
      <label>
        How long
        <select value={chosen} onChange={(event) => choose(Number(event.currentTarget.value))}>
          {choices.map(({ words }, place) => (
            <option key={words} value={place}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <div class="actions">
        <button type="submit" class="main">
          Snooze
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface MoveProps extends AnswerProps {
  readonly others: readonly ProjectView[];
  readonly shownOn: ComponentChildren;
  /** Whether the dialog has been opened. */
  readonly asked: boolean;
}

function Move({ row, project, others, shownOn, asked, close }: MoveProps) {
  const [to, choose] = useState(others[0]?.id ?? '');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const target = others.find(({ id }) => id === to);
    close();
    if (!target) return;
    await moveChecks(project, [row], target);
    go(addressOf(target.id, 'checks'));
  };
  return (
    <form onSubmit={submit} noValidate>
      <h2 id="move-title">Move to another project</h2>
      <p>Its history goes with it.</p>
      {shownOn}
      <label>
        Project
        <select name="to" value={to} onChange={(event) => choose(event.currentTarget.value)}>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {asked && <NotifiesThere to={to} />}
      <div class="actions">
        <button type="submit" class="main">
          Move
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** Whom a check notifies in the project that is chosen. Both sentences take as many lines: the buttons are below. */
function NotifiesThere({ to }: { readonly to: string }) {
  const { data } = useAsk<Overview>('/web/overview');
  const isNobody = data?.projects.find(({ id }) => id === to)?.hasIntegrations === false;
  return (
    <p class="notifies-there" aria-live="polite">
      {isNobody
        ? 'It notifies nobody there: that project has no integration.'
        : 'It notifies all integrations there.'}
    </p>
  );
}

interface DeleteProps {
  readonly row: CheckRow;
  readonly path: string;
  readonly shownOn: ComponentChildren;
  readonly close: () => void;
  readonly gone: string;
}

function Delete({ row, path, shownOn, close, gone }: DeleteProps) {
  const run = async (): Promise<void> => {
    await send('DELETE', path);
    close();
    forgetWaysBack();
    say(`${nameOf(row)} was deleted.`);
    go(gone);
  };
  return (
    <ConfirmByName
      id="delete-title"
      title="Delete this check?"
      name={row.name || row.slug || 'delete'}
      isPlain={row.nPings === 0}
      label="Delete permanently"
      {...{ run, close }}
    >
      <p>{goneWords(row)}</p>
      {shownOn}
    </ConfirmByName>
  );
}
