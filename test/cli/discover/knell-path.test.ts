/** Which `knell` jobs are made to run, and what is said where none stays where it is. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knellPath, noKnellWords } from '../../../src/cli/discover/knell-path.ts';
import { MachineFiles } from '../../../src/cli/discover/machine-files.ts';
import { runProcess } from '../../support/process/commands.ts';
import { tempDir } from '../../support/temp-dirs.ts';

function withKnell(...names: readonly string[]): string {
  const folder = join(tempDir(), ...names);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'knell'), '#!/bin/sh\n');
  chmodSync(join(folder, 'knell'), 0o755);
  return folder;
}

test('folders that npm puts on the PATH for one run are passed over', () => {
  const files = new MachineFiles('/');
  const ofCache = withKnell('_npx', '8c3df37c', 'node_modules', '.bin');
  const ofProject = withKnell('node_modules', '.bin');
  const lasting = withKnell('bin');
  expect(knellPath(files, [ofCache, ofProject, lasting].join(':'))).toBe(join(lasting, 'knell'));
  expect(knellPath(files, [ofCache, ofProject].join(':'))).toBeNull();
});

test('a copy in the folder of a project is to be linked, one in the cache to be installed', () => {
  const main = join(withKnell('dist'), 'knell');
  const link = join(tempDir(), 'knell');
  symlinkSync(main, link);
  expect(noKnellWords(link)).toContain(`ln -s ${main} /usr/local/bin/knell`);
  const cached = join(withKnell('_npx', 'a', 'node_modules', 'knell', 'dist'), 'knell');
  expect(noKnellWords(cached)).toContain('npm install -g knell');
});

test('without one on the PATH the proposed lines have the usual path, and that is said', async () => {
  const crontab = join(tempDir(), 'crontab');
  writeFileSync(crontab, '0 3 * * * /opt/backup.sh\n');
  const bin = withKnell('_npx', 'a', 'node_modules', '.bin');
  const env = { KNELL_DATA_DIR: tempDir(), PATH: `${bin}:/usr/bin:/bin` };
  const { stderr } = await runProcess(['discover', crontab], { env });
  expect(stderr).toContain('/usr/local/bin/knell run');
  expect(stderr).toMatch(/jobs need a knell that stays where it is.*ln -s \/.*dist\/main\.js/);
  const given = await runProcess(['discover', crontab, '--knell', '/opt/none/knell'], { env });
  expect(given.stderr).toContain(
    'there is no program /opt/none/knell on this machine: the jobs could not ping',
  );
  expect(given.stderr).not.toContain('ln -s');
  expect(stderr).not.toContain('_npx');
});
