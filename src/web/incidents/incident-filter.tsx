/** What is above the incidents: a search, their state and when they opened, all of which are in the address, and the export of what it wants. */
import { useEffect, useState } from 'preact/hooks';
import { fromRoot } from '../core/base-path.ts';
import { replaceSearch } from '../core/route.ts';
import { FilterButton } from '../ui/filter-button.tsx';
import { Icon } from '../ui/icons.tsx';
import {
  askedOf,
  type IncidentFilter,
  incidentFilterOf,
  incidentStates,
  withIncidentFilter,
} from './incident-address.ts';

interface FilterProps {
  readonly project: string;
  readonly filter: IncidentFilter;
}

/** What another field has put into the address since stays. */
function put(change: Partial<IncidentFilter>): void {
  replaceSearch(withIncidentFilter({ ...incidentFilterOf(location.search), ...change }));
}

export function Filter({ project, filter }: FilterProps) {
  // On a phone the fields are opened by a button.
  const [isOpen, setOpen] = useState(false);
  const { text, state, since, until } = filter;
  const chosen = [state, since, until].filter((value) => value !== '').length;
  return (
    <div class={isOpen ? 'incident-filter open' : 'incident-filter'}>
      <Search key={project} text={text} />
      <FilterButton {...{ isOpen, chosen }} words="Filter" open={setOpen} />
      <label>
        State
        <select
          value={state}
          onChange={({ currentTarget: { value } }) =>
            put({ state: incidentStates.find((one) => one === value) ?? '' })
          }
        >
          <option value="">All</option>
          <option value="open">Open</option>
          <option value="closed">Past</option>
        </select>
      </label>
      <Day label="Opened from" value={since} choose={(day) => put({ since: day })} />
      <Day label="Until" value={until} choose={(day) => put({ until: day })} />
      <a class="button" href={fromRoot(`/web/in/${project}/incidents.csv?${askedOf(filter)}`)} download>
        Export CSV
      </a>
    </div>
  );
}

/** A year that is being typed is one of the first centuries, for three keys. */
const firstDay = '1970-01-01';

interface DayProps {
  readonly label: string;
  readonly value: string;
  readonly choose: (day: string) => void;
}

function Day({ label, value, choose }: DayProps) {
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

const typingMs = 300;

/** Once one has stopped typing, the text is in the address. */
function Search({ text }: { readonly text: string }) {
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === text) return;
    const timer = setTimeout(() => put({ text: wanted }), typingMs);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return (
    <label class="search">
      <span class="hidden">Search incidents</span>
      <Icon name="search" />
      <input
        type="search"
        placeholder="Search checks and notes"
        maxLength={200}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </label>
  );
}
