/**
 * Counts the contents of a data directory before it is loaded. `cluster/status/held` uses the numbers.
 * Invariant: records in the tail count as they would after a fold.
 */

import { uuidBytes } from '../codec/uuid.ts';
import { BatchCursor } from '../journal/batch-cursor.ts';
import type { NumberedBatch } from '../journal/batch-log.ts';
import { recordTypes } from '../journal/records.ts';
import { type HistoryTables, readMeta } from './rows/tables.ts';

export interface Contents {
  readonly checks: number;
  /** When the latest was written, to half a second in a cluster; null where nothing was. */
  readonly writtenAtMs: number | null;
}

/** `tail`: of batches that can be read. */
export function contentsOf(tables: HistoryTables, tail: readonly NumberedBatch[]): Contents {
  const cursor = new BatchCursor();
  let writtenAtMs = readMeta(tables, 'alive');
  /** For each check that the tail puts or deletes: whether it exists in the end. */
  const changed = new Map<string, boolean>();
  for (const { bytes } of tail)
    for (cursor.open(bytes); cursor.next(); ) {
      const { type, start } = cursor;
      if (type === recordTypes.alive) writtenAtMs = Math.max(writtenAtMs ?? 0, bytes.readDoubleLE(start));
      if (type === recordTypes.check || type === recordTypes['check-deleted'])
        changed.set(bytes.toString('latin1', start, start + uuidBytes), type === recordTypes.check);
    }
  let checks = tables.checks.count();
  for (const [uuid, isThere] of changed) {
    const wasThere = tables.checks.get(Buffer.from(uuid, 'latin1')) !== null;
    checks += Number(isThere) - Number(wasThere);
  }
  return { checks, writtenAtMs };
}
