/**
 * The matrix of who gets notified about what: a row for each check, a column for each integration; a tick is saved at once. Only
 * the rows and columns in sight exist, so that ten thousand checks cost no more than twenty. The arrow keys move from tick to
 * tick.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { IntegrationView } from '../../domain/views/integration-view.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import type { PageProps } from '../core/page-props.ts';
import { type ListQuery, listQueryOf, searchOf, toggled } from '../rows/list-query.ts';
import { nameOf } from '../rows/row-words.ts';
import { useList } from '../rows/use-list.ts';
import { columnPx, type Range, useScrolled } from '../rows/use-scrolled.ts';
import { Problem } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { TagFilter } from '../ui/tag-filter.tsx';
import { say } from '../ui/toasts.tsx';
import { MatrixHead } from './matrix-head.tsx';
import { type Assigning, useAssigning } from './use-assigning.ts';

const rowPx = 40;
/** Of the focus, around what has it. */
const ringPx = 4;
/** Between a row that the arrow keys reach and the edges of the window, as the style sheet has it for fields: the header, the bar of a phone. */
const aboveRowPx = 96;
const belowRowPx = 72;
/** Tags that are shown in a line; the rest is in a menu. */
const tagsMax = 5;

interface MatrixProps extends PageProps {
  readonly channels: readonly IntegrationView[];
  readonly changed: () => void;
}

export function Matrix({ project, state, live, channels, changed }: MatrixProps) {
  const [query, setQuery] = useState<ListQuery>(() => listQueryOf('sort=name'));
  const [failed, setFailed] = useState('');
  const list = useList(project, query, live);
  const rows = useMemo(() => [...list.rows.values()], [list.rows]);
  const assigning = useAssigning({ rows, project, failed: setFailed });
  const { view } = list;
  const total = view?.total ?? 0;
  const box = useRef<HTMLElement>(null);
  const {
    rows: range,
    columns,
    hiddenColumns,
    hiddenRows,
  } = useScrolled(box, { total, rowPx, columns: channels.length });
  useEffect(() => list.need(range.from, range.until), [list.need, list.rows, range.from, range.until]);
  const heightMax = useHeightMax(box, total);
  const move = useArrows(box, total, channels.length);
  if (view?.all === 0)
    return (
      <p class="faint">No checks yet. A new check notifies every integration unless you choose otherwise.</p>
    );
  const assignedAll = (): void => {
    list.reload();
    changed();
  };
  return (
    <section class="matrix-page">
      <h2 class="hidden">Who gets notified about what</h2>
      <div class="tools">
        <label class="search">
          <span class="hidden">Find checks by name, slug or tag</span>
          <input
            type="search"
            placeholder="Find checks by name, slug or tag"
            value={query.text}
            onInput={({ currentTarget: { value } }) => setQuery({ ...query, text: value })}
          />
        </label>
        <TagFilter
          tags={view?.tags ?? []}
          chosen={query.tags}
          toggle={(name) => setQuery({ ...query, tags: toggled(query.tags, name) })}
          max={tagsMax}
        />
        <span class="faint" role="status">
          {countWords(total, view?.all ?? 0)}
          {total === view?.all && live.summary && live.summary.notifyNobody > 0 && (
            <>
              , <span class="nobody">{nobodyWords(live.summary.notifyNobody)}</span>
            </>
          )}
          . Each tick is saved at once.
        </span>
        <Outside columns={hiddenColumns} rows={hiddenRows} />
      </div>
      <Problem text={list.error || failed} />
      <section
        class="matrix"
        ref={box}
        style={{
          '--matrix-columns': `${channels.length * columnPx}px`,
          '--matrix-count': channels.length,
          maxHeight: heightMax,
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
          aria-colcount={channels.length + 1}
          class="matrix-table"
        >
          <MatrixHead
            project={project}
            channels={channels}
            columns={columns}
            search={searchOf(query)}
            {...{ total, state }}
            changed={assignedAll}
          />
          <div role="rowgroup" class="matrix-rows" style={{ height: `${total * rowPx}px` }}>
            {Array.from({ length: range.until - range.from }, (_, n) => range.from + n).map((at) => (
              <Row
                key={list.rows.get(at)?.id ?? at}
                at={at}
                row={list.rows.get(at) ?? null}
                channels={channels}
                columns={columns}
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

/** Of the window, for its header, the bar at the bottom of a phone, and some space. */
const aroundPx = { wide: 80, narrow: 136 } as const;
const leastPx = 224;
/** Rows beyond the space of the window for which the page scrolls rather than the box: to scroll both for a row or two is a nuisance. */
const overMax = 2;

/** As high as all rows if the window has almost the space; otherwise cut in the middle of a row, which shows that there are more. */
function useHeightMax(box: { readonly current: HTMLElement | null }, total: number): string {
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
  }, [box, box.current, total]);
  return heightPx === 0 || total === 0 ? '' : `${heightPx}px`;
}

function countWords(shown: number, all: number): string {
  const checks = all === 1 ? '1 check' : `${all.toLocaleString()} checks`;
  return shown === all ? checks : `${shown.toLocaleString()} of ${checks}`;
}

/** Their names have the colour of these words. */
function nobodyWords(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'notifies' : 'notify'} nobody`;
}

interface RowProps extends Assigning {
  readonly at: number;
  /** The row; null until it is loaded. */
  readonly row: CheckRow | null;
  readonly channels: readonly IntegrationView[];
  readonly columns: Range;
}

function Row({ at, row, channels, columns, assigned, assign }: RowProps) {
  const style = { transform: `translateY(${at * rowPx}px)` };
  if (!row) return <div class="matrix-row loading" style={style} aria-hidden="true" />;
  const chosen = assigned(row);
  const ids = channels.map(({ id }) => id);
  const count = ids.filter((id) => chosen.includes(id)).length;
  const name = nameOf(row);
  const assignAll = (on: boolean): void => {
    void assign(row, on ? ids : []);
    if ((on ? ids.length - count : count) > 1)
      say(on ? `${name} notifies all integrations now.` : `${name} notifies nobody now.`, () =>
        assign(row, chosen),
      );
  };
  return (
    <div class="matrix-row" role="row" tabIndex={-1} aria-rowindex={at + 2} style={style}>
      <span role="rowheader" tabIndex={-1} class={chosen.length === 0 ? 'first nobody' : 'first'}>
        <label class="tick" title={`${name} notifies all integrations`}>
          <input
            type="checkbox"
            data-at={`${at} -1`}
            aria-label={`${name} notifies all integrations`}
            checked={count === ids.length}
            ref={(box) => {
              if (box) box.indeterminate = count > 0 && count < ids.length;
            }}
            onChange={({ currentTarget: { checked } }) => assignAll(checked)}
          />
          <span>{name}</span>
        </label>
      </span>
      <span style={{ width: `${columns.from * columnPx}px` }} />
      {channels.slice(columns.from, columns.until).map((channel, n) => (
        <span key={channel.id} role="cell" aria-colindex={columns.from + n + 2}>
          <input
            type="checkbox"
            data-at={`${at} ${columns.from + n}`}
            aria-label={`${name} notifies ${channel.name || channel.kind}`}
            checked={chosen.includes(channel.id)}
            onChange={() => void assign(row, toggled(assigned(row), channel.id))}
          />
        </span>
      ))}
    </div>
  );
}

const moves: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Moves from one tick to the next and scrolls as far as that needs. A tick that is not there yet gets the focus when it is. */
function useArrows(box: { readonly current: HTMLElement | null }, rows: number, columns: number) {
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
      Math.max(-1, Math.min(columns - 1, column + right)),
    ];
    wanted.current = `${toRow} ${toColumn}`;
    intoSight(box.current, toRow, toColumn);
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

function intoSight(box: HTMLElement, row: number, column: number): void {
  const head = box.querySelector<HTMLElement>('.matrix-head');
  const [headPx, firstPx] = [
    head?.offsetHeight ?? 0,
    head?.querySelector<HTMLElement>('.first')?.offsetWidth ?? 0,
  ];
  const top = row * rowPx;
  if (top < box.scrollTop) box.scrollTop = top;
  const roomPx = box.clientHeight - headPx - rowPx;
  if (top > box.scrollTop + roomPx) box.scrollTop = top - roomPx;
  rowIntoWindow(box.getBoundingClientRect().top + headPx + top - box.scrollTop);
  if (column < 0) return;
  const left = column * columnPx;
  if (left < box.scrollLeft) box.scrollLeft = left;
  const widthPx = box.clientWidth - firstPx - columnPx;
  if (left > box.scrollLeft + widthPx) box.scrollLeft = left - widthPx;
}

/** `topPx`: of a row, in the window. The box may reach beyond the window, which the focus does not scroll. */
function rowIntoWindow(topPx: number): void {
  const lowestPx = innerHeight - belowRowPx - rowPx;
  if (topPx > lowestPx) scrollBy(0, topPx - lowestPx);
  else if (topPx < aboveRowPx) scrollBy(0, topPx - aboveRowPx);
}
