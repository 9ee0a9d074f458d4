/** The rows of named fields in a batch of the journal, each with its kind. */

import type { RowKind } from '../../../src/store/codec/rows.ts';
import { BatchCursor } from '../../../src/store/journal/batch-cursor.ts';
import { recordTypes, rowKinds } from '../../../src/store/journal/records.ts';

export interface BatchRow {
  readonly kind: RowKind;
  readonly bytes: Buffer;
}

export function rowsOfBatch(batch: Buffer): readonly BatchRow[] {
  const cursor = new BatchCursor().open(batch);
  const found: BatchRow[] = [];
  while (cursor.next()) {
    const kind = cursor.type === recordTypes.check ? 'check' : rowKinds.get(cursor.type);
    if (kind) found.push({ kind, bytes: Buffer.from(cursor.row()) });
  }
  return found;
}
