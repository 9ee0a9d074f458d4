/**
 * The rules of retention of a check or a project, and what they would drop before they are saved.
 * Invariant: what was counted is not shown beside other rules than those that were counted.
 */

import { type ComponentChildren, Fragment } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { planLimits } from '../../domain/accounts/plan-limits.ts';
import type { Plan } from '../../domain/accounts/project.ts';
import { checkFieldLabels as labels } from '../../domain/check/check-field-labels.ts';
import { retentionCharsMax } from '../../domain/limits.ts';
import { subjects } from '../../domain/retention/retention-rules.ts';
import { previewWords } from '../../domain/retention/retention-words.ts';
import type { RetentionPreviewAnswer } from '../../domain/views/api-answers.ts';
import { messageOf, send } from '../core/calls.ts';
import { type ApiCheck, apiPath } from '../rows/api-check.ts';
import { Act, Problem } from '../ui/bits.tsx';
import { errorAt, type FieldError, FieldErrorText, markedInvalid } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { FoldedPart } from '../ui/folded-part.tsx';
import { type Inherited, retentionWords } from './folded-words.ts';
import { HowToWrite } from './how-to-write.tsx';

/** A rule, and what it keeps where the plan keeps so many pings. */
const examplesOf = (most: string) =>
  [
    ['pings last 500', 'the newest 500 pings'],
    ['pings 90 days', 'pings of the last 90 days'],
    ['failures 1 year', `failures of the last year, at most ${most}, however many pings came since`],
    ['bodies of successes 3 days', 'outputs of successes of the last 3 days'],
  ] as const;

/** Returns an error of the management API about the rules in the words of the form; empty for another error. */
export function retentionErrorWords(error: string): string {
  const [, rule = ''] = /retention is not valid: (.*)/i.exec(error) ?? [];
  if (rule !== '') return `${rule[0]?.toUpperCase()}${rule.slice(1)}.`;
  return /^retention is too long/i.test(error) ? `Use at most ${retentionCharsMax} characters.` : '';
}

interface RetentionFieldsProps {
  readonly project: string;
  readonly check: Partial<ApiCheck>;
  readonly inherited: Inherited;
  readonly invalid: FieldError;
}

/** In the form of a check. A new one has nothing that could be dropped. */
export function RetentionFields({ project, check, inherited, invalid }: RetentionFieldsProps) {
  const given = check.retention ?? '';
  const [rules, setRules] = useState(given);
  return (
    <FoldedPart
      title={labels.retention}
      words={retentionWords(rules, inherited)}
      isSet={given !== ''}
      isWrong={errorAt(invalid, 'retention') !== ''}
    >
      <RulesField rules={rules} setRules={setRules} invalid={invalid} plan={inherited.plan}>
        <p class="hint">Rules here replace all of the project's. Empty: {retentionWords('', inherited)}.</p>
        {check.uuid !== undefined && (
          <WouldFree
            path={apiPath(project, `checks/${check.uuid}/retention/preview`)}
            {...{ rules, invalid }}
          />
        )}
      </RulesField>
    </FoldedPart>
  );
}

interface RulesFieldProps {
  readonly rules: string;
  readonly setRules: (rules: string) => void;
  readonly invalid: FieldError;
  readonly plan: Plan;
  /** Between the field and how rules are written: what is done with them. */
  readonly children: ComponentChildren;
}

export function RulesField({ rules, setRules, invalid, plan, children }: RulesFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const use = (rule: string): void => {
    setRules(withRule(rules, rule));
    field.current?.focus();
  };
  return (
    <>
      <label>
        What is kept <FieldNote>one rule per line</FieldNote>
        <textarea
          ref={field}
          name="retention"
          rows={3}
          placeholder="Such as: pings 90 days"
          value={rules}
          onInput={({ currentTarget }) => setRules(currentTarget.value)}
          {...markedInvalid('retention', invalid)}
        />
      </label>
      <FieldErrorText name="retention" invalid={invalid} />
      {children}
      <HowToWrite
        examples={examplesOf(planLimits[plan].pingsMax.toLocaleString())}
        use={use}
        isWrong={errorAt(invalid, 'retention') !== ''}
      >
        A rule begins with{' '}
        {subjects.map((subject, at) => (
          <Fragment key={subject}>
            {at === 0 ? '' : at === subjects.length - 1 ? ' or ' : ', '}
            <code>{subject}</code>
          </Fragment>
        ))}
        ; bodies are the outputs that came with pings. Then it says how many, or how long, in hours, days,
        weeks or years. Of two rules for the same thing, the stricter one applies.
      </HowToWrite>
    </>
  );
}

/** Adds a rule to the others; one of the same kind, of which there can be only one, goes. */
export function withRule(rules: string, rule: string): string {
  const kindOf = (line: string): string => line.trim().toLowerCase().replace(/\d.*$/, '');
  const others = rules.split(/[\n,]/).map((line) => line.trim());
  return [...others.filter((line) => line !== '' && kindOf(line) !== kindOf(rule)), rule].join('\n');
}

interface WouldFreeProps {
  readonly path: string;
  readonly rules: string;
  /** What the field of the rules says already. */
  readonly invalid: FieldError;
  /** Whether nothing is to be counted: there are no rules, neither typed nor saved. */
  readonly isIdle?: boolean;
  /** Before the button that counts: what saves them. */
  readonly children?: ComponentChildren;
}

/** Counts on demand: looking at all pings of a project takes seconds. */
export function WouldFree({ path, rules, invalid, isIdle = false, children }: WouldFreeProps) {
  const [counted, setCounted] = useState({ rules: '', words: '' });
  const [failed, setFailed] = useState('');
  const asked = useRef('');
  const run = async (): Promise<void> => {
    asked.current = rules;
    const answer = await send<RetentionPreviewAnswer>('POST', path, { retention: rules.trim() }).catch(
      (reason: unknown) => {
        throw new Error(retentionErrorWords(messageOf(reason)) || messageOf(reason));
      },
    );
    const { checks_left_out: checksLeftOut, ...figures } = answer;
    setCounted({ rules: asked.current, words: previewWords({ ...figures, checksLeftOut }) });
  };
  return (
    <section class="what-if">
      <div class="actions">
        {children}
        {!isIdle && (
          <Act class="quiet" run={run} failed={setFailed}>
            What would these rules drop?
          </Act>
        )}
      </div>
      <Problem text={asked.current !== rules || failed === errorAt(invalid, 'retention') ? '' : failed} />
      <p aria-live="polite">{counted.rules === rules ? counted.words : ''}</p>
    </section>
  );
}
