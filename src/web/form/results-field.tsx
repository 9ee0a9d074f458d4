/** The field of the rules about numbers that a run reports. */
import { useRef } from 'preact/hooks';
import { checkFieldLabels as labels } from '../../domain/check/check-field-labels.ts';
import { fromRoot } from '../core/base-path.ts';
import { errorAt, type FieldError, FieldErrorText, markedInvalid } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { HowToWrite } from './how-to-write.tsx';

/** A rule, and what it does. */
export const resultExamples = [
  ['files: below 1', 'a line files=0 of the output is a failure'],
  ['bytes in B from rsync transferred: change 50% warns', 'what rsync prints, a warning where it is unusual'],
  ['rows from /summary/rows: below 12', 'a number in an output that is JSON'],
  ['imported from "imported {} rows": missing', 'the number in such a line, a failure without one'],
  ['errors from count "ERROR": above 0', 'how many lines have this text'],
] as const;

interface ResultsFieldProps {
  readonly value: string;
  readonly invalid: FieldError;
}

export function ResultsField({ value, invalid }: ResultsFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const use = (rule: string): void => {
    const { current } = field;
    if (!current) return;
    current.value = withRule(current.value, rule);
    // As if it was typed: the form looks at what is in its fields then.
    current.dispatchEvent(new Event('input', { bubbles: true }));
    current.focus();
  };
  return (
    <>
      <label>
        {labels.results} <FieldNote>numbers that a run reports, and their limits; one per line</FieldNote>
        <textarea
          ref={field}
          name="results"
          rows={3}
          placeholder="Such as: files: below 1"
          defaultValue={value}
          {...markedInvalid('results', invalid)}
        />
      </label>
      <FieldErrorText name="results" invalid={invalid} />
      <HowToWrite examples={resultExamples} use={use} isWrong={errorAt(invalid, 'results') !== ''}>
        A rule begins with the name of a number. Then it can say its unit (<code>in</code>), where it is found
        (<code>from</code>), and behind a colon its limits: <code>below</code>, <code>above</code>,{' '}
        <code>change</code> from the usual, or <code>missing</code>. A limit that is broken makes a success a
        failure, or with <code>warns</code> behind it a warning.{' '}
        <a href={fromRoot('/docs/pinging#results')} target="_blank" rel="noreferrer">
          All sources and limits
        </a>
      </HowToWrite>
    </>
  );
}

/** Adds a rule to the others; one about the same number, of which there can be only one, goes. */
function withRule(rules: string, rule: string): string {
  const nameIn = (line: string): string => /^[^\s:]*/.exec(line.trim())?.[0] ?? '';
  const others = rules.split('\n').filter((line) => line.trim() !== '' && nameIn(line) !== nameIn(rule));
  return [...others, rule].join('\n');
}
