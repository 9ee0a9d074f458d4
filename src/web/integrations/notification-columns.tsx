/**
 * The newest notifications of an integration as columns, oldest at the left, whose height says as much as their colour. The
 * pointer, a tap and the arrow keys show what one was; screen readers have a table of the same.
 */
import { useState } from 'preact/hooks';
import { errorWords, momentWords } from '../core/words.ts';
import { type Column, notificationWords, outcomeWords } from './integration-health.ts';

export const columnsShown = 20;
const width = 4;
const step = 6;
const tallest = 20;
const heights: Readonly<Record<Column['outcome'] | 'none', number>> = {
  failed: 20,
  retrying: 20,
  delivered: 12,
  superseded: 8,
  held: 8,
  none: 3,
};

interface ColumnsProps {
  /** Name of the integration. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly nowMs: number;
}

export function NotificationColumns({ name, columns, nowMs }: ColumnsProps) {
  const [at, setAt] = useState(-1);
  const first = columnsShown - columns.length;
  const pressed = (event: KeyboardEvent): void => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (move === undefined || columns.length === 0) return;
    event.preventDefault();
    setAt((before) =>
      Math.max(first, Math.min((before < 0 ? columnsShown : before) + move, columnsShown - 1)),
    );
  };
  const shown = columns[at - first];
  const pointed = ({ offsetX }: MouseEvent): void =>
    setAt(Math.max(0, Math.min(columnsShown - 1, Math.floor(offsetX / step))));
  return (
    <>
      <span
        class="columns notified"
        role="img"
        aria-label={summaryOf(name, columns)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys go through the notifications.
        tabIndex={0}
        onKeyDown={pressed}
        onBlur={() => setAt(-1)}
      >
        <svg
          width={columnsShown * step - (step - width)}
          height={tallest}
          aria-hidden="true"
          onPointerMove={pointed}
          onPointerDown={pointed}
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setAt(-1)}
        >
          {Array.from({ length: columnsShown }, (_, place) => {
            const outcome = columns[place - first]?.outcome ?? 'none';
            const height = heights[outcome];
            return (
              <rect
                key={place}
                class={outcome}
                x={place * step}
                y={tallest - height}
                width={width}
                height={height}
              />
            );
          })}
        </svg>
        {shown && (
          <span class="tip" role="status">
            {wordsOf(shown, nowMs)}
          </span>
        )}
      </span>
      {columns.length > 0 && <Table name={name} columns={columns} nowMs={nowMs} />}
    </>
  );
}

function wordsOf(column: Column, nowMs: number): string {
  const { atMs, outcome, attempts } = column;
  const tries = attempts > 1 ? ` · ${attempts} tries` : '';
  return `${momentWords(atMs, nowMs)} · ${notificationWords(column)} · ${outcomeWords[outcome]}${tries}`;
}

function summaryOf(name: string, columns: readonly Column[]): string {
  const failed = columns.filter(({ outcome }) => outcome === 'failed' || outcome === 'retrying').length;
  if (columns.length === 0) return `No notifications of ${name} yet`;
  const unsent = columns.filter(({ outcome }) => outcome === 'superseded').length;
  return `Last ${columns.length} notifications of ${name}: ${failed === 0 ? 'none' : failed} failed${unsent === 0 ? '' : `, ${unsent} not sent`}`;
}

function Table({ name, columns, nowMs }: ColumnsProps) {
  return (
    <div class="hidden">
      <table>
        <caption>Last notifications of {name}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Notification</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {columns.toReversed().map((one) => (
            <tr key={one.id}>
              <td>{momentWords(one.atMs, nowMs)}</td>
              <td>{notificationWords(one)}</td>
              <td>
                {outcomeWords[one.outcome]}
                {one.error !== '' && `: ${errorWords(one.error, nowMs)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
