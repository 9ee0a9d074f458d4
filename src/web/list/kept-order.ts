/**
 * How the list is grouped and sorted: the reader's choice, which this browser keeps for each project.
 * Invariant: what an address says of it comes before it, and so does an entry of the browser's history that was left before, whose
 * address says all of it.
 */
import { remembered } from '../core/route.ts';
import { type ListQuery, orderOf, saysOrder } from '../rows/list-query.ts';

const keyOf = (project: string): string => `knell-list-order ${project}`;

/** The order that the address `search` lacks, as a query; empty for the usual one. */
export function keptOrder(project: string, search: string): string {
  if (saysOrder(search) || remembered().has('top')) return '';
  return localStorage.getItem(keyOf(project)) ?? '';
}

export function keepOrder(project: string, query: ListQuery): void {
  const order = orderOf(query);
  if (order === '') localStorage.removeItem(keyOf(project));
  else localStorage.setItem(keyOf(project), order);
}
