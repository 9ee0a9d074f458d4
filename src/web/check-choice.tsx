/** Which checks notify a new integration: all, none, or those that are ticked. */
import { useState } from 'preact/hooks';
import type { CheckRow } from '../domain/page-view.ts';
import { filtered } from './filter.ts';

/** As the command takes it. */
export type ChosenChecks = 'all' | 'none' | readonly string[];

/** More are found by typing. */
const shownMax = 50;
const filterFrom = 10;

interface CheckChoiceProps {
  readonly rows: readonly CheckRow[];
  readonly chosen: ChosenChecks;
  readonly choose: (checks: ChosenChecks) => void;
}

export function CheckChoice({ rows, chosen, choose }: CheckChoiceProps) {
  const isList = typeof chosen !== 'string';
  const choices = [
    ['all', `All checks (${rows.length})`, chosen === 'all', 'all'],
    ['none', 'None', chosen === 'none', 'none'],
    ['some', 'Choose…', isList, []],
  ] as const;
  return (
    <fieldset>
      <legend>Use for</legend>
      {choices.map(([value, words, checked, checks]) => (
        <label key={value} class="tick">
          <input type="radio" name="checks" checked={checked} onChange={() => choose(checks)} />
          {words}
        </label>
      ))}
      {isList && <Ticks rows={rows} chosen={chosen} choose={choose} />}
    </fieldset>
  );
}

interface TicksProps extends CheckChoiceProps {
  readonly chosen: readonly string[];
}

/** Those that are ticked. */
export function Ticks({ rows, chosen, choose }: TicksProps) {
  const [text, setText] = useState('');
  const found = filtered(rows, text);
  const toggle = (id: string): void =>
    choose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <>
      {rows.length > filterFrom && (
        <label>
          Find checks by name, slug or tag
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      )}
      <div class="choices">
        {found.slice(0, shownMax).map(({ id, name, slug }) => (
          <label key={id} class="tick">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            {name || slug || 'Unnamed check'}
          </label>
        ))}
      </div>
      <p class="faint hint">
        {chosen.length} chosen
        {found.length > shownMax && `. Showing ${shownMax} of ${found.length}; search to see others`}.
      </p>
    </>
  );
}
