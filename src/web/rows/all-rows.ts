/** The rows of all checks that a query of the list finds, whether they have been in sight or not. */
import type { CheckRow, ListView } from '../../domain/views/page-view.ts';
import { ask } from '../core/calls.ts';
import { type ListQuery, searchOf } from './list-query.ts';

/** Rows that the server gives in one answer. */
const blockMax = 200;

export interface Matching {
  /** The first of them, at most as many as were asked for. */
  readonly rows: readonly CheckRow[];
  readonly total: number;
}

export async function matchingRows(project: string, query: ListQuery, max: number): Promise<Matching> {
  // Between two requests the order may change: each check is taken once.
  const rows = new Map<string, CheckRow>();
  for (let from = 0; ; from += blockMax) {
    const asked = new URLSearchParams(searchOf(query));
    asked.set('from', String(from));
    asked.set('count', String(Math.min(blockMax, max - from)));
    const answer = await ask<ListView>(`/web/in/${project}/list?${asked}`);
    for (const row of answer.rows) rows.set(row.id, row);
    const end = Math.min(max, answer.total);
    if (from + blockMax >= end || answer.rows.length === 0)
      return { rows: [...rows.values()], total: answer.total };
  }
}
