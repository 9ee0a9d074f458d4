/** The choice of the checks that notify an integration: all, those with a tag, those that are ticked, or none. */
import { useMemo, useState } from 'preact/hooks';
import type { CheckRow, ListView } from '../../domain/views/page-view.ts';
import { useAsk } from '../core/calls.ts';
import { filtered } from '../rows/filter.ts';
import { nameOf } from '../rows/row-words.ts';

export type ChosenChecks = 'all' | 'none' | { readonly tag: string } | readonly string[];

/** Checks that are listed; more are found by typing. */
const shownMax = 50;
const filterFrom = 10;

const noChecks: readonly string[] = [];

interface CheckChoiceProps {
  readonly project: string;
  /** The checks that are ticked when one begins to choose. */
  readonly first?: readonly string[];
  readonly chosen: ChosenChecks;
  readonly choose: (checks: ChosenChecks) => void;
}

export function CheckChoice({ project, chosen, choose, first = noChecks }: CheckChoiceProps) {
  const [text, setText] = useState('');
  const query = new URLSearchParams({ sort: 'name', count: String(shownMax), q: text.trim() });
  const { data } = useAsk<ListView>(`/web/in/${project}/list?${query}`);
  const tags = useTags(project);
  const isList = Array.isArray(chosen);
  const tag = typeof chosen === 'object' && 'tag' in chosen ? chosen.tag : null;
  const radio = (words: string, checked: boolean, checks: ChosenChecks) => (
    <label class="tick">
      <input type="radio" name="checks" checked={checked} onChange={() => choose(checks)} />
      {words}
    </label>
  );
  return (
    <fieldset>
      <legend>Use for</legend>
      {radio(data ? `All checks (${data.all.toLocaleString()})` : 'All checks', chosen === 'all', 'all')}
      {tags.length > 0 && radio('Checks with a tag', tag !== null, { tag: tags[0]?.name ?? '' })}
      {tag !== null && (
        <label>
          Tag
          <select value={tag} onChange={(event) => choose({ tag: event.currentTarget.value })}>
            {tags.map(({ name, count }) => (
              <option key={name} value={name}>
                {name} ({count})
              </option>
            ))}
          </select>
        </label>
      )}
      {radio('Choose…', isList, first)}
      {isList && data && (
        <>
          {data.all > filterFrom && (
            <label>
              Find checks by name, slug or tag
              <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
            </label>
          )}
          <TickList rows={data.rows} chosen={chosen} choose={choose} of={data.total} />
        </>
      )}
      {radio('None', chosen === 'none', 'none')}
    </fieldset>
  );
}

/** Returns the tags of all checks, the most used first, whatever is typed. */
function useTags(project: string): ListView['tags'] {
  return useAsk<ListView>(`/web/in/${project}/list?count=1`).data?.tags ?? [];
}

interface TicksProps {
  readonly rows: readonly CheckRow[];
  /** Ids of the checks that are ticked. */
  readonly chosen: readonly string[];
  readonly choose: (checks: readonly string[]) => void;
}

/** The ticks where all checks are there. Those that were ticked at first come first: the list may be longer than its box. */
export function Ticks({ rows, chosen, choose }: TicksProps) {
  const [text, setText] = useState('');
  const [first] = useState(chosen);
  const ordered = useMemo(() => {
    const place = ({ id }: CheckRow): number => (first.includes(id) ? 0 : 1);
    return [...rows].sort((a, b) => place(a) - place(b) || nameOf(a).localeCompare(nameOf(b)));
  }, [rows, first]);
  const found = filtered(ordered, text);
  return (
    <>
      {rows.length > filterFrom && (
        <label>
          Find checks by name, slug or tag
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      )}
      <TickList rows={found.slice(0, shownMax)} chosen={chosen} choose={choose} of={found.length} />
    </>
  );
}

/** A list of ticks; `of` is how many checks there are in all. */
function TickList({ rows, chosen, choose, of }: TicksProps & { readonly of: number }) {
  const toggle = (id: string): void =>
    choose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <>
      <div class="choices names">
        {rows.map((row) => (
          <label key={row.id} class="tick">
            <input type="checkbox" checked={chosen.includes(row.id)} onChange={() => toggle(row.id)} />
            {nameOf(row)}
          </label>
        ))}
      </div>
      <p class="faint hint">
        {chosen.length} chosen
        {of > rows.length && `. Showing ${rows.length} of ${of.toLocaleString()}; search to see others`}.
      </p>
    </>
  );
}
