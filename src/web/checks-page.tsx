/** The live list of checks: filters above, the list below, keys for both. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckRow } from '../domain/page-view.ts';
import { CheckList } from './check-list.tsx';
import { allTags, countByStatus, type Filter, filtered, noFilter, statusOrder } from './filter.ts';
import type { PageProps } from './page-props.ts';
import { addressOf, go } from './route.ts';
import { useTab } from './tab.ts';
import { useNow } from './use-now.ts';
import { statusWords } from './words.ts';

export function ChecksPage({ project, live, mayEdit }: PageProps) {
  const [filter, setFilter] = useState<Filter>(noFilter);
  const [chosen, setChosen] = useState(-1);
  const search = useRef<HTMLInputElement>(null);
  const nowMs = useNow(live.offsetMs);
  const all = live.rows ?? [];
  const rows = useMemo(() => filtered(all, filter), [all, filter]);
  useTab(live.rows, 'Checks');
  useKeys({ search, rows, project, mayEdit, chosen, choose: setChosen });
  if (live.rows === null) return <p class="faint">Reading the checks…</p>;
  if (all.length === 0) return <NoChecks project={project} mayEdit={mayEdit} />;
  return (
    <>
      <div class="bar">
        <h1 class="hidden">Checks</h1>
        <input
          ref={search}
          type="search"
          aria-label="Filter by text"
          placeholder="Filter ( / )"
          value={filter.text}
          onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
        />
        <Choices filter={filter} change={setFilter} rows={all} />
        {mayEdit && (
          <a class="button main" href={addressOf(project, 'new')}>
            New check <kbd>n</kbd>
          </a>
        )}
      </div>
      <p class="faint" role="status">
        {rows.length === all.length ? `${all.length} checks` : `${rows.length} of ${all.length} checks`}
      </p>
      <CheckList rows={rows} project={project} nowMs={nowMs} chosen={chosen} />
    </>
  );
}

interface ChoicesProps {
  readonly filter: Filter;
  readonly change: (filter: Filter) => void;
  readonly rows: readonly CheckRow[];
}

function Choices({ filter, change, rows }: ChoicesProps) {
  const counts = countByStatus(rows);
  const tags = useMemo(() => allTags(rows), [rows]);
  return (
    <>
      <select
        aria-label="Filter by status"
        value={filter.status}
        onChange={(event) => {
          const status = statusOrder.find((one) => one === event.currentTarget.value) ?? '';
          change({ ...filter, status });
        }}
      >
        <option value="">Any status</option>
        {statusOrder.map((status) => (
          <option key={status} value={status}>
            {statusWords[status]} ({counts[status]})
          </option>
        ))}
      </select>
      {tags.length > 0 && (
        <select
          aria-label="Filter by tag"
          value={filter.tag}
          onChange={(event) => change({ ...filter, tag: event.currentTarget.value })}
        >
          <option value="">Any tag</option>
          {tags.map((tag) => (
            <option key={tag}>{tag}</option>
          ))}
        </select>
      )}
    </>
  );
}

function NoChecks({ project, mayEdit }: { readonly project: string; readonly mayEdit: boolean }) {
  return (
    <section class="empty">
      <h1>No checks yet</h1>
      <p>
        A check watches one job: a backup, a report, anything that should happen regularly. The job pings the
        address of its check when it is done; when a ping does not come in time, Knell rings.
      </p>
      {mayEdit && (
        <a class="button main" href={addressOf(project, 'new')}>
          Make the first check
        </a>
      )}
    </section>
  );
}

interface Keys {
  readonly search: { readonly current: HTMLInputElement | null };
  readonly rows: readonly CheckRow[];
  readonly project: string;
  readonly mayEdit: boolean;
  readonly chosen: number;
  readonly choose: (index: number) => void;
}

/** From the very frame in which the list is seen. */
function useKeys({ search, rows, project, mayEdit, chosen, choose }: Keys): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing =
        event.target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (typing) {
        if (event.key === 'Escape') search.current?.blur();
        return;
      }
      const row = rows[chosen];
      if (event.key === '/') search.current?.focus();
      else if (event.key === 'n' && mayEdit) go(addressOf(project, 'new'));
      else if (event.key === 'j') choose(Math.min(chosen + 1, rows.length - 1));
      else if (event.key === 'k') choose(Math.max(chosen - 1, 0));
      else if (event.key === 'Enter' && row && event.target === document.body)
        go(addressOf(project, 'checks', row.id));
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
}
