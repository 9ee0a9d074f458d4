/** `knell discover` where something is wrong: files that are none, missing rights, a run that was cut off. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { DebianMachine } from '../../support/debian-machine.ts';
import type { Json } from '../../support/knell.ts';
import { type Run, runProcess } from '../../support/process/commands.ts';
import { tempDir } from '../../support/temp-dirs.ts';

let machine: DebianMachine;
const program = '/usr/local/bin/knell';

beforeEach(() => {
  machine = new DebianMachine({ hasPackages: false });
  machine.add(program, '#!/bin/sh\n', 0o755);
});

function discover(args: readonly string[], input = ''): Promise<Run> {
  return runProcess(['discover', ...args], { env: { KNELL_DATA_DIR: tempDir() }, input });
}

function write(): Promise<Run> {
  const address = ['--ping-url', 'http://127.0.0.1:9', '--ping-key', 'k'.repeat(22)];
  return discover(['--root', machine.root, '--knell', program, '--write', ...address]);
}

async function leftOut(...args: readonly string[]): Promise<Json> {
  const { stdout } = await discover([...args, '-o', 'json']);
  return JSON.parse(stdout).left_out.map(({ file, reason, text }: Json) => [file, reason, text]);
}

function textOf(file: string): string {
  return readFileSync(machine.pathOf(file), 'utf8');
}

function fileOf(name: string, text: string): string {
  const path = join(tempDir(), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test('workflows without a schedule are one line each, beside one that has some', async () => {
  const nightly = fileOf('nightly.yml', 'on:\n  schedule:\n    - cron: "0 2 * * *"\njobs: {}\n');
  const ci = fileOf('ci.yml', 'name: CI\non: [push]\njobs: {build: {runs-on: ubuntu-latest}}\n');
  const { stdout, stderr } = await discover([nightly, ci]);
  expect(stdout).toContain('- slug: nightly\n');
  expect(stderr).toContain(`${ci}: Has no schedule: something else starts it (CI)\n`);
  expect(stderr).not.toContain('0 fields before the command');
});

test('a manifest is never read as a crontab: what it is not, or where it is broken, is said', async () => {
  const kustomization = fileOf('kustomization.yaml', '# Here\nresources: [a.yaml]\n');
  expect(await leftOut(kustomization)).toEqual([
    [kustomization, expect.stringContaining('It is no CronJob, no workflow of GitHub'), ''],
  ]);
  const broken = fileOf('broken.yaml', 'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: x\n');
  const refused = await discover([broken]);
  expect([refused.status, refused.stdout, refused.stderr]).toEqual([
    2,
    '',
    expect.stringContaining(`${broken}:4: `),
  ]);
});

test.each([
  ['', 'knell: stdin is empty\n'],
  ['\0\x01\x02', 'knell: - is no text\n'],
  ['{"items": [{"kind": "CronJob"', 'knell: - begins as JSON and is none: is it whole?\n'],
])('%j on stdin is refused', async (input, stderr) => {
  expect(await discover(['-'], input)).toMatchObject({ status: 2, stdout: '', stderr });
});

test('a folder that cannot be listed is said', async () => {
  machine.add('/var/spool/cron/.keep', '');
  // Root may list every folder but one that leads nowhere.
  symlinkSync('crontabs', machine.pathOf('/var/spool/cron/crontabs'));
  expect(await leftOut('--root', machine.root)).toEqual([
    ['/var/spool/cron/crontabs', 'It cannot be read (ELOOP): try as root', ''],
  ]);
});

test('a run that was cut off before the variables of services is made good by the next', async () => {
  machine.add('/lib/systemd/system/site.timer', '[Timer]\nOnCalendar=daily\n');
  machine.add('/lib/systemd/system/site.service', '[Service]\nExecStart=/opt/site\n');
  machine.enable('site.timer');
  const { stdout } = await write();
  // Whatever comes first is there when the rest is cut off.
  expect(stdout.split('\n')[0]).toBe('created /etc/knell/ping.env');
  rmSync(machine.pathOf('/etc/knell/ping.env'));
  expect((await write()).stdout).toBe('created /etc/knell/ping.env\n');
  expect((await write()).stdout).toBe('Nothing to change.\n');
});

test('two timers of one service are one check, before and after --write', async () => {
  for (const [name, text] of [
    ['one.timer', 'OnCalendar=Mon 3:00\nUnit=site.service'],
    ['two.timer', 'OnCalendar=Thu 4:00\nPersistent=true\nUnit=site.service'],
    ['three.timer', 'OnCalendar=daily\nPersistent=true'],
  ] as const)
    machine.add(`/lib/systemd/system/${name}`, `[Timer]\n${text}\n`);
  for (const name of ['site', 'three'])
    machine.add(`/lib/systemd/system/${name}.service`, `[Service]\nExecStart=/opt/${name}\n`);
  machine.enable('one.timer', 'two.timer', 'three.timer');
  const before = await discover(['--root', machine.root]);
  expect(before.stderr).toContain('two.timer: Starts site.service as one.timer does');
  expect(before.stdout).toMatch(
    /three\.timer, as root\. Grace time: .*A run that was missed while the machine was off comes after its start\./,
  );
  await write();
  expect((await discover(['--root', machine.root])).stdout).toBe(before.stdout);
});

test('a line that begins with a user among lines that do not says so', async () => {
  const own = fileOf('own', '0 1 * * * /usr/bin/backup\n0 2 * * * root /usr/sbin/logrotate\n');
  const { stderr } = await discover([own, '--knell', program]);
  const words = '“root” looks like a user: in this crontab, cron would take it for the command.';
  expect(stderr).toContain(`${own}:2, logrotate: ${words}`);
  expect(stderr).not.toContain(`-- root`);
});

test('a line with several jobs says which of them counts', async () => {
  const crontab = '0 3 * * * /opt/a ; /opt/b\n0 4 * * * cd /srv && /opt/c || mail root\n';
  const { stdout } = await discover([fileOf('crontab', crontab), '-o', 'json']);
  expect(
    JSON.parse(stdout).jobs.map(({ check }: Json) => check.desc.includes('the status of the last')),
  ).toEqual([true, false]);
});

test('CRON_TZ counts where the cron of the machine has it, and is listed where it has not', async () => {
  machine.add('/var/spool/cron/crontabs/ada', 'CRON_TZ=Asia/Tokyo\n0 3 * * * /opt/job\n');
  const zone = async (): Promise<Json> => {
    const { jobs, left_out } = JSON.parse((await discover(['--root', machine.root, '-o', 'json'])).stdout);
    return [jobs[0].check.tz, left_out.map(({ reason }: Json) => reason)];
  };
  expect(await zone()).toEqual(['Asia/Tokyo', []]);
  machine.add('/usr/sbin/cron', '\x7fELF\0MAILTO\0SHELL\0', 0o755);
  expect(await zone()).toEqual([
    'Europe/Riga',
    ['CRON_TZ means nothing to the cron of this machine: its times are in Europe/Riga'],
  ]);
  machine.add('/usr/sbin/cron', '\x7fELF\0MAILTO\0CRON_TZ\0', 0o755);
  expect(await zone()).toEqual(['Asia/Tokyo', []]);
});

test('another key than the one that is set is said, and the file stays', async () => {
  machine.add('/etc/cron.d/dump', 'KNELL_PING_KEY=older\n0 3 * * * root /opt/dump\n', 0o644);
  expect((await write()).stdout).toContain('changed /etc/cron.d/dump');
  const text = textOf('/etc/cron.d/dump');
  const again = await write();
  expect([again.status, again.stdout]).toEqual([0, 'Nothing to change.\n']);
  expect(again.stderr).toMatch(
    /^knell: \/etc\/cron\.d\/dump:\d+: KNELL_PING_KEY has another value here, which stays\n$/,
  );
  expect(again.stderr).not.toContain('older');
  expect(textOf('/etc/cron.d/dump')).toBe(text);
});

test('a key never goes to another server, which a crontab names further down', async () => {
  const other = 'KNELL_PING_URL=http://127.0.0.1:8';
  machine.add('/etc/cron.d/two', `0 3 * * * root /opt/dump\n${other}\n0 4 * * * root /opt/sync\n`, 0o644);
  await write();
  const lines = textOf('/etc/cron.d/two').split('\n');
  expect(lines.filter((line) => line.includes('knell run'))).toEqual([expect.stringContaining('/opt/dump')]);
  expect(lines.slice(-3)).toEqual([other, '0 4 * * * root /opt/sync', '']);
  expect((await write()).stdout).toBe('Nothing to change.\n');
  const address = ['--ping-url', 'http://127.0.0.1:9', '--ping-key', 'k'.repeat(22)];
  const { stderr } = await discover(['--root', machine.root, ...address]);
  expect(stderr).toContain('sets KNELL_PING_URL to another server without its KNELL_PING_KEY');
});
