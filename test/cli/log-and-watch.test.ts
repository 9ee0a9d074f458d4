/** `knell log` and `knell watch`, which may go on printing: over the socket of one Knell, and remotely with a key. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/patience.ts';
import { builtFile } from '../support/process/built.ts';
import { CheckCommands } from '../support/process/check-commands.ts';
import { PrefixProxy } from '../support/wire/prefix-proxy.ts';

const commands = await CheckCommands.start();
const { knell, run, runRemotely, json, create } = commands;
const live: ChildProcess[] = [];

afterAll(() => commands.stop());

afterEach(async () => {
  for (const child of live.splice(0)) {
    if (child.exitCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
  await commands.deleteChecks();
});

describe('knell log', () => {
  const hook = JSON.stringify({ url_down: 'http://127.0.0.1:9/' });

  test('shows pings, status changes and notifications in order, and goes on with -f', async () => {
    await run('channel', 'create', 'default', '--kind', 'webhook', '--name', 'hook', '--value', hook);
    const { uuid } = await create('job');
    await knell.request(`/ping/${uuid}/start?rid=0c8983c9-9d73-446f-adb5-0641fdacc9d4`);
    await knell.request(`/ping/${uuid}?rid=0c8983c9-9d73-446f-adb5-0641fdacc9d4`);
    const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d';
    const { stdout } = await run('log', 'job', '-n', '1');
    expect(stdout).toMatch(
      new RegExp(`^${time}  ping    success  #2, took \\d+ m?s, HTTP GET, from 127.0.0.1\n$`),
    );
    const printed = follow('log', 'job', '-f', '-n', '1', '--every', '100ms');
    await eventually(() => expect(printed()).toContain('#2'));
    expect(printed()).not.toContain('#1');
    await knell.request(`/ping/${uuid}/fail`);
    await eventually(() => expect(printed()).toMatch(/notify {2}failed {3}down, to hook \(webhook\): /));
    expect(printed().match(/#3|status|notify/g)).toEqual(['#3', 'status', 'notify']);
    const entries = await json('log', 'job');
    expect(entries.map(({ what }: { what: string }) => what)).toEqual([
      'ping',
      'ping',
      'ping',
      'change',
      'notification',
    ]);
    await run('channel', 'delete', 'hook');
  });

  test('remotely it is the same: pings, status changes and notifications, and goes on through a restart', async () => {
    await run('channel', 'create', 'default', '--kind', 'webhook', '--name', 'hook', '--value', hook);
    const { uuid } = await create('job');
    let origin = knell.app.httpUrl;
    const proxy = await PrefixProxy.start('/knell', true, () => origin);
    const env = { ...commands.remote(), KNELL_SERVER: `${proxy.origin}/knell` };
    try {
      const printed = followWith(env, 'log', 'job', '-f', '--every', '100ms');
      await knell.request(`/ping/${uuid}`);
      await knell.request(`/ping/${uuid}/fail`);
      await eventually(() => expect(printed()).toMatch(/notify {2}failed {3}down, to hook/));
      await eventually(() => expect(printed()).toMatch(/ status {2}down\n/));
      expect(
        printed()
          .match(/#\d|status|notify/g)
          ?.sort(),
      ).toEqual(['#1', '#2', 'notify', 'status']);
      expect((await runRemotely('log', 'job')).stdout).toBe((await run('log', 'job')).stdout);
      expect(printed().split('\n').sort()).toEqual((await run('log', 'job')).stdout.split('\n').sort());
      await knell.restart(() => eventually(() => expect(printed()).toContain('\nknell: ')).catch(() => {}));
      expect(printed()).toContain('\nknell: ');
      origin = knell.app.httpUrl;
      await knell.request(`/ping/${uuid}`);
      await eventually(() => expect(printed()).toMatch(/#3[\s\S]* status {2}up\n/));
      await run('check', 'delete', 'job', '--yes');
      await eventually(() => expect(printed()).toMatch(/\nknell: [^\n]*not found\n$/));
    } finally {
      await proxy.stop();
      await run('channel', 'delete', 'hook');
    }
  });

  test('--runs shows the runs, the newest last, with any key', async () => {
    const { uuid } = await create('job', '--overlap', 'warn');
    const [a, b] = ['0c8983c9-9d73-446f-adb5-0641fdacc9d4', '1c8983c9-9d73-446f-adb5-0641fdacc9d4'];
    await knell.request(`/ping/${uuid}/start?rid=${a}&host=db-1`);
    await knell.request(`/ping/${uuid}/start?rid=${b}`);
    await knell.request(`/ping/${uuid}/3?rid=${a}`);
    const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d {2}run {5}';
    const { stdout } = await run('log', 'job', '--runs', '-o', 'wide');
    expect(stdout).toMatch(
      new RegExp(
        `^${time}failure {4}took \\d+ m?s, on db-1, exit status 3, run ${a}, #1 #3\n${time}running {4}overlaps the run started [-\\d]+ [+:\\d-]+, run ${b}, #2\n$`,
      ),
    );
    const runs = await json('log', 'job', '--runs', '-n', '1');
    expect(runs).toMatchObject([{ outcome: 'running', rid: b, pings: [2] }]);
    const log = await commands.runner.run(['log', 'job', '--runs'], commands.remote(knell.keys.readOnly));
    expect(log).toMatchObject({ status: 0, stdout: (await run('log', 'job', '--runs')).stdout });
    expect((await run('log', 'job', '--runs', '-n', '0')).stdout).toBe('');
    expect(await run('log', 'job', '--runs', '-f')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^knell: --runs [^\n]+\n$/),
    });
  });

  test('calls an integration without a name as the page does', async () => {
    await run('channel', 'create', 'default', '--kind', 'webhook', '--name', '', '--value', hook);
    const { uuid } = await create('job');
    await knell.request(`/ping/${uuid}/fail`);
    expect((await run('check', 'show', 'job')).stdout).toMatch(/Notifies +Webhook\n/);
    await eventually(async () =>
      expect((await run('log', 'job')).stdout).toMatch(/ down, to Webhook \(webhook\): /),
    );
    const [{ id }] = await json('channel', 'list', 'default');
    await run('channel', 'delete', id);
  });

  test('says how long a run took as the page does, to the millisecond', async () => {
    const { uuid } = await create('job');
    await knell.request(`/ping/${uuid}/start`);
    const startedMs = Date.now();
    await eventually(() => expect(Date.now() - startedMs).toBeGreaterThan(1200));
    await knell.request(`/ping/${uuid}`);
    const [{ started, ended }] = await json('log', 'job', '--runs');
    const tookMs = Date.parse(ended) - Date.parse(started);
    const took = tookMs < 1950 ? `${(tookMs / 1000).toFixed(1).replace('.0', '')} s` : `${tookMs}`;
    expect((await run('log', 'job')).stdout).toContain(`success  #2, took ${took}, HTTP`);
    expect((await run('log', 'job', '--runs')).stdout).toContain(` took ${took}\n`);
    expect((await run('check', 'show', 'job')).stdout).toMatch(new RegExp(`Last duration +${took}\n`));
  });

  test('shows what happened within one second as it happened, though it went down twice', async () => {
    const { uuid } = await create('job');
    const printed = follow('log', 'job', '-f', '--every', '100ms');
    // So early in a second that all of it is in that one.
    await eventually(() => expect(Date.now() % 1000).toBeLessThan(300));
    for (const signal of ['', '/fail', '', '/fail']) await knell.request(`/ping/${uuid}${signal}`);
    const entries: { what: string; up?: number; n?: number }[] = await json('log', 'job');
    const seen = (what: string) => entries.filter((one) => one.what === what);
    expect(seen('ping').map(({ n }) => n)).toEqual([1, 2, 3, 4]);
    expect(seen('change').map(({ up }) => up)).toEqual([0, 1, 0]);
    await eventually(() => expect(printed().match(/status {2}\w+/g)?.length).toBe(3));
  });

  test('with a read-only key it is what such a key may see', async () => {
    const { uuid } = await create('job');
    await knell.request(`/ping/${uuid}`);
    await knell.request(`/ping/${uuid}/fail`);
    const log = await commands.runner.run(['log', 'job'], commands.remote(knell.keys.readOnly));
    expect(log).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^knell: a read-only key shows status[^\n]+\n$/),
    });
    expect(log.stdout).toMatch(/^\S+ \S+ {2}status {2}down\n$/);
  });
});

describe('knell watch', () => {
  test('prints the checks and then a line per change where there is no terminal', async () => {
    const { uuid } = await create('job');
    const printed = follow('watch', '--every', '100ms');
    await eventually(() => expect(printed()).toMatch(/ {2}job is new\n$/));
    await knell.request(`/ping/${uuid}/fail`);
    await eventually(() => expect(printed()).toMatch(/ {2}job is down \(was new\)\n$/));
    await run('check', 'delete', 'job', '--yes');
    await eventually(() => expect(printed()).toMatch(/ {2}job is deleted \(was down\)\n$/));
  });

  test('prints that a check is acknowledged or snoozed, and that this is over', async () => {
    const { uuid } = await create('job');
    await knell.request(`/ping/${uuid}/fail`);
    const printed = follow('watch', '--every', '100ms');
    const json = follow('watch', '--every', '100ms', '--json');
    const lastJson = () => JSON.parse(json().trim().split('\n').at(-1) ?? '');
    // Each follower looks by itself: a change that one has printed the other may not have seen.
    const bothPrint = (line: RegExp, change: object) =>
      eventually(() => {
        expect(printed()).toMatch(line);
        expect(lastJson()).toEqual({ uuid, name: 'job', ...change });
      });
    const acknowledged = expect.objectContaining({ by: 'command line' });
    const down = { from: 'down', to: 'down', acknowledged };
    await bothPrint(/ {2}job is down\n$/, { from: null, to: 'down' });
    await run('check', 'acknowledge', 'job');
    await bothPrint(/ {2}job is down, acknowledged by command line\n$/, down);
    await run('check', 'snooze', 'job', '--for', '1h');
    const snoozed = expect.objectContaining({ by: 'command line' });
    await bothPrint(/snoozed until \d\d:\d\d, acknowledged by command line\n$/, { ...down, snoozed });
    await knell.request(`/ping/${uuid}`);
    await bothPrint(/ {2}job is up \(was down\), snoozed until [\d:]+\n$/, {
      from: 'down',
      to: 'up',
      snoozed,
    });
    await run('check', 'unsnooze', 'job');
    await bothPrint(/ {2}job is up, no longer acknowledged or snoozed\n$/, { from: 'up', to: 'up' });
  });
});

/** What a command that does not end has printed so far. */
function follow(...args: string[]): () => string {
  return followWith(commands.local(), ...args);
}

function followWith(env: Record<string, string>, ...args: string[]): () => string {
  const child = spawn(process.execPath, [builtFile('main.js'), ...args], {
    env: { ...env, TZ: 'UTC' },
  });
  live.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      printed += part;
    });
  return () => printed;
}
