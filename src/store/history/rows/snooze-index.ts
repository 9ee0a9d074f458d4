/**
 * Which entries of the audit log are about acknowledging and snoozing a check, by check: its log shows them, and going through the
 * audit log of everything for each view would cost as much as all that others did. Only the keys: the entries are in `audit`.
 * Invariant: an entry is in the index exactly while it is in `audit`.
 */
import type { AuditEntry } from '../../../domain/accounts/audit.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { auditKeyBytes } from '../../codec/audit-key.ts';
import { auditRow } from '../../codec/rows.ts';
import { bytesOfUuid, uuidBytes } from '../../codec/uuid.ts';
import type { Table } from '../../disk/lmdb-env.ts';
import type { AuditRow } from '../../journal/tail.ts';
import type { ChangeRange } from '../../store.ts';
import type { HistoryTables } from './tables.ts';

const actions: ReadonlySet<string> = new Set(['acknowledged', 'unacknowledged', 'snoozed', 'unsnoozed']);
/** A row without either, as bytes, is of another action: it need not be decoded, which takes 7 µs. */
const words = [Buffer.from('acknowledged'), Buffer.from('snoozed')] as const;
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const noBytes = Buffer.alloc(0);
/** Checks have random ids: a row is on a page of its own, which is copied. */
const pageBytes = 4096;

function mayBeIndexed(row: Uint8Array): boolean {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  return words.some((word) => bytes.includes(word));
}

/** Null for an entry that is about something else. `key`: of the entry in `audit`. */
export function snoozeIndexKey(key: Uint8Array, row: Uint8Array): Buffer | null {
  if (!mayBeIndexed(row)) return null;
  const { action, subject, subjectId } = auditRow.read(row);
  if (subject !== 'check' || !actions.has(action) || !uuidForm.test(subjectId)) return null;
  return Buffer.concat([bytesOfUuid(subjectId), key]);
}

export function snoozeIndexBytesMax(row: Uint8Array): number {
  return mayBeIndexed(row) ? pageBytes : 0;
}

export function putSnoozeIndex(table: Table, key: Uint8Array, row: Uint8Array): void {
  const indexed = snoozeIndexKey(key, row);
  if (indexed) table.put(indexed, noBytes);
}

export function removeSnoozeIndex(table: Table, key: Uint8Array, row: Uint8Array): void {
  const indexed = snoozeIndexKey(key, row);
  if (indexed) table.remove(indexed);
}

interface SnoozeQuery {
  readonly id: CheckId;
  readonly range: ChangeRange;
  readonly limit: number;
}

/** The newest in the range, newest first. `tail`: what is not folded yet, all of the audit log. */
export function readSnoozeAudit(
  { audit, snoozed }: HistoryTables,
  tail: readonly AuditRow[],
  { id, range, limit }: SnoozeQuery,
): readonly AuditEntry[] {
  const uuid = bytesOfUuid(id);
  const found = new Map<string, AuditEntry>();
  const add = (key: Buffer, row: Buffer): unknown => found.set(key.toString('latin1'), auditRow.read(row));
  // Ids are stored as text: most rows need no decoding.
  const text = Buffer.from(id);
  for (const { key, row } of tail) {
    if (row.includes(text) && snoozeIndexKey(key, row)?.subarray(0, uuidBytes).equals(uuid)) add(key, row);
  }
  const scanned = { start: placeAt(uuid, range.untilMs), end: placeAt(uuid, range.fromMs), reverse: true };
  const keys: Buffer[] = [];
  snoozed.scan(scanned, (key) => keys.push(Buffer.from(key.subarray(uuidBytes))) < limit);
  for (const key of keys) {
    const row = audit.get(key);
    if (row) add(key, row);
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([, entry]) => entry)
    .filter(({ atMs }) => atMs >= range.fromMs && atMs < range.untilMs)
    .slice(0, limit);
}

/** Before all entries of the check from this instant on. */
function placeAt(uuid: Uint8Array, atMs: number): Buffer {
  const key = Buffer.alloc(uuidBytes + auditKeyBytes);
  key.set(uuid);
  key.writeDoubleBE(Math.max(0, atMs), uuidBytes);
  return key;
}
