/** The LMDB wrapper: what a damaged page may spoil, and what not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { highestKey, lowestKey, openEnv } from '../../../src/store/disk/lmdb-env.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const pageBytes = 4096;
/** Of a page's head: what kind it is, and where its list of nodes ends, counted from the end of the head. */
const flagsAt = 18;
const lowerAt = 20;
const headBytes = 24;
const isBranch = 1;

const keyOf = (number: number): Buffer => Buffer.from(String(number).padStart(6, '0'));
const rows = 3000;

/** Lets the last child of a branch page lie beyond the end of the file, as a bit in a page number can. */
function damageBranch(file: string): void {
  const bytes = readFileSync(file);
  for (let at = 2 * pageBytes; at < bytes.length; at += pageBytes) {
    if (bytes.readUInt16LE(at + flagsAt) !== isBranch) continue;
    const nodes = bytes.readUInt16LE(at + lowerAt) / 2;
    if (nodes < 10) continue;
    const node = at + headBytes + bytes.readUInt16LE(at + headBytes + 2 * (nodes - 1));
    bytes.writeUInt16LE(0x7fff, node + 4);
    writeFileSync(file, bytes);
    return;
  }
  throw new Error('there is no branch page');
}

test('values of any length are read as they were written, whatever was read before', async () => {
  const env = openEnv(join(tempDir(), 'data'), 'history');
  const table = env.table('rows');
  const sizes = [0, 1, 40, 1023, 1024, 1025, 5000, 200_000, 1, 40, 300_000, 1024];
  const valueAt = (number: number, size: number): Buffer => Buffer.alloc(size, number + 1);
  env.write(() => {
    for (const [number, size] of sizes.entries()) table.put(keyOf(number), valueAt(number, size));
  });
  for (let round = 0; round < 2; round++) {
    const read: Buffer[] = [];
    table.scan({ start: lowestKey, end: highestKey }, (_key, value) => read.push(Buffer.from(value)));
    expect(read.map((value, number) => value.equals(valueAt(number, sizes[number] ?? -1)))).toEqual(
      sizes.map(() => true),
    );
  }
  await env.close();
});

test('after a read that failed on a damaged page, reads of other pages succeed', async () => {
  const dataDir = join(tempDir(), 'data');
  const env = openEnv(dataDir, 'history');
  const table = env.table('rows');
  env.write(() => {
    for (let number = 0; number < rows; number++) table.put(keyOf(number), Buffer.alloc(100, number));
  });
  await env.close();
  damageBranch(join(dataDir, 'history', 'data.mdb'));

  const again = openEnv(dataDir, 'history');
  const damaged = again.table('rows');
  const lost = keyOf(rows - 1);
  for (let round = 0; round < 3; round++) {
    expect(() => damaged.get(lost)).toThrow();
    expect(damaged.get(keyOf(0))).toEqual(Buffer.alloc(100, 0));
    const seen: number[] = [];
    const scan = () =>
      damaged.scan({ start: lowestKey, end: highestKey }, (key) => seen.push(Number(key.toString())));
    expect(scan).toThrow();
    expect(seen.length).toBeGreaterThan(rows / 2);
    expect(damaged.get(keyOf(1))).toEqual(Buffer.alloc(100, 1));
  }
  await again.close();
});
