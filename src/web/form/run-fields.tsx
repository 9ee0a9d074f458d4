/**
 * The fields of a check that are about its runs: how long each may take, what an unusual or an overlapping one means, which machines
 * report. Closed until one of them is set, or wrong.
 * Invariant: an empty field is one that is not set.
 */
import { checkFieldLabels as labels } from '../../domain/check/check-field-labels.ts';
import {
  expectedRunsMax,
  hostsMax,
  learnedRunsMax,
  learnedRunsMin,
  unusualFactorMax,
} from '../../domain/limits.ts';
import type { ApiCheck } from '../rows/api-check.ts';
import { type CrossedError, type FieldError, isWrongIn } from '../ui/field-error.tsx';
import { FoldedPart } from '../ui/folded-part.tsx';
import { defaultGraceS } from './expectation.tsx';
import { runWords } from './folded-words.ts';
import { OptionalSpan, spanErrorWords, spanIn, TextField, wholeIn } from './optional-inputs.tsx';
import { ResultsField } from './results-field.tsx';

const spans = [
  [
    'max_runtime',
    labels.max_runtime,
    'Empty: the grace time. A run that takes longer counts as hung, and the check goes down.',
  ],
  [
    'min_runtime',
    labels.min_runtime,
    'A success that comes sooner is a failure: a backup of two seconds backed nothing up.',
  ],
  [
    'start_grace',
    labels.start_grace,
    'For jobs that send a start: a run that did not start is missed, and not hung.',
  ],
  ['early_tolerance', labels.early_tolerance, 'For cron and OnCalendar: clocks differ by some seconds.'],
] as const;
const texts = ['exit_codes', 'hosts', 'results'] as const;
const amounts = ['expected_runs', 'unusual_factor'] as const;
const choices = ['unusual_runtime', 'overlap'] as const;

const runFieldNames: readonly string[] = [...spans.map(([name]) => name), ...texts, ...amounts, ...choices];

/** What the form says of runs, as the API takes it. */
export function runFieldsOf(form: FormData): Readonly<Record<string, unknown>> {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  return {
    ...Object.fromEntries(spans.map(([name]) => [name, spanIn(form, name, 0)])),
    ...Object.fromEntries(texts.map((name) => [name, text(name)])),
    expected_runs: wholeIn(form, 'expected_runs', 0),
    unusual_factor: wholeIn(form, 'unusual_factor', defaultFactor),
    ...Object.fromEntries(choices.map((name) => [name, text(name)])),
  };
}

const defaultFactor = 6;

/** A run that takes at least longer than it may take at most has failed, however long it takes. */
export function crossedRunField(form: FormData): CrossedError | null {
  const limit = spanIn(form, 'max_runtime', 0) === 0 ? 'grace' : 'max_runtime';
  if (spanIn(form, 'min_runtime', 0) <= spanIn(form, limit, 0)) return null;
  const which = limit === 'grace' ? 'the grace time' : 'what it may take at most';
  return {
    field: 'min_runtime',
    by: limit,
    error: `That is more than ${which}: every run would fail.`,
  };
}

const errors: Readonly<Record<string, string>> = {
  exit_codes: 'Write codes and what they mean, such as 24=warning,3=warning,*=failure.',
  hosts: `At most ${hostsMax} names, separated by spaces: letters, digits, dots, - and _.`,
  expected_runs: `From 1 to ${expectedRunsMax}, or empty.`,
  unusual_factor: `From 1 to ${unusualFactorMax}, or empty.`,
};

/** The field of runs that an error of the management API begins with; empty for none. */
export function runFieldIn(error: string): string {
  const [, field = ''] = /^(\w+) (?:is|does|has) /.exec(error) ?? [];
  const name = field.toLowerCase();
  return runFieldNames.includes(name) ? name : '';
}

/** Returns an error of the management API about one of these fields in the words of the form; empty for another error. */
export function runErrorWords(error: string): string {
  const field = runFieldIn(error);
  // Which line is wrong, and what to write there.
  const [, line = ''] = /^results is not valid: (.*)/i.exec(error) ?? [];
  if (line !== '') return `${line[0]?.toUpperCase()}${line.slice(1)}.`;
  return field === '' ? '' : (errors[field] ?? spanErrorWords(error, '365 days'));
}

interface RunFieldsProps {
  readonly check: Partial<ApiCheck>;
  readonly invalid: FieldError;
}

function isAnySet(check: Partial<ApiCheck>): boolean {
  return (
    spans.some(([name]) => (check[name] ?? 0) > 0) ||
    texts.some((name) => (check[name] ?? '') !== '') ||
    (check.expected_runs ?? 0) > 0 ||
    (check.unusual_runtime ?? 'off') !== 'off' ||
    (check.overlap ?? 'allow') !== 'allow'
  );
}

export function RunFields({ check, invalid }: RunFieldsProps) {
  const isWrong = isWrongIn(invalid, runFieldNames);
  return (
    <FoldedPart
      title="Runs"
      words={runWords({ grace: defaultGraceS, ...check })}
      wordsIn={(form) => runWords({ ...runFieldsOf(form), grace: spanIn(form, 'grace', 0) })}
      isSet={isAnySet(check)}
      isWrong={isWrong}
    >
      {spans.map(([name, label, help]) => (
        <OptionalSpan key={name} {...{ name, label, help, invalid }} seconds={check[name] ?? 0} />
      ))}
      <Choice
        name="unusual_runtime"
        label={labels.unusual_runtime}
        value={check.unusual_runtime ?? 'off'}
        options={[
          ['off', 'counts like the others'],
          ['warn', 'is a warning'],
          ['fail', 'is a failure'],
        ]}
        help={`Usual is learned from the last ${learnedRunsMax} good runs, once there are ${learnedRunsMin}.`}
      />
      <TextField
        name="unusual_factor"
        label={labels.unusual_factor}
        value={String(check.unusual_factor ?? defaultFactor)}
        invalid={invalid}
        isNumber
      />
      <Choice
        name="overlap"
        label={labels.overlap}
        value={check.overlap ?? 'allow'}
        options={[
          ['allow', 'is allowed'],
          ['warn', 'is a warning'],
          ['fail', 'takes the check down'],
        ]}
        help="Jobs should name their runs (?rid=…); knell run does it by itself."
      />
      <TextField
        name="exit_codes"
        label={labels.exit_codes}
        hint="such as 24=warning,*=failure"
        value={check.exit_codes ?? ''}
        invalid={invalid}
      />
      <TextField
        name="hosts"
        label={labels.hosts}
        hint="separated by spaces, as in ?host=db-1"
        value={check.hosts ?? ''}
        invalid={invalid}
      />
      <TextField
        name="expected_runs"
        label={labels.expected_runs}
        hint="without machines of their own; empty: one"
        value={(check.expected_runs ?? 0) === 0 ? '' : String(check.expected_runs)}
        invalid={invalid}
        isNumber
      />
      <ResultsField value={check.results ?? ''} invalid={invalid} />
    </FoldedPart>
  );
}

interface ChoiceProps {
  readonly name: (typeof choices)[number];
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly help: string;
}

function Choice({ name, label, value, options, help }: ChoiceProps) {
  return (
    <>
      <label>
        {label}
        <select name={name}>
          {options.map(([one, words]) => (
            <option key={one} value={one} selected={one === value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <p class="hint">{help}</p>
    </>
  );
}
