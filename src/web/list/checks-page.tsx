/** The page of the list of checks: what is wrong first, filters above, the rows below, keys for both. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ShownStatus, shownStatuses } from '../../domain/check/shown-status.ts';
import type { CheckRow, ListView } from '../../domain/views/page-view.ts';
import { snooze, snoozeFor, unsnooze } from '../actions/row-actions.tsx';
import { numberWords } from '../core/number-words.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, remembered, replaceSearch, useSearch } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { useLiveNow } from '../core/use-now.ts';
import { type Steps, useSteps } from '../core/use-steps.ts';
import { shownWords } from '../core/words.ts';
import { type Trouble, troubleInList } from '../form/channel-trouble.ts';
import {
  isFiltered,
  type ListQuery,
  listQueryOf,
  orderOf,
  type Sort,
  saysOrder,
  searchOf,
  toggled,
} from '../rows/list-query.ts';
import { isOpenAt, openRows, stepOver } from '../rows/open-rows.ts';
import { isSnoozedRow } from '../rows/row-words.ts';
import { useList } from '../rows/use-list.ts';
import { useMaintenance } from '../rows/use-maintenance.ts';
import { NotLoaded, Problem } from '../ui/bits.tsx';
import { Lazy } from '../ui/lazy.tsx';
import { Notice } from '../ui/notice.tsx';
import { ShortcutsButton, useShortcuts } from '../ui/shortcuts.tsx';
import { useToBulk } from './bulk-focus.ts';
import { CheckTable, type CheckTableProps } from './check-table.tsx';
import { IncidentsLine } from './incidents-line.tsx';
import { keepOrder, keptOrder } from './kept-order.ts';
import { ListTools } from './list-tools.tsx';
import { type BannerProps, MaintenanceBanner } from './maintenance-banner.tsx';
import { useResultColumn } from './result-column.ts';
import { SummaryBar } from './summary-bar.tsx';
import { useChosen, useFollowed, useToFirst } from './use-chosen.ts';
import { useFolding } from './use-folding.ts';
import { useSelection } from './use-selection.ts';

interface ListProps extends PageProps {
  /** What is said of integrations above every page. */
  readonly broken: ComponentChildren;
}

export function ChecksPage({ broken, ...props }: ListProps) {
  const { project, live, mayEdit, state } = props;
  const choosing = useChosen();
  const { at: chosen, choose } = choosing;
  const search = useRef<HTMLInputElement>(null);
  const { query, change, clear, showResult } = useQuery(project, search, () => choose(-1));
  const list = useList(project, query, live);
  useFollowed(choosing, list.rows);
  const { view } = list;
  useScrolledBack(view !== null);
  const folding = useFolding(project, query.group);
  const selection = useSelection(project, query, list, folding.folded);
  const open = openRows(view?.total ?? 0, view?.groups ?? [], folding.folded);
  const toFirst = useToFirst(list, choosing, stepOver(open, -1, 1));
  const bulk = useToBulk(selection);
  const nowMs = useLiveNow(live);
  useTab(live.summary, 'Checks');
  useShortcuts({
    search,
    project,
    mayEdit,
    step: (by) => choose(stepOver(open, chosen, by)),
    row: isOpenAt(open, chosen) ? (list.rows.get(chosen) ?? null) : null,
    select: (row) => selection.select(chosen, row, false),
    snooze: (row) =>
      void (isSnoozedRow(row, nowMs) ? unsnooze(project, row) : snooze(project, row, snoozeFor(1))),
    selectAll: () => void selection.all.toggle(),
    toBulk: bulk.enter,
  });
  const maintenance = useMaintenance(project, nowMs, view !== null);
  const first = list.rows.get(0);
  const steps = useSteps(project, stepFacts(view, first));
  if (view === null || steps.shown) {
    const begun = view && { view, row: first, leave: steps.leave };
    return <BeforeList {...{ props, broken }} first={begun} error={list.error} />;
  }
  const notSending = notSendingOf(view.channels, state, project);
  return (
    <>
      <h1 class="hidden">Checks</h1>
      <Problem text={list.error} />
      <Notices {...(live.summary ?? view)} {...{ broken, maintenance, project, mayEdit, nowMs }} />
      {mayEdit && <StepsOffer {...steps} search={search} />}
      <SummaryBar
        summary={view.found ?? live.summary ?? view}
        all={view.found ? (live.summary ?? view) : null}
        chosen={query.statuses}
        toggle={(status) => change({ ...query, statuses: toggled(query.statuses, status) })}
        nowMs={nowMs}
      />
      <ListTools
        {...{ query, change, search, project, mayEdit, showResult, toFirst }}
        tags={view.tags}
        rows={list.rows}
      />
      <FilteredTable
        {...{ list, view, query, change, nowMs, choosing, project, mayEdit, notSending, ...folding }}
        selected={selection.ids}
        baseUrl={state.baseUrl}
        maintenance={maintenance.windows}
        select={selection.select}
        all={selection.all}
      />
      {view.total === 0 && <NoMatch {...{ query, change, clear }} />}
      <ListFoot {...{ view, query, clear }} />
      {selection.rows.length > 0 && (
        <Lazy
          load={loadBulk}
          props={{
            ...selection,
            ...bulk,
            // What was deleted here goes at once, also from under the pointer.
            renew: (before, fresh) => {
              selection.renew(before, fresh);
              if (fresh.length < before.length) list.reload();
            },
            project,
            channels: view.channels,
            notSending,
            tags: view.tags,
            projects: state.projects,
          }}
        />
      )}
    </>
  );
}

function stepFacts(view: ListView | null, first: CheckRow | undefined) {
  return {
    checks: view?.all ?? null,
    isPinged: first === undefined ? null : first.nPings > 0,
    integrations: view?.channels.length ?? 0,
  };
}

interface BeforeProps extends Pick<ListProps, 'broken'> {
  readonly props: PageProps;
  /** For the first steps; null where nothing is known yet. */
  readonly first: {
    readonly view: ListView;
    readonly row: CheckRow | undefined;
    readonly leave: () => void;
  } | null;
  readonly error: string;
}

/** While it is loading, and in place of a list that has nothing yet. */
function BeforeList({ props, broken, first, error }: BeforeProps) {
  return (
    <>
      <div class="banners">{broken}</div>
      {first === null ? (
        <Loading error={error} />
      ) : (
        <Lazy
          load={loadSteps}
          props={{
            ...props,
            check: first.view.all === 0 ? undefined : first.row,
            integrations: first.view.channels.length,
            leave: first.leave,
          }}
        />
      )}
    </>
  );
}

/** Keeps the focus of a button that goes with what it clears. On a phone the search would open a keyboard. */
function toSearch(search: HTMLInputElement | null): void {
  if (!matchMedia('(pointer: coarse)').matches) search?.focus({ preventScroll: true });
}

type NoticesProps = BannerProps & Pick<ListView, 'incidents' | 'notifyNobody'> & Pick<ListProps, 'broken'>;

function Notices({ broken, incidents, notifyNobody, ...props }: NoticesProps) {
  const { project, mayEdit } = props;
  return (
    <div class="banners">
      {broken}
      <IncidentsLine {...{ incidents, project }} />
      <NobodyNotified count={notifyNobody} {...{ project, mayEdit }} />
      <MaintenanceBanner {...props} />
    </div>
  );
}

interface ListChoice {
  readonly query: ListQuery;
  readonly change: (next: ListQuery) => void;
  /** Shows all checks, and gives the focus to the search. */
  readonly clear: () => void;
  /** Shows a number as a column; empty for none. */
  readonly showResult: (name: string) => void;
}

/** What the address and this browser have of the list. `changed` is called before it is another one. */
function useQuery(
  project: string,
  search: { readonly current: HTMLInputElement | null },
  changed: () => void,
): ListChoice {
  const [column, keepColumn] = useResultColumn(project);
  const address = useSearch();
  const order = keptOrder(project, address);
  const query = listQueryOf(address, { column, order });
  // What is shown is in the address for whom it is sent to. It is the same list: nothing is asked for again.
  useEffect(() => {
    const lacksOrder = order !== '' && !saysOrder(location.search);
    const lacksResult = query.result !== '' && !location.search.includes('result=');
    if (!lacksOrder && !lacksResult) return;
    const search = searchOf({ ...query, isNamed: true });
    history.replaceState(history.state, '', `${location.pathname}?${search}`);
  });
  const change = (next: ListQuery): void => {
    changed();
    if (orderOf(next) !== orderOf(query)) keepOrder(project, next);
    replaceSearch(searchOf({ ...next, isNamed: true }));
  };
  const clear = (): void => {
    toSearch(search.current);
    change({ ...query, text: '', statuses: [], tags: [], notifiesNobody: false });
  };
  const showResult = (name: string): void => {
    keepColumn(name);
    const isLost = query.sort === 'result' && name === '';
    change({ ...query, result: name, ...(isLost ? { sort: 'status', isReversed: false } : {}) });
  };
  return { query, change, clear, showResult };
}

interface FilteredTableProps extends Omit<CheckTableProps, 'sortBy' | 'rowPx' | 'chooseTag' | 'channels'> {
  readonly change: (next: ListQuery) => void;
}

/** The rows, which change the query when a column or a tag is clicked. */
function FilteredTable({ change, query, ...props }: FilteredTableProps) {
  const sortBy = (sort: Sort): void =>
    change({ ...query, sort, isReversed: sort === query.sort && !query.isReversed });
  const chooseTag = (name: string): void => change({ ...query, tags: [...new Set([...query.tags, name])] });
  const { channels } = props.view;
  return <CheckTable {...{ ...props, query, channels, sortBy, chooseTag }} rowPx={useRowHeight()} />;
}

interface ListFootProps {
  readonly view: ListView;
  readonly query: ListQuery;
  readonly clear: () => void;
}

function ListFoot({ view, query, clear }: ListFootProps) {
  return (
    <div class="under">
      <span class="faint" role="status">
        {countWords(view.total, view.all)}
      </span>
      {isFiltered(query) && view.total > 0 && (
        <button type="button" class="quiet" onClick={clear}>
          Clear filters
        </button>
      )}
      <ShortcutsButton />
    </div>
  );
}

function notSendingOf(
  channels: ListView['channels'],
  state: PageProps['state'],
  project: string,
): ReadonlyMap<string, Trouble> {
  return new Map(
    channels.flatMap((one) => {
      const why = troubleInList(one, state, project);
      return why ? [[one.id, why] as const] : [];
    }),
  );
}

const loadBulk = () => import('./bulk-bar.tsx').then(({ BulkBar }) => BulkBar);
const loadSteps = () => import('./first-steps.tsx').then(({ FirstSteps }) => FirstSteps);

interface StepsOfferProps extends Pick<Steps, 'offered' | 'done' | 'resume' | 'dismiss'> {
  readonly search: RefObject<HTMLInputElement | null>;
}

/** Who opens the list in another browser than the one in which the first check was created finds the other steps by it. */
function StepsOffer({ offered, done, resume, dismiss, search }: StepsOfferProps) {
  if (!offered) return null;
  return (
    <div class="steps-offer" role="status">
      <span>Setup: {done} of 3 done</span>
      <button type="button" class="quiet" onClick={resume}>
        Continue<span class="hidden"> the setup</span>
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          toSearch(search.current);
          dismiss();
        }}
      >
        Dismiss<span class="hidden"> the setup</span>
      </button>
    </div>
  );
}

/** This warning cannot be dismissed: such checks look fine until it is too late. */
function NobodyNotified({
  count,
  project,
  mayEdit,
}: {
  readonly count: number;
  readonly project: string;
  readonly mayEdit: boolean;
}) {
  if (count === 0) return null;
  const words = count === 1 ? '1 check notifies nobody' : `${numberWords(count)} checks notify nobody`;
  return (
    <Notice
      short={count === 1 ? '1 notifies nobody' : `${numberWords(count)} notify nobody`}
      // Who may not choose is shown which checks they are.
      to={
        mayEdit ? (
          <a href={`${addressOf(project, 'integrations')}?view=matrix&notifies=nobody`}>Choose</a>
        ) : (
          <a href={`${addressOf(project, 'checks')}?notifies=nobody`}>Show</a>
        )
      }
    >
      {words}.
    </Notice>
  );
}

/** Scrolls as far down as the list was left, once it is as tall as it was then. */
function useScrolledBack(isThere: boolean): void {
  const top = useRef(Number(remembered().get('top') ?? 0));
  useLayoutEffect(() => {
    if (isThere) scrollTo(0, top.current);
  }, [isThere]);
}

function countWords(shown: number, all: number): string {
  const checks = all === 1 ? '1 check' : `${numberWords(all)} checks`;
  return shown === all ? checks : `${numberWords(shown)} of ${checks}`;
}

/** Returns the height of a row as the style sheet has it: two lines on a phone are taller. */
function useRowHeight(): number {
  const read = (): number =>
    Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 48;
  const [px, setPx] = useState(read);
  useEffect(() => {
    const look = (): void => setPx(read());
    look();
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, []);
  return px;
}

function Loading({ error }: { readonly error: string }) {
  if (error !== '') return <NotLoaded text={error} />;
  return (
    <div class="checks" role="status">
      <span class="hidden">Loading checks…</span>
      {Array.from({ length: 8 }, (_, at) => (
        <div key={at} class="row loading still" aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

/** The search without the word of a status, and that status; null where it has none. Words find names, slugs and tags only. */
function statusAsked({
  text,
}: ListQuery): { readonly text: string; readonly statuses: readonly [ShownStatus] } | null {
  const words = text.trim().split(/\s+/);
  const isOf = (word: string) => (status: ShownStatus) =>
    word.toLowerCase() === shownWords[status].toLowerCase();
  for (const [at, word] of words.entries()) {
    const status = shownStatuses.find(isOf(word));
    if (status) return { text: words.filter((_, other) => other !== at).join(' '), statuses: [status] };
  }
  return null;
}

function NoMatch({ query, change, clear }: Pick<ListChoice, 'query' | 'change' | 'clear'>) {
  const asked = statusAsked(query);
  return (
    <p class="nothing">
      No checks match.{' '}
      {asked && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            // The button goes with what it changes.
            document.getElementById('main')?.focus({ preventScroll: true });
            change({ ...query, ...asked });
          }}
        >
          {asked.text === '' ? 'Show' : `Search for “${asked.text}” among`} those that are{' '}
          {shownWords[asked.statuses[0]].toLowerCase()}
        </button>
      )}
      <button type="button" class="quiet" onClick={clear}>
        Clear filters
      </button>
    </p>
  );
}
