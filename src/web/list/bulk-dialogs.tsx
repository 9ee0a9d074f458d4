/**
 * The dialogs that ask before several checks are changed: for their tags, their schedule, their grace time, their integrations, until
 * when they are snoozed, or whether they are to be deleted.
 */

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import type { CheckRow, ListView, SchedulePreview } from '../../domain/views/page-view.ts';
import {
  changeGrace,
  changeNotified,
  changeSchedule,
  changeTags,
  deleteChecks,
  snoozeAll,
  tagsIn,
} from '../actions/bulk-actions.ts';
import { ShownOn } from '../actions/shown-on.tsx';
import { SnoozeUntil, snoozeTitle } from '../actions/snooze-until.tsx';
import { ask, messageOf, Refusal } from '../core/calls.ts';
import { mayLeave, useUnsaved } from '../core/typed.ts';
import { selectAll } from '../core/use-focus.ts';
import { checksWords } from '../core/words.ts';
import type { Trouble } from '../form/channel-trouble.ts';
import { TroubleWords } from '../form/channels-field.tsx';
import { checkErrorWords } from '../form/check-errors.ts';
import { expectationFields, fieldsChangedBy } from '../form/check-form.tsx';
import { Expectation, Span } from '../form/expectation.tsx';
import { overdueGuard } from '../form/overdue.ts';
import type { ApiCheck } from '../rows/api-check.ts';
import { nameOf } from '../rows/row-words.ts';
import { tagsHint, tagsTyped } from '../rows/typed-tags.ts';
import { Problem } from '../ui/bits.tsx';
import { ConfirmByName, goneWords } from '../ui/confirm-by-name.tsx';
import { refusedIn, useFieldErrors } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { tagColor } from '../ui/tag.tsx';
import { useUnchanged } from '../ui/unchanged.tsx';

export type Question = 'tags' | 'schedule' | 'grace' | 'notify' | 'snooze' | 'delete';

interface DialogProps {
  readonly question: Question;
  readonly project: string;
  readonly rows: readonly CheckRow[];
  readonly channels: ListView['channels'];
  readonly notSending: ReadonlyMap<string, Trouble>;
  /** Those of the project. */
  readonly tags: ListView['tags'];
  readonly then: (work: Promise<void>) => void;
  readonly close: () => void;
}

const titles: Readonly<Record<Exclude<Question, 'snooze' | 'delete'>, string>> = {
  tags: 'Tags',
  schedule: 'Schedule',
  grace: 'Grace time',
  notify: 'Integrations',
};

function titleOf(question: Question, count: number): string {
  if (question === 'delete') return `Delete ${checksWords(count)}?`;
  return question === 'snooze' ? snoozeTitle(count) : `${titles[question]} of ${checksWords(count)}`;
}

export function BulkDialog(props: DialogProps) {
  const { question, project, rows, then, close } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    selectAll(document.activeElement);
  }, []);
  const answer = (work: () => Promise<void>): void => {
    dialog.current?.close();
    then(work());
  };
  const cancel = (): void => dialog.current?.close();
  /** What was typed is not lost without a question. */
  const giveUp = (event: Event): void => {
    event.preventDefault();
    if (mayLeave(cancel)) cancel();
  };
  return (
    <dialog
      ref={dialog}
      class="bulk-dialog"
      aria-label={titleOf(question, rows.length)}
      onCancel={giveUp}
      // A browser asks only once by `cancel`, and closes at the second Escape.
      onKeyDown={(event) => event.key === 'Escape' && giveUp(event)}
      onClose={close}
    >
      {question === 'delete' ? (
        <Delete {...{ rows, project }} run={() => answer(() => deleteChecks(project, rows))} close={cancel} />
      ) : question === 'snooze' ? (
        <SnoozeUntil
          count={rows.length}
          run={(choice) => answer(() => snoozeAll(project, rows, choice))}
          close={cancel}
        />
      ) : (
        <>
          <h2>{titleOf(question, rows.length)}</h2>
          {question === 'tags' && <Tags {...props} answer={answer} cancel={cancel} />}
          {question === 'schedule' && <Schedule {...props} answer={answer} cancel={cancel} />}
          {question === 'notify' && <Notified {...props} answer={answer} cancel={cancel} />}
          {question === 'grace' && <Grace {...props} answer={answer} cancel={cancel} />}
        </>
      )}
    </dialog>
  );
}

interface DeleteProps {
  readonly project: string;
  readonly rows: readonly CheckRow[];
  readonly run: () => void;
  readonly close: () => void;
}

/** Checks that are named before they are deleted; the others are counted. */
const namedMax = 10;

/** Of one check its name has to be typed, of several how many they are. */
function Delete({ rows, project, run, close }: DeleteProps) {
  const [only, ...others] = rows;
  const isOne = others.length === 0;
  const more = rows.length - namedMax;
  return (
    <ConfirmByName
      id="bulk-delete-title"
      title={titleOf('delete', rows.length)}
      name={isOne ? only?.name || only?.slug || 'delete' : String(rows.length)}
      isPlain={isOne && only?.nPings === 0}
      label="Delete permanently"
      run={async () => run()}
      close={close}
    >
      {!isOne && (
        <ul class="bulk-names">
          {rows.slice(0, namedMax).map((row) => (
            <li key={row.id}>{nameOf(row)}</li>
          ))}
          {more > 0 && <li class="faint">and {more.toLocaleString()} more</li>}
        </ul>
      )}
      <p>
        {isOne && only
          ? goneWords(only)
          : 'Their pings and history are deleted with them. Their ping URLs will return 404.'}
      </p>
      <ShownOn {...{ project, rows }} />
    </ConfirmByName>
  );
}

interface FormProps extends DialogProps {
  readonly answer: (work: () => Promise<void>) => void;
  readonly cancel: () => void;
}

function Buttons({ cancel }: Pick<FormProps, 'cancel'>) {
  return (
    <div class="actions">
      <button type="submit" class="main">
        Save
      </button>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </div>
  );
}

/**
 * Boxes to tick. One that only some of the checks have is neither on nor off until one says so: a press makes it on, the next one off,
 * and the next one leaves it as it is again.
 */
function useTicks(rows: readonly CheckRow[], has: (row: CheckRow, key: string) => boolean) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const chosenTo = (wanted: boolean) => [...chosen].filter(([, isOn]) => isOn === wanted).map(([key]) => key);
  /** `words` says what it is for, with how many of the checks have it, where some have and some have not. */
  const box = (key: string, words: (count: ComponentChildren) => ComponentChildren) => {
    const count = rows.filter((row) => has(row, key)).length;
    const isSplit = count > 0 && count < rows.length;
    const isMixed = isSplit && !chosen.has(key);
    const pressed = (isOn: boolean): void => {
      const next = new Map(chosen);
      if (isSplit && chosen.get(key) === false) next.delete(key);
      else next.set(key, isMixed || isOn);
      setChosen(next);
    };
    return (
      <label key={key} class="tick">
        <input
          type="checkbox"
          checked={chosen.get(key) ?? count === rows.length}
          indeterminate={isMixed}
          onChange={(event) => pressed(event.currentTarget.checked)}
        />
        {words(
          isSplit && (
            <span class="faint">
              {count} of {rows.length}
            </span>
          ),
        )}
      </label>
    );
  };
  return { box, on: chosenTo(true), off: chosenTo(false), isChanged: chosen.size > 0 };
}

function Tags({ project, rows, tags, answer, cancel }: FormProps) {
  const [typed, type] = useState('');
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const known = [...new Set(rows.flatMap(({ tags }) => tagsIn(tags)))].sort();
  const ticks = useTicks(rows, ({ tags }, tag) => tagsIn(tags).includes(tag));
  useUnsaved(() => typed.trim() !== '' || ticks.isChanged);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const added = [...new Set([...ticks.on, ...tagsTyped(typed)])];
    const removed = ticks.off.filter((tag) => !added.includes(tag));
    if (added.length + removed.length === 0) cancel();
    else answer(() => changeTags(project, rows, { added, removed }));
  };
  return (
    <form onSubmit={submit} noValidate>
      <label>
        Tags to add <FieldNote>{tagsHint}</FieldNote>
        <input
          ref={first}
          maxLength={200}
          list="bulk-tag-names"
          autoComplete="off"
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      <datalist id="bulk-tag-names">
        {completed(typed, tags).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {known.length > 0 && (
        <fieldset class="bulk-tags">
          <legend>Tags that they have</legend>
          {known.map((tag) =>
            ticks.box(tag, (count) => (
              <>
                <span class={`tag tag-${tagColor(tag)}`}>{tag}</span>
                {count}
              </>
            )),
          )}
        </fieldset>
      )}
      <Buttons cancel={cancel} />
    </form>
  );
}

/** What was typed, with each tag of the project in the place of its last word. */
function completed(typed: string, tags: ListView['tags']): readonly string[] {
  const before = typed.replace(/[^\s,]*$/, '');
  const known = new Set(tagsTyped(before));
  return tags.flatMap(({ name }) => (known.has(name) ? [] : [before + name]));
}

function Notified({ project, rows, channels, notSending, answer, cancel }: FormProps) {
  const ticks = useTicks(rows, (row, id) => row.channels.includes(id));
  useUnsaved(() => ticks.isChanged);
  const named = channels.map((one) => ({ id: one.id, title: channelTitle(one) }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const of = (ids: readonly string[]) => named.filter(({ id }) => ids.includes(id));
    if (ticks.on.length + ticks.off.length === 0) cancel();
    else answer(() => changeNotified(project, rows, { added: of(ticks.on), removed: of(ticks.off) }));
  };
  return (
    <form onSubmit={submit} noValidate>
      <fieldset class="bulk-tags">
        <legend>They notify</legend>
        {named.map(({ id, title }) =>
          ticks.box(id, (count) => (
            <span class="channel">
              <span>{title}</span>
              {count}
              <TroubleWords trouble={notSending.get(id) ?? null} />
            </span>
          )),
        )}
      </fieldset>
      <Buttons cancel={cancel} />
    </form>
  );
}

/** The form of a schedule, which begins with that of the checks, or empty where theirs differ. */
function Schedule({ project, rows, answer, cancel }: FormProps) {
  const box = useRef<HTMLFormElement>(null);
  const { invalid, refuse, changed } = useFieldErrors(box);
  useUnchanged(box);
  const [expected, differs] = expectedOfAll(rows);
  const [refuseOverdue] = useState(overdueGuard);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const own = refusedIn(event.currentTarget);
    if (own.error !== '') return refuse(own);
    try {
      const fields = expectationFields(new FormData(event.currentTarget));
      await mustBeValid(fields);
      await refuseOverdue(rows, fields);
      answer(() => changeSchedule(project, rows, fields));
    } catch (reason) {
      refuse({ field: reason instanceof Refusal ? reason.field : '', error: messageOf(reason) });
    }
  };
  return (
    <form onSubmit={submit} onInput={({ target }) => changed(fieldsChangedBy(target))} ref={box} noValidate>
      {differs && <Differ what="schedules" count={rows.length} />}
      <Expectation check={expected} invalid={invalid} hasGrace={false} isBlank={differs} />
      <Problem text={invalid.field === '' ? invalid.error : ''} />
      <Buttons cancel={cancel} />
    </form>
  );
}

/** Throws if the schedule is not valid, before the dialog is gone: there the mistake can be mended. */
async function mustBeValid({ schedule, tz, timeout }: Readonly<Record<string, unknown>>): Promise<void> {
  if (timeout !== undefined) mustBeSpan('timeout', Number(timeout));
  if (schedule === undefined) return;
  const query = new URLSearchParams({ expr: String(schedule), tz: String(tz) });
  const preview = await ask<SchedulePreview>(`/web/schedule?${query}`);
  if (!preview.ok) throw new Refusal(preview.error, 'schedule');
}

const spanS = { min: 60, max: 365 * 86_400 } as const;

/** Throws as `mustBeValid` does. */
function mustBeSpan(field: 'timeout' | 'grace', seconds: number): void {
  const wrong = seconds < spanS.min ? 'small' : seconds > spanS.max ? 'large' : '';
  if (wrong !== '') throw new Refusal(checkErrorWords(`${field} is too ${wrong}`), field);
}

/** Returns what all of them have; where that differs, the kind and the zone in which they agree, if they do. */
function expectedOfAll(rows: readonly CheckRow[]): readonly [Partial<ApiCheck>, differs: boolean] {
  const [first, ...others] = rows;
  if (!first) return [{}, false];
  const expected = expectedOf(first);
  if (others.every((row) => JSON.stringify(expectedOf(row)) === JSON.stringify(expected)))
    return [expected, false];
  if (!others.every(({ kind }) => kind === first.kind)) return [{}, true];
  if (first.kind === 'simple') return [{}, true];
  return [{ ...expected, ...(others.every(({ tz }) => tz === first.tz) ? {} : { tz: '' }) }, true];
}

function Differ({ what, count }: { readonly what: string; readonly count: number }) {
  return (
    <p class="hint">
      They differ: the {count.toLocaleString()} checks have several {what}. What is saved here is for all of
      them.
    </p>
  );
}

function expectedOf({ kind, timeoutS, schedule, tz }: CheckRow): Partial<ApiCheck> {
  return kind === 'simple' ? { timeout: timeoutS } : { schedule, tz };
}

function Grace({ project, rows, answer, cancel }: FormProps) {
  const box = useRef<HTMLFormElement>(null);
  const { invalid, refuse, changed } = useFieldErrors(box);
  useUnchanged(box);
  const [first = 3600, ...others] = new Set(rows.map(({ graceS }) => graceS));
  const differs = others.length > 0;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const graceS = Math.round(Number(form.get('grace')) * Number(form.get('grace_unit')));
    try {
      mustBeSpan('grace', graceS);
      answer(() => changeGrace(project, rows, graceS));
    } catch (reason) {
      refuse({ field: 'grace', error: messageOf(reason) });
    }
  };
  return (
    <form onSubmit={submit} onInput={({ target }) => changed(fieldsChangedBy(target))} ref={box} noValidate>
      {differs && <Differ what="grace times" count={rows.length} />}
      <Span
        name="grace"
        text="Alert when a ping is late by more than"
        seconds={differs ? null : first}
        invalid={invalid}
      />
      <Buttons cancel={cancel} />
    </form>
  );
}
