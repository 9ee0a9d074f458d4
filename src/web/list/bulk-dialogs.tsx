/**
 * The dialogs that ask before several checks are changed: for their tags, their schedule, their grace time, their integrations, or
 * until when they are snoozed.
 */

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CheckRow, ListView, SchedulePreview } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import {
  changeGrace,
  changeNotified,
  changeSchedule,
  changeTags,
  snoozeAll,
  tagsIn,
} from '../actions/bulk-actions.ts';
import { SnoozeUntil } from '../actions/snooze-until.tsx';
import { ask, messageOf, Refusal } from '../core/calls.ts';
import { checkErrorWords, expectationFields } from '../form/check-form.tsx';
import { Expectation, Span } from '../form/expectation.tsx';
import type { ApiCheck } from '../rows/api-check.ts';
import { noFieldError } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { tagColor } from '../ui/tag.tsx';

export type Question = 'tags' | 'schedule' | 'grace' | 'notify' | 'snooze';

interface DialogProps {
  readonly question: Question;
  readonly project: string;
  readonly rows: readonly CheckRow[];
  readonly channels: ListView['channels'];
  readonly then: (work: Promise<void>) => void;
  readonly close: () => void;
}

const titles: Readonly<Record<Question, string>> = {
  tags: 'Tags',
  schedule: 'Schedule',
  grace: 'Grace time',
  notify: 'Integrations',
  snooze: 'Snooze until',
};

export function BulkDialog(props: DialogProps) {
  const { question, project, rows, then, close } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const answer = (work: () => Promise<void>): void => {
    dialog.current?.close();
    then(work());
  };
  const cancel = (): void => dialog.current?.close();
  return (
    <dialog ref={dialog} class="bulk-dialog" aria-label={titles[question]} onClose={close}>
      {question === 'snooze' ? (
        <SnoozeUntil run={(choice) => answer(() => snoozeAll(project, rows, choice))} close={cancel} />
      ) : (
        <>
          <h2>
            {titles[question]} of {rows.length === 1 ? '1 check' : `${rows.length} checks`}
          </h2>
          {question === 'tags' && <Tags {...props} answer={answer} cancel={cancel} />}
          {question === 'schedule' && <Schedule {...props} answer={answer} cancel={cancel} />}
          {question === 'notify' && <Notified {...props} answer={answer} cancel={cancel} />}
          {question === 'grace' && <Grace {...props} answer={answer} cancel={cancel} />}
        </>
      )}
    </dialog>
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

/** Boxes to tick. One that only some of the checks have is neither on nor off until one says so. */
function useTicks(rows: readonly CheckRow[], has: (row: CheckRow, key: string) => boolean) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const chosenTo = (wanted: boolean) => [...chosen].filter(([, isOn]) => isOn === wanted).map(([key]) => key);
  const box = (key: string, children: ComponentChildren) => {
    const count = rows.filter((row) => has(row, key)).length;
    const isMixed = !chosen.has(key) && count > 0 && count < rows.length;
    return (
      <label key={key} class="tick">
        <input
          type="checkbox"
          checked={chosen.get(key) ?? count === rows.length}
          indeterminate={isMixed}
          onChange={(event) => setChosen(new Map(chosen).set(key, isMixed || event.currentTarget.checked))}
        />
        {children}
        {count > 0 && count < rows.length && (
          <span class="faint">
            {count} of {rows.length}
          </span>
        )}
      </label>
    );
  };
  return { box, on: chosenTo(true), off: chosenTo(false) };
}

function Tags({ project, rows, answer, cancel }: FormProps) {
  const [typed, type] = useState('');
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const known = [...new Set(rows.flatMap(({ tags }) => tagsIn(tags)))].sort();
  const ticks = useTicks(rows, ({ tags }, tag) => tagsIn(tags).includes(tag));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const added = [...new Set([...ticks.on, ...tagsIn(typed)])];
    const removed = ticks.off.filter((tag) => !added.includes(tag));
    if (added.length + removed.length === 0) cancel();
    else answer(() => changeTags(project, rows, { added, removed }));
  };
  return (
    <form onSubmit={submit} noValidate>
      <label>
        Tags to add <FieldNote>separated by spaces</FieldNote>
        <input
          ref={first}
          maxLength={200}
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      {known.length > 0 && (
        <fieldset class="bulk-tags">
          <legend>Tags that they have</legend>
          {known.map((tag) => ticks.box(tag, <span class={`tag tag-${tagColor(tag)}`}>{tag}</span>))}
        </fieldset>
      )}
      <Buttons cancel={cancel} />
    </form>
  );
}

function Notified({ project, rows, channels, answer, cancel }: FormProps) {
  const ticks = useTicks(rows, (row, id) => row.channels.includes(id));
  const named = channels.map(({ id, kind, name }) => ({ id, title: name || kinds[kind].form.title }));
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
        {named.map(({ id, title }) => ticks.box(id, <span>{title}</span>))}
      </fieldset>
      <Buttons cancel={cancel} />
    </form>
  );
}

/** The form of a schedule, which begins with that of the first check. */
function Schedule({ project, rows, answer, cancel }: FormProps) {
  const [invalid, setInvalid] = useState(noFieldError);
  const [row] = rows;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    try {
      const fields = expectationFields(new FormData(event.currentTarget));
      await mustBeValid(fields);
      answer(() => changeSchedule(project, rows, fields));
    } catch (reason) {
      setInvalid({ field: reason instanceof Refusal ? reason.field : '', error: messageOf(reason) });
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <Expectation check={row ? expectedOf(row) : {}} invalid={invalid} hasGrace={false} />
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

function expectedOf({ kind, timeoutS, schedule, tz }: CheckRow): Partial<ApiCheck> {
  return kind === 'simple' ? { timeout: timeoutS } : { schedule, tz };
}

function Grace({ project, rows, answer, cancel }: FormProps) {
  const [invalid, setInvalid] = useState(noFieldError);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const graceS = Math.round(Number(form.get('grace')) * Number(form.get('grace_unit')));
    try {
      mustBeSpan('grace', graceS);
      answer(() => changeGrace(project, rows, graceS));
    } catch (reason) {
      setInvalid({ field: 'grace', error: messageOf(reason) });
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <Span
        name="grace"
        text="Alert when a ping is late by more than"
        seconds={rows[0]?.graceS ?? 3600}
        invalid={invalid}
        leave={() => {}}
      />
      <Buttons cancel={cancel} />
    </form>
  );
}
