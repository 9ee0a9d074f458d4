/** What is above the incidents: a search, their state and when they opened, all of which are in the address, and the export of what it wants. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { fromRoot } from '../core/base-path.ts';
import { replaceSearch } from '../core/route.ts';
import { DayField, FilterButton, TypedSearch } from '../ui/filter-parts.tsx';
import { useSearchKey } from '../ui/shortcuts.tsx';
import {
  askedOf,
  type IncidentFilter,
  incidentFilterOf,
  incidentStates,
  isFiltered,
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
  const search = useRef<HTMLInputElement>(null);
  useSearchKey(search);
  // How often: what is typed into the search goes with the rest.
  const [cleared, setCleared] = useState(0);
  const { text, state, since, until } = filter;
  const clear = (): void => {
    put({ text: '', state: '', since: '', until: '' });
    setCleared(cleared + 1);
  };
  // The button is gone with what it clears, and the search is a new one.
  useEffect(() => {
    if (cleared > 0 && !matchMedia('(pointer: coarse)').matches)
      search.current?.focus({ preventScroll: true });
  }, [cleared]);
  const chosen = [state, since, until].filter((value) => value !== '').length;
  return (
    <div class={isOpen ? 'incident-filter open' : 'incident-filter'}>
      <TypedSearch
        key={`${project} ${cleared}`}
        own={search}
        name="Search incidents"
        placeholder="Search checks and notes"
        text={text}
        put={(wanted) => put({ text: wanted })}
      />
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
      <DayField label="Opened from" value={since} choose={(day) => put({ since: day })} />
      <DayField label="Until" value={until} choose={(day) => put({ until: day })} />
      {/* It has its space from the start: the export beside it stays where it is. */}
      <button type="button" class={isFiltered(filter) ? 'quiet clear' : 'quiet clear off'} onClick={clear}>
        Clear filter
      </button>
      <a class="button" href={fromRoot(`/web/in/${project}/incidents.csv?${askedOf(filter)}`)} download>
        Export CSV
      </a>
    </div>
  );
}
