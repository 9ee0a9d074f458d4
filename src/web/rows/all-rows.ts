/** The rows of all checks that a query of the list finds, whether they have been in sight or not. */
import type { CheckRow, ListView } from '../../domain/views/page-view.ts';
import { ask } from '../core/calls.ts';
import { type ListQuery, searchOf } from './list-query.ts';
import { countOpen, isOpenAt, openRows } from './open-rows.ts';

/** Rows that the server gives in one answer. */
const blockMax = 200;

export interface Matching {
  /** The first of them, at most as many as were asked for. */
  readonly rows: readonly CheckRow[];
  readonly total: number;
}

/** `folded`: names of groups whose rows are left out. */
export async function matchingRows(
  project: string,
  query: ListQuery,
  max: number,
  folded: ReadonlySet<string>,
): Promise<Matching> {
  // Between two requests the order may change: each check is taken once.
  const rows = new Map<string, CheckRow>();
  for (let from = 0; ; ) {
    const asked = new URLSearchParams(searchOf(query));
    asked.set('from', String(from));
    asked.set('count', String(blockMax));
    const answer = await ask<ListView>(`/web/in/${project}/list?${asked}`);
    const open = openRows(answer.total, answer.groups, folded);
    for (const [n, row] of answer.rows.entries())
      if (rows.size < max && isOpenAt(open, from + n)) rows.set(row.id, row);
    const end = from + blockMax;
    const next = open.find((one) => one.end > end);
    if (!next || rows.size >= max || answer.rows.length === 0)
      return { rows: [...rows.values()], total: countOpen(open) };
    from = Math.max(end, next.from);
  }
}
