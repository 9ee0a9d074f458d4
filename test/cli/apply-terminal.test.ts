/** `knell apply` at a terminal: a real one, from util-linux's `script`, where that is installed. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { builtFile } from '../support/process/built.ts';
import { tempDir } from '../support/temp-dirs.ts';

const hasTerminal = /util-linux/.test(String(spawnSync('script', ['--version']).stdout));
let server: Knell;

beforeAll(async () => {
  server = await Knell.start();
});

afterAll(() => server.stop());

/** What is on the screen in the end. `answer` is typed once the question is there. */
async function applyAtTerminal(file: string, answer: string, env: NodeJS.ProcessEnv = {}) {
  const quoted = [process.execPath, builtFile('main.js'), 'apply', '-f', file].map((word) => `'${word}'`);
  const child = spawn('script', ['-qec', quoted.join(' '), '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', KNELL_DATA_DIR: server.dataDir, KNELL_SMTP: 'off', ...env },
  });
  let screen = '';
  let isAnswered = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    if (isAnswered || !screen.includes('Type yes to confirm: ')) return;
    isAnswered = true;
    child.stdin.write(answer);
  });
  const [status] = await once(child, 'close');
  return { status, screen, isAnswered };
}

const names = (): readonly string[] => server.app.engine.read.projects().map(({ name }) => name);

function fileFor(project: string): string {
  const file = join(tempDir(), 'knell.yaml');
  writeFileSync(file, `projects: [{ name: ${project} }]`);
  return file;
}

test.runIf(hasTerminal)('the plan is shown in colour, and done once "yes" is typed', async () => {
  const { status, screen, isAnswered } = await applyAtTerminal(fileFor('agreed'), 'yes\r');
  expect(isAnswered).toBe(true);
  expect(screen).toContain('\x1b[32m+\x1b[0m project "agreed"');
  expect(screen).toContain('Done: 1 created, 0 changed, 0 deleted.');
  expect(status).toBe(0);
  expect(names()).toContain('agreed');
});

const refusals = [
  ['yes within something else', 'yes please\r'],
  ['an interrupt', '\x03'],
  ['no', 'no\r'],
  ['nothing', '\r'],
  ['the end of the input', '\x04'],
] as const;
test.runIf(hasTerminal).each(isLong ? refusals : refusals.slice(0, 2))(
  'nothing is changed by %s',
  async (_what, answer) => {
    const { status, screen, isAnswered } = await applyAtTerminal(fileFor('refused'), answer, {
      NO_COLOR: '1',
    });
    expect(isAnswered).toBe(true);
    expect(screen).toContain('  + project "refused"');
    expect(screen).toMatch(/knell: nothing was changed\r\n$/);
    expect(status).toBe(2);
    expect(names()).not.toContain('refused');
  },
);

test.skipIf(hasTerminal)('there is no `script` of util-linux here: the confirmation is not tested', () => {});
