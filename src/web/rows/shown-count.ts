/** How many checks there are of a status, the same wherever the page counts them and links to a list of them. */
import type { ShownStatus } from '../../domain/check/shown-status.ts';
import type { StatusCounts } from '../../domain/views/page-view.ts';
import { numberWords } from '../core/number-words.ts';

/** As many as the list has of it: a check that is down while it runs is among both. */
export function shownCount(
  status: ShownStatus,
  { counts, runningToo }: Pick<StatusCounts, 'counts' | 'runningToo'>,
): number {
  return counts[status] + (status === 'running' ? runningToo : 0);
}

/** `2 down or late` of those that run: they are counted under that, too. Empty for none; `before` is put before it. */
export function alsoWords(
  status: ShownStatus,
  { runningToo }: Pick<StatusCounts, 'runningToo'>,
  before = '',
): string {
  return status === 'running' && runningToo > 0 ? `${before}${numberWords(runningToo)} down or late` : '';
}
