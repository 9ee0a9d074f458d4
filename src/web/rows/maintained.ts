/** Whether a check of the list is in maintenance. Pure. */
import type { ActiveWindowView, CheckRow } from '../../domain/views/page-view.ts';
import { tagsOf } from './filter.ts';

/** Until when the check is in maintenance; null if it is not. A check that is paused sends no alerts anyway. */
export function maintainedUntil(row: CheckRow, windows: readonly ActiveWindowView[]): number | null {
  if (windows.length === 0 || row.status === 'paused') return null;
  const about = windows.find(({ checks, tags }) => {
    if (checks.length === 0 && tags.length === 0) return true;
    return checks.includes(row.id) || (tags.length > 0 && tagsOf(row).some((tag) => tags.includes(tag)));
  });
  return about?.untilMs ?? null;
}
