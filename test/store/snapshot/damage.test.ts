/** Damaged snapshots are refused, and change nothing. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { snapshotHeadBytes } from '../../../src/store/snapshot/format.ts';
import { restoreSnapshot } from '../../../src/store/snapshot/restore.ts';
import { verifySnapshot } from '../../../src/store/snapshot/verify.ts';
import { isLong } from '../../support/long.ts';
import { damagedSnapshots } from '../../support/store/damaged-snapshots.ts';
import { goldenFile, quiet } from '../../support/store/snapshot-stores.ts';
import { tempDir } from '../../support/temp-dirs.ts';

/** Bytes from one that is tried to the next: a prime, so that all bits and parts are. */
const step = isLong ? 1 : 199;

/** Verifying and restoring read a file by the same code; restoring also opens LMDB, which takes most of the time. */
const isRestoredToo = (at: number): boolean => at < snapshotHeadBytes || at % 7 === 0;

describe('a snapshot', () => {
  test('is refused wherever a byte of it is changed, and nothing is created', async () => {
    const golden = readFileSync(goldenFile);
    const dir = tempDir();
    const file = join(dir, 'damaged.knell');
    for (let at = 0; at < golden.length; at += step) {
      const bytes = Buffer.from(golden);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(file, bytes);
      const code = at < snapshotHeadBytes ? 'snapshot-foreign' : 'snapshot-damaged';
      expect(() => verifySnapshot(file, quiet), `byte ${at}`).toThrow(expect.objectContaining({ code }));
      if (!isRestoredToo(at)) continue;
      const attempt = restoreSnapshot(file, join(dir, 'data'), quiet);
      await expect(attempt, `byte ${at}`).rejects.toMatchObject({ code });
    }
    expect(readdirSync(dir)).toEqual(['damaged.knell']);
  });

  test('is refused for every other kind of damage, even where its checksum fits', async () => {
    const dir = tempDir();
    const file = join(dir, 'damaged.knell');
    for (const [what, bytes] of damagedSnapshots(readFileSync(goldenFile))) {
      writeFileSync(file, bytes);
      const code = expect.stringMatching(/^snapshot-(damaged|foreign)$/);
      const attempt = restoreSnapshot(file, join(dir, 'data'), quiet);
      await expect(attempt, what).rejects.toMatchObject({ code });
      expect(() => verifySnapshot(file, quiet), what).toThrow(expect.objectContaining({ code }));
    }
    expect(readdirSync(dir)).toEqual(['damaged.knell']);
  });

  test('is refused wherever it is cut, and with anything behind its end', async () => {
    const golden = readFileSync(goldenFile);
    const dir = tempDir();
    const file = join(dir, 'cut.knell');
    const versions = Array.from({ length: Math.ceil(golden.length / step) }, (_, at) =>
      golden.subarray(0, at * step),
    );
    const code = expect.stringMatching(/^snapshot-(damaged|foreign)$/);
    for (const bytes of [
      ...versions,
      Buffer.concat([golden, Buffer.of(0)]),
      Buffer.concat([golden, golden]),
    ]) {
      writeFileSync(file, bytes);
      const what = `${bytes.length} bytes`;
      expect(() => verifySnapshot(file, quiet), what).toThrow(expect.objectContaining({ code }));
      if (!isRestoredToo(bytes.length) && bytes.length < golden.length) continue;
      await expect(restoreSnapshot(file, join(dir, 'data'), quiet), what).rejects.toMatchObject({ code });
    }
    expect(readdirSync(dir)).toEqual(['cut.knell']);
  });
});
