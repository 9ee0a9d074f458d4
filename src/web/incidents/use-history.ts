/**
 * The incidents that are over, as far as they are loaded: the newest page, which is asked for again when one more is over, and older
 * ones as one asks for them.
 * Invariant: an incident is there once, whichever pages had it.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { IncidentsView, ListedIncidentView } from '../../domain/views/incident-view.ts';
import { ask, useSeen } from '../core/calls.ts';

interface Loaded {
  /** Address of the first page. */
  readonly of: string;
  readonly incidents: readonly ListedIncidentView[];
  /** Cursor of the next page; null for none. */
  readonly next: string | null;
  readonly pages: number;
}

export interface History {
  readonly incidents: readonly ListedIncidentView[];
  /** Whether the first answer to this search has come. */
  readonly isKnown: boolean;
  readonly hasOlder: boolean;
  readonly error: string;
  readonly loadOlder: () => Promise<void>;
}

/** `path` has a query already. */
export function useHistory(path: string, version: unknown): History {
  const { data, error } = useSeen<IncidentsView>(path, version);
  const [loaded, setLoaded] = useState<Loaded>({ of: '', incidents: [], next: null, pages: 0 });
  const now = useRef(path);
  now.current = path;
  // An answer to the address before is there until that to this one has come.
  const answered = useRef<IncidentsView | null>(null);
  useEffect(() => {
    if (!data || data === answered.current) return;
    answered.current = data;
    setLoaded((before) =>
      before.of === path && before.pages > 1
        ? { ...before, incidents: merged(data.incidents, before.incidents) }
        : { of: path, ...data, pages: 1 },
    );
  }, [data, path]);
  const loadOlder = useCallback(async (): Promise<void> => {
    if (loaded.next === null) return;
    const page = await ask<IncidentsView>(`${loaded.of}&before=${loaded.next}`);
    if (now.current !== loaded.of) return;
    setLoaded((before) => ({
      of: loaded.of,
      incidents: merged(page.incidents, before.incidents),
      next: page.next,
      pages: before.pages + 1,
    }));
  }, [loaded]);
  const isKnown = loaded.of === path;
  return {
    incidents: loaded.incidents,
    isKnown,
    hasOlder: isKnown && loaded.next !== null,
    error,
    loadOlder,
  };
}

/** Newest first; what `fresh` says of an incident counts. */
function merged(
  fresh: readonly ListedIncidentView[],
  known: readonly ListedIncidentView[],
): readonly ListedIncidentView[] {
  const byId = new Map([...known, ...fresh].map((incident) => [incident.id, incident]));
  return [...byId.values()].sort((a, b) => Date.parse(b.opened) - Date.parse(a.opened));
}
