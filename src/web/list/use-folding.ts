/** Which groups of the list are folded: of each project and grouping its own, for as long as the tab is open. */
import { useMemo, useState } from 'preact/hooks';
import type { ListGroup } from '../../domain/views/page-view.ts';
import { type Grouping, toggled } from '../rows/list-query.ts';

interface Folding {
  readonly folded: ReadonlySet<string>;
  readonly fold: (group: ListGroup) => void;
}

export function useFolding(project: string, group: Grouping): Folding {
  const key = `knell.folded.${project}.${group}`;
  const [kept, keep] = useState({ key, names: namesIn(key) });
  // Of another grouping, what was folded in it before.
  const names = useMemo(() => (kept.key === key ? kept.names : namesIn(key)), [kept, key]);
  const folded = useMemo(() => new Set(names), [names]);
  const fold = ({ name }: ListGroup): void => {
    const next = toggled(names, name);
    sessionStorage.setItem(key, JSON.stringify(next));
    keep({ key, names: next });
  };
  return { folded, fold };
}

function namesIn(key: string): readonly string[] {
  const names: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
