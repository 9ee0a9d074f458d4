/**
 * `knell ping` and `knell run` beside the server that they are for: found by the data directory alone, as `knell status` finds
 * it; and what they say of a ping key that is wrong or missing.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../../support/long.ts';
import { CommandRunner, type Env, type Run, runProcess } from '../../support/process/commands.ts';
import { KnellProcess } from '../../support/process/knell-process.ts';

let dataDir = '';
let knell: KnellProcess;
/** For what is not looked at here. */
let runner: CommandRunner;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'knell-ping-'));
  runner = CommandRunner.start();
  knell = await KnellProcess.start(dataDir);
});

afterAll(async () => {
  await runner.stop();
  await knell.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

const command = (words: readonly string[], env: Env = {}): Promise<Run> =>
  runProcess(words, { env: { KNELL_DATA_DIR: dataDir, ...env } });
const ping = (words: string, env?: Env): Promise<Run> => command(['ping', ...words.split(' ')], env);
const withKey = (): Env => ({ KNELL_PING_KEY: knell.pingKey });

interface Check {
  readonly uuid: string;
  readonly n_pings: number;
}

async function checkOf(name: string): Promise<Check> {
  const { stdout } = await runner.run(['check', 'show', name, '--json'], { KNELL_DATA_DIR: dataDir });
  const { uuid, n_pings }: Check = JSON.parse(stdout);
  return { uuid, n_pings };
}

beforeAll(async () => {
  // The one check of these tests.
  expect(await ping('backup log --create', withKey())).toEqual({ status: 0, stdout: '', stderr: '' });
});

describe('the server of the data directory is found', () => {
  test('on whatever port it listens: with a key, by a UUID, and by a name', async () => {
    const { uuid, n_pings } = await checkOf('backup');
    for (const [words, env] of [
      ['backup', withKey()],
      [uuid, {}],
      ['backup', {}],
      ['--check backup', {}],
      ['fail --check backup', {}],
    ] as const)
      expect(await ping(words, env)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(
      await command(['run', '--check', 'backup', '--', 'sh', '-c', 'echo out; exit 3'], withKey()),
    ).toEqual({
      status: 3,
      stdout: 'out\n',
      stderr: '',
    });
    expect((await checkOf('backup')).n_pings).toBe(n_pings + 7);
  });

  test('and the one that KNELL_SERVER names, from a machine without its data', async () => {
    const { n_pings } = await checkOf('backup');
    const elsewhere = { KNELL_DATA_DIR: join(dataDir, 'none'), KNELL_SERVER: knell.httpUrl };
    expect(await ping('backup', { ...elsewhere, ...withKey() })).toMatchObject({ status: 0, stderr: '' });
    const byName = { ...elsewhere, KNELL_API_KEY: knell.readWriteKey };
    expect(await ping('backup', byName)).toMatchObject({ status: 0, stderr: '' });
    expect((await checkOf('backup')).n_pings).toBe(n_pings + 2);
  });

  test('unless the environment says where it is', async () => {
    const { status, stderr } = await ping('backup --retries 0', {
      ...withKey(),
      KNELL_BASE_URL: 'http://127.0.0.1:1',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('127.0.0.1:1 refuses the connection')]);
  });
});

describe('what is wrong with a key is said in words', () => {
  const line = (words: string) => expect.stringMatching(new RegExp(`^knell: [^\n]*${words}[^\n]*\n$`));

  test.each(isLong ? ['unknown', 'no-such-key', 'a<b'] : ['a<b'])('a wrong one: %s', async (key) => {
    const wrong = { KNELL_PING_KEY: key };
    const said = line('the ping key is wrong: no project .* set KNELL_PING_KEY, or use --key');
    expect(await ping('backup', wrong)).toEqual({ status: 1, stdout: '', stderr: said });
    expect(await ping('backup --create', wrong)).toEqual({ status: 1, stdout: '', stderr: said });
    const elsewhere = { KNELL_PING_URL: knell.httpUrl, ...wrong };
    expect(await ping('backup', elsewhere)).toEqual({ status: 1, stdout: '', stderr: said });
    const job = await command(['run', '--check', 'backup', '--', 'sh', '-c', 'exit 4'], wrong);
    expect(job).toEqual({ status: 4, stdout: '', stderr: said });
  });

  test('a right one, of a project that has no such check', async () => {
    const said = line('no check of this slug on .*; --create creates one');
    expect(await ping('other', withKey())).toEqual({ status: 1, stdout: '', stderr: said });
  });

  test('no key is needed for a UUID, which may be wrong too', async () => {
    const said = line('no check on .* has this UUID');
    const uuid = '0c8983c9-9d73-446f-adb5-0641fdacc9d4';
    expect(await ping(uuid)).toEqual({ status: 1, stdout: '', stderr: said });
  });

  test('a missing one, where one is needed', async () => {
    const missing = 'ping key of its project: set KNELL_PING_KEY or use --key';
    expect(await ping(`other --url ${knell.httpUrl}`)).toEqual({
      status: 2,
      stdout: '',
      stderr: line(missing),
    });
    expect(await ping('other --create')).toEqual({ status: 2, stdout: '', stderr: line(missing) });
  });
});
