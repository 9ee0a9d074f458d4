/** Completion as each shell asks for it, where that shell is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { builtFile } from '../support/process/built.ts';
import { CommandRunner } from '../support/process/commands.ts';

let knell: Knell;
let runner: CommandRunner;
/** Has `knell` on it. */
let bin = '';

beforeAll(async () => {
  knell = await Knell.start();
  runner = CommandRunner.start();
  await knell.create({ name: 'Nightly backup', slug: 'nightly' });
  await knell.create({ name: "Night's work" });
  await knell.create({ name: 'other', slug: 'other' });
  const page = { project: 'default', slug: 'northwind', title: 'Northwind' };
  await knell.app.admin({ command: 'status-page create', args: page }, () => {});
  const window = { project: 'default', name: 'Move', duration: '2h' };
  await knell.app.admin({ command: 'maintenance create', args: window }, () => {});
  const user = { do: 'create-user', name: 'ada', role: 'viewer', projects: [] };
  await knell.app.admin({ command: 'config apply', args: { steps: [user] } }, () => {});
  bin = mkdtempSync(join(tmpdir(), 'knell-bin-'));
  writeFileSync(join(bin, 'knell'), `#!/bin/sh\nexec "${process.execPath}" "${builtFile('main.js')}" "$@"\n`);
  chmodSync(join(bin, 'knell'), 0o755);
});

afterAll(async () => {
  await runner.stop();
  await knell.stop();
  rmSync(bin, { recursive: true });
});

const complete = async (...words: string[]): Promise<readonly string[]> => {
  const { status, stdout, stderr } = await runner.run(['complete', '--', ...words], {
    KNELL_DATA_DIR: knell.dataDir,
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((word) => word !== '');
};

describe('what may come next', () => {
  test.each([
    [['sta'], ['status', 'status-page']],
    [['check', 'pa'], ['pause']],
    [['check', 'show', 'n'], ['nightly']],
    [['check', 'show', 'N'], ["Night's work"]],
    [['check', 'pause', 'other', 'nig'], ['nightly']],
    [['check', 'move', 'other', ''], ['default']],
    [['check', 'move', 'ni'], ['nightly']],
    [['status-page', 'show', ''], ['northwind']],
    [['maintenance', 'end', ''], ['Move']],
    [['user', 'role', 'a'], ['ada']],
    [
      ['user', 'role', 'ada', ''],
      ['default', 'editor', 'none', 'owner', 'viewer'],
    ],
    [['report', 'w'], ['weekly']],
    [['report', '--project', 'd'], ['default']],
    [
      ['channel', 'edit', 'x', '--disabled', ''],
      ['off', 'on'],
    ],
    [['check', 'list', '--project', 'd'], ['default']],
    [
      ['check', 'list', '--status', ''],
      ['down', 'late', 'new', 'paused', 'up'],
    ],
    [['check', 'list', '--ta'], ['--tag']],
    [['log', '-n', '5', 'o'], ['other']],
    [['log', 'other', '--r'], ['--runs']],
    [
      ['check', 'edit', 'x', '--overlap', ''],
      ['allow', 'fail', 'warn'],
    ],
    [['run', '--ho'], ['--host']],
    [['run', '--check', 'o'], ['other']],
    [['run', '--no-st'], ['--no-start']],
    [['run', '--check', 'other', '--', ''], []],
    [['ping', 'o'], ['other']],
    [['ping', 'other', 'st'], ['start']],
    [['ping', 'other', 'al'], ['alive']],
    [['channel', 'kinds', 'nt'], ['ntfy']],
    [['channel', 'create', 'default', '--kind', 'nt'], ['ntfy']],
    [
      ['completion', ''],
      ['bash', 'fish', 'zsh'],
    ],
    [['comp'], ['completion']],
    [['nosuch', ''], []],
  ])('%j: %j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });

  test('is nothing, without a word, where no server runs or a setting is wrong', async () => {
    for (const env of [{ KNELL_DATA_DIR: join(bin, 'none') }, { KNELL_TYPO: '1' }])
      expect(await runner.run(['complete', '--', 'check', 'show', ''], env)).toEqual({
        status: 0,
        stdout: '',
        stderr: '',
      });
  });
});

/** What a shell prints for `script`, with the completion of its own loaded. */
async function shell(name: string, args: readonly string[], script: string): Promise<readonly string[]> {
  const child = spawn(name, [...args, script], {
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: bin, KNELL_DATA_DIR: knell.dataDir, TERM: 'dumb' },
  });
  let printed = '';
  child.stdout.on('data', (part) => {
    printed += part;
  });
  await once(child, 'close');
  return printed.split('\n').filter((word) => word !== '');
}

const isThere = (name: string): boolean => spawnSync(name, ['-c', 'true']).status === 0;

describe('in a shell', () => {
  test.runIf(isThere('bash'))('bash', async () => {
    const ask = (words: string) =>
      `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _knell; printf '%s\\n' "\${COMPREPLY[@]}"; echo --`;
    const asked = ['knell check show nig', 'knell check show N', 'knell check ""'].map(ask).join('\n');
    const printed = await shell('bash', ['--norc', '-c'], `eval "$(knell completion bash)"\n${asked}`);
    const [nig, name, actions] = printed.join('\n').split('\n--');
    expect([nig, name?.trim()]).toEqual(['nightly', "Night\\'s\\ work"]);
    expect(actions?.split('\n')).toContain('resume');
  });

  test.runIf(isThere('zsh'))('zsh', async () => {
    const ask = `compdef() { : }; _files() { print files }; compadd() { shift; print -l -- "$@" }
      eval "$(knell completion zsh)"; words=(knell check show nig); CURRENT=4; _knell
      words=(knell check show N); _knell; words=(knell check show zzz); _knell`;
    expect(await shell('zsh', ['-f', '-c'], ask)).toEqual(['nightly', "Night's work", 'files']);
  });

  test.runIf(isThere('fish'))('fish', async () => {
    const ask = `knell completion fish | source; complete -C 'knell check show nig'; complete -C 'knell check pa'`;
    expect(await shell('fish', ['--no-config', '-c'], ask)).toEqual(['nightly', 'pause']);
  });
});
