/**
 * What the suite leaves in the temporary folder: nothing, also when tests fail, and a run that does fails itself. Held by runs of
 * vitest over files of one test each.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const vitest = fromRoot('node_modules/vitest/vitest.mjs');

interface Run {
  readonly status: number;
  readonly output: string;
  /** In the temporary folder of the run, which is that of another program too. */
  readonly left: readonly string[];
}

/** Each of `files` is the body of one test, which is skipped if it is called so; all of them are run in one worker. */
async function runOf(files: Readonly<Record<string, string>>): Promise<Run> {
  const root = mkdtempSync(join(tmpdir(), 'run-'));
  const temporary = join(root, 'tmp');
  mkdirSync(join(temporary, 'of-another-program'), { recursive: true });
  for (const [name, body] of Object.entries(files))
    writeFileSync(
      join(root, `${name}.test.ts`),
      `${imports}test${name === 'skipped' ? '.skip' : ''}('${name}', async () => {\n${body}\n});\n`,
    );
  const config = {
    ...{ root, pool: 'forks', isolate: false, maxWorkers: 1, globals: true },
    globalSetup: [fromRoot('test/support/run-folder.ts')],
    setupFiles: [fromRoot('test/support/file-folder.ts')],
  };
  writeFileSync(join(root, 'vitest.config.mjs'), `export default { test: ${JSON.stringify(config)} };\n`);
  const child = spawn(process.execPath, [vitest, 'run', '--root', root], {
    env: { PATH: process.env.PATH, TMPDIR: temporary, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [status]: number[] = await once(child, 'close');
  return { status: status ?? -1, output, left: readdirSync(temporary) };
}

const imports = `import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
const folder = () => mkdtempSync(join(tmpdir(), 'a-'));
`;

test('a file is cleaned up after, also when it fails and leaves a process that writes', async () => {
  const run = await runOf({
    passes: 'folder();',
    fails: "folder(); throw new Error('as it should');",
    leavesWriter: `
      const path = join(folder(), 'x');
      const child = spawn('sh', ['-c', 'echo $$; while :; do mkdir -p "$1"; date > "$1/y"; done', 'sh', path], { detached: true });
      child.unref();
      await new Promise((resolve) => child.stdout.once('data', resolve));
      child.stdout.destroy();`,
    later: 'folder();',
  });
  expect(run.output).toContain('as it should');
  expect(run.output).toMatch(/1 failed[^\n]* 3 passed/);
  expect(run.output).not.toContain('in the temporary folder');
  expect(run).toMatchObject({ status: 1, left: ['of-another-program'] });
});

test('a run that leaves something fails, and names it', async () => {
  const clean = await runOf({ passes: 'folder();', skipped: '' });
  expect(clean, clean.output).toMatchObject({ status: 0, left: ['of-another-program'] });
  const run = await runOf({ escapes: "writeFileSync(join(dirname(tmpdir()), 'forgotten'), '');" });
  expect(run.output).toMatch(/1 passed/);
  expect(run.output).toContain('tests left 1 in the temporary folder: forgotten');
  expect(run).toMatchObject({ status: 1, left: ['of-another-program'] });
});
