/**
 * The key of an entry of the audit log: its instant, then its id, so that entries sort by time. Also what a page of the log
 * names as the place where the next one begins.
 */
import type { AuditEntry } from '../../domain/accounts/audit.ts';
import { bytesOfUuid, uuidBytes } from './uuid.ts';

export const auditKeyBytes = 8 + uuidBytes;

/** Positive doubles sort by their big-endian bytes. */
export function auditKey({ atMs, id }: Pick<AuditEntry, 'atMs' | 'id'>): Buffer {
  const key = Buffer.alloc(auditKeyBytes);
  key.writeDoubleBE(Math.max(0, atMs));
  key.set(bytesOfUuid(id), 8);
  return key;
}

/** Before all entries from this instant on. */
export function auditKeyAt(atMs: number): Buffer {
  const key = Buffer.alloc(auditKeyBytes);
  key.writeDoubleBE(Math.max(0, atMs));
  return key;
}
