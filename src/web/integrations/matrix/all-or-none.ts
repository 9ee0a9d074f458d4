/** Whether all of the checks that are shown notify an integration, or none of them: a button for that would do nothing. Pure. */
import type { CheckRow } from '../../../domain/views/page-view.ts';
import type { Assigning } from './use-assigning.ts';

/** `unknown`: not all of them are loaded. */
export type Uses = 'all' | 'none' | 'some' | 'unknown';

/** They are counted with every change of the page: of more than these nobody sees at a glance that it is all of them. */
const countedMax = 200;

interface Shown extends Pick<Assigning, 'assigned'> {
  readonly rows: readonly CheckRow[];
  readonly total: number;
}

export function usesOf(channel: string, { rows, total, assigned }: Shown): Uses {
  if (total === 0 || rows.length !== total || total > countedMax) return 'unknown';
  const count = rows.filter((row) => assigned(row).includes(channel)).length;
  return count === total ? 'all' : count === 0 ? 'none' : 'some';
}
