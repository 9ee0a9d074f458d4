/** The live list of checks: filters above, the list below, keys for both. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckRow } from '../domain/page-view.ts';
import { CheckList } from './check-list.tsx';
import { allTags, countByStatus, type Filter, filtered, noFilter, statusOrder } from './filter.ts';
import type { PageProps } from './page-props.ts';
import { addressOf, go, remembered, useRemembered } from './route.ts';
import { useTab } from './tab.ts';
import { useNow } from './use-now.ts';
import { statusWords } from './words.ts';

export function ChecksPage({ project, live, mayEdit }: PageProps) {
  const [first] = useState(firstView);
  const [filter, setFilter] = useState<Filter>(first.filter);
  const [chosen, setChosen] = useState(first.chosen);
  const [keys, setKeys] = useState(keysWanted);
  const search = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const nowMs = useNow(live.offsetMs);
  const all = live.rows ?? [];
  const rows = useMemo(() => filtered(all, filter), [all, filter]);
  useTab(live.rows, 'Checks');
  useRemembered(() => ({ filter, chosen, top: box.current?.scrollTop ?? 0 }));
  useKeys({ search, rows, project, mayEdit, chosen, choose: setChosen, wanted: keys });
  if (live.rows === null) return <p class="faint">Loading checks…</p>;
  if (all.length === 0) return <NoChecks project={project} mayEdit={mayEdit} />;
  return (
    <>
      <div class="bar">
        <h1 class="hidden">Checks</h1>
        <input
          ref={search}
          type="search"
          aria-label="Filter by text"
          placeholder={keys ? 'Filter ( / )' : 'Filter'}
          value={filter.text}
          onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
        />
        <Choices filter={filter} change={setFilter} rows={all} />
        {mayEdit && (
          <a class="button main" href={addressOf(project, 'new')}>
            New check {keys && <kbd>n</kbd>}
          </a>
        )}
      </div>
      <div class="under">
        <p class="faint" role="status">
          {countWords(rows.length, all.length)}
        </p>
        <KeysHelp
          mayEdit={mayEdit}
          wanted={keys}
          change={(wanted) => {
            localStorage.setItem(keysKept, wanted ? 'on' : 'off');
            setKeys(wanted);
          }}
        />
      </div>
      <CheckList
        rows={rows}
        project={project}
        nowMs={nowMs}
        chosen={chosen}
        topAtFirst={first.top}
        box={box}
      />
    </>
  );
}

/** As it was left. */
function firstView() {
  const kept = remembered();
  return {
    filter: { ...noFilter, ...(kept.get('filter') as Partial<Filter> | undefined) },
    chosen: String(kept.get('chosen') ?? ''),
    top: Number(kept.get('top') ?? 0),
  };
}

function countWords(shown: number, all: number): string {
  const checks = all === 1 ? '1 check' : `${all} checks`;
  return shown === all ? checks : `${shown} of ${checks}`;
}

const keysKept = 'knell.keys';

function keysWanted(): boolean {
  return localStorage.getItem(keysKept) !== 'off';
}

interface KeysHelpProps {
  readonly mayEdit: boolean;
  readonly wanted: boolean;
  readonly change: (wanted: boolean) => void;
}

/** Who speaks to the browser, or hits keys by mistake, needs single letters to do nothing. */
function KeysHelp({ mayEdit, wanted, change }: KeysHelpProps) {
  return (
    <details class="keys">
      <summary>Keyboard shortcuts</summary>
      <div>
        <dl>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>filter by text</dd>
          <dt>
            <kbd>j</kbd> <kbd>k</kbd>
          </dt>
          <dd>next, previous check</dd>
          <dt>
            <kbd>Enter</kbd>
          </dt>
          <dd>open the check</dd>
          {mayEdit && (
            <>
              <dt>
                <kbd>n</kbd>
              </dt>
              <dd>new check</dd>
            </>
          )}
        </dl>
        <label class="tick">
          <input type="checkbox" checked={wanted} onChange={() => change(!wanted)} />
          Use these keys
        </label>
      </div>
    </details>
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
        A check monitors one job: a backup, a report, anything that should run regularly. The job requests its
        check's ping URL when it is done. If a ping doesn't arrive in time, Knell alerts you.
      </p>
      {mayEdit && (
        <a class="button main" href={addressOf(project, 'new')}>
          Create your first check
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
  readonly chosen: string;
  readonly choose: (id: string) => void;
  readonly wanted: boolean;
}

/** From the very frame in which the list is seen. */
function useKeys({ search, rows, project, mayEdit, chosen, choose, wanted }: Keys): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing =
        event.target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (typing) {
        if (event.key === 'Escape') search.current?.blur();
        return;
      }
      if (!wanted) return;
      const index = rows.findIndex(({ id }) => id === chosen);
      const row = rows[index];
      const to = (next: number): void => choose(rows[Math.max(0, Math.min(next, rows.length - 1))]?.id ?? '');
      if (event.key === '/') search.current?.focus();
      else if (event.key === 'n' && mayEdit) go(addressOf(project, 'new'));
      else if (event.key === 'j') to(index + 1);
      else if (event.key === 'k') to(index - 1);
      else if (event.key === 'Enter' && row && event.target === document.body)
        go(addressOf(project, 'checks', row.id));
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
}
