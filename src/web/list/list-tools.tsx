/** The tools above the list: search, tags, group, order, and the button for a new check. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CheckRow, ListView } from '../../domain/views/page-view.ts';
import { addressOf } from '../core/route.ts';
import { groupings, type ListQuery, type Sort, sorts, toggled } from '../rows/list-query.ts';
import { FilterButton } from '../ui/filter-parts.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { TagFilter } from '../ui/tag-filter.tsx';
import { useResultNames } from './result-column.ts';

/** Tags that are shown on one line; the rest is in a menu. */
const chipsMax = 5;

interface ToolsProps {
  readonly query: ListQuery;
  readonly change: (query: ListQuery) => void;
  readonly tags: ListView['tags'];
  readonly search: { readonly current: HTMLInputElement | null };
  readonly project: string;
  readonly mayEdit: boolean;
  /** Those that have been in sight: without a number among them there is no column to choose. */
  readonly rows: ReadonlyMap<number, CheckRow>;
  /** Goes to the first row. */
  readonly toFirst: () => void;
  /** Shows a number as a column; empty for none. */
  readonly showResult: (name: string) => void;
}

export function ListTools(props: ToolsProps) {
  const { query, change, tags, search, project, mayEdit, rows, showResult, toFirst } = props;
  const results = useResultNames(rows, query.result);
  // On a phone the tools are opened by a button; elsewhere there is space for all of them.
  const [isOpen, setOpen] = useState(false);
  const chosen = query.tags.length;
  return (
    <div class={isOpen ? 'tools open' : 'tools'}>
      <div class="search">
        <Icon name="search" />
        <input
          ref={search}
          type="search"
          aria-label="Search checks"
          placeholder="Search checks"
          value={query.text}
          onInput={(event) => change({ ...query, text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.isComposing || (event.key !== 'Enter' && event.key !== 'ArrowDown')) return;
            event.preventDefault();
            toFirst();
          }}
        />
        <kbd>/</kbd>
      </div>
      <FilterButton {...{ isOpen, chosen }} words="Filter and sort" open={setOpen} />
      {query.notifiesNobody && (
        <button
          type="button"
          class="chip"
          aria-pressed
          onClick={() => change({ ...query, notifiesNobody: false })}
        >
          Notify nobody <Icon name="close" size={14} />
        </button>
      )}
      <TagFilter
        tags={tags}
        chosen={query.tags}
        toggle={(name) => change({ ...query, tags: toggled(query.tags, name) })}
        max={results.length > 0 ? chipsMax - 1 : chipsMax}
      />
      <Choice
        icon="list"
        name="Group"
        names={groupings}
        chosen={query.group}
        choose={(group) => change({ ...query, group })}
      />
      <Choice
        icon="sort"
        name="Sort"
        names={sortNames(query)}
        chosen={query.sort}
        choose={(sort) => change({ ...query, sort, isReversed: sort === query.sort && !query.isReversed })}
      />
      {results.length > 0 && (
        <span class="number">
          <Choice
            icon="hash"
            name="Number"
            names={Object.fromEntries(['', ...results].map((name) => [name, name || 'None']))}
            chosen={query.result}
            choose={showResult}
          />
        </span>
      )}
      {mayEdit && (
        <a class="button main" href={addressOf(project, 'new')} aria-label="Create check">
          <Icon name="plus" />
          <span>Create check</span>
        </a>
      )}
    </div>
  );
}

/** Without a column, there is no number to sort by. */
function sortNames({ result }: ListQuery): Readonly<Partial<Record<Sort, string>>> {
  const { result: _, ...others } = sorts;
  return result === '' ? others : { ...others, result };
}

interface ChoiceProps<Name extends string> {
  readonly icon: IconName;
  readonly name: string;
  readonly names: Readonly<Partial<Record<Name, string>>>;
  readonly chosen: Name;
  readonly choose: (name: Name) => void;
}

function Choice<Name extends string>({ icon, name, names, chosen, choose }: ChoiceProps<Name>) {
  const label: ComponentChildren = (
    <>
      <Icon name={icon} />
      <span>
        {name}: <strong>{names[chosen]}</strong>
      </span>
      <Icon name="down" size={14} />
    </>
  );
  return (
    <Menu class="choice" label={label} isRight>
      {(Object.keys(names) as Name[]).map((one) => (
        <MenuItem key={one} run={() => choose(one)} isChosen={one === chosen}>
          {names[one]}
        </MenuItem>
      ))}
    </Menu>
  );
}
