/** Which rows a filter shows. Pure. */
import { type Status, statuses } from '../domain/check.ts';
import type { CheckRow } from '../domain/page-view.ts';

export interface Filter {
  readonly text: string;
  readonly tag: string;
  readonly status: Status | '';
}

export const noFilter: Filter = { text: '', tag: '', status: '' };

export function filtered(rows: readonly CheckRow[], { text, tag, status }: Filter): readonly CheckRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '' && tag === '' && status === '') return rows;
  return rows.filter(
    (row) =>
      (status === '' || row.status === status) &&
      (tag === '' || tagsOf(row).includes(tag)) &&
      (wanted === '' || `${row.name}\n${row.slug}\n${row.tags}\n${row.id}`.toLowerCase().includes(wanted)),
  );
}

export function tagsOf({ tags }: CheckRow): readonly string[] {
  return tags.split(/\s+/).filter((tag) => tag !== '');
}

/** By alphabet, each once. */
export function allTags(rows: readonly CheckRow[]): readonly string[] {
  return [...new Set(rows.flatMap(tagsOf))].sort();
}

export function countByStatus(rows: readonly CheckRow[]): Readonly<Record<Status, number>> {
  const counts: Record<Status, number> = { new: 0, up: 0, grace: 0, down: 0, paused: 0 };
  for (const { status } of rows) counts[status]++;
  return counts;
}

/** The most urgent first. */
export const statusOrder: readonly Status[] = [
  'down',
  'grace',
  ...statuses.filter((one) => one !== 'down' && one !== 'grace'),
];
