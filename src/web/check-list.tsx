/**
 * A list of which only the rows in sight exist: ten thousand cost no more than twenty.
 * Invariant: every row has the same height, whatever it says, so that nothing moves when news arrive.
 */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { CheckRow } from '../domain/page-view.ts';
import { Next, Time } from './bits.tsx';
import { tagsOf } from './filter.ts';
import { addressOf } from './route.ts';
import { StatusMark } from './status-mark.tsx';
import { scheduleWords } from './words.ts';

const rowPx = 64;
/** Rows kept ready above and below what is seen. */
const spare = 6;

interface ListProps {
  readonly rows: readonly CheckRow[];
  readonly project: string;
  readonly nowMs: number;
  /** The id of a check. */
  readonly chosen: string;
  /** How far it was scrolled when it was left. */
  readonly topAtFirst: number;
  readonly box: { readonly current: HTMLDivElement | null };
}

export function CheckList({ rows, project, nowMs, chosen, topAtFirst, box }: ListProps) {
  const [view, setView] = useState({ top: 0, height: innerHeight });
  const look = (): void => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = box.current ?? {};
    setView((before) => (before.top === top && before.height === height ? before : { top, height }));
  };
  useLayoutEffect(() => {
    box.current?.scrollTo(0, topAtFirst);
    look();
  }, []);
  useEffect(() => {
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  });
  // When it is chosen, and not when rows change: news would take the focus from whatever else has it by then.
  useEffect(() => {
    const index = rows.findIndex(({ id }) => id === chosen);
    if (index >= 0) bringIntoSight(box.current, index, chosen);
  }, [chosen]);
  const first = Math.max(0, Math.floor(view.top / rowPx) - spare);
  const seen = rows.slice(first, Math.ceil((view.top + view.height) / rowPx) + spare);
  return (
    <div class="list" ref={box} onScroll={look}>
      <ul style={{ height: `${rows.length * rowPx}px` }}>
        {seen.map((row, index) => (
          <li
            key={row.id}
            aria-setsize={rows.length}
            aria-posinset={first + index + 1}
            class={row.id === chosen ? 'row chosen' : 'row'}
            style={{ transform: `translateY(${(first + index) * rowPx}px)` }}
          >
            <Row row={row} project={project} nowMs={nowMs} />
          </li>
        ))}
      </ul>
      {rows.length === 0 && <p class="faint">No checks match. Clear the filters to see all of them.</p>}
    </div>
  );
}

function bringIntoSight(box: HTMLDivElement | null, index: number, id: string): void {
  if (!box) return;
  const top = index * rowPx;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + rowPx > box.scrollTop + box.clientHeight) box.scrollTop = top + rowPx - box.clientHeight;
  requestAnimationFrame(() => box.querySelector<HTMLElement>(`a[data-id="${CSS.escape(id)}"]`)?.focus());
}

function Row({ row, project, nowMs }: { row: CheckRow; project: string; nowMs: number }) {
  const words = scheduleWords(row);
  return (
    <>
      <StatusMark status={row.status} started={row.startedMs !== null} />
      <div class="what">
        <a href={addressOf(project, 'checks', row.id)} data-id={row.id}>
          {row.name || row.slug || 'Unnamed check'}
        </a>
        <span class="tags">
          {tagsOf(row).map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </span>
      </div>
      <div class="when" title={words}>
        {words}
      </div>
      <div class="last">
        <span class="faint">Last </span>
        <Time atMs={row.lastPingMs} nowMs={nowMs} none="never" />
      </div>
      <div class="next">
        <span class="faint">Next </span>
        <Next row={row} nowMs={nowMs} />
      </div>
    </>
  );
}
