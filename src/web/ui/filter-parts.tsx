/** What the filters of several lists have: the button that opens them on a phone, a search, and a day. */
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';

interface FilterButtonProps {
  readonly words: string;
  readonly isOpen: boolean;
  readonly chosen: number;
  readonly open: (isOpen: boolean) => void;
}

export function FilterButton({ words, isOpen, chosen, open }: FilterButtonProps) {
  return (
    <button
      type="button"
      class="quiet filters"
      aria-expanded={isOpen}
      // Beside the search of a phone it has no words to be seen.
      aria-label={chosen > 0 ? `${words} ${chosen}` : words}
      onClick={() => open(!isOpen)}
    >
      <Icon name="sort" />
      <span class="words">{words}</span> {chosen > 0 && <span class="figure">{chosen}</span>}
    </button>
  );
}

interface SearchFieldProps {
  /** The field itself, for who gives it the focus. */
  readonly own?: { current: HTMLInputElement | null };
  /** Its name for who does not see it; `placeholder` says what is searched. */
  readonly name: string;
  readonly placeholder: string;
  readonly text: string;
  readonly change: (text: string) => void;
}

export function SearchField({ own, name, placeholder, text, change }: SearchFieldProps) {
  return (
    <label class="search">
      <span class="hidden">{name}</span>
      <Icon name="search" />
      <input
        ref={own ?? null}
        type="search"
        placeholder={placeholder}
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  );
}

const typingMs = 300;

interface TypedSearchProps extends Pick<SearchFieldProps, 'own' | 'name' | 'placeholder' | 'text'> {
  readonly put: (text: string) => void;
}

/** A search whose text is in the address: `put` there once one has stopped typing. */
export function TypedSearch({ text, put, ...field }: TypedSearchProps) {
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === text) return;
    const timer = setTimeout(() => put(wanted), typingMs);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return <SearchField {...field} text={typed} change={setTyped} />;
}

/** Whether the first day of a filter, `since` in its query, is after the last, which is `until`. */
export function isBackwards(query: string): boolean {
  const given = new URLSearchParams(query);
  const [since, until] = [given.get('since') ?? '', given.get('until') ?? ''];
  return since !== '' && until !== '' && since > until;
}

/** Says so; empty where it is not. `label` is that of the field of the first day. */
export function backwardsWords(label: string, query: string): string {
  return isBackwards(query) ? `"${label}" is after "Until".` : '';
}

/** A year that is being typed is one of the first centuries, for three keys. */
const firstDay = '1970-01-01';

interface DayFieldProps {
  readonly label: string;
  /** As a field for dates has it; empty for any. */
  readonly value: string;
  readonly choose: (day: string) => void;
}

export function DayField({ label, value, choose }: DayFieldProps) {
  const [typed, type] = useState(value);
  useEffect(() => type(value), [value]);
  return (
    <label class="day">
      {label}
      <input
        type="date"
        value={typed}
        onInput={({ currentTarget: { value: day } }) => {
          type(day);
          if (day === '' || day >= firstDay) choose(day);
        }}
      />
    </label>
  );
}
