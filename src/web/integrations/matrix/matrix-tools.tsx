/** The tools above the matrix: which checks are shown, how many they are, and how much of the matrix is not in sight. */
import { useRef, useState } from 'preact/hooks';
import type { ListView } from '../../../domain/views/page-view.ts';
import { checksWords } from '../../core/words.ts';
import { type ListQuery, toggled } from '../../rows/list-query.ts';
import { FilterButton } from '../../ui/filter-parts.tsx';
import { Icon } from '../../ui/icons.tsx';
import { TagFilter } from '../../ui/tag-filter.tsx';

/** Tags that are shown in a line; the rest is in a menu. */
const tagsMax = 5;

interface ToolsProps {
  readonly query: ListQuery;
  /** Null until it is loaded. */
  readonly view: ListView | null;
  readonly change: (query: ListQuery) => void;
  /** Checks of the project that notify nobody. */
  readonly nobody: number;
  readonly hiddenColumns: number;
  readonly hiddenRows: number;
}

export function MatrixTools({ query, view, change, nobody, hiddenColumns, hiddenRows }: ToolsProps) {
  const [isOpen, setOpen] = useState(false);
  const tags = view?.tags ?? [];
  return (
    <div class={isOpen ? 'tools open' : 'tools'}>
      <label class="search">
        <span class="hidden">Find checks by name, slug or tag</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder="Find checks by name, slug or tag"
          value={query.text}
          onInput={({ currentTarget: { value } }) => change({ ...query, text: value })}
        />
      </label>
      {/* On a phone it opens the tags, as in the list of checks. It is there from the start: the search would move. */}
      <FilterButton {...{ isOpen }} chosen={query.tags.length} words="Filter by tag" open={setOpen} />
      <TagFilter
        tags={tags}
        chosen={query.tags}
        toggle={(name) => change({ ...query, tags: toggled(query.tags, name) })}
        max={tagsMax}
      />
      <Counted shown={view?.total ?? 0} all={view?.all ?? 0} {...{ nobody, query, change }} />
      <Outside columns={hiddenColumns} rows={hiddenRows} />
    </div>
  );
}

interface CountedProps extends Pick<ToolsProps, 'query' | 'change' | 'nobody'> {
  readonly shown: number;
  readonly all: number;
}

function Counted({ shown, all, nobody, query, change }: CountedProps) {
  const { notifiesNobody } = query;
  // It stays once it was there: with it a line would go, and the box that was ticked would move.
  const wasThere = useRef(false);
  if (nobody > 0) wasThere.current = true;
  return (
    <>
      <span class="faint" role="status">
        {countWords(shown, all)}
      </span>
      {(wasThere.current || notifiesNobody) && (
        <button
          type="button"
          class="chip nobody"
          disabled={nobody === 0 && !notifiesNobody}
          aria-pressed={notifiesNobody}
          title={notifiesNobody ? 'Show all checks' : 'Show only these'}
          onClick={() => change({ ...query, notifiesNobody: !notifiesNobody })}
        >
          <Icon name="muted" size={14} /> {nobodyWords(nobody)}
        </button>
      )}
    </>
  );
}

/** How much of the matrix is not in sight. */
function Outside({ columns, rows }: { readonly columns: number; readonly rows: number }) {
  return (
    <>
      {rows > 0 && (
        <span class="faint beside">
          {rows === 1 ? '1 more check' : `${rows.toLocaleString()} more checks`} below
          <Icon name="down" size={14} />
        </span>
      )}
      {columns > 0 && (
        <span class="faint beside">
          {columns === 1 ? '1 more integration' : `${columns} more integrations`} to the right
          <Icon name="right" size={14} />
        </span>
      )}
    </>
  );
}

function countWords(shown: number, all: number): string {
  const checks = checksWords(all);
  return shown === all ? checks : `${shown.toLocaleString()} of ${checks}`;
}

/** Their rows have the icon that is before these words, and their names its colour. */
function nobodyWords(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'notifies' : 'notify'} nobody`;
}
