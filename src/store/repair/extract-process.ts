/**
 * Entry point of the process that reads the batches of a damaged LMDB log one by one: `extract-process.js DIRECTORY FROM`.
 * Prints, before it reads a batch, its number; then the batch, or that it is lost. Invariant: where the lines end without
 * `end`, reading the batch of the last `next` ended the process.
 */
import { writeSync } from 'node:fs';
import { missingNumbersMax } from '../disk/limits.ts';
import { openEnv } from '../disk/lmdb-env.ts';
import { batchesTable, keyOf } from '../journal/lmdb-batches.ts';
import { readFrame } from '../journal/lmdb-log.ts';
import type { ExtractLine } from './salvage.ts';

const [dataDir = '', from = '1'] = process.argv.slice(2);
const say = (line: ExtractLine): void => void writeSync(1, `${JSON.stringify(line)}\n`);
const table = openEnv(dataDir, 'journal').table(batchesTable);
let missing: number[] = [];
let seq = Number(from);
for (; missing.length < missingNumbersMax; seq++) {
  say({ next: seq });
  const value = table.get(keyOf(seq));
  const batch = value && readFrame(seq, value);
  if (!value) {
    missing.push(seq);
    continue;
  }
  for (const lost of missing) say({ lost });
  missing = [];
  say(batch ? { seq, bytes: batch.bytes.toString('base64') } : { lost: seq });
}
say({ end: seq });
