/** The part of the form that says about which checks no alerts are sent: all of the project, those with a tag, or chosen ones. */
import { useId, useMemo, useState } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { checksWords } from '../core/words.ts';
import { Ticks } from '../form/check-choice.tsx';
import { tagsOf } from '../rows/filter.ts';
import { nameOf } from '../rows/row-words.ts';
import { tagsHint, typedTags } from '../rows/typed-tags.ts';
import { FieldErrorText, markedInvalid, type noFieldError } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';

export type Scope = 'all' | 'tags' | 'checks';

const scopeNames: readonly (readonly [Scope, string])[] = [
  ['all', 'All checks of the project'],
  ['tags', 'Checks with a tag'],
  ['checks', 'Chosen checks'],
];

interface ScopeChoice {
  readonly scope: Scope;
  /** As they are typed. */
  readonly tags: string;
  /** Ids of those that are ticked. */
  readonly checks: readonly string[];
}

interface ScopeProps extends ScopeChoice {
  readonly put: (part: Partial<ScopeChoice>) => void;
  /** What the field of the tags began with. */
  readonly tagsBefore: string;
  readonly rows: readonly CheckRow[];
  readonly hasNoChecks: boolean;
  readonly invalid: typeof noFieldError;
}

export function ScopeFields({
  scope: chosen,
  tags,
  tagsBefore,
  checks,
  put,
  rows,
  hasNoChecks,
  invalid,
}: ScopeProps) {
  const group = useId();
  const known = useId();
  const [isTyping, setTyping] = useState(false);
  const covered =
    chosen === 'checks'
      ? null
      : coveredWords({ scope: chosen, tags, tagsBefore, isTyping }, rows, hasNoChecks);
  return (
    <fieldset>
      <legend>No alerts about</legend>
      {scopeNames.map(([scope, words]) => (
        <label key={scope} class="tick">
          <input
            type="radio"
            name={group}
            checked={chosen === scope}
            disabled={scope === 'checks' && hasNoChecks}
            onChange={() => put({ scope })}
          />
          {scope === 'checks' && hasNoChecks ? (
            <>
              {words} <FieldNote>this project has no check yet</FieldNote>
            </>
          ) : (
            words
          )}
        </label>
      ))}
      {chosen === 'tags' && (
        <label>
          Tags <FieldNote>{tagsHint}; a check needs one of them</FieldNote>
          <input
            name="tags"
            value={tags}
            list={known}
            autocomplete="off"
            {...markedInvalid('tags', invalid)}
            onInput={({ currentTarget }) => {
              setTyping(true);
              put({ tags: currentTarget.value });
            }}
            onBlur={() => setTyping(false)}
          />
          <KnownTags id={known} {...{ rows, tags }} />
        </label>
      )}
      <FieldErrorText name="tags" invalid={invalid} />
      {covered !== null && (
        <p
          class={chosen === 'tags' && tags.trim() === '' ? 'faint covered untyped' : 'faint covered'}
          role="status"
        >
          {covered}
        </p>
      )}
      {chosen === 'checks' && (
        <Ticks
          {...{ rows, invalid }}
          chosen={checks}
          choose={(ids) => put({ checks: ids })}
          field="checks"
          isDownFirst
        />
      )}
    </fieldset>
  );
}

/** The tags that checks have and the field does not, each with what is typed before it. */
function KnownTags({ id, rows, tags }: Pick<ScopeProps, 'rows' | 'tags'> & { readonly id: string }) {
  const known = useMemo(() => [...new Set(rows.flatMap(tagsOf))].sort((a, b) => a.localeCompare(b)), [rows]);
  const before = /^.*[\s,]/.exec(tags)?.[0] ?? '';
  const typed = before.split(/[\s,]+/);
  return (
    <datalist id={id}>
      {known
        .filter((tag) => !typed.includes(tag))
        .map((tag) => (
          <option key={tag} value={before + tag} />
        ))}
    </datalist>
  );
}

/** Checks that are named at most. */
const namedMax = 3;

/**
 * Which checks the window is about as they are now: any of its tags is enough. Empty where nothing is to be said yet, null where
 * there is no need to. A tag that is being typed is none yet.
 */
function coveredWords(
  {
    scope,
    tags,
    tagsBefore,
    isTyping,
  }: Pick<ScopeProps, 'scope' | 'tags' | 'tagsBefore'> & { readonly isTyping: boolean },
  rows: readonly CheckRow[],
  hasNoChecks: boolean,
): string | null {
  if (scope === 'all') return hasNoChecks ? 'Covers no check now, and all that are created later.' : null;
  const wanted = typedTags(tags, tagsBefore)
    .split(' ')
    .filter((tag) => tag !== '');
  const isKnown = hasNoChecks || rows.length > 0;
  if (wanted.length === 0 || !isKnown) return '';
  const covered = rows.filter((row) => tagsOf(row).some((tag) => wanted.includes(tag)));
  const unknown = wanted.filter((tag) => !covered.some((row) => tagsOf(row).includes(tag)));
  if (isTyping && covered.length === 0) return '';
  const without =
    unknown.length === 0 || isTyping ? '' : ` No check has the tag ${unknown.join(' or ')} yet.`;
  if (covered.length === 0) return `Covers no check now.${without}`;
  const count = checksWords(covered.length);
  return covered.length > namedMax
    ? `Covers ${count} now.${without}`
    : `Covers ${count} now: ${covered.map(nameOf).join(', ')}.${without}`;
}
