/**
 * The counterpart of a ping that comes alone: one small record after the other, each committed by LMDB with fdatasync,
 * nothing else. A process of its own: `lmdb.js DIRECTORY SECONDS` prints the median commit, as JSON.
 */
import { open } from 'lmdb';
import { percentile } from '../harness/numbers.ts';

const [path = '', seconds = '1'] = process.argv.slice(2);
const root = open({ path, overlappingSync: false, maxDbs: 2 });
const table = root.openDB<Buffer, number>({ name: 'records', encoding: 'binary' });
/** As much as the journal writes for a GET. */
const record = Buffer.alloc(120, 7);
const commitsMs: number[] = [];
const endMs = performance.now() + Number(seconds) * 1000;
for (let startedMs = performance.now(); startedMs < endMs; startedMs = performance.now()) {
  root.transactionSync(() => {
    // Not returned: a transaction that returns a promise has committed nothing.
    table.put(commitsMs.length, record);
  });
  commitsMs.push(performance.now() - startedMs);
}
await root.close();
process.stdout.write(JSON.stringify({ p50Ms: percentile(commitsMs, 50) }));
