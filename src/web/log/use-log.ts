/**
 * The log of a check as far as it is loaded: the newest page, which is asked for again when the check changes, and older ones as
 * one asks for them.
 * Invariant: an entry is there once, whichever pages had it.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { LogEntry, LogFilter, LogView } from '../../domain/views/log-view.ts';
import { ask, callShared, useRetry } from '../core/calls.ts';
import { noteSeen, seenLast } from '../core/stale.ts';

export interface LogQuery {
  readonly filter: LogFilter;
  /** Text to look for in outputs; empty for all. */
  readonly text: string;
  /** The log has only what is older; null for all. */
  readonly beforeMs: number | null;
}

export interface LoadedLog {
  /** Entries, newest first. */
  readonly entries: readonly LogEntry[];
  /** Whether the first answer has come. */
  readonly isKnown: boolean;
  readonly hasOlder: boolean;
  readonly error: string;
  readonly loadOlder: () => Promise<void>;
  readonly reload: () => void;
}

interface Loaded {
  /** Key of the query that was answered. */
  readonly of: string;
  readonly entries: readonly LogEntry[];
  readonly olderMs: number | null;
}

const nothing: Loaded = { of: '', entries: [], olderMs: null };

export function useLog(path: string, query: LogQuery, version: unknown): LoadedLog {
  const [loaded, setLoaded] = useState<Loaded>(nothing);
  const [error, setError] = useState('');
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const { asked, answered, failed } = useRetry(reload);
  const first = addressOf(path, query, query.beforeMs);
  const now = useRef({ first, loaded });
  now.current = { first, loaded };
  useEffect(() => {
    asked();
    callShared<LogView>(first).then(
      (view) => {
        noteSeen(first, view);
        if (now.current.first !== first) return;
        setLoaded((before) => withFirst(before, first, view));
        setError('');
        answered();
      },
      (reason: unknown) => {
        if (now.current.first !== first) return;
        const last = seenLast<LogView>(first);
        const words = failed(reason, last?.atMs);
        setError(words);
        if (last && words === '')
          setLoaded((before) => (before.of === first ? before : withFirst(before, first, last.answer)));
      },
    );
  }, [first, version, round]);
  const loadOlder = useCallback(async (): Promise<void> => {
    const { of, olderMs } = now.current.loaded;
    if (of !== first || olderMs === null) return;
    const view = await ask<LogView>(addressOf(path, query, olderMs));
    if (now.current.first !== first) return;
    setLoaded((before) => ({
      of: first,
      entries: merged(before.entries, view.entries),
      olderMs: view.olderMs,
    }));
  }, [first]);
  return {
    entries: loaded.of === first ? loaded.entries : [],
    isKnown: loaded.of === first,
    hasOlder: loaded.olderMs !== null,
    error,
    loadOlder,
    reload,
  };
}

function addressOf(path: string, { filter, text }: LogQuery, beforeMs: number | null): string {
  const query = new URLSearchParams();
  if (filter !== 'all') query.set('filter', filter);
  if (text !== '') query.set('q', text);
  if (beforeMs !== null) query.set('before', String(beforeMs));
  const words = query.toString();
  return words === '' ? path : `${path}?${words}`;
}

/** Adds the newest page. Older pages stay, unless so much has happened that something between is missing. */
function withFirst(before: Loaded, of: string, view: LogView): Loaded {
  const { entries, olderMs } = view;
  const older =
    before.of === of && olderMs !== null ? before.entries.filter(({ atMs }) => atMs < olderMs) : [];
  const overlaps = before.entries.some(({ id }) => entries.some((entry) => entry.id === id));
  if (older.length === 0 || !overlaps) return { of, entries, olderMs };
  return { of, entries: merged(entries, older), olderMs: before.olderMs };
}

function merged(newer: readonly LogEntry[], older: readonly LogEntry[]): readonly LogEntry[] {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
}
