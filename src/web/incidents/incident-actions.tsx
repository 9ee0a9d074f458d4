/**
 * What one can do about an incident: acknowledge it with all of its checks, snooze them, start maintenance or extend it, leave a note; and
 * withdraw the acknowledgement, beside who gave it.
 * Invariant: each button has its own place while one looks: what cannot be done now is off and says why. Of an incident that was over
 * before, only the note is there. None withdraws where another one acknowledged: somebody may press twice.
 */
import { useRef, useState } from 'preact/hooks';
import type { IncidentDetailsAnswer } from '../../domain/views/api-answers.ts';
import type { ActiveWindowView, CheckRow } from '../../domain/views/page-view.ts';
import { unsnoozeAll } from '../actions/bulk-actions.ts';
import {
  endWindow,
  extendMaintenance,
  startedHere,
  startMaintenance,
  windowIn,
} from '../actions/maintenance.tsx';
import { forEach, type SnoozeChoice, snoozes } from '../actions/row-actions.tsx';
import { snoozeBack } from '../actions/snooze-back.ts';
import { messageOf, send } from '../core/calls.ts';
import { checksWords, momentWords } from '../core/words.ts';
import { alertPath, apiPath } from '../rows/api-check.ts';
import { isSnoozedRow } from '../rows/row-words.ts';
import type { Maintenance } from '../rows/use-maintenance.ts';
import { Act, Problem } from '../ui/bits.tsx';
import { FieldErrorText, markedInvalid, noFieldError, useErrorInFocus } from '../ui/field-error.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { say } from '../ui/toasts.tsx';

interface ActionsProps {
  readonly incident: IncidentDetailsAnswer;
  readonly project: string;
  /** Its checks that are down. */
  readonly down: readonly CheckRow[];
  /** Of all of its checks. */
  readonly ids: readonly string[];
  readonly maintenance: Maintenance;
  /** Asks for the incident again. */
  readonly changed: () => void;
}

export function IncidentActions(props: ActionsProps) {
  const { incident, project, down, changed } = props;
  const [note, setNote] = useDraft(incident.id);
  const [failed, setFailed] = useState('');
  const [busy, setBusy] = useState(false);
  const { id, state } = incident;
  const isOver = state === 'resolved' ? 'The incident is resolved' : '';
  const wasOpen = useWasTrue(isOver === '');
  const snoozed = down.filter((row) => isSnoozedRow(row, Date.now()));
  const noneDown = isOver || (down.length === 0 ? 'None of its checks is down' : '');
  /** One at a time; what failed is said below the buttons. */
  const run = async (change: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailed('');
    await change().catch((reason: unknown) => setFailed(messageOf(reason)));
    setBusy(false);
    changed();
  };
  /** The note goes with it, and stays in its field if that fails. */
  const post = (action: 'acknowledge' | 'notes', words: string, undo: (() => Promise<void>) | null = null) =>
    run(async () => {
      const isSent = note.trim() !== '';
      await send('POST', apiPath(project, `incidents/${id}/${action}`), isSent ? { note } : {});
      if (isSent) setNote('');
      say(words, undo);
    });
  const withdraw = async (): Promise<void> => {
    await unacknowledge(project, id);
    changed();
  };
  return (
    <div class="incident-actions">
      {wasOpen && (
        <div class="actions">
          <BarButton
            icon="acknowledge"
            words="Acknowledge"
            isMain={state === 'open'}
            offBecause={isOver || (state === 'acknowledged' ? 'Acknowledged already' : '')}
            run={() =>
              void post('acknowledge', 'Acknowledged, with all of its checks that are down.', withdraw)
            }
          />
          <Menu offBecause={noneDown} label={<Opens icon="moon" words="Snooze" />}>
            {snoozed.length > 0 && (
              <MenuItem run={() => void run(() => unsnoozeAll(project, snoozed))}>
                <Icon name="check" />
                End the snooze
              </MenuItem>
            )}
            {snoozes().map((choice) => (
              <MenuItem key={choice.words} run={() => void run(() => snoozeAll(project, down, choice))}>
                <Icon name="moon" />
                {choice.words}
              </MenuItem>
            ))}
          </Menu>
          <MaintenanceMenu {...props} {...{ isOver, noneDown, run }} />
        </div>
      )}
      <NoteForm {...{ state, note, setNote, busy }} add={() => void post('notes', 'Note added.')} />
      <Problem text={failed} />
    </div>
  );
}

interface MenuProps extends ActionsProps {
  /** Why nothing can be done any more; empty while it can. */
  readonly isOver: string;
  /** Likewise, also where none of its checks is down. */
  readonly noneDown: string;
  readonly run: (change: () => Promise<unknown>) => Promise<void>;
}

const maintenanceHours = [1, 2, 8] as const;

/** Of what was started here and is on, it offers the end, also where the checks are up, and more time. */
function MaintenanceMenu({ project, down, ids, maintenance, isOver, noneDown, run }: MenuProps) {
  const all = new Set(ids);
  const known = startedHere(maintenance.windows, all);
  const wanted = { project, rows: down, ids: all, changed: maintenance.look };
  const end = async ({ id, count }: ActiveWindowView): Promise<void> =>
    endWindow(project, await windowIn(project, id), { count, changed: maintenance.look });
  return (
    <Menu offBecause={known ? isOver : noneDown} label={<Opens icon="clock" words="Maintenance" />} isRight>
      {known && (
        <MenuItem run={() => void run(() => end(known))}>
          <Icon name="check" />
          End maintenance now
        </MenuItem>
      )}
      {maintenanceHours.map((hours) => (
        <MenuItem
          key={hours}
          run={() =>
            void run(() =>
              known ? extendMaintenance({ ...wanted, hours }, known) : startMaintenance({ ...wanted, hours }),
            )
          }
        >
          <Icon name="clock" />
          {known ? 'Extend maintenance by' : 'Maintenance for'} {hours} {hours === 1 ? 'hour' : 'hours'}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Whether it is true, or has been since this is shown. */
function useWasTrue(isTrue: boolean): boolean {
  const was = useRef(isTrue);
  if (isTrue) was.current = true;
  return was.current;
}

/** What is written of a note and not sent yet is in its field again when one comes back to the incident. */
function useDraft(id: string): readonly [note: string, setNote: (note: string) => void] {
  const kept = `knell.note.${id}`;
  const [note, setNote] = useState(() => sessionStorage.getItem(kept) ?? '');
  const keep = (text: string): void => {
    setNote(text);
    if (text === '') sessionStorage.removeItem(kept);
    else sessionStorage.setItem(kept, text);
  };
  return [note, keep];
}

interface NoteProps {
  readonly state: IncidentDetailsAnswer['state'];
  readonly note: string;
  readonly setNote: (note: string) => void;
  readonly busy: boolean;
  readonly add: () => void;
}

function NoteForm({ state, note, setNote, busy, add }: NoteProps) {
  const form = useRef<HTMLFormElement>(null);
  const [invalid, setInvalid] = useState(noFieldError);
  useErrorInFocus(form, invalid);
  /** Whether the field is empty since its note was added: who presses twice has not forgotten to write one. */
  const isAdded = useRef(false);
  return (
    <form
      class="incident-note"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (note.trim() !== '') {
          isAdded.current = true;
          add();
        } else if (!isAdded.current) setInvalid({ field: 'note', error: 'Write a note first.' });
      }}
      noValidate
    >
      <label htmlFor="note">Note for the others</label>
      <span class="faint" id="note-hint">
        {noteHints[state]}
      </span>
      <textarea
        id="note"
        name="note"
        rows={3}
        maxLength={1000}
        value={note}
        aria-describedby="note-hint"
        {...markedInvalid('note', invalid)}
        onInput={({ currentTarget }) => {
          isAdded.current = false;
          setNote(currentTarget.value);
          setInvalid(noFieldError);
        }}
      />
      <button type="submit" aria-disabled={busy}>
        <Icon name="chat" /> Add note
      </button>
      <FieldErrorText name="note" invalid={invalid} />
    </form>
  );
}

/** Beside the name of the field, also on a phone: as short as that. */
const noteHints: { readonly [State in IncidentDetailsAnswer['state']]: string } = {
  open: 'Acknowledge saves it, too.',
  acknowledged: 'Kept with the incident.',
  resolved: 'Kept with the incident.',
};

function Opens({ icon, words }: { readonly icon: IconName; readonly words: string }) {
  return (
    <>
      <Icon name={icon} /> {words} <Icon name="down" size={14} />
    </>
  );
}

interface ButtonProps {
  readonly icon: IconName;
  readonly words: string;
  readonly isMain?: boolean;
  readonly offBecause: string;
  readonly run: () => void;
}

/** It is off without `disabled`: that would take the focus from it, and browsers show no reason on what is disabled. */
function BarButton({ icon, words, isMain = false, offBecause, run }: ButtonProps) {
  const isOff = offBecause !== '';
  return (
    <button
      type="button"
      class={isMain ? 'main' : ''}
      aria-disabled={isOff}
      title={isOff ? offBecause : undefined}
      onClick={isOff ? undefined : run}
    >
      <Icon name={icon} /> {words}
    </button>
  );
}

export function unacknowledge(project: string, id: string): Promise<unknown> {
  return send('POST', apiPath(project, `incidents/${id}/unacknowledge`), {});
}

interface WithdrawProps {
  readonly project: string;
  /** Of the incident. */
  readonly id: string;
  readonly words: string;
  /** Whether the reader has acknowledged it: then it can be acknowledged again as it was. */
  readonly isOwn: boolean;
  /** Called once it is withdrawn. */
  readonly done: () => void;
  /** Called once that is undone. */
  readonly changed: () => void;
}

/** It is among words, as one of them. */
export function Withdraw({ project, id, words, isOwn, done, changed }: WithdrawProps) {
  const again = async (): Promise<void> => {
    await send('POST', apiPath(project, `incidents/${id}/acknowledge`), {});
    changed();
  };
  const run = async (): Promise<void> => {
    await unacknowledge(project, id);
    say('The acknowledgement is withdrawn.', isOwn ? again : null);
    done();
  };
  return (
    <Act class="worded" run={run} failed={(error) => error !== '' && say(error)}>
      {words}
      <span class="hidden"> acknowledgement</span>
    </Act>
  );
}

/** Snoozes all; undo gives each the snooze back that it had. */
async function snoozeAll(
  project: string,
  rows: readonly CheckRow[],
  { body, untilMs }: SnoozeChoice,
): Promise<void> {
  const { done, error } = await forEach(rows, ({ id }) =>
    send('POST', alertPath(project, id, 'snooze'), body),
  );
  const back = async (): Promise<void> => {
    const undone = await forEach(done, (row) => snoozeBack(project, row));
    if (undone.error !== '') throw new Error(undone.error);
  };
  if (done.length > 0)
    say(`${checksWords(done.length)} snoozed until ${momentWords(untilMs, Date.now())}.`, back);
  if (error !== '')
    throw new Error(`${checksWords(rows.length - done.length)} could not be snoozed: ${error}`);
}
