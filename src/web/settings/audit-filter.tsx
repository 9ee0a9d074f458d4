/** What is above the entries of the audit log: the filter, which is in the address, and the exports of what it wants. */
import { useRef, useState } from 'preact/hooks';
import { auditSubjects } from '../../domain/accounts/audit.ts';
import type { AuditView } from '../../domain/views/account-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { fromRoot } from '../core/base-path.ts';
import { replaceSearch } from '../core/route.ts';
import { DayField, FilterButton, TypedSearch } from '../ui/filter-parts.tsx';
import { type AuditFilterName, chosenIn } from './audit-query.ts';
import { subjectWords } from './audit-words.ts';

interface FilterProps extends Pick<AuditView, 'members'> {
  readonly query: string;
  readonly projects: readonly { readonly id: string; readonly name: string }[];
}

export function Filter({ query, members, projects }: FilterProps) {
  const box = useRef<HTMLDivElement>(null);
  // On a phone the fields are opened by a button.
  const [isOpen, setOpen] = useState(false);
  // How often: what is typed into the search goes with the rest.
  const [cleared, setCleared] = useState(0);
  const given = new URLSearchParams(query);
  const chosen = chosenIn(query);
  const field = (name: AuditFilterName, label: string) => ({
    label,
    value: given.get(name) ?? '',
    choose: (value: string): void => put(name, value),
  });
  const clear = (): void => {
    for (const name of chosenIn(query)) given.delete(name);
    // The button is gone with what it clears: the keyboard goes on at the first field, or at the button that opens them.
    for (const one of box.current?.querySelectorAll<HTMLElement>('.filters, select') ?? [])
      if (one.offsetParent !== null) {
        one.focus();
        break;
      }
    replaceSearch(given.toString());
    setCleared(cleared + 1);
  };
  const named = (all: FilterProps['projects']) => all.map(({ id, name }) => [id, name] as const);
  const subjects = auditSubjects.map((subject) => [subject, capital(subjectWords[subject])] as const);
  return (
    <div class={isOpen ? 'inline audit-filter open' : 'inline audit-filter'} ref={box}>
      <TypedSearch
        key={cleared}
        name="Search the audit log"
        placeholder="Search names and values"
        text={given.get('q') ?? ''}
        put={(text) => put('q', text)}
      />
      <FilterButton
        {...{ isOpen, chosen: chosen.filter((name) => name !== 'q').length }}
        words="Filter"
        open={setOpen}
      />
      <Choice {...field('actor', 'By member')} options={named(members)} />
      <Choice {...field('project', 'Project')} options={named(projects)} />
      <Choice {...field('subject', 'Kind')} options={subjects} />
      <DayField {...field('since', 'From')} />
      <DayField {...field('until', 'Until')} />
      {chosen.length > 0 && (
        <button type="button" class="quiet clear" onClick={clear}>
          Clear filter
        </button>
      )}
    </div>
  );
}

/** What another field has put into the address since stays. */
function put(name: AuditFilterName, value: string): void {
  const given = new URLSearchParams(location.search);
  if (value === '') given.delete(name);
  else given.set(name, value);
  replaceSearch(given.toString());
}

interface FieldProps {
  readonly label: string;
  /** Empty for any. */
  readonly value: string;
  readonly choose: (value: string) => void;
}

interface ChoiceProps extends FieldProps {
  readonly options: readonly (readonly [value: string, words: string])[];
}

function Choice({ label, value, choose, options }: ChoiceProps) {
  return (
    <label>
      {label}
      <select aria-label={label} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">All</option>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** `query`: as the server is asked for the entries. */
export function Exports({ query }: { readonly query: string }) {
  return (
    <span class="actions">
      <a class="button" href={fromRoot(`/web/audit.csv?${query}`)} download>
        Export CSV
      </a>
      <a class="button" href={fromRoot(`/web/audit.jsonl?${query}`)} download>
        Export JSON lines
      </a>
    </span>
  );
}
