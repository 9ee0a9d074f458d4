/** `knell discover` on a machine of Debian's packages, from the proposal to the ping of a wrapped job. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DebianMachine } from '../../support/debian-machine.ts';
import { type Json, Knell } from '../../support/knell.ts';
import { builtFile } from '../../support/process/built.ts';
import { CommandRunner, type Env, type Run, runProcess } from '../../support/process/commands.ts';
import { tempDir } from '../../support/temp-dirs.ts';

let runner: CommandRunner;
let server: Knell;
let machine: DebianMachine;
/** What wrapped jobs call: a real `knell`, at a path that this machine and that one have. */
let program = '';

beforeAll(() => {
  runner = CommandRunner.start();
});
afterAll(() => runner.stop());

beforeEach(async () => {
  server = await Knell.start();
  machine = new DebianMachine();
  program = join(tempDir(), 'knell');
  addProgram();
});
afterEach(async () => {
  await server.stop();
});

/** On both machines, at one path. */
function addProgram(): void {
  const script = `#!/bin/sh\nexec "${process.execPath}" "${builtFile('main.js')}" "$@"\n`;
  for (const path of [program, machine.pathOf(program)]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, script);
    chmodSync(path, 0o755);
  }
}

function knell(...args: readonly string[]): Promise<Run> {
  return runner.run(args, { KNELL_DATA_DIR: server.dataDir });
}

function discover(...args: readonly string[]): Promise<Run> {
  return knell('discover', '--root', machine.root, '--knell', program, ...args);
}

function write(): Promise<Run> {
  return discover('--write', '--ping-url', server.app.httpUrl ?? '', '--ping-key', server.keys.ping);
}

async function apply(text: string): Promise<Run> {
  const file = join(tempDir(), 'knell.yaml');
  writeFileSync(file, text);
  return knell('apply', '-f', file, '--yes');
}

async function checks(): Promise<Json> {
  return (await server.api('GET', '/api/v3/checks/')).json().checks;
}

/** The server is in this process: it answers while a job runs. */
async function runJob(command: string, args: readonly string[], env: Env = {}, input = ''): Promise<Json> {
  const child = spawn(command, args, { env: { PATH: process.env.PATH, ...env } });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.resume();
  child.stdin.on('error', () => {}).end(input);
  const [status] = await once(child, 'close');
  return [status, stderr];
}

/** Runs a job as cron does: its variables, its command up to the first %, the rest as input. */
function asCron(file: string, slug: string): Promise<Json> {
  const lines = readFileSync(machine.pathOf(file), 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes(`--check ${slug} `));
  const env: Record<string, string> = {};
  for (const line of lines.slice(0, at)) {
    const [, name = '', value = ''] = /^(KNELL_\w+)=(.*)$/.exec(line) ?? [];
    if (name !== '') env[name] = value;
  }
  const [, line = ''] = /^(?:\S+\s+){5}(.*)$/.exec(lines[at] ?? '') ?? [];
  const [, command = '', input = ''] = /^((?:\\.|[^\\%])*)%?(.*)$/.exec(line) ?? [];
  const given = input.replaceAll(/(?<!\\)%/g, '\n').replaceAll('\\%', '%');
  return runJob('/bin/sh', ['-c', command.replaceAll('\\%', '%')], env, given);
}

test('the checks of all packages are taken by apply, and found without drift', async () => {
  machine.enableAll();
  const { status, stdout } = await discover();
  expect(status).toBe(0);
  const applied = await apply(stdout);
  expect([applied.status, applied.stderr]).toEqual([0, '']);
  expect((await apply(stdout)).stdout).toBe('Nothing to change.\n');
  const found = await checks();
  expect(found.map(({ slug }: Json) => slug)).toEqual(
    expect.arrayContaining(['certbot', 'debian-sa1', 'debian-sa1-2', 'man-db', 'logrotate', 'logrotate-2']),
  );
  expect(found.find(({ slug }: Json) => slug === 'apt-daily')).toMatchObject({
    schedule: '*-*-* 6,18:00',
    tz: 'Europe/Riga',
    tags: 'timer web1',
    grace: 3600 + 12 * 3600 + 60,
  });
  expect((await discover('--drift')).stdout).toContain('job without a ping');
  expect((await write()).status).toBe(0);
  const drift = await discover('--drift');
  expect([drift.status, drift.stdout, drift.stderr]).toEqual([0, '', '']);
});

test('--write keeps mode and a copy, and a second run finds nothing to change', async () => {
  machine.enableAll();
  const before = await discover();
  const original = readFileSync(machine.pathOf('/etc/cron.daily/logrotate'), 'utf8');
  const written = await write();
  expect([written.status, written.stderr]).toEqual([0, '']);
  expect(written.stdout).toMatch(
    /^changed \/etc\/cron\.d\/php, which was \.php\.knell-backup-\d{8}T\d{6}Z$/m,
  );
  expect(written.stdout).toContain('created /etc/systemd/system/man-db.service.d/knell.conf\n');
  const names = readdirSync(machine.pathOf('/etc/cron.daily'));
  const copy = names.find((name) => name.startsWith('.logrotate.knell-backup-')) ?? '';
  expect(readFileSync(machine.pathOf(`/etc/cron.daily/${copy}`), 'utf8')).toBe(original);
  expect(statSync(machine.pathOf('/etc/cron.daily/logrotate')).mode & 0o777).toBe(0o755);
  expect(statSync(machine.pathOf('/etc/knell/ping.env')).mode & 0o777).toBe(0o600);
  expect(names.filter((name) => name.includes('knell-new'))).toEqual([]);
  expect((await write()).stdout).toBe('Nothing to change.\n');
  expect(readdirSync(machine.pathOf('/etc/cron.daily'))).toEqual(names);
  const after = await discover();
  expect(after.stdout).toBe(before.stdout);
  expect(after.stderr).not.toContain('--- ');
});

test('the diff is one that patch takes, and gives what --write writes', async () => {
  const address = ['--ping-url', server.app.httpUrl ?? '', '--ping-key', server.keys.ping];
  const { stdout: diff } = await discover('-o', 'diff', ...address);
  expect(diff).toContain('+KNELL_PING_KEY=');
  const copy = new DebianMachine();
  const input = diff.replaceAll(/^(---|\+\+\+) \//gm, '$1 ');
  const patched = spawnSync('patch', ['-p0', '--quiet'], { cwd: copy.root, input, encoding: 'utf8' });
  expect([patched.status, patched.stdout]).toEqual([0, '']);
  await write();
  for (const file of ['/etc/cron.d/sysstat', '/etc/cron.d/mdadm', '/etc/cron.daily/dpkg'])
    expect(readFileSync(copy.pathOf(file), 'utf8')).toBe(readFileSync(machine.pathOf(file), 'utf8'));
});

test('wrapped lines do what they did, and ping', async () => {
  const out = join(tempDir(), 'out');
  const crontab = `# Jobs of ada
@reboot /usr/bin/warm
0 3 * * * cat > ${out}.input%Hello%you 100\\%
5 3 * * * cd / && echo "it's $(date +\\%s | wc -l)" | tee ${out}.quoted; exit 3
10 3 * * * touch ${out}.plain
`;
  machine.add('/var/spool/cron/crontabs/ada', crontab, 0o600);
  const { stdout } = await discover();
  await apply(stdout);
  expect((await write()).stdout).toContain('changed /var/spool/cron/crontabs/ada');
  const file = '/var/spool/cron/crontabs/ada';
  expect(statSync(machine.pathOf(file)).mode & 0o777).toBe(0o600);
  const text = readFileSync(machine.pathOf(file), 'utf8');
  const slugs = [...text.matchAll(/--check (\S+) /g)].map(([, slug = '']) => slug);
  expect(slugs).toHaveLength(3);
  const runs: Json[] = [];
  for (const slug of slugs) runs.push(await asCron(file, slug));
  expect(runs).toEqual([
    [0, ''],
    [3, ''],
    [0, ''],
  ]);
  expect(readFileSync(`${out}.input`, 'utf8')).toBe('Hello\nyou 100%');
  expect(readFileSync(`${out}.quoted`, 'utf8')).toBe("it's 1\n");
  expect(readFileSync(`${out}.plain`, 'utf8')).toBe('');
  const found = await checks();
  const statusOf = (slug: string): Json => found.find((check: Json) => check.slug === slug)?.status;
  expect(slugs.map(statusOf)).toEqual(['up', 'down', 'up']);
});

test('a script of cron.daily runs once, pings, and keeps its arguments and its status', async () => {
  const out = join(tempDir(), 'out');
  machine.add('/etc/cron.daily/tidy', `#!/bin/sh -eu\necho "$# $1" >> ${out}\nexit 4\n`, 0o755);
  const { stdout } = await discover();
  await apply(stdout);
  await write();
  expect(await runJob(machine.pathOf('/etc/cron.daily/tidy'), ['a b'])).toEqual([4, '']);
  expect(readFileSync(out, 'utf8')).toBe('1 a b\n');
  expect((await checks()).find(({ slug }: Json) => slug === 'tidy')).toMatchObject({
    status: 'down',
    n_pings: 2,
  });
});

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
test.skipIf(!hasAnalyze)('systemd takes the drop-ins', async () => {
  machine.enableAll();
  await write();
  const verify = (): string => {
    const args = ['verify', `--root=${machine.root}`, '--man=no', 'man-db.service', 'logrotate.service'];
    return spawnSync('systemd-analyze', args, { encoding: 'utf8' }).stderr;
  };
  expect(verify()).not.toContain('knell.conf');
  machine.add('/etc/systemd/system/man-db.service.d/knell.conf', '[Service]\nExecStartPre=+-knell/ping x\n');
  expect(verify()).toContain('knell.conf');
});

test('what anacron runs has its periods, and what systemd does instead has no check', async () => {
  machine.add('/usr/sbin/anacron', '', 0o755);
  const { jobs } = JSON.parse((await discover('-o', 'json')).stdout);
  const found = jobs.find(({ file }: Json) => file === '/etc/cron.daily/sysstat');
  expect(found.check).toMatchObject({ slug: 'sysstat', timeout: 86_400, grace: 900 + 1800 + 43_200 + 300 });
  machine.add('/usr/lib/systemd/systemd', '', 0o755);
  const table = await discover('-o', 'table');
  expect(table.stdout).toContain('/etc/crontab:19: Anacron runs it: see /etc/anacrontab (');
  expect(table.stdout).toContain('/etc/cron.daily/logrotate: Does nothing where systemd runs, as here');
  expect(table.stdout).toContain('/etc/cron.d/php:14: Does nothing where systemd runs, as here');
  expect(table.stdout).toContain(
    '/lib/systemd/system/man-db.timer: Not enabled: nothing starts it (man-db.timer)',
  );
});

test('files that are no crontab are left out with their reason, and links stay within the machine', async () => {
  machine = new DebianMachine({ hasPackages: false });
  addProgram();
  const elsewhere = tempDir();
  mkdirSync(join(elsewhere, 'crontabs'));
  writeFileSync(join(elsewhere, 'crontabs/ada'), '0 3 * * * /opt/elsewhere\n');
  machine.add('/var/spool/.keep', '');
  symlinkSync(elsewhere, machine.pathOf('/var/spool/cron'));
  machine.add('/etc/cron.d/large', `# ${'x'.repeat(1_000_000)}`);
  machine.add('/etc/cron.d/bytes', '\0\0');
  machine.add('/etc/cron.d/site.dpkg-old', '0 3 * * * root /opt/old\n');
  machine.add('/etc/cron.d/.hidden', '0 3 * * * root /opt/hidden\n');
  machine.add('/srv/crontab', '0 3 * * * root /opt/linked\n');
  symlinkSync('/srv/crontab', machine.pathOf('/etc/cron.d/linked'));
  symlinkSync('loop', machine.pathOf('/etc/cron.d/loop'));
  machine.add('/lib/systemd/system/masked.timer', '[Timer]\nOnCalendar=daily\n');
  machine.add('/etc/systemd/system/.keep', '');
  symlinkSync('/dev/null', machine.pathOf('/etc/systemd/system/masked.timer'));
  const { jobs, left_out } = JSON.parse((await discover('-o', 'json')).stdout);
  expect(jobs.map(({ command }: Json) => command)).toEqual(['/opt/linked']);
  expect(left_out.map(({ file, reason }: Json) => [file, reason])).toEqual([
    ['/etc/cron.d/bytes', 'It is no text'],
    ['/etc/cron.d/large', 'It is larger than 1 MB'],
    ['/etc/cron.d/loop', 'It cannot be read (ELOOP): try as root'],
    ['/etc/cron.d/site.dpkg-old', 'Its name has more than letters, digits, - and _: it is never run'],
  ]);
  expect((await write()).stdout).toContain('changed /etc/cron.d/linked');
  expect(lstatSync(machine.pathOf('/etc/cron.d/linked')).isSymbolicLink()).toBe(true);
  expect(readFileSync(machine.pathOf('/srv/crontab'), 'utf8')).toContain('knell run --check linked --');
});

test('a file that cannot be written is named, and the others are written', async () => {
  machine.enable('man-db.timer', 'logrotate.timer');
  machine.add('/etc/systemd/system/man-db.service.d', 'no folder');
  const { status, stdout, stderr } = await write();
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^knell: cannot write \/etc\/systemd\/system\/man-db\.service\.d\/knell\.conf \(E\w+\): try as root\n$/,
    ),
  ]);
  expect(stdout).toContain('created /etc/systemd/system/logrotate.service.d/knell.conf\n');
  expect(stdout).toContain('created /etc/knell/ping.env\n');
});

test('drift is a job without a check, a check without a job, another schedule; of this machine only', async () => {
  machine = new DebianMachine({ hasPackages: false });
  machine.add('/etc/cron.d/site', '0 3 * * * www-data /usr/bin/one\n0 4 * * * www-data /usr/bin/two\n');
  await apply((await discover()).stdout);
  await server.create({ name: 'Elsewhere', slug: 'elsewhere', tags: 'crontab web2' });
  machine.add('/etc/cron.d/site', '0 3 * * * www-data /usr/bin/three\n0 5 * * * www-data /usr/bin/two\n');
  const { status, stdout } = await discover('--drift', '-o', 'json');
  expect(status).toBe(1);
  const kinds = JSON.parse(stdout).map(({ kind, slug, job, check }: Json) => [kind, slug, job, check]);
  expect(kinds).toEqual([
    ['job without a check', 'three', '0 3 * * * Europe/Riga', ''],
    ['other schedule', 'two', '0 5 * * * Europe/Riga', '0 4 * * * Europe/Riga'],
    ['job without a ping', 'two', '', ''],
    ['check without a job', 'one', '', '0 3 * * * Europe/Riga'],
  ]);
  const remote = await discover(
    '--drift',
    '--server',
    server.app.httpUrl ?? '',
    '--key',
    server.keys.readOnly,
  );
  expect([remote.status, remote.stdout]).toEqual([1, expect.stringContaining('check without a job')]);
  const file = join(tempDir(), 'knell.yaml');
  writeFileSync(file, (await discover()).stdout);
  const against = await discover('--drift', '--against', file, '-o', 'json');
  expect(JSON.parse(against.stdout).map(({ kind }: Json) => kind)).toEqual(
    Array(2).fill('job without a ping'),
  );
  const failed = await discover('--drift', '--against', `${file}.none`);
  expect([failed.status, failed.stderr]).toEqual([2, expect.stringContaining('cannot read')]);
});

test('manifests come from stdin and files', async () => {
  const cluster = {
    apiVersion: 'v1',
    kind: 'List',
    items: [cronJob('reports'), cronJob('old', { suspend: true })],
  };
  const options = { env: { KNELL_DATA_DIR: server.dataDir }, input: JSON.stringify(cluster) };
  const { status, stdout, stderr } = await runProcess(['discover', '-'], options);
  expect([status, stderr]).toEqual([0, expect.stringContaining('Suspended: it is not run (shop/old)')]);
  expect((await apply(stdout)).status).toBe(0);
  expect((await checks())[0]).toMatchObject({
    slug: 'shop-reports',
    schedule: '30 2 * * *',
    tz: 'Europe/Kyiv',
  });
  const file = join(tempDir(), 'nightly.yml');
  writeFileSync(file, 'name: Nightly\non:\n  schedule:\n    - cron: "0 2 * * *"\njobs: {}\n');
  expect((await knell('discover', file)).stdout).toContain('- slug: nightly\n');
  const refused = await knell('discover', file, '--write');
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('leave FILES out')]);
});

function cronJob(name: string, more: Json = {}): Json {
  const spec = { schedule: '30 2 * * *', timeZone: 'Europe/Kiev', jobTemplate: {}, ...more };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name, namespace: 'shop' }, spec };
}

test('--write is refused where no job would find Knell, and nothing is changed', async () => {
  const before = readFileSync(machine.pathOf('/etc/cron.d/php'), 'utf8');
  for (const [args, error] of [
    [['--write'], '--write needs --ping-url and --ping-key'],
    [['--write', '--ping-url', 'knell.example.org'], '--ping-url must be'],
    [['--write', '--drift'], 'use --drift or --write'],
    [['--tz', 'Riga'], '--tz: unknown time zone "Riga"'],
    [['--prefix', 'Web 1'], '--prefix may have'],
    [
      ['--write', '--ping-url', 'http://x', '--ping-key', 'x', '--knell', '/opt/none/knell'],
      'there is no /opt/none/knell',
    ],
  ] as const) {
    const { status, stderr } = await discover(...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(error)]);
  }
  expect(readFileSync(machine.pathOf('/etc/cron.d/php'), 'utf8')).toBe(before);
});
