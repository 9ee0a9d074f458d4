/** How many checks there are of a status, the same wherever the page counts them and links to a list of them. */
import type { ShownStatus } from '../../domain/check/shown-status.ts';
import type { StatusCounts } from '../../domain/views/page-view.ts';

/** As many as the list has of it: a check that is down while it runs is among both. */
export function shownCount(
  status: ShownStatus,
  { counts, runningToo }: Pick<StatusCounts, 'counts' | 'runningToo'>,
): number {
  return counts[status] + (status === 'running' ? runningToo : 0);
}
