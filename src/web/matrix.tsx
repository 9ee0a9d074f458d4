/**
 * Who gets notified about what; a tick is saved at once.
 * Invariant: a tick is added to those before it, even before the server has published them: each request sends all
 * integrations of a check, one change after the other.
 */
import { useRef, useState } from 'preact/hooks';
import { channelForms } from '../domain/channel-form.ts';
import type { ChannelView, CheckRow } from '../domain/page-view.ts';
import { apiPath } from './api-check.ts';
import { messageOf, send } from './door.ts';
import { filtered } from './filter.ts';

const shownMax = 200;
/** With fewer one sees them all. */
const filterFrom = 20;

interface MatrixProps {
  readonly channels: readonly ChannelView[];
  readonly rows: readonly CheckRow[];
  readonly project: string;
  readonly failed: (error: string) => void;
}

export function Matrix({ channels, rows, project, failed }: MatrixProps) {
  const [text, setText] = useState('');
  const { assigned, assign } = useAssigning({ rows, project, failed });
  const found = filtered(rows, text);
  return (
    <section>
      <h2>Who gets notified about what</h2>
      {rows.length === 0 && (
        <p class="faint">
          No checks yet. A new check notifies every integration unless you choose otherwise.
        </p>
      )}
      {rows.length > filterFrom && (
        <label>
          Find checks by name, slug or tag
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section class="wide" tabIndex={0} aria-label="Who gets notified about what">
        <table>
          <thead>
            <tr>
              <th scope="col">Check</th>
              {channels.map((channel) => (
                <th key={channel.id} scope="col">
                  {nameOf(channel)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.slice(0, shownMax).map((row) => (
              <tr key={row.id}>
                <th scope="row">{row.name || row.slug || 'Unnamed check'}</th>
                {channels.map((channel) => (
                  <td key={channel.id}>
                    <input
                      type="checkbox"
                      aria-label={`${row.name || row.slug || 'Unnamed check'} notifies ${nameOf(channel)}`}
                      checked={assigned(row).includes(channel.id)}
                      onChange={(event) => assign(row, channel.id, event.currentTarget.checked)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {found.length > shownMax && (
        <p class="faint">
          Showing {shownMax} of {found.length}. Search to see others.
        </p>
      )}
    </section>
  );
}

function nameOf({ name, kind }: ChannelView): string {
  return name || channelForms[kind].title;
}

/** What one has ticked, until news of it come. */
interface Ticked {
  readonly channels: readonly string[];
  readonly saved: Promise<unknown>;
  /** The row as it was known when all was saved: whatever comes after it knows of the ticks, or of something newer. */
  readonly until: CheckRow | null;
}

function useAssigning({ rows, project, failed }: Omit<MatrixProps, 'channels'>) {
  const ticked = useRef(new Map<string, Ticked>());
  const latest = useRef(rows);
  const [, show] = useState(0);
  latest.current = rows;
  const keep = (id: string, one: Ticked | null): void => {
    if (one) ticked.current.set(id, one);
    else ticked.current.delete(id);
    show((before) => before + 1);
  };
  const assigned = (row: CheckRow): readonly string[] => {
    const one = ticked.current.get(row.id);
    return one && (one.until === null || one.until === row) ? one.channels : row.channels;
  };
  const assign = (row: CheckRow, channel: string, on: boolean): void => {
    const { id } = row;
    const others = assigned(row).filter((one) => one !== channel);
    const channels = on ? [...others, channel] : others;
    const before = ticked.current.get(id)?.saved.catch(() => {}) ?? Promise.resolve();
    const body = { channels: channels.join(',') };
    const saved = before.then(() => send('POST', apiPath(project, `checks/${id}`), body));
    keep(id, { channels, saved, until: null });
    const isLast = (): boolean => ticked.current.get(id)?.saved === saved;
    saved.then(
      () => {
        failed('');
        const until = latest.current.find((one) => one.id === id) ?? row;
        if (isLast()) keep(id, { channels, saved, until });
      },
      (reason: unknown) => {
        failed(messageOf(reason));
        if (isLast()) keep(id, null);
      },
    );
  };
  return { assigned, assign };
}
