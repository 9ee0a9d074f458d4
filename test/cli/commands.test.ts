/** The commands as a user types them: the built program, real processes, exit statuses, both streams. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtFile } from '../support/built.ts';
import { tempDir } from '../support/temp-dirs.ts';

const main = builtFile('main.js');
let dataDir = '';
const servers: ChildProcess[] = [];

beforeEach(() => {
  dataDir = join(tempDir(), 'data');
});

afterEach(async () => {
  for (const server of servers.splice(0)) await end(server, 'SIGKILL');
});

const envOf = (more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  KNELL_DATA_DIR: dataDir,
  KNELL_HTTP: '127.0.0.1:0',
  KNELL_SMTP: 'off',
  KNELL_SNAPSHOTS: 'off',
  ...more,
});

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function knell(args: readonly string[], env: Record<string, string> = {}, input = ''): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    env: envOf(env),
    encoding: 'utf8',
    input,
  });
  return { status, stdout, stderr };
}

interface Server {
  readonly process: ChildProcess;
  readonly url: string;
  readonly said: string;
}

async function serve(env: Record<string, string> = {}): Promise<Server> {
  const server = spawn(process.execPath, [main, 'serve'], {
    env: envOf(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  servers.push(server);
  let said = '';
  server.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await expect.poll(() => said, { timeout: 10_000 }).toContain('knell: ready');
  return { process: server, said, url: /http=(\S+)/.exec(said)?.[1] ?? '' };
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (server.exitCode !== null || server.signalCode !== null) return server.exitCode;
  const exited = new Promise<number | null>((resolve) => server.once('exit', (code) => resolve(code)));
  server.kill(signal);
  return exited;
}

const oneLine = /^knell: [^\n]+\n$/;

describe('knell serve', () => {
  test('prints the first keys once, with a line to paste, and then that it is ready', async () => {
    const first = await serve();
    expect(first.said).toMatch(
      /read-write {2}hcw_\w{28}\n[\s\S]*read-only {3}hcr_\w{28}\n[\s\S]*ping key {4}\w{22}\n/,
    );
    expect(first.said).toMatch(/curl -fsS 'http:\/\/127\.0\.0\.1:\d+\/ping\/\w{22}\/my-first-job\?create=1'/);
    expect(first.said).toMatch(/knell: ready http=http:\/\/127\.0\.0\.1:\d+ smtp=off\n$/);
    expect(await end(first.process, 'SIGTERM')).toBe(0);
    const second = await serve();
    expect(second.said).toMatch(/^knell: ready [^\n]+\n$/);
    expect(await end(second.process, 'SIGINT')).toBe(0);
  });

  test('keeps everything for the owner alone', async () => {
    await serve();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'knell.sock')).mode & 0o777).toBe(0o600);
  });

  test('makes no project where it is told not to', async () => {
    const server = await serve({ KNELL_BOOTSTRAP: 'off' });
    expect(server.said).toMatch(/^knell: ready/);
    expect(knell(['project', 'list', '--json']).stdout).toBe('[]\n');
  });

  test.each([
    ['an unknown variable', { KNELL_TYPO: 'x' }, 2, 'KNELL_TYPO'],
    ['a malformed listener', { KNELL_HTTP: 'nowhere' }, 2, 'KNELL_HTTP'],
    ['a malformed size', { KNELL_BODY_BUDGET: 'plenty' }, 2, 'KNELL_BODY_BUDGET'],
    ['a malformed network', { KNELL_TRUST_PROXY: '10.0.0.0/99' }, 2, 'KNELL_TRUST_PROXY'],
    ['a malformed plan of snapshots', { KNELL_SNAPSHOTS: 'daily' }, 2, 'KNELL_SNAPSHOTS'],
    ['a malformed switch', { KNELL_OUTAGE_CREDIT: 'maybe' }, 2, 'KNELL_OUTAGE_CREDIT'],
  ])('refuses %s in one line that names it, and touches nothing', (_what, env, status, name) => {
    const run = knell(['serve'], env);
    expect(run.status).toBe(status);
    expect(run.stderr).toMatch(oneLine);
    expect(run.stderr).toContain(name);
    expect(existsSync(dataDir)).toBe(false);
  });

  test('names the flag when the flag was wrong', () => {
    const run = knell(['serve', '--http', 'nowhere']);
    expect([run.status, run.stderr]).toEqual([
      2,
      expect.stringMatching(/^knell: --http: "nowhere" [^\n]+\n$/),
    ]);
    expect(knell(['serve', '--nonsense']).status).toBe(2);
  });

  test('warns about what Kubernetes injects, and goes on', async () => {
    const server = await serve({ KNELL_PORT: 'tcp://10.0.0.1:8000', KNELL_SERVICE_HOST: '10.0.0.1' });
    expect(server.said).toContain('knell: ready');
  });

  test('refuses a data directory that another server has', async () => {
    await serve();
    const run = knell(['serve']);
    expect([run.status, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(oneLine);
    expect(run.stderr).toContain(dataDir);
  });

  test('refuses a data directory of a newer format, and touches nothing', () => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'format'), 'knell data format 99\n');
    const before = readdirSync(dataDir);
    const run = knell(['serve']);
    expect([run.status, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(oneLine);
    expect(readdirSync(dataDir).filter((name) => name !== 'lock')).toEqual(before);
    expect(readFileSync(join(dataDir, 'format'), 'utf8')).toBe('knell data format 99\n');
  });

  test('refuses a port that is in use, and touches nothing', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const run = knell(['serve'], { KNELL_HTTP: `127.0.0.1:${port}` });
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
  beforeEach(async () => {
    if (running) await serve();
  });

  test('make and list projects and keys, in the exact form that programs read', () => {
    const made = JSON.parse(knell(['project', 'create', 'ops', '--plan', 'free', '--json']).stdout);
    expect(made).toEqual({
      project: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'ops', plan: 'free' },
      keys: {
        read_write: expect.stringMatching(/^hcw_\w{28}$/),
        read_only: expect.stringMatching(/^hcr_\w{28}$/),
        ping: expect.stringMatching(/^\w{22}$/),
      },
    });
    const key = JSON.parse(
      knell(['key', 'create', made.project.id, '--scope', 'read-only', '--json']).stdout,
    );
    expect(key).toEqual({
      id: expect.any(String),
      scope: 'read-only',
      key: expect.stringMatching(/^hcr_\w{28}$/),
    });
    expect(JSON.parse(knell(['key', 'list', 'ops', '--json']).stdout)).toHaveLength(4);
    expect(knell(['key', 'revoke', key.id]).status).toBe(0);
    expect(JSON.parse(knell(['key', 'list', 'ops', '--json']).stdout)).toHaveLength(3);
    expect(knell(['key', 'list', 'ops']).stdout).not.toContain('hcw_');
    expect(knell(['project', 'list']).stdout).toContain('ops');
  });

  test('rename and delete projects, asking once more', () => {
    const { project } = JSON.parse(knell(['project', 'create', 'ops', '--json']).stdout);
    knell(['project', 'create', 'kept']);
    const renamed = knell(['project', 'rename', 'ops', 'night shift', '--json']);
    expect([renamed.status, JSON.parse(renamed.stdout)]).toEqual([0, { ...project, name: 'night shift' }]);
    expect(knell(['project', 'rename', project.id, 'ops']).stdout).toContain('ops');
    expect(knell(['project', 'rename', 'ops', 'kept']).status).toBe(1);
    expect(knell(['project', 'rename', 'ops', ' ']).status).toBe(2);
    const asked = knell(['project', 'delete', 'ops']);
    expect([asked.status, asked.stdout]).toEqual([2, '']);
    expect(asked.stderr).toMatch(oneLine);
    expect(asked.stderr).toContain('--yes');
    const deleted = knell(['project', 'delete', 'ops', '--yes', '--json']);
    const answer = { id: project.id, name: 'ops', deleted: true, checks: 0 };
    expect([deleted.status, JSON.parse(deleted.stdout)]).toEqual([0, answer]);
    const again = knell(['project', 'delete', 'ops', '--yes']);
    expect([again.status, again.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    if (running) expect(knell(['project', 'delete', 'default', '--yes']).stdout).toMatch(/^deleted default/);
    const only = knell(['project', 'delete', 'kept', '--yes']);
    expect([only.status, only.stderr]).toEqual([1, expect.stringContaining('make another one first')]);
    expect(JSON.parse(knell(['project', 'list', '--json']).stdout)).toMatchObject([{ name: 'kept' }]);
  });

  test('make and list integrations, and check their values', () => {
    knell(['project', 'create', 'ops']);
    const args = ['channel', 'create', 'ops', '--kind', 'email', '--name', 'on call'];
    const made = JSON.parse(knell([...args, '--value', 'ops@example.org', '--json']).stdout);
    expect(made).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'on call', kind: 'email' });
    expect(JSON.parse(knell(['channel', 'list', 'ops', '--json']).stdout)).toMatchObject([made]);
    const refused = knell([...args, '--value', 'no address']);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(oneLine)]);
  });

  test.each([
    [['project', 'create', 'twice'], ['project', 'create', 'twice'], 1],
    [['project', 'create', 'x'], ['key', 'list', 'nobody'], 1],
    [['project', 'create', 'x'], ['key', 'revoke', 'nothing'], 1],
    [['project', 'create', 'x'], ['key', 'create', 'x', '--scope', 'all'], 2],
    [
      ['project', 'create', 'x'],
      ['channel', 'create', 'x', '--kind', 'pigeon', '--name', 'n', '--value', 'v'],
      2,
    ],
  ])('after %j refuse %j with status %i, in one line', (first, args, status) => {
    expect(knell(first).status).toBe(0);
    const run = knell(args);
    expect([run.status, run.stdout]).toEqual([status, '']);
    expect(run.stderr).toMatch(oneLine);
  });

  test('snapshot to a file that restores into an empty directory, and into no other', async () => {
    const { project } = JSON.parse(knell(['project', 'create', 'kept', '--json']).stdout);
    const file = join(tempDir(), 'all.knell');
    const written = knell(['snapshot', file]);
    expect([written.status, written.stderr]).toEqual([0, '']);
    expect(knell(['restore', file]).status).toBe(1);
    const restored = knell(['restore', file], { KNELL_DATA_DIR: `${dataDir}-2` });
    expect([restored.status, restored.stderr]).toEqual([0, '']);
    const projects = JSON.parse(
      knell(['project', 'list', '--json'], { KNELL_DATA_DIR: `${dataDir}-2` }).stdout,
    );
    expect(projects).toContainEqual(expect.objectContaining({ id: project.id }));
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    const refused = knell(['restore', file], { KNELL_DATA_DIR: `${dataDir}-3` });
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    expect(existsSync(`${dataDir}-3`)).toBe(false);
  });
});

test.each([['project', 'list'], ['key', 'list', 'default'], ['snapshot', 'x.knell'], ['snapshot']])(
  'knell %s on a data directory that is not there says so, and makes none',
  (...args) => {
    const run = knell(args);
    expect([run.status, run.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    expect(existsSync(dataDir)).toBe(false);
  },
);

test.each([['project', 'list'], ['snapshot']])(
  'knell %s on a directory of somebody else says that nothing is kept there, and leaves it alone',
  (...args) => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'notes.txt'), 'not of Knell');
    const run = knell(args);
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining('nothing is kept')]);
    expect(readdirSync(dataDir)).toEqual(['notes.txt']);
  },
);

test('knell project list on a file says that it is no directory', () => {
  writeFileSync(dataDir, '');
  const run = knell(['project', 'list']);
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
  ])('of knell %j says what it is for', (args) => {
    const run = knell([...args, '--help']);
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/^Usage: knell/);
  });

  test('names a command that does not exist', () => {
    const run = knell(['srve']);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('srve');
  });
});

test.skipIf(process.platform !== 'linux').each([['serve'], ['restore', 'snapshots/format-1.knell']])(
  'knell %s where no directory can be made says so, rather than try for ever',
  (...args) => {
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
      env: envOf({ KNELL_DATA_DIR: '/proc/knell/data' }),
      encoding: 'utf8',
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  },
);

test('a snapshot that cannot be written is a failure, in one line, not a wrong call', () => {
  knell(['project', 'create', 'kept']);
  const run = knell(['snapshot', join(dataDir, 'not', 'there')]);
  expect([run.status, run.stdout, run.stderr]).toEqual([1, '', expect.stringMatching(oneLine)]);
});

test('a name with a line break stays in its row of a table', () => {
  const name = 'two\nlines \u001b[31m';
  const { project } = JSON.parse(knell(['project', 'create', name, '--json']).stdout);
  expect(project.name).toBe(name);
  const [, row, ...more] = knell(['project', 'list']).stdout.trimEnd().split('\n');
  expect([row, more]).toEqual([expect.stringContaining('two\\nlines \\u001b[31m  paid'), []]);
});

test('a command whose reader has left ends without a word', () => {
  const endless = `yes '{"expr":"* * * * *"}' | "$0" "$1" schedule - | head -n 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', endless, process.execPath, main], {
    env: envOf(),
    encoding: 'utf8',
    timeout: 10_000,
  });
  expect(stdout).toMatch(/^\{"next":\[\d+\]\}\n$/);
  expect(stderr.replace(/^yes: .*\n/gm, '')).toBe('');
});

test('the log of knell serve names no key and no ping address, even where telling people fails', async () => {
  const server = await serve({ KNELL_LOG_LEVEL: 'debug' });
  let log = '';
  server.process.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const [, apiKey = ''] = /read-write {2}(\S+)/.exec(server.said) ?? [];
  const [, pingKey = ''] = /ping key {4}(\S+)/.exec(server.said) ?? [];
  const value = '{"method_down":"POST","url_down":"http://127.0.0.1:9/token"}';
  knell(['channel', 'create', 'default', '--kind', 'webhook', '--name', 'bell', '--value', value]);
  await fetch(`${server.url}/ping/${pingKey}/nightly?create=1`);
  await fetch(`${server.url}/ping/${pingKey}/nightly/fail`);
  const listed = await fetch(`${server.url}/api/v3/checks/`, { headers: { 'X-Api-Key': apiKey } });
  const [, uuid = 'none'] = /"uuid":"([^"]+)"/.exec(await listed.text()) ?? [];
  await expect.poll(() => log, { timeout: 10_000 }).toContain('gave up telling');
  for (const secret of [apiKey, pingKey, uuid, 'token']) expect(log).not.toContain(secret);
});

test('knell serve outlives whoever read its first lines', async () => {
  const server = spawn(process.execPath, [main, 'serve'], {
    env: envOf(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  servers.push(server);
  server.stdout.destroy();
  await expect.poll(() => knell(['project', 'list']).stdout, { timeout: 10_000 }).toContain('default');
  expect(await end(server, 'SIGTERM')).toBe(0);
});

test('knell schedule answers line by line, and says what is wrong with a line', () => {
  const lines = ['{"expr":"0 0 * * *","tz":"UTC","from":0,"n":2}', '{"expr":"nonsense"}', 'no json'];
  const run = knell(['schedule', '-'], {}, `${lines.join('\n')}\n`);
  const [first, second, third] = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(first).toEqual({ next: [86_400_000, 172_800_000] });
  expect([second.error, third.error]).toEqual([expect.any(String), expect.any(String)]);
  expect(run.status).toBe(0);
});
