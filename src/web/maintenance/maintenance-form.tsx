/**
 * The form of a maintenance window, with a preview of its next times.
 * Invariant: a window that has more than one form of times keeps what the chosen form does not show, until another one is chosen.
 */
import { Fragment } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { MaintenanceAnswer } from '../../domain/views/maintenance-view.ts';
import type { ChannelView, CheckRow } from '../../domain/views/page-view.ts';
import { send } from '../core/calls.ts';
import { useUnsaved } from '../core/typed.ts';
import { useFirstField } from '../core/use-focus.ts';
import { Problem } from '../ui/bits.tsx';
import { errorAt, FieldErrorText, markedInvalid, togetherIn, useFieldErrors } from '../ui/field-error.tsx';
import { say } from '../ui/toasts.tsx';
import { changedOf, SaveButton } from '../ui/unchanged.tsx';
import { previewLines } from './maintenance-words.ts';
import { ScopeFields } from './scope-fields.tsx';
import { WhoFields } from './who-fields.tsx';
import { type Draft, draftOf, fieldsOf, timesOf } from './window-draft.ts';
import { errorOf, errorWords, fieldsOfForm, ownErrors, withErrorsOfTimes } from './window-errors.ts';
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

/** The fields of which another choice says nothing any more. */
const fieldsBehind: Readonly<Record<string, readonly string[] | undefined>> = {
  from: ['until'],
  form: Object.values(fieldsOfForm).flat(),
  scope,
  isQuiet: ['integrations'],
};

export function MaintenanceForm(props: MaintenanceFormProps) {
  const { window, path, preview, rows, hasNoChecks, integrations, nowMs, saved, cancel } = props;
  const [before] = useState(() => draftOf(window, nowMs, hasNoChecks));
  const [draft, setDraft] = useState(before);
  const box = useRef<HTMLFormElement>(null);
  useFirstField(box);
  const { invalid, refuse, changed } = useFieldErrors(box);
  const put = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    // What was wrong is another now, or is not shown any longer.
    const names = Object.keys(part);
    changed([...names, ...names.flatMap((name) => fieldsBehind[name] ?? [])]);
  };
  const isAsOpened = JSON.stringify(draft) === JSON.stringify(before);
  const isSame = window !== null && isAsOpened;
  useUnsaved(() => !isAsOpened);
  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    if (isSame) return;
    const { currentTarget: sent } = event;
    const own = ownErrors(draft, before.form === 'dates' && window !== null);
    if (own.length > 0) return refuse(togetherIn(sent, await withErrorsOfTimes(preview, draft, own)));
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
      refuse(togetherIn(sent, await withErrorsOfTimes(preview, draft, [errorOf(reason, draft.tz)])));
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
  // What is known has no wait before it, and for what is not typed yet nothing comes.
  const space = isKnown || !isReady(draft) ? '' : draft.form === 'once' ? 'coming' : 'coming several';
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
