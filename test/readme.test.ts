/** Every command of the README, run as written there, against a Knell of the test. A command that is new there fails here. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Knell } from './support/knell.ts';
import { builtFile } from './support/process/built.ts';
import { tempDir } from './support/temp-dirs.ts';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

/** Lines of code that begin like a command; what a command prints does not. */
const commands = read('README.md')
  .split('\n')
  .filter((line) => /^ {4,}(npm|npx|curl|node|KNELL_|\d+ [\d*]+ )/.test(line))
  .map((line) => line.trim());

let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start();
});

afterAll(() => knell?.stop());

interface Ran {
  readonly status: number;
  readonly stderr: string;
}

/** By a shell, with a job of exit status `jobStatus`, and with the programs that the README names. */
function sh(command: string, jobStatus: number, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const dir = tempDir();
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const job = join(bin, 'backup');
  writeFileSync(job, `#!/bin/sh\necho "all was well, or not"\nexit ${jobStatus}\n`);
  chmodSync(job, 0o755);
  symlinkSync(builtFile('knell-run.mjs'), join(bin, 'knell-run.mjs'));
  symlinkSync(builtFile('main.js'), join(bin, 'knell'));
  const here = command.replaceAll('/usr/local/bin/backup', job).replace(/^npx /, '');
  const options = {
    cwd: dir,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, ...env },
  };
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', here], options, (error, _, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stderr });
    });
  });
}

interface Case {
  readonly is: RegExp;
  run(command: string): Promise<void>;
}

/** Runs a line of the README that pings; resolves to what came of it, oldest first. */
async function pinged(command: string, jobStatus = 0): Promise<readonly Record<string, unknown>[]> {
  const { uuid } = await knell.create({ name: 'Backup', slug: 'backup' });
  const line = command
    .replace(/^\d+ \d+ \* \* \* +/, '')
    .replaceAll('http://localhost:8000', knell.app.httpUrl)
    .replaceAll('UUID', uuid)
    .replaceAll(/\bPING_KEY\b(?!=)/g, knell.keys.ping);
  await sh(line, jobStatus);
  const pings = await knell.pings(uuid);
  await knell.api('DELETE', `/api/v3/checks/${uuid}`);
  return pings.reverse();
}

const types = (pings: readonly Record<string, unknown>[]) => pings.map(({ type }) => type);

const cases: readonly Case[] = [
  {
    // Continuous integration runs them on a clean checkout.
    is: /^npm ci && npm (start|test)$/,
    async run(command) {
      const [, script = ''] = /npm (\w+)$/.exec(command) ?? [];
      expect(read('.ci/run')).toContain("step 'npm ci' npm ci");
      expect(read('.ci/run')).toMatch(new RegExp(`npm ${script}\\b`));
    },
  },
  {
    is: /^curl .*\/ping\/UUID$/,
    run: async (command) => expect(types(await pinged(command))).toEqual(['success']),
  },
  {
    is: /^0 3 .*backup && curl/,
    async run(command) {
      expect(types(await pinged(command))).toEqual(['success']);
      expect(types(await pinged(command, 3))).toEqual([]);
    },
  },
  {
    is: /^0 3 .*curl .*\$\?$/,
    async run(command) {
      expect(types(await pinged(command))).toEqual(['success']);
      expect(types(await pinged(command, 3))).toEqual(['fail']);
    },
  },
  {
    is: /^0 3 .*knell-run\.mjs/,
    async run(command) {
      expect(types(await pinged(command))).toEqual(['start', 'success']);
      const [, failed] = await pinged(command, 3);
      expect(failed).toMatchObject({ type: 'fail', duration: expect.any(Number) });
      expect(failed?.body_url).not.toBeNull();
    },
  },
  {
    is: /^npx knell import healthchecks hc\.jsonl$/,
    async run(command) {
      const dump = fileURLToPath(new URL('cli/healthchecks/4.3/dump.jsonl.gz', import.meta.url));
      const dir = tempDir();
      const file = join(dir, 'hc.jsonl');
      writeFileSync(file, gunzipSync(readFileSync(dump)));
      const { status, stderr } = await sh(command.replace('hc.jsonl', file), 0, {
        KNELL_DATA_DIR: join(dir, 'data'),
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    },
  },
];

test('there are commands in it, and each is known here', () => {
  expect(commands.length).toBeGreaterThan(5);
  expect(commands.filter((command) => !cases.some(({ is }) => is.test(command)))).toEqual([]);
});

test.each(commands)('%s', async (command) => {
  await cases.find(({ is }) => is.test(command))?.run(command);
});
