/** The rows of named fields in a batch of the journal, each with its kind. */

import type { RowKind } from '../../../src/store/codec/rows.ts';
import { BatchCursor } from '../../../src/store/journal/batch-cursor.ts';
import { recordTypes } from '../../../src/store/journal/records.ts';
import { kindOf } from '../../../src/store/kinds.ts';

export interface BatchRow {
  readonly kind: RowKind;
  readonly bytes: Buffer;
}

export function rowsOfBatch(batch: Buffer): readonly BatchRow[] {
  const cursor = new BatchCursor().open(batch);
  const found: BatchRow[] = [];
  while (cursor.next()) {
    const kind = kindOfRecord(cursor.type);
    if (kind) found.push({ kind, bytes: Buffer.from(cursor.row()) });
  }
  return found;
}

function kindOfRecord(type: number): RowKind | undefined {
  if (type === recordTypes.check) return 'check';
  return type === recordTypes.delivery ? 'delivery' : kindOf(type);
}
