/**
 * The form of a maintenance window, with a preview of its next times.
 * Invariant: a window that has more than one form of times keeps what the chosen form does not show, until another one is chosen.
 */
import { Fragment } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { maintenanceSecondsMax } from '../../domain/limits.ts';
import type { MaintenanceAnswer } from '../../domain/views/maintenance-view.ts';
import type { ChannelView, CheckRow } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { messageOf, Refusal, send } from '../core/calls.ts';
import { instantIn } from '../core/time-style.ts';
import { useUnsaved } from '../core/typed.ts';
import { useFirstField } from '../core/use-focus.ts';
import { typedTags } from '../rows/typed-tags.ts';
import { Problem } from '../ui/bits.tsx';
import {
  errorAt,
  type FieldError,
  FieldErrorText,
  markedInvalid,
  noFieldError,
  togetherIn,
  useErrorInFocus,
  withoutFields,
} from '../ui/field-error.tsx';
import { say } from '../ui/toasts.tsx';
import { changedOf, SaveButton } from '../ui/unchanged.tsx';
import { previewLines } from './maintenance-words.ts';
import { ScopeFields } from './scope-fields.tsx';
import { WhoFields } from './who-fields.tsx';
import { type Draft, draftOf, type Form, fieldsOf, timesOf } from './window-draft.ts';
import { Times } from './window-times.tsx';

interface MaintenanceFormProps {
  /** Null for a new one. */
  readonly window: MaintenanceAnswer | null;
  readonly path: string;
  /** Path of the endpoint that says what the form would do. */
  readonly preview: string;
  readonly rows: readonly CheckRow[];
  readonly hasNoChecks: boolean;
  /** Null until they are there. */
  readonly integrations: readonly ChannelView[] | null;
  readonly nowMs: number;
  readonly saved: () => void;
  readonly cancel: () => void;
}

const previewAfterMs = 400;
/** Which checks it is about. */
const scope = ['tags', 'checks'];

const fieldsOfForm: Readonly<Record<Form, readonly string[]>> = {
  once: ['from', 'until'],
  recurring: ['schedule', 'tz', 'duration'],
  dates: ['tz', 'ics'],
};

const untilWords = 'The end must be later than the beginning.';

/** The fields of which another choice says nothing any more. */
const fieldsBehind: Readonly<Record<string, readonly string[] | undefined>> = {
  from: ['until'],
  form: Object.values(fieldsOfForm).flat(),
  scope,
  isQuiet: ['integrations'],
};

/** Returns the words of the form for what the server says, whose `tz` and `schedule` are names of the API. */
function errorWords(reason: unknown, tz: string): string {
  if (reason instanceof Refusal && reason.field === 'tz')
    return `"${tz}" is not a time zone, such as Europe/Riga`;
  if (reason instanceof Refusal && reason.field === 'schedule')
    return messageOf(reason).replace(/^schedule is/i, '"Begins at" is');
  if (reason instanceof Refusal && reason.field === 'until')
    return /year/.test(messageOf(reason)) ? 'The end must be within a year after the beginning.' : untilWords;
  if (reason instanceof Refusal && reason.field === 'duration')
    return `Write a length such as 90m, 2h or 1d: at most ${maintenanceSecondsMax / 86_400} days.`;
  return capital(messageOf(reason));
}

/**
 * What is wrong with the form as it is. Some of it the server would take for another window than the one that is meant: no schedule
 * begins at once, no tag is all checks, no integration is maintenance. `hasDates`: those of a file are known.
 */
function ownErrors(draft: Draft, hasDates: boolean): readonly FieldError[] {
  const { name, form, schedule, ics, scope, tags, checks, isQuiet, integrations } = draft;
  const wrong: readonly (readonly [isWrong: boolean, field: string, error: string])[] = [
    [name.trim() === '', 'name', 'Enter a name.'],
    ...onceErrors(draft),
    [
      form === 'recurring' && schedule.trim() === '',
      'schedule',
      'Say when it begins: choose above, or write an expression.',
    ],
    [form === 'dates' && ics === '' && !hasDates, 'ics', 'Choose a file with dates.'],
    [scope === 'tags' && typedTags(tags) === '', 'tags', 'Give a tag.'],
    [scope === 'checks' && checks.length === 0, 'checks', 'Choose at least one check.'],
    [isQuiet && integrations.length === 0, 'integrations', 'Choose at least one integration.'],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, field, error]) => ({ field, error }));
}

function onceErrors({ form, from, until }: Draft): readonly (readonly [boolean, string, string])[] {
  const [fromMs, untilMs] = [instantIn(from), instantIn(until)];
  return [
    [form === 'once' && Number.isNaN(fromMs), 'from', 'Enter a date and a time.'],
    [form === 'once' && Number.isNaN(untilMs), 'until', 'Enter a date and a time.'],
    [form === 'once' && untilMs <= fromMs, 'until', untilWords],
  ];
}

export function MaintenanceForm(props: MaintenanceFormProps) {
  const { window, path, preview, rows, hasNoChecks, integrations, nowMs, saved, cancel } = props;
  const [before] = useState(() => draftOf(window, nowMs, hasNoChecks));
  const [draft, setDraft] = useState(before);
  const [invalid, setInvalid] = useState(noFieldError);
  const box = useRef<HTMLFormElement>(null);
  useFirstField(box);
  useErrorInFocus(box, invalid);
  const put = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    // What was wrong is another now, or is not shown any longer.
    const names = Object.keys(part);
    setInvalid((before) =>
      withoutFields(before, [...names, ...names.flatMap((name) => fieldsBehind[name] ?? [])]),
    );
  };
  const isAsOpened = JSON.stringify(draft) === JSON.stringify(before);
  const isSame = window !== null && isAsOpened;
  useUnsaved(() => !isAsOpened);
  const refused = (reason: unknown): FieldError => ({
    field: reason instanceof Refusal ? reason.field : '',
    error: errorWords(reason, draft.tz),
  });
  /** What the server finds wrong with the times, where something else is wrong already. */
  const errorsOfTimes = (): Promise<readonly FieldError[]> =>
    send('POST', preview, timesOf(draft)).then(
      () => [],
      (reason: unknown) => [refused(reason)].filter(({ field }) => fieldsOfForm[draft.form].includes(field)),
    );
  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    if (isSame) return;
    const { currentTarget: sent } = event;
    const own = ownErrors(draft, before.form === 'dates' && window !== null);
    if (own.length > 0) {
      const isTimed = own.some(({ field }) => fieldsOfForm[draft.form].includes(field));
      setInvalid(togetherIn(sent, isTimed ? own : [...own, ...(await errorsOfTimes())]));
      return;
    }
    try {
      const fields = fieldsOf(draft, before, window);
      await send(
        'POST',
        path,
        window ? changedOf(fields, fieldsOf(before, before, window), [scope]) : fields,
      );
      say(`${draft.name.trim()} was ${window ? 'saved' : 'created'}.`);
      saved();
    } catch (reason) {
      setInvalid(refused(reason));
    }
  };
  const shown: readonly string[] = ['name', 'tags', 'checks', 'integrations', ...fieldsOfForm[draft.form]];
  return (
    <form class="check-form window-form" onSubmit={submit} ref={box} noValidate>
      <fieldset>
        {/* The title above the form says it. */}
        <legend class="hidden">{window ? `Edit ${window.name}` : 'Create maintenance window'}</legend>
        <label>
          Name
          <input
            name="name"
            value={draft.name}
            maxLength={100}
            {...markedInvalid('name', invalid)}
            onInput={({ currentTarget }) => put({ name: currentTarget.value })}
          />
        </label>
        <FieldErrorText name="name" invalid={invalid} />
        <Times {...{ draft, put, invalid, nowMs }} />
        <Preview
          {...{ draft, before, window, preview, nowMs }}
          known={fieldsOfForm[draft.form].map((name) => errorAt(invalid, name))}
        />
        <ScopeFields {...draft} {...{ put, rows, hasNoChecks, invalid }} tagsBefore={before.tags} />
        <WhoFields isQuiet={draft.isQuiet} chosen={draft.integrations} {...{ integrations, put, invalid }} />
        {!draft.isQuiet && <Counting {...{ draft, put }} />}
        <Problem text={shown.includes(invalid.field) ? '' : invalid.error} />
        <div class="actions">
          <SaveButton isSame={isSame}>{window ? 'Save' : 'Create'}</SaveButton>
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        </div>
      </fieldset>
    </form>
  );
}

interface CountingProps {
  readonly draft: Draft;
  readonly put: (part: Partial<Draft>) => void;
}

/** What readers of status pages see of it. */
function Counting({ draft: { counts }, put }: CountingProps) {
  const hint = useId();
  return (
    <fieldset>
      <legend>Status pages</legend>
      <label class="tick">
        <input
          type="checkbox"
          checked={counts}
          aria-describedby={hint}
          onChange={() => put({ counts: !counts })}
        />
        Count downtime in this window
      </label>
      <p class="faint hint" id={hint}>
        Otherwise status pages leave it out of their bars, uptime and past incidents.
      </p>
    </fieldset>
  );
}

/** Whether there is something to preview: a form that was just opened has no schedule and no file. */
function isReady({ form, schedule, ics }: Draft): boolean {
  if (form === 'recurring') return schedule.trim() !== '';
  return form === 'once' || ics !== '';
}

interface PreviewProps {
  readonly draft: Draft;
  /** What the form began with. */
  readonly before: Draft;
  /** The window that is there, whose times are known; null for a new one. */
  readonly window: MaintenanceAnswer | null;
  readonly preview: string;
  readonly nowMs: number;
  /** What its fields say already. */
  readonly known: readonly string[];
}

/** Says when the window would be on. What is wrong is said here too, before it is sent. */
function Preview({ draft, before, window, preview, nowMs, known }: PreviewProps) {
  const [said, setSaid] = useState<readonly string[]>([]);
  const times = JSON.stringify(timesOf(draft));
  const isKnown = window !== null && times === JSON.stringify(timesOf(before));
  const isWanted = isReady(draft) && !isKnown;
  // Of what the form begins with nobody waits until it is typed.
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isWanted) {
      setSaid([]);
      return;
    }
    let isOld = false;
    const timer = setTimeout(
      () => {
        send<MaintenanceAnswer>('POST', preview, JSON.parse(times)).then(
          (window) => isOld || setSaid(previewLines(window, 'Starts at once, and is on', nowMs)),
          (error: unknown) => isOld || setSaid([errorWords(error, draft.tz)]),
        );
      },
      isFirst.current ? 0 : previewAfterMs,
    );
    isFirst.current = false;
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
    // Not `nowMs`: time that passes is no reason to ask the server again.
  }, [times, preview, isWanted]);
  const lines = isKnown ? previewLines(window, 'On', nowMs) : said;
  // What is known has no wait before it.
  const space = isKnown ? '' : draft.form === 'once' ? 'coming' : 'coming several';
  return (
    <p class={`faint hint times ${draft.form} ${space}`} aria-live="polite">
      {!known.includes(lines[0] ?? '') &&
        lines.map((line, at) => (
          <Fragment key={line}>
            {at > 0 && ' '}
            <span>{line}</span>
          </Fragment>
        ))}
    </p>
  );
}
