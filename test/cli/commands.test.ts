/**
 * The commands as a user types them: the built program, exit statuses, both streams. Most run one after the other in one
 * process (`CommandRunner`), and those that need a server share one; whatever depends on a process of its own has one.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { patienceMs } from '../support/patience.ts';
import { builtFile } from '../support/process/built.ts';
import { CommandRunner, type Env, type Run, runProcess } from '../support/process/commands.ts';
import { tempDir } from '../support/temp-dirs.ts';

const main = builtFile('main.js');
let runner: CommandRunner;
let dataDir = '';
const servers: ChildProcess[] = [];

beforeAll(() => {
  runner = CommandRunner.start();
});

afterAll(() => runner.stop());

beforeEach(() => {
  dataDir = join(tempDir(), 'data');
});

afterEach(async () => {
  for (const server of servers.splice(0)) await end(server, 'SIGKILL');
});

const envOf = (more: Env = {}): Record<string, string> => ({
  KNELL_DATA_DIR: dataDir,
  KNELL_HTTP: '127.0.0.1:0',
  KNELL_SMTP: 'off',
  KNELL_SNAPSHOTS: 'off',
  ...more,
});

const knell = (args: readonly string[], env: Env = {}): Promise<Run> => runner.run(args, envOf(env));

const knellProcess = (args: readonly string[], env: Env = {}, input = ''): Promise<Run> =>
  runProcess(args, { env: envOf(env), input });

interface Server {
  readonly process: ChildProcess;
  readonly url: string;
  readonly said: string;
}

/** Resolves when it is ready. The caller ends it. */
async function startServer(env: Env): Promise<Server> {
  const server = spawn(process.execPath, [main, 'serve'], {
    env: { PATH: process.env.PATH, ...envOf(env) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`knell serve ended with ${code} before it was ready`)));
    server.stdout.on('data', (chunk) => {
      said += chunk;
      if (said.includes('knell: ready')) resolve();
    });
  });
  return { process: server, said, url: /http=(\S+)/.exec(said)?.[1] ?? '' };
}

/** Ended with the test. */
async function serve(env: Env = {}): Promise<Server> {
  const server = await startServer(env);
  servers.push(server.process);
  return server;
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (server.exitCode !== null || server.signalCode !== null) return server.exitCode;
  const exited = once(server, 'exit');
  server.kill(signal);
  const [code]: (number | null)[] = await exited;
  return code ?? null;
}

const oneLine = /^knell: [^\n]+\n$/;

describe('knell serve', () => {
  test('prints the first keys once, with a line to paste, and then that it is ready', async () => {
    const first = await serve();
    expect(first.said).toMatch(
      /read-write {2}hcw_\w{28}\n[\s\S]*read-only {3}hcr_\w{28}\n[\s\S]*ping key {4}\w{22}\n/,
    );
    const { port } = new URL(first.url);
    const curl = new RegExp(`curl -fsS 'http://localhost:${port}/ping/\\w{22}/my-first-job\\?create=1'`);
    expect(first.said).toMatch(curl);
    expect(first.said).toContain(`http://localhost:${port}/set-password#`);
    expect((await knell(['password', 'reset'])).stdout).toContain(`http://localhost:${port}/set-password#`);
    expect(first.said).toMatch(/knell: ready http=http:\/\/127\.0\.0\.1:\d+ smtp=off\n$/);
    expect(await end(first.process, 'SIGTERM')).toBe(0);
    const second = await serve();
    expect(second.said).toMatch(/^knell: ready [^\n]+\n$/);
    expect(await end(second.process, 'SIGINT')).toBe(0);
  });

  test('creates no project with KNELL_BOOTSTRAP=off, and goes on with what Kubernetes injects', async () => {
    const injected = { KNELL_PORT: 'tcp://10.0.0.1:8000', KNELL_SERVICE_HOST: '10.0.0.1' };
    const server = await serve({ KNELL_BOOTSTRAP: 'off', ...injected });
    expect(server.said).toMatch(/^knell: ready/);
    expect((await knell(['project', 'list', '--json'])).stdout).toBe('[]\n');
  });

  test.each([
    ['an unknown variable', { KNELL_TYPO: 'x' }, 2, 'KNELL_TYPO'],
    ['a malformed listener', { KNELL_HTTP: 'nowhere' }, 2, 'KNELL_HTTP'],
    ['a malformed size', { KNELL_BODY_BUDGET: 'plenty' }, 2, 'KNELL_BODY_BUDGET'],
    ['a malformed network', { KNELL_TRUST_PROXY: '10.0.0.0/99' }, 2, 'KNELL_TRUST_PROXY'],
    ['a malformed plan of snapshots', { KNELL_SNAPSHOTS: 'daily' }, 2, 'KNELL_SNAPSHOTS'],
    ['a malformed switch', { KNELL_OUTAGE_CREDIT: 'maybe' }, 2, 'KNELL_OUTAGE_CREDIT'],
    ['a secret file that is not there', { KNELL_MAIL_URL_FILE: '/nothing' }, 2, 'KNELL_MAIL_URL_FILE'],
  ] as const)(
    'refuses %s in one line that names it, and touches nothing',
    async (_what, env, status, name) => {
      const run = await knell(['serve'], env);
      expect(run.status).toBe(status);
      expect(run.stderr).toMatch(oneLine);
      expect(run.stderr).toContain(name);
      expect(existsSync(dataDir)).toBe(false);
    },
  );

  test('names the flag when the flag was wrong', async () => {
    const run = await knellProcess(['serve', '--http', 'nowhere']);
    expect([run.status, run.stderr]).toEqual([
      2,
      expect.stringMatching(/^knell: --http: "nowhere" [^\n]+\n$/),
    ]);
    expect((await knell(['serve', '--nonsense'])).status).toBe(2);
  });

  test('refuses a data directory of a newer format, and touches nothing', async () => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'format'), 'knell data directory, format 99\n');
    const before = readdirSync(dataDir);
    const run = await knellProcess(['serve']);
    expect([run.status, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(oneLine);
    expect(readdirSync(dataDir).filter((name) => name !== 'lock')).toEqual(before);
    expect(readFileSync(join(dataDir, 'format'), 'utf8')).toBe('knell data directory, format 99\n');
  });

  test('refuses a port that is in use, and touches nothing', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const run = await knellProcess(['serve'], { KNELL_HTTP: `127.0.0.1:${port}` });
    taken.close();
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(oneLine);
    expect(run.stderr).toContain(String(port));
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe.each([
  ['with a server running', true],
  ['with none running', false],
])('the commands %s', (_when, running) => {
  let sharedDir = '';
  let server: Server | null = null;
  let log = '';

  beforeAll(async () => {
    sharedDir = join(mkdtempSync(join(tmpdir(), 'knell-test-')), 'data');
    dataDir = sharedDir;
    if (running) {
      server = await startServer({ KNELL_LOG_LEVEL: 'debug' });
      server.process.stderr?.on('data', (chunk) => {
        log += chunk;
      });
    }
    expect((await knell(['project', 'create', 'x'])).status).toBe(0);
  });

  afterAll(async () => {
    if (server) await end(server.process, 'SIGKILL');
    rmSync(join(sharedDir, '..'), { recursive: true, force: true });
  });

  beforeEach(() => {
    dataDir = sharedDir;
  });

  const projectNames = async (): Promise<readonly string[]> =>
    JSON.parse((await knell(['project', 'list', '--json'])).stdout).map(({ name }: { name: string }) => name);

  test('make and list projects and keys, in the exact form that programs read', async () => {
    const made = JSON.parse((await knell(['project', 'create', 'ops', '--plan', 'free', '--json'])).stdout);
    expect(made).toEqual({
      project: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'ops', plan: 'free' },
      keys: {
        read_write: expect.stringMatching(/^hcw_\w{28}$/),
        read_only: expect.stringMatching(/^hcr_\w{28}$/),
        ping: expect.stringMatching(/^\w{22}$/),
      },
    });
    const keyArgs = ['key', 'create', made.project.id, '--scope', 'read-only', '--json'];
    const key = JSON.parse((await knell(keyArgs)).stdout);
    expect(key).toEqual({
      id: expect.any(String),
      scope: 'read-only',
      key: expect.stringMatching(/^hcr_\w{28}$/),
    });
    expect(JSON.parse((await knell(['key', 'list', 'ops', '--json'])).stdout)).toHaveLength(4);
    expect((await knell(['key', 'revoke', key.id])).status).toBe(0);
    expect(JSON.parse((await knell(['key', 'list', 'ops', '--json'])).stdout)).toHaveLength(3);
    expect((await knell(['key', 'list', 'ops'])).stdout).not.toContain('hcw_');
    expect((await knell(['project', 'list'])).stdout).toContain('ops');
  });

  test('run in a process of their own as well, which ends when they have', async () => {
    const made = await knellProcess(['project', 'create', 'own process', '--json']);
    expect([made.status, made.stderr]).toEqual([0, '']);
    expect(JSON.parse((await knellProcess(['project', 'list', '--json'])).stdout)).toContainEqual(
      expect.objectContaining({ name: 'own process' }),
    );
  });

  test('make and list integrations, and check their values', async () => {
    const { project } = JSON.parse((await knell(['project', 'create', 'notified', '--json'])).stdout);
    const args = ['channel', 'create', project.id, '--kind', 'email', '--name', 'on call'];
    const made = JSON.parse((await knell([...args, '--value', 'ops@example.org', '--json'])).stdout);
    expect(made).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'on call', kind: 'email' });
    const listed = (await knell(['channel', 'list', project.id, '--json'])).stdout;
    expect(JSON.parse(listed)).toMatchObject([made]);
    const refused = await knell([...args, '--value', 'no address']);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(oneLine)]);
    const hook = [
      'channel',
      'create',
      project.id,
      '--kind',
      'webhook',
      '--name',
      'hook',
      '--json',
      '--value',
    ];
    const blocked = await knell([...hook, '{"url_down":"http://127.0.0.1:9/"}']);
    expect(blocked.status).toBe(0);
    expect(Object.keys(JSON.parse(blocked.stdout))).toEqual(['id', 'name', 'kind']);
    expect(blocked.stderr).toMatch(oneLine);
    expect(blocked.stderr).toContain('KNELL_WEBHOOK_ALLOW=127.0.0.1');
  });

  test.each([
    [['project', 'create', 'x'], 1],
    [['key', 'list', 'nobody'], 1],
    [['key', 'revoke', 'nothing'], 1],
    [['key', 'create', 'x', '--scope', 'all'], 2],
    [['channel', 'create', 'x', '--kind', 'pigeon', '--name', 'n', '--value', 'v'], 2],
  ])('refuse %j with status %i, in one line', async (args, status) => {
    const run = await knell(args);
    expect([run.status, run.stdout]).toEqual([status, '']);
    expect(run.stderr).toMatch(oneLine);
  });

  test('snapshot to a file that restores into an empty directory, and into no other', async () => {
    const { project } = JSON.parse((await knell(['project', 'create', 'kept', '--json'])).stdout);
    const file = join(tempDir(), 'all.knell');
    const written = await knell(['snapshot', file]);
    expect([written.status, written.stderr]).toEqual([0, '']);
    expect((await knell(['restore', file])).status).toBe(1);
    const restored = await knell(['restore', file], { KNELL_DATA_DIR: `${dataDir}-2` });
    expect([restored.status, restored.stderr]).toEqual([0, '']);
    const projects = JSON.parse(
      (await knell(['project', 'list', '--json'], { KNELL_DATA_DIR: `${dataDir}-2` })).stdout,
    );
    expect(projects).toContainEqual(expect.objectContaining({ id: project.id }));
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    const refused = await knell(['restore', file], { KNELL_DATA_DIR: `${dataDir}-3` });
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    expect(existsSync(`${dataDir}-3`)).toBe(false);
  });

  test('of a project: rename and delete it, asking once more; the only one stays', async () => {
    const { project } = JSON.parse((await knell(['project', 'create', 'shift', '--json'])).stdout);
    await knell(['project', 'create', 'the last']);
    const renamed = await knell(['project', 'rename', 'shift', 'night shift', '--json']);
    expect([renamed.status, JSON.parse(renamed.stdout)]).toEqual([0, { ...project, name: 'night shift' }]);
    expect((await knell(['project', 'rename', project.id, 'shift'])).stdout).toContain('shift');
    expect((await knell(['project', 'rename', 'shift', 'the last'])).status).toBe(1);
    expect((await knell(['project', 'rename', 'shift', ' '])).status).toBe(2);
    const asked = await knell(['project', 'delete', 'shift']);
    expect([asked.status, asked.stdout]).toEqual([2, '']);
    expect(asked.stderr).toMatch(oneLine);
    expect(asked.stderr).toContain('--yes');
    const deleted = await knell(['project', 'delete', 'shift', '--yes', '--json']);
    const answer = { id: project.id, name: 'shift', deleted: true, checks: 0 };
    expect([deleted.status, JSON.parse(deleted.stdout)]).toEqual([0, answer]);
    const again = await knell(['project', 'delete', 'shift', '--yes']);
    expect([again.status, again.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    for (const name of await projectNames()) {
      if (name !== 'the last')
        expect((await knell(['project', 'delete', name, '--yes'])).stdout).toContain(`deleted ${name}`);
    }
    const only = await knell(['project', 'delete', 'the last', '--yes']);
    expect([only.status, only.stderr]).toEqual([1, expect.stringContaining('make another one first')]);
    expect(await projectNames()).toEqual(['the last']);
  });

  if (running) {
    test('leave the data directory to its owner and to one server', async () => {
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
      expect(statSync(join(dataDir, 'knell.sock')).mode & 0o777).toBe(0o600);
      const run = await knellProcess(['serve']);
      expect([run.status, run.stdout]).toEqual([1, '']);
      expect(run.stderr).toMatch(oneLine);
      expect(run.stderr).toContain(dataDir);
    });

    test('leave no key and no ping address in the log of the server, which names check and integration when a notification fails', async () => {
      const { keys, project } = JSON.parse((await knell(['project', 'create', 'secret', '--json'])).stdout);
      const { read_write: apiKey, ping: pingKey } = keys;
      const value = '{"method_down":"POST","url_down":"http://127.0.0.1:9/token"}';
      await knell(['channel', 'create', project.id, '--kind', 'webhook', '--name', 'bell', '--value', value]);
      const url = server?.url;
      await fetch(`${url}/ping/${pingKey}/nightly?create=1`);
      await fetch(`${url}/ping/${pingKey}/nightly/fail`);
      const listed = await fetch(`${url}/api/v3/checks/`, { headers: { 'X-Api-Key': apiKey } });
      const [, uuid = 'none'] = /"uuid":"([^"]+)"/.exec(await listed.text()) ?? [];
      await expect.poll(() => log).toContain('notification failed, not retrying');
      for (const secret of [apiKey, pingKey, uuid, 'token']) expect(log).not.toContain(secret);
      for (const name of ['"checkName":"nightly"', '"channelName":"bell"']) expect(log).toContain(name);
    });
  }
});

test.each([['project', 'list'], ['key', 'list', 'default'], ['snapshot', 'x.knell'], ['snapshot']])(
  'knell %s on a data directory that is not there says so, and makes none',
  async (...args) => {
    const run = await knell(args);
    expect([run.status, run.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    expect(existsSync(dataDir)).toBe(false);
  },
);

test.each([['project', 'list'], ['snapshot']])(
  'knell %s on a directory of somebody else says that there is no Knell data, and leaves it alone',
  async (...args) => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'notes.txt'), 'not of Knell');
    const run = await knell(args);
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining('no Knell data in')]);
    expect(readdirSync(dataDir)).toEqual(['notes.txt']);
  },
);

test('knell project list on a file says that it is no directory', async () => {
  writeFileSync(dataDir, '');
  const run = await knell(['project', 'list']);
  expect([run.status, run.stderr]).toEqual([
    1,
    expect.stringMatching(/^knell: the data directory [^\n]+\n$/),
  ]);
});

describe('help', () => {
  test.each([
    [[]],
    [['serve']],
    [['project', 'create']],
    [['project', 'list']],
    [['project', 'rename']],
    [['project', 'delete']],
    [['key', 'create']],
    [['key', 'list']],
    [['key', 'revoke']],
    [['channel', 'create']],
    [['channel', 'list']],
    [['schedule']],
    [['snapshot']],
    [['snapshot', 'list']],
    [['snapshot', 'verify']],
    [['restore']],
  ])('of knell %j says what it is for', async (args) => {
    const run = await knell([...args, '--help']);
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/^Usage: knell/);
    expect(run.stdout).not.toMatch(/default *\)/);
  });

  test('names a command that does not exist', async () => {
    const run = await knell(['srve']);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('srve');
  });
});

test.skipIf(process.platform !== 'linux').each([['serve'], ['restore', 'snapshots/format-1.knell']])(
  'knell %s where no directory can be made says so, rather than try without end',
  async (...args) => {
    const { status, stderr } = await knellProcess(args, { KNELL_DATA_DIR: '/proc/knell/data' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  },
);

test('a snapshot that cannot be written is a failure, in one line, not a wrong call', async () => {
  await knell(['project', 'create', 'kept']);
  const run = await knell(['snapshot', join(dataDir, 'not', 'there')]);
  expect([run.status, run.stdout, run.stderr]).toEqual([1, '', expect.stringMatching(oneLine)]);
});

test('a name with a line break stays in its row of a table', async () => {
  const name = 'two\nlines \u001b[31m';
  const { project } = JSON.parse((await knell(['project', 'create', name, '--json'])).stdout);
  expect(project.name).toBe(name);
  const [, row, ...more] = (await knell(['project', 'list'])).stdout.trimEnd().split('\n');
  expect([row, more]).toEqual([expect.stringContaining('two\\nlines \\u001b[31m  paid'), []]);
});

test('a command whose reader has left ends without a word', () => {
  const endless = `yes '{"expr":"* * * * *"}' | "$0" "$1" schedule - | head -n 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', endless, process.execPath, main], {
    env: { PATH: process.env.PATH, ...envOf() },
    encoding: 'utf8',
    timeout: patienceMs,
  });
  expect(stdout).toMatch(/^\{"next":\[\d+\]\}\n$/);
  expect(stderr.replace(/^yes: .*\n/gm, '')).toBe('');
});

test.each(isLong ? [['check', 'create'], ['channel'], ['run'], ['ping']] : [['run']])(
  'the help of $0 is cut short without a word',
  (...command) => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', '"$0" "$@" --help | true', process.execPath, main, ...command],
      { env: { PATH: process.env.PATH, ...envOf() }, encoding: 'utf8', timeout: patienceMs },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);

test('knell serve outlives the reader of its first lines', async () => {
  const server = spawn(process.execPath, [main, 'serve'], {
    env: { PATH: process.env.PATH, ...envOf() },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  servers.push(server);
  server.stdout.destroy();
  await expect.poll(async () => (await knell(['project', 'list'])).stdout).toContain('default');
  expect(await end(server, 'SIGTERM')).toBe(0);
});

test('knell schedule answers line by line, and says what is wrong with a line', async () => {
  const lines = ['{"expr":"0 0 * * *","tz":"UTC","from":0,"n":2}', '{"expr":"nonsense"}', 'no json'];
  const run = await knellProcess(['schedule', '-'], {}, `${lines.join('\n')}\n`);
  const [first, second, third] = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(first).toEqual({ next: [86_400_000, 172_800_000] });
  expect([second.error, third.error]).toEqual([expect.any(String), expect.any(String)]);
  expect(run.status).toBe(0);
});
