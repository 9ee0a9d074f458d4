/**
 * Entry point of the thread that reads the checks ahead of a start (`read-ahead`). Whatever is not as it should be ends it early:
 * who takes the parts goes on alone behind them, meets the same, and says what it is.
 */
import { workerData } from 'node:worker_threads';
import { RingWriter } from '../../../lib/slot-ring.ts';
import { CheckPartWriter } from '../../codec/check-part.ts';
import { uuidBytes } from '../../codec/uuid.ts';
import { openEnv } from '../../disk/lmdb-env.ts';
import type { ReadAheadData } from '../../threads.ts';
import { counterBytes, type HistoryTables, openHistoryTables } from '../rows/tables.ts';

const { dataDir, memory, start, end }: ReadAheadData = workerData;
const ring = new RingWriter(memory);
let part: CheckPartWriter | null = null;
try {
  const env = openEnv(dataDir, 'history');
  try {
    const isWhole = putAll(openHistoryTables(env));
    pass();
    ring.finish(isWhole);
  } finally {
    await env.close();
  }
} catch {
  ring.finish(false);
}

/** False when something is wrong, or nobody takes any more: it is not whole. */
function putAll({ checks, states }: HistoryTables): boolean {
  const rows = checks.rows({ start, end });
  const id = Buffer.alloc(uuidBytes);
  // The view of the state is overwritten when the row of the check is read.
  const copy = Buffer.alloc(256);
  let isWhole = true;
  try {
    states.scan({ start, end }, (uuid, state) => {
      const size = state.length;
      isWhole = uuid.length === uuidBytes && size <= copy.length;
      if (!isWhole) return false;
      id.set(uuid);
      copy.set(state);
      const row = rows.next();
      isWhole =
        !row.done && id.equals(row.value.key) && put(id, copy.subarray(counterBytes, size), row.value.value);
      return isWhole;
    });
    return isWhole && rows.next().done === true;
  } finally {
    rows.return?.();
  }
}

function put(id: Buffer, state: Buffer, row: Buffer): boolean {
  if (part?.put(id, state, row)) return true;
  pass();
  const slot = ring.free();
  if (slot === null) return false;
  part = new CheckPartWriter(slot);
  return part.put(id, state, row);
}

/** What is in the part so far is taken. */
function pass(): void {
  if (part === null || part.isEmpty) return;
  part.close();
  part = null;
  ring.pass();
}
