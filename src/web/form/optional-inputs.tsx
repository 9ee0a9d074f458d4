/**
 * Fields of a form that may be left empty: a span with its unit, a text, a number.
 * Invariant: an empty field is one that is not set.
 */

import { useState } from 'preact/hooks';
import { type FieldError, FieldErrorText, markedInvalid } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';

const units = [
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
] as const;

/** Returns `day` of `days` for one: the unit follows the number beside it. */
export function unitWord(plural: string, count: number): string {
  return count === 1 ? plural.slice(0, -1) : plural;
}

/** The whole number that a field says. */
export function wholeIn(form: FormData, name: string, whenEmpty: number): number {
  const text = String(form.get(name) ?? '').trim();
  return text === '' ? whenEmpty : Number(text);
}

/** The span that a field and its unit say, in seconds. */
export function spanIn(form: FormData, name: string, whenEmpty: number): number {
  const count = String(form.get(name) ?? '').trim();
  if (count === '') return whenEmpty;
  return Math.round(Number(count) * Number(form.get(`${name}_unit`) ?? 1));
}

/** What is wrong with a span for which the management API has this error. `longest`: the longest one, in words. */
export function spanErrorWords(error: string, longest: string): string {
  return /too small$/i.test(error)
    ? 'Enter a number above 0, or leave it empty.'
    : `At most ${longest}, or empty.`;
}

interface OptionalSpanProps {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly seconds: number;
  readonly invalid: FieldError;
}

export function OptionalSpan({ name, label, help, seconds, invalid }: OptionalSpanProps) {
  const size = seconds === 0 ? 60 : (units.findLast(([, length]) => seconds % length === 0)?.[1] ?? 1);
  const [count, setCount] = useState(seconds / size);
  return (
    <>
      <div class="span">
        <label>
          {label}
          <input
            name={name}
            type="number"
            min={0}
            step="any"
            defaultValue={seconds === 0 ? '' : String(seconds / size)}
            onInput={({ currentTarget }) => setCount(Number(currentTarget.value))}
            {...markedInvalid(name, invalid)}
          />
        </label>
        <select name={`${name}_unit`} aria-label={`Unit of: ${label}`}>
          {units.map(([unit, length]) => (
            <option key={unit} value={length} selected={length === size}>
              {unitWord(unit, count)}
            </option>
          ))}
        </select>
      </div>
      <p class="hint">{help}</p>
      <FieldErrorText name={name} invalid={invalid} />
    </>
  );
}

interface TextFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly invalid: FieldError;
  readonly hint?: string;
  readonly isNumber?: boolean;
}

export function TextField({ name, label, hint, value, invalid, isNumber = false }: TextFieldProps) {
  return (
    <>
      <label>
        {label} {hint !== undefined && <FieldNote>{hint}</FieldNote>}
        <input
          name={name}
          defaultValue={value}
          {...(isNumber ? { inputMode: 'numeric' } : {})}
          {...markedInvalid(name, invalid)}
        />
      </label>
      <FieldErrorText name={name} invalid={invalid} />
    </>
  );
}
