/** The choice of the checks that notify an integration: all, those with a tag, those that are ticked, or none. */
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckRow, ListView } from '../../domain/views/page-view.ts';
import { useAsk } from '../core/calls.ts';
import { filtered } from '../rows/filter.ts';
import { namesApart } from '../rows/names-apart.ts';
import { nameOf } from '../rows/row-words.ts';
import { useEntered } from '../rows/use-entered.ts';
import { type FieldError, FieldErrorText, markedInvalid } from '../ui/field-error.tsx';
import { isSaveKey } from '../ui/shortcuts.tsx';
import { Shape } from '../ui/status-mark.tsx';

export type ChosenChecks = 'all' | 'none' | { readonly tag: string } | readonly string[];

/** Checks that are listed, as many as the server gives at once; more are found by typing. */
const shownMax = 200;
const filterFrom = 10;

interface CheckChoiceProps {
  readonly project: string;
  /** Number of checks in the project; null until it is known. */
  readonly checks: number | null;
  /** The checks that are ticked when one begins to choose; null until they are known. */
  readonly first: readonly string[] | null;
  readonly chosen: ChosenChecks;
  readonly choose: (checks: ChosenChecks) => void;
  /** Whether new checks are not assigned to it, as its settings have it. */
  readonly isNotForNew: boolean;
}

/** Each choice has its line from the start, and what one asks for is below all of them: no choice moves. */
export function CheckChoice({ project, checks, chosen, choose, first, isNotForNew }: CheckChoiceProps) {
  const hint = useId();
  const tags = useTags(project);
  const tag = typeof chosen === 'object' && 'tag' in chosen ? chosen.tag : null;
  const ids = Array.isArray(chosen) ? chosen : null;
  const forNew = useForNew(chosen, isNotForNew);
  const radio = (words: string, checked: boolean, checks: ChosenChecks | null) => (
    <label class="tick">
      <input
        type="radio"
        name="checks"
        checked={checked}
        disabled={checks === null}
        onChange={() => {
          if (checks === null) return;
          choose(checks);
          forNew.picked(checks);
        }}
      />
      {words}
    </label>
  );
  return (
    <fieldset>
      <legend>Use for</legend>
      {radio(
        checks === null ? 'All checks' : `All checks (${checks.toLocaleString()})`,
        chosen === 'all',
        'all',
      )}
      {radio(
        tags?.length === 0 ? 'Checks with a tag (no check has one)' : 'Checks with a tag',
        tag !== null,
        tags?.[0] ? { tag: tags[0].name } : null,
      )}
      {radio(chosenWords(checks, first && ids), ids !== null, checks === 0 ? null : first)}
      {radio('None', chosen === 'none', 'none')}
      {tag !== null && (
        <label>
          Tag
          <select value={tag} onChange={(event) => choose({ tag: event.currentTarget.value })}>
            {(tags ?? []).map(({ name, count }) => (
              <option key={name} value={name}>
                {name} ({count})
              </option>
            ))}
          </select>
        </label>
      )}
      {tag !== null && <p class="faint hint">{tagWords(tags?.find(({ name }) => name === tag)?.count)}</p>}
      {ids && <Found project={project} checks={checks} chosen={first && ids} choose={choose} />}
      <input type="hidden" name="asksForNew" value="on" />
      {/* Apart from the choices above: it is true beside each of them. */}
      <div class="for-new">
        <label class="tick">
          <input
            type="checkbox"
            name="forNew"
            checked={forNew.isOn}
            aria-describedby={hint}
            onChange={({ currentTarget }) => forNew.tick(currentTarget.checked)}
          />
          Include checks that are created later
        </label>
        <p class="faint hint" id={hint}>
          Checks that are created through the API notify it only if the request names it.
        </p>
      </div>
    </fieldset>
  );
}

/** Whether checks that are created later are included: with all checks, and with others only if somebody ticks it or it was so before. */
function useForNew(chosen: ChosenChecks, isNotForNew: boolean) {
  const [kind] = useState(() => kindOf(chosen));
  const [isOn, set] = useState(!isNotForNew);
  const isTicked = useRef(false);
  const picked = (checks: ChosenChecks): void => {
    if (!isTicked.current) set(kindOf(checks) === kind ? !isNotForNew : checks === 'all');
  };
  const tick = (on: boolean): void => {
    isTicked.current = true;
    set(on);
  };
  return { isOn, picked, tick };
}

function kindOf(chosen: ChosenChecks): string {
  if (typeof chosen === 'string') return chosen;
  return 'tag' in chosen ? 'tag' : 'chosen';
}

/** Whom the choice of a tag is about: it is made once, and is no rule. */
function tagWords(count: number | undefined): string {
  const those = count === undefined ? 'Those' : count === 1 ? 'The one' : `The ${count.toLocaleString()}`;
  return `${those} that ${count === 1 ? 'has' : 'have'} it now; checks that get the tag later are not added.`;
}

/** `ids` of those that are ticked; null for another choice, and until they are known. */
function chosenWords(checks: number | null, ids: readonly string[] | null): string {
  if (checks === 0) return 'Chosen checks (this project has no check yet)';
  return ids === null ? 'Chosen checks' : `Chosen checks (${ids.length.toLocaleString()})`;
}

/** Returns the tags of all checks, the most used first; null until they are known. */
function useTags(project: string): ListView['tags'] | null {
  return useAsk<ListView>(`/web/in/${project}/list?count=1`).data?.tags ?? null;
}

interface FoundProps extends Pick<CheckChoiceProps, 'project' | 'checks'> {
  /** Ids of the checks that are ticked; null until they are known. */
  readonly chosen: readonly string[] | null;
  readonly choose: (checks: readonly string[]) => void;
}

/** The ticks of the checks that the server finds, with the space that they take before they are there. */
function Found({ project, checks, chosen, choose }: FoundProps) {
  const [text, setText] = useState('');
  const query = new URLSearchParams({ sort: 'name', count: String(shownMax), q: text.trim() });
  const { data } = useAsk<ListView>(`/web/in/${project}/list?${query}`);
  const all = checks ?? data?.all ?? 0;
  // What is there is of the text before until the server has answered.
  const answered = useRef({ data, text: '' });
  if (answered.current.data !== data) answered.current = { data, text };
  const isPending = answered.current.text.trim() !== text.trim();
  const [only, other] = data?.rows ?? [];
  const enter = useEntered(isPending, () => {
    if (!chosen || !only || other || text.trim() === '') return;
    choose(withCheck(chosen, only.id));
    setText('');
  });
  return (
    <>
      {all > filterFrom && <FindField {...{ text, setText, enter }} />}
      {data && chosen ? (
        <>
          <TickList rows={data.rows} chosen={chosen} choose={choose} />
          {/* How many are chosen is beside the choice. */}
          {all > shownMax && <p class="faint hint">{restWords(data.rows.length, data.total)}&nbsp;</p>}
        </>
      ) : (
        <>
          <div class="choices names" aria-busy="true">
            {Array.from({ length: Math.min(all, shownMax) }, (_, n) => (
              <span key={n} class="tick" />
            ))}
          </div>
          {all > shownMax && <p class="hint">&nbsp;</p>}
        </>
      )}
    </>
  );
}

function withCheck(chosen: readonly string[], id: string): readonly string[] {
  return chosen.includes(id) ? chosen : [...chosen, id];
}

interface FindProps {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Ticks the check that is found, where it is the only one. */
  readonly enter: () => void;
  /** What binds it to what is wrong with the choice. */
  readonly marked?: Marked;
}

type Marked = ReturnType<typeof markedInvalid>;

/** Enter in it is about what is found, never about the form, which it would submit half-written. */
function FindField({ text, setText, enter, marked = {} }: FindProps) {
  return (
    <label>
      Find checks by name, slug or tag
      <input
        type="search"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isSaveKey(event)) return;
          event.preventDefault();
          if (!event.isComposing) enter();
        }}
        {...marked}
      />
    </label>
  );
}

interface TicksProps {
  readonly rows: readonly CheckRow[];
  /** Ids of the checks that are ticked. */
  readonly chosen: readonly string[];
  readonly choose: (checks: readonly string[]) => void;
  /** What the choice is called in `invalid`. */
  readonly field: string;
  readonly invalid: FieldError;
  /** Whether those that were down when the list came are before the others. */
  readonly isDownFirst?: boolean;
}

/** The ticks where all checks are there. Those that were ticked at first come first: the list may be longer than its box. */
export function Ticks({ rows, chosen, choose, field, invalid, isDownFirst = false }: TicksProps) {
  const [text, setText] = useState('');
  const [first] = useState(chosen);
  // As they were: no row moves under the pointer when a check goes down.
  const down = useMemo(
    () => new Set(isDownFirst ? rows.flatMap(({ id, status }) => (status === 'down' ? id : [])) : []),
    [rows.length > 0, isDownFirst],
  );
  const ordered = useMemo(() => {
    const place = ({ id }: CheckRow): number => (first.includes(id) ? 0 : down.has(id) ? 1 : 2);
    return [...rows].sort((a, b) => place(a) - place(b) || nameOf(a).localeCompare(nameOf(b)));
  }, [rows, first, down]);
  const found = filtered(ordered, text);
  const shown = found.slice(0, shownMax);
  const enter = (): void => {
    const [only, other] = found;
    if (!only || other || text.trim() === '') return;
    choose(withCheck(chosen, only.id));
    setText('');
  };
  const hasFind = rows.length > filterFrom;
  const marked = markedInvalid(field, invalid);
  return (
    <>
      {hasFind && <FindField {...{ text, setText, enter, marked }} />}
      <FieldErrorText name={field} invalid={invalid} />
      <TickList rows={shown} {...{ chosen, choose, down }} marked={hasFind ? {} : marked} />
      <p class="faint hint" hidden={found.length === 0}>
        {chosen.length.toLocaleString()} chosen. {restWords(shown.length, found.length)}
      </p>
    </>
  );
}

interface TickListProps extends Pick<TicksProps, 'rows' | 'chosen' | 'choose'> {
  /** What binds the first of them to what is wrong with the choice. */
  readonly marked?: Marked;
  /** Ids of those that are marked as down. */
  readonly down?: ReadonlySet<string>;
}

function TickList({ rows, chosen, choose, marked = {}, down }: TickListProps) {
  const nameOf = useMemo(() => namesApart(rows), [rows]);
  const toggle = (id: string): void =>
    choose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  const isLong = rows.length > filterFrom;
  // The one that Tab goes to: past a long list it would be a stop for each.
  const [stop, setStop] = useState('');
  const stopAt = Math.max(
    0,
    rows.findIndex(({ id }) => id === stop),
  );
  const box = useRef<HTMLDivElement>(null);
  const pressed = (event: KeyboardEvent): void => {
    const to = isLong ? steppedTo(event, stopAt, rows.length) : null;
    if (to === null) return;
    event.preventDefault();
    box.current?.querySelectorAll('input')[to]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its boxes take the keys.
    <div
      class="choices names"
      ref={box}
      onKeyDown={pressed}
      title={isLong ? 'The arrow keys go from one to the next' : undefined}
    >
      {rows.map((row, at) => (
        <label key={row.id} class="tick">
          <input
            type="checkbox"
            tabIndex={isLong && at !== stopAt ? -1 : undefined}
            checked={chosen.includes(row.id)}
            onFocus={() => setStop(row.id)}
            onChange={() => toggle(row.id)}
            {...(at === 0 ? marked : {})}
          />
          {nameOf(row)}
          {down?.has(row.id) && <Shape of="down" size={12} />}
        </label>
      ))}
    </div>
  );
}

/** Where a key goes to; null for one that means nothing here. */
function steppedTo(
  { key, ctrlKey, altKey, metaKey }: KeyboardEvent,
  at: number,
  count: number,
): number | null {
  if (ctrlKey || altKey || metaKey) return null;
  if (key === 'ArrowDown' || key === 'ArrowRight') return Math.min(at + 1, count - 1);
  if (key === 'ArrowUp' || key === 'ArrowLeft') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

function restWords(shown: number, of: number): string {
  return of > shown ? `Showing ${shown} of ${of.toLocaleString()}; search to see others.` : '';
}
