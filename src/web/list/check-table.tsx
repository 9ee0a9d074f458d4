/**
 * The list of checks, in which only what is in sight exists: a hundred thousand cost no more than twenty. The page scrolls. It
 * has the roles of a table, since a real one cannot leave out the rows that are not in sight.
 * Invariants: every row has the same height, whatever it says, so that nothing moves when updates arrive; rows that are not
 * there yet have their place.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { CheckRow, ListGroup, ListView } from '../../domain/views/page-view.ts';
import type { ListQuery, Sort } from '../rows/list-query.ts';
import { nameOf } from '../rows/row-words.ts';
import type { LoadedList } from '../rows/use-list.ts';
import { CheckLine, firstRowIndex, type LineActionsProps } from './check-line.tsx';
import { GroupHead } from './group-head.tsx';
import { layOut, type Piece, type Place, pieceRange } from './list-layout.ts';
import type { Choosing } from './use-chosen.ts';
import type { AllSelected } from './use-selection.ts';
import { useSight } from './use-window.ts';

/** Pixels above and below what is in sight that are kept ready. */
const sparePx = 300;

export interface CheckTableProps extends LineActionsProps {
  readonly list: LoadedList;
  readonly view: ListView;
  readonly query: ListQuery;
  readonly sortBy: (sort: Sort) => void;
  readonly folded: ReadonlySet<string>;
  readonly fold: (group: ListGroup) => void;
  readonly nowMs: number;
  /** The row that the keys act on. */
  readonly choosing: Choosing;
  readonly selected: ReadonlySet<string>;
  readonly rowPx: number;
  readonly all: AllSelected;
}

export function CheckTable(props: CheckTableProps) {
  const { list, view, query, folded, choosing, rowPx, sortBy } = props;
  const box = useRef<HTMLDivElement>(null);
  const sight = useSight(box);
  const layout = layOut(view.total, view.groups, folded, rowPx);
  const pieces = pieceRange(layout, sight.top - sparePx, sight.top + sight.height + sparePx);
  const rows = pieces.filter((piece) => piece.kind === 'row');
  const [first, last] = [rows[0]?.at ?? 0, rows.at(-1)?.at ?? 0];
  useEffect(() => list.need(first, last + 1), [list.need, list.rows, first, last]);
  const enter = entering(box, choosing, list.rows);
  const isThere = list.rows.get(choosing.at)?.id === choosing.id;
  useIntoSight(box, layout.topOf(choosing.at), choosing, { rowPx, isThere, enter });
  const held = (is: boolean) => (): void => list.hold(is);
  return (
    <div
      class={query.result === '' ? 'checks' : 'checks with-result'}
      role="table"
      aria-label="Checks"
      aria-rowcount={view.total + 1}
    >
      <Head {...{ query, sortBy, mayEdit: props.mayEdit, all: props.all, count: props.selected.size }} />
      <div
        role="rowgroup"
        ref={box}
        class="rows"
        style={{ height: `${layout.height}px` }}
        onMouseEnter={held(true)}
        onMouseLeave={held(false)}
        onFocusCapture={() => {
          list.hold(true);
          enter();
        }}
        onBlurCapture={held(false)}
      >
        {pieces.map((piece) => (
          <PieceOf key={keyOf(piece, list.rows)} piece={piece} props={props} />
        ))}
      </div>
    </div>
  );
}

/** A row keeps its element, and with it the focus, when others come before it. */
function keyOf(piece: Piece, rows: ReadonlyMap<number, CheckRow>): string {
  return piece.kind === 'group' ? `group ${piece.group.name}` : (rows.get(piece.at)?.id ?? `row ${piece.at}`);
}

function PieceOf({ piece, props }: { readonly piece: Piece; readonly props: CheckTableProps }) {
  const { list, query, folded, fold, nowMs, choosing, selected } = props;
  const style: Place = { transform: `translateY(${piece.top}px)` };
  if (piece.kind === 'group')
    return (
      <GroupHead
        group={piece.group}
        kind={query.group}
        isFolded={folded.has(piece.group.name)}
        fold={() => fold(piece.group)}
        style={style}
      />
    );
  const row = list.rows.get(piece.at);
  const gone = list.gone.get(piece.at);
  if (!row && gone)
    return (
      <div class="row gone" style={style}>
        <span class="faint">{nameOf(gone)}: deleted</span>
      </div>
    );
  if (!row)
    return (
      <div class="row loading" style={style} aria-hidden="true">
        <span />
        <span />
        <span />
      </div>
    );
  return (
    <CheckLine
      {...props}
      row={row}
      at={piece.at}
      nowMs={nowMs}
      isChosen={piece.at === choosing.at}
      isSelected={selected.has(row.id)}
      isSelecting={selected.size > 0}
      style={style}
    />
  );
}

/** Returns what chooses the row that has the focus within it, if one has. */
function entering(
  box: { readonly current: HTMLDivElement | null },
  { at: chosen, id, set }: Choosing,
  rows: ReadonlyMap<number, CheckRow>,
): () => void {
  return () => {
    const row = document.activeElement?.closest('.row');
    if (!row || !box.current?.contains(row)) return;
    const at = Number(row.getAttribute('aria-rowindex')) - firstRowIndex;
    const check = rows.get(at)?.id;
    const isChosen = id === '' ? at === chosen : check === id;
    if (check !== undefined && !isChosen) set({ at, id: check, isEntered: true });
  };
}

interface IntoSight {
  readonly rowPx: number;
  /** Whether the check is known to be in that row: on the way back another may be. */
  readonly isThere: boolean;
  readonly enter: () => void;
}

/**
 * Gives the focus to a check when a key chooses it, and not when its row moves: updates would take the focus from what has it by then.
 * Where no key has chosen one, the row that has the focus is chosen.
 */
function useIntoSight(
  box: { readonly current: HTMLDivElement | null },
  top: number,
  { at: chosen, id, isEntered }: Choosing,
  { rowPx, isThere, enter }: IntoSight,
): void {
  useLayoutEffect(() => {
    // The browser has brought into sight what has the focus, and a press must end where it began.
    if (chosen < 0 || !box.current || isTyping() || isEntered) return;
    const at = box.current.getBoundingClientRect().top + top;
    // The row must lie below the header and the column heads, and above the pages of a phone.
    const [upper, lower] = [80, innerHeight - rowPx - 70];
    if (at < upper) scrollBy(0, at - upper);
    else if (at > lower) scrollBy(0, at - lower);
  }, [chosen]);
  const waits = useRef(false);
  const had = useRef<string | null>(null);
  // Before the next key, which may give the focus to something else.
  useLayoutEffect(() => {
    // A row that moves may lose the focus.
    const isWanted = had.current !== id || document.activeElement === document.body;
    had.current = id;
    if (isWanted || chosen < 0) waits.current = chosen >= 0 && !isEntered && !isTyping();
  }, [chosen, id]);
  // The row may not be there yet. The focus is given once, since it may be elsewhere for good reason afterwards.
  useLayoutEffect(() => {
    if (!waits.current) return enter();
    const link = isThere ? box.current?.querySelector<HTMLElement>('.row.chosen a') : null;
    if (!link) return;
    waits.current = false;
    link.focus({ preventScroll: true });
  });
}

/** A row that is chosen takes the focus from no field. The boxes of the list take no letters. */
function isTyping(): boolean {
  return document.activeElement?.matches('input:not(.checks *), select, textarea, dialog *') ?? false;
}

interface HeadProps {
  readonly query: ListQuery;
  readonly sortBy: (sort: Sort) => void;
  readonly mayEdit: boolean;
  readonly all: AllSelected;
  /** Of the checks that are selected. */
  readonly count: number;
}

/** The box that selects all checks. It is neither on nor off where only some are. */
function AllBox({ all, count }: Pick<HeadProps, 'all' | 'count'>) {
  const box = useRef<HTMLInputElement>(null);
  const isMixed = count > 0 && !all.isOn;
  const set = useRef(() => {});
  set.current = () => {
    if (box.current) Object.assign(box.current, { checked: all.isOn, indeterminate: isMixed });
  };
  useLayoutEffect(() => set.current());
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label="Select all checks"
      // A press changes it before it is known what came of it.
      onClick={() => void all.toggle().then(() => requestAnimationFrame(() => set.current()))}
    />
  );
}

function Head({ query, sortBy, mayEdit, all, count }: HeadProps) {
  const sorted = (sort: Sort): 'ascending' | 'descending' | undefined =>
    query.sort !== sort ? undefined : query.isReversed ? 'descending' : 'ascending';
  const button = (sort: Sort, words: string) => (
    <button type="button" onClick={() => sortBy(sort)}>
      {words}
      <span class="arrow" aria-hidden="true">
        {query.sort === sort ? (query.isReversed ? '▾' : '▴') : ''}
      </span>
    </button>
  );
  const column = (sort: Sort, words: string, className: string) => (
    <span role="columnheader" class={className} tabIndex={-1} aria-sort={sorted(sort)}>
      {button(sort, words)}
    </span>
  );
  const plain = (words: ComponentChildren, className: string) => (
    <span role="columnheader" class={className} tabIndex={-1}>
      {words}
    </span>
  );
  return (
    <div class="heads" role="row" tabIndex={-1} aria-rowindex={1}>
      <span role="columnheader" class="pick" tabIndex={-1}>
        <span class="hidden">Select</span>
        {mayEdit && <AllBox {...{ all, count }} />}
      </span>
      {column('name', 'Check', 'what')}
      {/* When the next run is expected is below the status. */}
      <span role="columnheader" class="state" tabIndex={-1} aria-sort={sorted('status') ?? sorted('next')}>
        {button('status', 'Status')} {button('next', 'Next run')}
      </span>
      {plain('Schedule', 'schedule')}
      {plain(
        <>
          Last <span class="from-1280">30</span>
          <span class="below-1280">20</span> runs
        </>,
        'runs',
      )}
      {column('uptime', 'Uptime, 30 d', 'uptime')}
      {query.result !== '' && column('result', query.result, 'result')}
      {column('last', 'Last run', 'last')}
      {plain('Notifies', 'notifies')}
    </div>
  );
}
