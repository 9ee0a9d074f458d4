/**
 * The counterpart of a ping that comes alone over the file log: one small record after the other, written into a file that is
 * filled already and synced with fdatasync, nothing else. A process of its own: `file.js FILE SECONDS` prints the median, as JSON.
 */
import { closeSync, fdatasyncSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { percentile } from '../harness/numbers.ts';

const [path = '', seconds = '1'] = process.argv.slice(2);
const fileBytes = 4_000_000;
/** As much as the journal writes for a GET. */
const record = Buffer.alloc(120, 7);
const fd = openSync(path, 'w');
writeSync(fd, Buffer.alloc(fileBytes));
fsyncSync(fd);
const commitsMs: number[] = [];
const endMs = performance.now() + Number(seconds) * 1000;
let at = 0;
for (let startedMs = performance.now(); startedMs < endMs; startedMs = performance.now()) {
  writeSync(fd, record, 0, record.length, at);
  fdatasyncSync(fd);
  at = (at + record.length) % (fileBytes - record.length);
  commitsMs.push(performance.now() - startedMs);
}
closeSync(fd);
rmSync(path);
process.stdout.write(JSON.stringify({ p50Ms: percentile(commitsMs, 50) }));
