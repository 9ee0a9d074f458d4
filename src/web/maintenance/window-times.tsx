/** The part of the form that says when a window is on: once, on a schedule, or on the dates of a file. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { instantIn, localText, zoneName } from '../core/time-style.ts';
import { momentWords } from '../core/words.ts';
import { ClockTime, Presets } from '../form/schedule-presets.tsx';
import { zoneTyped } from '../form/zone-typed.ts';
import { FieldErrorText, markedInvalid, type noFieldError } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import type { Draft, Form } from './window-draft.ts';
import { endOf, lengthOf, type WindowLength, windowLengths } from './window-length.ts';

interface TimesProps {
  readonly draft: Draft;
  readonly put: (part: Partial<Draft>) => void;
  readonly invalid: typeof noFieldError;
  readonly nowMs: number;
}

const formWords: readonly (readonly [Form, string])[] = [
  ['once', 'Once'],
  ['recurring', 'Repeatedly, on a schedule'],
  ['dates', 'On the dates of an iCalendar file'],
];

export function Times(props: TimesProps) {
  const { draft, put } = props;
  const group = useId();
  return (
    <fieldset>
      <legend>When</legend>
      {formWords.map(([form, words]) => (
        <label key={form} class="tick">
          <input type="radio" name={group} checked={draft.form === form} onChange={() => put({ form })} />
          {words}
        </label>
      ))}
      {draft.form === 'once' && <Once {...props} />}
      {draft.form === 'recurring' && <Recurring {...props} />}
      {draft.form === 'dates' && <Dates {...props} />}
    </fieldset>
  );
}

/** A length that is chosen holds until another end is entered: the end moves along with the beginning. */
function Once({ draft, put, invalid, nowMs }: TimesProps) {
  const fromMs = instantIn(draft.from);
  const [length, setLength] = useState(() => lengthOf(fromMs, instantIn(draft.until)));
  const choose = (chosen: WindowLength): void => {
    setLength(chosen);
    put({ until: localText(endOf(chosen, fromMs)) });
  };
  const beginning = (from: string): void => {
    const ms = instantIn(from);
    put(length === null || Number.isNaN(ms) ? { from } : { from, until: localText(endOf(length, ms)) });
  };
  const ending = (until: string): void => {
    setLength(null);
    put({ until });
  };
  const moment = (name: 'from' | 'until', words: string, typed: (text: string) => void) => (
    <div>
      <label>
        {words} <FieldNote>{zoneName()}</FieldNote>
        <input
          name={name}
          type="datetime-local"
          value={draft[name]}
          {...markedInvalid(name, invalid)}
          onInput={({ currentTarget }) => typed(currentTarget.value)}
        />
      </label>
      <FieldErrorText name={name} invalid={invalid} />
    </div>
  );
  return (
    <div class="pair">
      {moment('from', 'From', beginning)}
      {moment('until', 'Until', ending)}
      {!Number.isNaN(fromMs) && (
        <fieldset class="chips" aria-label="Usual lengths">
          {windowLengths.map((one) => (
            <button
              key={one}
              type="button"
              class="chip"
              aria-pressed={one === length}
              onClick={() => choose(one)}
            >
              {one === 'morning' ? `Until ${momentWords(endOf(one, fromMs), nowMs)}` : `${one} h`}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

interface TextProps extends Pick<TimesProps, 'draft' | 'put' | 'invalid'> {
  readonly name: 'schedule' | 'tz' | 'duration';
  readonly children: ComponentChildren;
}

function TextField({ draft, put, invalid, name, children }: TextProps) {
  return (
    <div>
      <label>
        {children}
        <input
          name={name}
          class={name === 'schedule' ? 'code' : undefined}
          value={draft[name]}
          {...markedInvalid(name, invalid)}
          onInput={({ currentTarget: { value } }) =>
            put({ [name]: name === 'tz' ? zoneTyped(value) : value })
          }
        />
      </label>
      <FieldErrorText name={name} invalid={invalid} />
    </div>
  );
}

function Recurring(props: TimesProps) {
  const { draft, put } = props;
  return (
    <>
      <Presets
        isByClock
        now={{ kind: 'cron', schedule: draft.schedule }}
        apply={(preset) => preset.kind !== 'simple' && put({ schedule: preset.schedule })}
      />
      <ClockTime expr={draft.schedule} change={(schedule) => put({ schedule })} />
      <TextField name="schedule" {...props}>
        Begins at <FieldNote>cron or OnCalendar, such as 0 2 * * 0; the choice above fills it</FieldNote>
      </TextField>
      <div class="pair">
        <TextField name="duration" {...props}>
          Duration <FieldNote>such as 90m, 2h or 1d 6h</FieldNote>
        </TextField>
        <TextField name="tz" {...props}>
          Time zone
        </TextField>
      </div>
    </>
  );
}

function Dates(props: TimesProps) {
  const { put, invalid } = props;
  const read = async (file: File | undefined): Promise<void> => put({ ics: file ? await file.text() : '' });
  return (
    <>
      <label>
        File <FieldNote>.ics</FieldNote>
        <input
          type="file"
          name="ics"
          accept=".ics,text/calendar"
          {...markedInvalid('ics', invalid)}
          onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
        />
      </label>
      <FieldErrorText name="ics" invalid={invalid} />
      <TextField name="tz" {...props}>
        Time zone <FieldNote>of events of the file that last whole days</FieldNote>
      </TextField>
    </>
  );
}
