/** The thread for commits to a slow disk: where its files are gone, since another version is being installed, nothing is lost. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openLmdbLog } from '../../../src/store/journal/lmdb-log.ts';
import { SlowCommitThread } from '../../../src/store/journal/slow-commits.ts';
import { builtUrl } from '../../support/process/built.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const missing = pathToFileURL(join(tempDir(), 'commit-worker.js'));

test.each([
  ['its file is missing', missing],
  ['it is there', builtUrl('store/journal/commit-worker.js')],
])('what is committed where %s is there after opening again', async (_, url) => {
  const dataDir = tempDir();
  const disk = { freeBytesMin: 0, freeBytes: () => 1e9, isSlow: () => true };
  const options = {
    ...{ dataDir, foldedSeq: 0, ...disk },
    slowCommits: new SlowCommitThread(url, { dataDir }),
  };
  const { log } = await openLmdbLog(options);
  for (const seq of [1, 2]) expect(await log.append({ seq, bytes: Buffer.of(seq) })).toBe('written');
  await log.close();
  const again = await openLmdbLog(options);
  expect(again.tail.map(({ seq, bytes }) => [seq, ...bytes])).toEqual([
    [1, 1],
    [2, 2],
  ]);
  await again.log.close();
});
