/**
 * The integrations that a check notifies, as one ticks them; each tick is saved at once.
 * Invariant: a tick is added to those before it, even before the server has published them: each request sends all integrations
 * of a check, one change after the other.
 */
import { useRef, useState } from 'preact/hooks';
import type { ChannelView, CheckRow } from '../../../domain/views/page-view.ts';
import { messageOf, send } from '../../core/calls.ts';
import { apiPath } from '../../rows/api-check.ts';
import { type Assigns, useTicks } from './use-ticks.ts';

/** Milliseconds after which an update has come, where updates come at all. */
const updatedMs = 3000;

/** Ticks that are kept until updates of them come. */
interface Ticked {
  readonly channels: readonly string[];
  readonly saved: Promise<unknown>;
  /**
   * The row as it was known when all was saved: any later one knows of the ticks, or of something newer. If it is not the one that was
   * known when they were sent, it may know of that already: then no other may come.
   */
  readonly until: CheckRow | null;
}

interface AssigningOptions {
  readonly project: string;
  readonly rows: readonly CheckRow[];
  readonly failed: (error: string) => void;
}

export interface Assigning extends Assigns {
  /** As `assign` for one integration, with a message that has a way back. */
  readonly tick: (row: CheckRow, channel: ChannelView) => void;
}

export function useAssigning({ rows, project, failed }: AssigningOptions): Assigning {
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
  const assign = (row: CheckRow, channels: readonly string[]): Promise<unknown> => {
    const { id } = row;
    const now = (): CheckRow => latest.current.find((one) => one.id === id) ?? row;
    const sentAt = now();
    const before = ticked.current.get(id)?.saved.catch(() => {}) ?? Promise.resolve();
    const body = { channels: channels.join(',') };
    const saved = before.then(() => send('POST', apiPath(project, `checks/${id}`), body));
    keep(id, { channels, saved, until: null });
    const isLast = (): boolean => ticked.current.get(id)?.saved === saved;
    saved.then(
      () => {
        failed('');
        const until = now();
        if (!isLast()) return;
        keep(id, { channels, saved, until });
        if (until !== sentAt) setTimeout(() => isLast() && keep(id, null), updatedMs);
      },
      (reason: unknown) => {
        failed(messageOf(reason));
        if (isLast()) keep(id, null);
      },
    );
    return saved;
  };
  return { assigned, assign, tick: useTicks({ assigned, assign }) };
}
