/** Whether a check is in maintenance, and in which. Pure. */
import type { ActiveWindowView, CheckRow } from '../../domain/views/page-view.ts';
import { tagsOf } from './filter.ts';

/** The window about the check that ends last; null for none. */
export function windowOf(row: CheckRow, windows: readonly ActiveWindowView[]): ActiveWindowView | null {
  const about = windows.find(({ checks, tags }) => {
    if (checks.length === 0 && tags.length === 0) return true;
    return checks.includes(row.id) || (tags.length > 0 && tagsOf(row).some((tag) => tags.includes(tag)));
  });
  return about ?? null;
}

/** Until when the check is in maintenance; null if it is not. A check that is paused sends no alerts anyway. */
export function maintainedUntil(row: CheckRow, windows: readonly ActiveWindowView[]): number | null {
  return row.status === 'paused' ? null : (windowOf(row, windows)?.untilMs ?? null);
}
