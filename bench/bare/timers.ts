/**
 * The counterpart of a deadline: timers that go off evenly, each committing one small record to LMDB with fdatasync,
 * nothing else. A process of its own: `timers.js DIRECTORY COUNT SECONDS` prints how late the records were on disk, as
 * JSON.
 */
import { open } from 'lmdb';
import { percentile } from '../harness/numbers.ts';

const [path = '', count = '100', seconds = '1'] = process.argv.slice(2);
const timers = Number(count);
const stepMs = (Number(seconds) * 1000) / timers;
const root = open({ path, overlappingSync: false, maxDbs: 2 });
const table = root.openDB<Buffer, number>({ name: 'records', encoding: 'binary' });
const record = Buffer.alloc(120, 7);
const lateMs: number[] = [];
const firstMs = Date.now() + 100;
for (let at = 0; at < timers; at++) {
  const dueMs = Math.floor(firstMs + at * stepMs);
  setTimeout(() => {
    root.transactionSync(() => {
      // Not returned: a transaction that returns a promise has committed nothing.
      table.put(at, record);
    });
    lateMs.push(Date.now() - dueMs);
    if (lateMs.length === timers) void end();
  }, dueMs - Date.now());
}

async function end(): Promise<void> {
  await root.close();
  process.stdout.write(JSON.stringify({ p50Ms: percentile(lateMs, 50), p99Ms: percentile(lateMs, 99) }));
}
