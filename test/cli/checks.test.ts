/**
 * The commands about checks, as a user types them, against one Knell: over its socket, and remotely with a key. What both
 * print is the same.
 */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { CheckCommands } from '../support/process/check-commands.ts';
import { type Run, runProcess } from '../support/process/commands.ts';

const commands = await CheckCommands.start();
const { knell, run, runRemotely, json, create } = commands;
const inDefault = ['--project', 'default'];

afterAll(() => commands.stop());

afterEach(() => commands.deleteChecks());

/** What a read-only key sees, or another. */
const runWithKey = (key: string, ...args: string[]): Promise<Run> =>
  commands.runner.run(args, commands.remote(key));
const oneLine = /^knell: [^\n]+\n$/;

describe('knell check', () => {
  test('creates a check from its options, shows it, and changes what is given', async () => {
    const made = await create(
      'Nightly backup',
      ...['--slug', 'backup', '--schedule', '30 3 * * *', '--tz', 'Europe/Riga', '--grace', '1h30m'],
      ...['--tags', 'prod db', '--manual-resume', 'on', '--methods', 'POST', '--success-kw', 'OK'],
    );
    expect(made).toMatchObject({
      name: 'Nightly backup',
      slug: 'backup',
      schedule: '30 3 * * *',
      tz: 'Europe/Riga',
      grace: 5400,
      tags: 'prod db',
      manual_resume: true,
      methods: 'POST',
      success_kw: 'OK',
      project: 'default',
    });
    const edited = await json(
      'check',
      'edit',
      'backup',
      '--timeout',
      '2h',
      '--tags',
      '',
      '--manual-resume',
      'off',
    );
    expect(edited).toMatchObject({ timeout: 7200, tags: '', manual_resume: false, name: 'Nightly backup' });
    const { stdout } = await run('check', 'show', 'Nightly backup');
    expect(stdout).toMatch(/^CHECK +Nightly backup\nStatus +new\nProject +default\nSlug +backup\n/);
    expect(stdout).toMatch(/\nSchedule +every 2 h\nGrace time +1 h 30 min\n/);
    expect(stdout).toMatch(
      new RegExp(`\\nNotifies +nobody\\nPing URL +http://knell.test/ping/${made.uuid}\\n`),
    );
    expect(stdout).not.toContain('Tags');
  });

  test('sets what is said of runs, shows what is set, and copies it', async () => {
    const options = [
      ...['--max-runtime', '30m', '--min-runtime', '5s', '--start-grace', '90', '--unusual-runtime', 'warn'],
      ...['--unusual-factor', '8', '--overlap', 'fail', '--exit-codes', '24=warning,*=failure'],
      ...['--hosts', 'db-1 db-2', '--expected-runs', '2', '--early-tolerance', '10m'],
    ];
    const set = {
      ...{ max_runtime: 1800, min_runtime: 5, start_grace: 90, unusual_runtime: 'warn', unusual_factor: 8 },
      ...{ overlap: 'fail', exit_codes: '24=warning,*=failure', hosts: 'db-1 db-2', expected_runs: 2 },
      early_tolerance: 600,
    };
    expect(await create('job', ...options)).toMatchObject(set);
    expect(await json('check', 'clone', 'job', '--name', 'copy')).toMatchObject(set);
    await json('check', 'edit', 'copy', '--max-runtime', '0', '--hosts', '', '--overlap', 'allow');
    const { stdout } = await run('check', 'show', 'copy');
    expect(stdout).toMatch(/\nRuns +min_runtime 5, start_grace 90, unusual_runtime warn, /);
    expect(stdout).not.toMatch(/max_runtime|hosts|overlap/);
    for (const wrong of [
      ['--overlap', 'loud'],
      ['--unusual-factor', 'x'],
      ['--max-runtime', '1x'],
    ])
      expect(await run('check', 'edit', 'copy', ...wrong)).toMatchObject({ status: 2, stderr: oneLine });
    expect(await run('check', 'edit', 'copy', '--unusual-factor', '101')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('unusual_factor is too large'),
    });
  });

  test('takes a slug from the name, unless another check has it or one is given', async () => {
    expect(await create('Größe, Nightly')).toMatchObject({ slug: 'groe-nightly' });
    expect(await create('grOe nightly')).toMatchObject({ slug: '' });
    expect(await create('Nightly', '--slug', '')).toMatchObject({ slug: '' });
    expect(await create('日本')).toMatchObject({ slug: '' });
  });

  test('finds a check by name in any case, slug, UUID and the beginning of a UUID', async () => {
    const { uuid } = await create('Nightly backup', '--slug', 'backup');
    for (const word of [
      'Nightly backup',
      'nightly BACKUP',
      'backup',
      uuid,
      uuid.toUpperCase(),
      uuid.slice(0, 8),
    ])
      expect((await json('check', 'show', word)).uuid).toBe(uuid);
  });

  test('refuses a word that may mean several checks, and lists them', async () => {
    const first = await create('Same');
    const second = await json('check', 'create', 'Same', '--project', 'other');
    const refused = await run('check', 'pause', 'Same');
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringMatching(oneLine) });
    expect(refused.stderr).toContain(`${first.uuid} (Same, default) or ${second.uuid} (Same, other)`);
    expect((await json('check', 'pause', 'Same', '--project', 'other')).uuid).toBe(second.uuid);
  });

  test('pauses, resumes and deletes several at once, or none if one is not there', async () => {
    await create('a');
    await create('b');
    expect(await run('check', 'pause', 'a', 'b')).toMatchObject({
      status: 0,
      stdout: 'paused a\npaused b\n',
    });
    expect(await run('check', 'resume', 'a', 'nope')).toMatchObject({
      status: 1,
      stderr: 'knell: no check is named "nope": see knell check list\n',
    });
    expect((await json('check', 'show', 'a')).status).toBe('paused');
    expect((await json('check', 'resume', 'a')).status).toBe('new');
    expect((await run('check', 'resume', 'a')).stderr).toBe('knell: check is not paused\n');
    const unconfirmed = await runProcess(['check', 'delete', 'a'], { env: commands.local() });
    expect(unconfirmed).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
    expect(await run('check', 'delete', 'a', 'b', '--yes')).toMatchObject({
      stdout: 'deleted a\ndeleted b\n',
    });
    expect(await json('check', 'list')).toEqual([]);
  });

  test('clones everything but the slug', async () => {
    await create(
      'a',
      '--slug',
      'a',
      '--timeout',
      '2h',
      '--tags',
      'x',
      '--failure-kw',
      'ERR',
      '--filter-body',
      'on',
    );
    const clone = await json('check', 'clone', 'a', '--grace', '5m');
    expect(clone).toMatchObject({
      name: 'a (copy)',
      slug: '',
      timeout: 7200,
      tags: 'x',
      failure_kw: 'ERR',
      filter_body: true,
      grace: 300,
    });
  });

  test('--upsert changes the check of that slug', async () => {
    const { uuid } = await create('a', '--slug', 'a');
    expect(await create('A', '--slug', 'a', '--upsert')).toMatchObject({ uuid, name: 'A' });
  });

  test('lists by name, filtered, as table, wide, JSON and YAML', async () => {
    await create('b', '--tags', 'prod');
    await create('a\u001b[31m', '--tags', 'dev prod');
    const { stdout } = await run('check', 'list');
    expect(stdout).toBe(
      'NAME         STATUS  LAST PING  NEXT\na\\u001b[31m  new     never\nb            new     never\n',
    );
    expect((await run('check', 'list', '--tag', 'dev')).stdout).not.toContain('\nb ');
    expect((await run('check', 'list', '--status', 'down')).stdout).toBe('');
    const wide = (await run('check', 'list', '-o', 'wide')).stdout.split('\n');
    expect(wide[0]).toMatch(/^NAME +STATUS +LAST PING +NEXT +SLUG +SCHEDULE +GRACE +PINGS +TAGS +UUID$/);
    expect((await run('check', 'list', '-o', 'yaml')).stdout).toMatch(
      /^- name: "a\\u001b\[31m"\n {2}slug: a31m\n/,
    );
  });

  test.each([
    [['check', 'create', 'x', '--timeout', 'soon'], /--timeout must be a time/],
    [['check', 'create', 'x', '--timeout', '1h', '--schedule', '* * * * *'], /not both/],
    [['check', 'create', 'x', '--grace', '1s', ...inDefault], /grace is too small/],
    [
      ['check', 'create', 'x', '--schedule', 'never', ...inDefault],
      /^knell: --schedule: unknown word "never"/,
    ],
    [
      ['check', 'create', 'x', '--schedule', '61 * * * *', ...inDefault],
      /^knell: --schedule: invalid minute "61": use 0–59$/m,
    ],
    [['check', 'create', 'x', '--channels', 'nope', ...inDefault], /invalid channel identifier: nope/],
    [['check', 'create', 'x'], /--project with one of default, other/],
    [['check', 'create', 'x', '--upsert', ...inDefault], /--slug/],
    [['check', 'edit', 'x'], /name what to change/],
    [['check', 'list', '-o', 'xml'], /xml/],
    [['check', 'frobnicate'], /frobnicate/],
    [['log', 'x', '-n', 'many'], /-n must be/],
    [['watch', '--every', '1ms'], /--every/],
    [['status', '--server', 'ftp://x', '--key', 'x'], /https:/],
    [['status', '--server', 'http://127.0.0.1:1'], /KNELL_API_KEY/],
  ])('%j is wrong use: one sentence, status 2', async (args, said) => {
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^knell: [^\n]+\n/);
    expect(stderr).toMatch(said);
  });
});

describe('knell status', () => {
  test('shows what is down first and exits with 1, and with 0 when nothing is', async () => {
    const a = await create('a fine one');
    const z = await create('z broken');
    await run('ping', a.uuid, '--data', '', '--url', knell.app.httpUrl);
    expect(await run('status')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/\n1 new, 1 up\n$/),
    });
    await run('ping', z.uuid, 'fail', '--data', '', '--url', knell.app.httpUrl);
    const { status, stdout } = await run('status');
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^NAME +STATUS +LAST PING +NEXT\nz broken +down +\d+ s ago\na fine one +up +\d+ s ago +in /,
    );
    expect(stdout).toMatch(/\n1 down, 1 up\n$/);
    expect((await run('status', '--problems')).stdout).not.toContain('a fine one');
    expect(await run('status', '--quiet')).toMatchObject({ status: 1, stdout: '' });
    expect(JSON.parse((await run('status', '--json')).stdout)).toHaveLength(2);
  });

  test('is the same remotely, with a read-only key too', async () => {
    const { uuid } = await create('a');
    await knell.request(`/ping/${uuid}/fail`);
    const here = timeless(await run('status', '--problems'));
    expect(here.stdout).toContain('a     down    N s ago');
    expect(timeless(await runRemotely('status', '--problems'))).toEqual(here);
    expect(timeless(await runWithKey(knell.keys.readOnly, 'status', '--problems'))).toEqual(here);
    expect((await runWithKey(knell.keys.readOnly, 'check', 'show', 'a')).stdout).toMatch(/\nStatus +down\n/);
    expect(await runWithKey(knell.keys.readOnly, 'check', 'pause', 'a')).toMatchObject({
      status: 1,
    });
    const wrong = await runWithKey(`hcw_${'x'.repeat(28)}`, 'status');
    expect(wrong).toMatchObject({ status: 1, stderr: 'knell: wrong api key\n' });
    const none = await runWithKey('a password', 'status');
    expect(none).toMatchObject({
      status: 1,
      stderr: 'knell: missing api key: the one that was given is none, see knell key create\n',
    });
  });
});

test('every command works remotely as it does over the socket', async () => {
  const made = JSON.parse((await runRemotely('check', 'create', 'far', '--slug', 'far', '--json')).stdout);
  expect(await runRemotely('check', 'list')).toEqual(await run('check', 'list'));
  expect(await runRemotely('log', 'far')).toEqual(await run('log', 'far'));
  expect(await runRemotely('check', 'edit', 'far', '--grace', '2h')).toMatchObject({
    stdout: `changed far, UUID ${made.uuid}\n`,
  });
  await runRemotely('check', 'pause', 'far');
  expect((await json('check', 'show', 'far')).status).toBe('paused');
  await runRemotely('check', 'delete', 'far', '--yes');
  expect(await json('check', 'list')).toEqual([]);
});

test('a ping and a job find their check over the socket by name, without a key', async () => {
  const { uuid } = await create('Nightly backup');
  await knell.restart();
  const ports = { ...commands.local(), KNELL_BASE_URL: knell.app.httpUrl };
  // The address that the server gives out is not reachable here, so it is only looked at.
  const unreachable = await runProcess(['ping', 'Nightly backup', '--retries', '0'], { env: ports });
  expect(unreachable).toMatchObject({ status: 1, stderr: expect.stringContaining('knell.test') });
  expect(await runProcess(['ping', uuid], { env: ports })).toMatchObject({ status: 0, stderr: '' });
  const job = await runProcess(['run', '--check', uuid, '--', 'sh', '-c', 'echo out; exit 3'], {
    env: ports,
  });
  expect(job).toMatchObject({ status: 3, stdout: 'out\n', stderr: '' });
  expect((await knell.pings(uuid)).map((ping: { type: string }) => ping.type)).toEqual([
    'fail',
    'start',
    'success',
  ]);
});

/** What a command printed, whenever it was run. */
function timeless<Result extends { readonly stdout: string }>(result: Result): Result {
  return { ...result, stdout: result.stdout.replaceAll(/\d+ s ago/g, 'N s ago') };
}
