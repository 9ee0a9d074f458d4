/**
 * The rows of the audit log: put by the fold, removed when they are old or too many, read together with the tail.
 * Invariant: an entry that a fold in flight has put already is read once, although the tail has it too.
 */

import type { AuditEntry, AuditPlace } from '../../../domain/accounts/audit.ts';
import { auditKeptMs } from '../../../domain/limits.ts';
import { auditKey, auditKeyAt, auditKeyBytes } from '../../codec/audit-key.ts';
import { auditRow } from '../../codec/rows.ts';
import { auditEntriesMax, auditRemovedPerFoldMax } from '../../disk/limits.ts';
import { highestKey, lowestKey } from '../../disk/lmdb-env.ts';
import type { AuditRow } from '../../journal/tail.ts';
import { putSnoozeIndex, removeSnoozeIndex, snoozeIndexBytesMax } from './snooze-index.ts';
import type { HistoryTables } from './tables.ts';

/** Each: the key, then the row. */
export function putAudit({ audit, snoozed }: HistoryTables, entries: readonly Buffer[]): void {
  for (const entry of entries) {
    const key = entry.subarray(0, auditKeyBytes);
    const row = entry.subarray(auditKeyBytes);
    audit.put(key, row);
    putSnoozeIndex(snoozed, key, row);
  }
}

/** The most that putting these writes: twice their bytes, since pages may be half full, the pages of the tree above, and the index. */
export function auditBytesMax(entries: readonly Buffer[]): number {
  return entries.reduce((sum, entry) => sum + 2 * entry.length + snoozeIndexBytesMax(entry), 64 * 1024);
}

export function removeOldAudit({ audit, snoozed }: HistoryTables, nowMs: number): void {
  const cutoff = auditKeyAt(nowMs - auditKeptMs);
  const surplus = audit.count() - auditEntriesMax;
  const old: AuditRow[] = [];
  audit.scan({ start: lowestKey, end: highestKey }, (key, row) => {
    if (old.length >= surplus && key.compare(cutoff) >= 0) return false;
    return old.push({ key: Buffer.from(key), row: Buffer.from(row) }) < auditRemovedPerFoldMax;
  });
  for (const { key, row } of old) {
    audit.remove(key);
    removeSnoozeIndex(snoozed, key, row);
  }
}

/** The newest `limit` before `place`, newest first. */
export function readAudit(
  { audit }: HistoryTables,
  tail: readonly AuditRow[],
  place: AuditPlace | null,
  limit: number,
): readonly AuditEntry[] {
  const before = place && auditKey(place);
  const found = new Map<string, AuditRow>();
  const add = (key: Buffer, row: Buffer): unknown => found.set(key.toString('latin1'), { key, row });
  const recent = tail.filter(({ key }) => before === null || key.compare(before) < 0);
  for (const { key, row } of recent.sort(byKey).slice(-limit)) add(key, row);
  let left = limit;
  audit.scan({ start: before ?? highestKey, end: lowestKey, reverse: true }, (key, row) => {
    if (before !== null && key.compare(before) === 0) return true;
    add(Buffer.from(key), Buffer.from(row));
    return --left > 0;
  });
  return [...found.values()]
    .sort(byKey)
    .slice(-limit)
    .reverse()
    .map(({ row }) => auditRow.read(row));
}

function byKey(a: AuditRow, b: AuditRow): number {
  return a.key.compare(b.key);
}
