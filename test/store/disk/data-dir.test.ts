/** Who may open a data directory, and what it must look like. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDataDir } from '../../../src/store/disk/data-dir.ts';
import { dataFormat } from '../../../src/store/disk/formats.ts';
import { openStore } from '../../../src/store/open/open-store.ts';
import { builtUrl } from '../../support/process/built.ts';
import { storeOptions } from '../../support/store/stores.ts';
import { tempDir } from '../../support/temp-dirs.ts';

/** Opens the directory in another process, prints how that went, and holds it until its stdin ends. */
const otherProcess = `
  const [, url, dir] = process.argv;
  const { openDataDir } = await import(url);
  try { openDataDir(dir); console.log('locked'); process.stdin.resume(); }
  catch (error) { console.log(error.code, error.message); }
`;

function otherArgs(dir: string): readonly string[] {
  return ['--input-type=module', '-e', otherProcess, builtUrl('store/disk/data-dir.js').href, dir];
}

test('a second process fails with one line that says that the directory is in use', () => {
  const dir = join(tempDir(), 'data');
  const lock = openDataDir(dir);
  const answer = execFileSync(process.execPath, otherArgs(dir), { encoding: 'utf8', input: '' });
  expect(answer).toBe(`data-dir-locked another Knell is using the data directory ${dir}\n`);
  lock.release();
});

test('a second store in the same process is refused too', async () => {
  const dir = join(tempDir(), 'data');
  const store = await openStore(storeOptions(dir));
  await expect(openStore(storeOptions(dir))).rejects.toMatchObject({ code: 'data-dir-locked' });
  await store.close();
  await (await openStore(storeOptions(dir))).close();
});

test('the lock ends with the process that holds it, however that ends', async () => {
  const dir = join(tempDir(), 'data');
  const child = spawn(process.execPath, otherArgs(dir), { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  expect(String(line)).toBe('locked\n');
  expect(() => openDataDir(dir)).toThrow('another Knell');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  openDataDir(dir).release();
});

test('everything in a new data directory is for its owner alone', async () => {
  const dir = join(tempDir(), 'deep', 'data');
  await (await openStore(storeOptions(dir))).close();
  const modes = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(dir, name)).mode,
  );
  expect(modes.length).toBeGreaterThan(5);
  expect([statSync(dir).mode, ...modes].every((mode) => (mode & 0o077) === 0)).toBe(true);
});

test('a directory of a newer format is refused untouched', () => {
  const dir = tempDir();
  const newer = `knell data directory, format ${dataFormat + 1}\n`;
  writeFileSync(join(dir, 'format'), newer);
  expect(() => openDataDir(dir)).toThrow(expect.objectContaining({ code: 'data-dir-newer' }));
  expect(readdirSync(dir)).toEqual(['format']);
  expect(readFileSync(join(dir, 'format'), 'utf8')).toBe(newer);
});

test('a directory from before the first release is refused untouched, with what to do', () => {
  const dir = tempDir();
  writeFileSync(join(dir, 'format'), 'knell data format 8\n');
  expect(() => openDataDir(dir)).toThrow('write a snapshot with that version');
  expect(readFileSync(join(dir, 'format'), 'utf8')).toBe('knell data format 8\n');
});

test.each(['', 'nonsense', 'knell data directory, format 1'])(
  'a damaged format marker (%j) is refused',
  (text) => {
    const dir = tempDir();
    writeFileSync(join(dir, 'format'), text);
    expect(() => openDataDir(dir)).toThrow(expect.objectContaining({ code: 'data-dir-unreadable' }));
  },
);

test('data without a format marker is refused rather than taken for an empty directory', () => {
  const dir = tempDir();
  mkdirSync(join(dir, 'history'));
  expect(() => openDataDir(dir)).toThrow(expect.objectContaining({ code: 'data-dir-unreadable' }));
});

test('a path that is no directory is refused in one line', () => {
  const file = join(tempDir(), 'file');
  writeFileSync(file, '');
  expect(() => openDataDir(file)).toThrow(expect.objectContaining({ code: 'data-dir-unreadable' }));
});

test.skipIf(process.getuid?.() === 0)('a directory without the right to write is refused', () => {
  const dir = tempDir();
  chmodSync(dir, 0o500);
  expect(() => openDataDir(dir)).toThrow(expect.objectContaining({ code: 'data-dir-unreadable' }));
});
