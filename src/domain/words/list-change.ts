/**
 * What came to a list of names or ids and what left it, of a value that the audit log has before and after. Pure.
 * Invariant: what stayed is in neither.
 */
import { idParts } from './named-ids.ts';

export interface ListDifference {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * Returns what came to a list and what left it, where some of it stayed: nobody finds that in two lists. Null where the log has not
 * all of either, and where only the order is another.
 */
export function listChange(field: string, before: string, after: string): ListDifference | null {
  if (before.endsWith('…') || after.endsWith('…')) return null;
  const [old = [], now = []] = [before, after].map((value) => partsOf(field, value));
  const removed = old.filter((text) => !now.includes(text));
  const added = now.filter((text) => !old.includes(text));
  return removed.length < old.length && removed.length + added.length > 0 ? { removed, added } : null;
}

/** Of the integrations of a check the log has the names. */
function partsOf(field: string, value: string): readonly string[] {
  if (field === namedList) return value === '' ? [] : value.split(listSeparator);
  return idParts(field, value)?.map(({ text }) => text) ?? [];
}

const namedList = 'channels';
export const listSeparator = ', ';
