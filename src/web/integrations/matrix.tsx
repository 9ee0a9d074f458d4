/**
 * The matrix of who gets notified about what: a row for each check, a column for each integration; a tick is saved at once. Only
 * the rows and columns in sight exist, so that ten thousand checks cost no more than twenty. The arrow keys move from tick to
 * tick.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { IntegrationView } from '../../domain/views/integration-view.ts';
import type { PageProps } from '../core/page-props.ts';
import { useWide } from '../core/use-wide.ts';
import { type ListQuery, listQueryOf, searchOf } from '../rows/list-query.ts';
import { useList } from '../rows/use-list.ts';
import { useScrolled } from '../rows/use-scrolled.ts';
import { Problem } from '../ui/bits.tsx';
import { allAt, Row } from './matrix/matrix-row.tsx';
import { MatrixTools } from './matrix/matrix-tools.tsx';
import { useAssigning } from './matrix/use-assigning.ts';
import { MatrixHead } from './matrix-head.tsx';

/** On a phone the name has the width of the box, and the ticks are below it. A name may have two lines. */
const rowsPx = { wide: 40, narrow: 78 } as const;
/** On a phone as narrow as the button of a head allows. */
const columnsPx = { wide: 104, narrow: 80 } as const;
/** Rows up to which a phone scrolls the page instead of a box in it, where all columns fit: all of them are drawn then. */
const wholeRowsMax = 100;
/** Of the focus, around what has it. */
const ringPx = 4;
/** Between a row that the arrow keys reach and the edges of the window, as the style sheet has it for fields: the header, the bar of a phone. */
const aboveRowPx = 96;
const belowRowPx = 72;

interface MatrixProps extends PageProps {
  readonly channels: readonly IntegrationView[];
  readonly changed: () => void;
}

export function Matrix({ project, state, live, channels, changed }: MatrixProps) {
  const [query, setQuery] = useState<ListQuery>(queryOfAddress);
  const [failed, setFailed] = useState('');
  const list = useList(project, query, live);
  const rows = useMemo(() => [...list.rows.values()], [list.rows]);
  const assigning = useAssigning({ rows, project, failed: setFailed });
  const { view } = list;
  const total = view?.total ?? 0;
  const box = useRef<HTMLElement>(null);
  const isWide = useWide();
  const [rowPx, columnPx] = isWide ? [rowsPx.wide, columnsPx.wide] : [rowsPx.narrow, columnsPx.narrow];
  const {
    rows: range,
    columns,
    hiddenColumns,
    hiddenRows,
    isCut,
    widthPx,
  } = useScrolled(box, { total, rowPx, columnPx, columns: channels.length });
  useEffect(() => list.need(range.from, range.until), [list.need, list.rows, range.from, range.until]);
  const isWhole = !isWide && total <= wholeRowsMax && channels.length * columnPx <= widthPx;
  const heightMax = useHeightMax(box, total, rowPx);
  const move = useArrows(box, { rows: total, columns: channels.length, rowPx, columnPx });
  if (view?.all === 0)
    return (
      <p class="faint">No checks yet. A new check notifies every integration unless you choose otherwise.</p>
    );
  return (
    <section class="matrix-page">
      <h2 class="hidden">Who gets notified about what</h2>
      <p>Tick the integrations that each check notifies. Each tick is saved at once.</p>
      <MatrixTools
        {...{ query, view, hiddenColumns, hiddenRows }}
        nobody={live.summary?.notifyNobody ?? 0}
        change={setQuery}
      />
      <Problem text={list.error || failed} />
      <section
        class={['matrix', isWhole ? 'whole-rows' : '', isCut ? 'cut' : ''].join(' ').trim()}
        ref={box}
        style={{
          '--matrix-columns': `${channels.length * columnPx}px`,
          '--matrix-count': channels.length,
          '--matrix-row': `${rowPx}px`,
          '--matrix-box': `${widthPx}px`,
          maxHeight: isWhole ? 'none' : heightMax,
        }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label="Who gets notified about what"
        onKeyDown={move}
        onFocusIn={besideNames}
      >
        <div
          role="table"
          aria-label="Checks and integrations"
          aria-rowcount={total + 1}
          aria-colcount={channels.length + 2}
          class="matrix-table"
        >
          <MatrixHead
            project={project}
            channels={channels}
            columns={columns}
            columnPx={columnPx}
            search={searchOf(query)}
            {...{ total, state }}
            changed={() => {
              list.reload();
              changed();
            }}
          />
          <div role="rowgroup" class="matrix-rows" style={{ height: `${total * rowPx}px` }}>
            {Array.from({ length: range.until - range.from }, (_, n) => range.from + n).map((at) => (
              <Row
                key={list.rows.get(at)?.id ?? at}
                at={at}
                topPx={at * rowPx}
                row={list.rows.get(at) ?? null}
                channels={channels}
                columns={columns}
                columnPx={columnPx}
                {...assigning}
              />
            ))}
          </div>
        </div>
      </section>
      {total === 0 && view && <p class="nothing">No checks match.</p>}
    </section>
  );
}

/** By name, because an order by status would move rows; of the filters, the address has the one that pages link to. */
function queryOfAddress(): ListQuery {
  const { notifiesNobody } = listQueryOf(location.search);
  return { ...listQueryOf('sort=name'), notifiesNobody };
}

/** Of the window, for its header, the bar at the bottom of a phone, and some space. */
const aroundPx = { wide: 80, narrow: 136 } as const;
const leastPx = 224;
/** Rows beyond the space of the window for which the page scrolls rather than the box: to scroll both for a row or two is a nuisance. */
const overMax = 2;

/** As high as all rows if the window has almost the space; otherwise cut in the middle of a row, which shows that there are more. */
function useHeightMax(box: { readonly current: HTMLElement | null }, total: number, rowPx: number): string {
  const [heightPx, setHeight] = useState(0);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const resize = (): void => {
      const headPx = current.querySelector<HTMLElement>('.matrix-head')?.offsetHeight ?? 0;
      const frame = headPx + current.offsetHeight - current.clientHeight;
      const free = Math.max(leastPx, innerHeight - (innerWidth < 768 ? aroundPx.narrow : aroundPx.wide));
      const rows = Math.floor((free - frame - rowPx / 2) / rowPx) + 0.5;
      setHeight(frame + (total <= rows + overMax ? total : rows) * rowPx);
    };
    resize();
    addEventListener('resize', resize);
    const sizes = new ResizeObserver(resize);
    sizes.observe(current);
    return () => {
      removeEventListener('resize', resize);
      sizes.disconnect();
    };
  }, [box, box.current, total, rowPx]);
  return heightPx === 0 || total === 0 ? '' : `${heightPx}px`;
}

const moves: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

interface ArrowSizes {
  readonly rows: number;
  readonly columns: number;
  readonly rowPx: number;
  readonly columnPx: number;
}

/** Moves from one tick, or button of a row, to the next and scrolls as far as that needs. A tick that is not there yet gets the focus when it is. */
function useArrows(
  box: { readonly current: HTMLElement | null },
  { rows, columns, rowPx, columnPx }: ArrowSizes,
) {
  const wanted = useRef('');
  useEffect(() => {
    const found =
      wanted.current === '' ? null : box.current?.querySelector<HTMLElement>(`[data-at="${wanted.current}"]`);
    if (!found) return;
    wanted.current = '';
    found.focus({ preventScroll: true });
  });
  return (event: KeyboardEvent): void => {
    const [down, right] = moves[event.key] ?? [0, 0];
    const { target } = event;
    if (!(target instanceof HTMLElement) || !box.current || (down === 0 && right === 0)) return;
    const [row, column] = (target.dataset.at ?? '').split(' ').map(Number);
    if (row === undefined || column === undefined) return;
    event.preventDefault();
    const [toRow, toColumn] = [
      Math.max(0, Math.min(rows - 1, row + down)),
      Math.max(allAt, Math.min(columns - 1, column + right)),
    ];
    wanted.current = `${toRow} ${toColumn}`;
    intoSight(box.current, { rowPx, columnPx, row: toRow, column: toColumn });
    const found = box.current.querySelector<HTMLElement>(`[data-at="${wanted.current}"]`);
    if (!found) return;
    wanted.current = '';
    found.focus({ preventScroll: true });
  };
}

/**
 * A browser takes a button of a head that is more than 32 pixels wide for seen even below the names. Of the keyboard's focus only:
 * nothing may move under a pointer that is pressed.
 */
function besideNames({ target, currentTarget }: FocusEvent): void {
  if (!(target instanceof HTMLButtonElement) || !(currentTarget instanceof HTMLElement)) return;
  const names = currentTarget.querySelector('.first')?.getBoundingClientRect();
  if (!names || !target.matches(':focus-visible')) return;
  const belowPx = names.right + ringPx - target.getBoundingClientRect().left;
  if (belowPx > 0) currentTarget.scrollLeft -= belowPx;
}

interface Place {
  readonly rowPx: number;
  readonly columnPx: number;
  readonly row: number;
  readonly column: number;
}

function intoSight(box: HTMLElement, { rowPx, columnPx, row, column }: Place): void {
  const head = box.querySelector<HTMLElement>('.matrix-head');
  const [headPx, firstPx] = [
    head?.offsetHeight ?? 0,
    head?.querySelector<HTMLElement>('.first')?.offsetWidth ?? 0,
  ];
  const top = row * rowPx;
  if (top < box.scrollTop) box.scrollTop = top;
  const roomPx = box.clientHeight - headPx - rowPx;
  if (top > box.scrollTop + roomPx) box.scrollTop = top - roomPx;
  const isWhole = box.classList.contains('whole-rows');
  const abovePx = aboveRowPx + (isWhole ? headPx : 0);
  rowIntoWindow(box.getBoundingClientRect().top + headPx + top - box.scrollTop, { rowPx, abovePx });
  if (column < 0) return;
  const left = column * columnPx;
  if (left < box.scrollLeft) box.scrollLeft = left;
  const widthPx = box.clientWidth - firstPx - columnPx;
  if (left > box.scrollLeft + widthPx) box.scrollLeft = left - widthPx;
}

/** `topPx`: of a row, in the window. The box may reach beyond the window, which the focus does not scroll. */
function rowIntoWindow(topPx: number, { rowPx, abovePx }: { rowPx: number; abovePx: number }): void {
  const lowestPx = innerHeight - belowRowPx - rowPx;
  if (topPx > lowestPx) scrollBy(0, topPx - lowestPx);
  else if (topPx < abovePx) scrollBy(0, topPx - abovePx);
}
