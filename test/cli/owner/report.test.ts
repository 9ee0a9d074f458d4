/** `knell report`: what it prints is what is mailed, of a running server; wrong calls say what is right. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, hour, minute } from '../../../src/lib/units.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { Knell } from '../../support/knell.ts';
import { CommandRunner } from '../../support/process/commands.ts';

/** A Monday, 09:00 in UTC. */
const clock = new SimulatedClock(Date.UTC(2026, 2, 9, 9));
const runner = CommandRunner.start();
let knell: Knell;

const run = (...args: string[]) => runner.run(['report', ...args], { KNELL_DATA_DIR: knell.dataDir });

beforeAll(async () => {
  knell = await Knell.start({ clock });
  const { uuid } = await knell.create({ name: 'Nightly backup', timeout: 7 * 24 * 3600, grace: 3600 });
  const { uuid: other } = await knell.create({ name: 'Queue', timeout: 7 * 24 * 3600, grace: 3600 });
  for (const one of [uuid, other]) await knell.request(`/ping/${one}`);
  await clock.advance(hour);
  await knell.request(`/ping/${uuid}/fail`);
  await clock.advance(90 * minute);
  await knell.request(`/ping/${uuid}`);
  await clock.advance(day);
}, 60_000);

afterAll(async () => {
  await runner.stop();
  await knell.stop();
});

test('prints the report of the last day, the worst first, in the words of the mail', async () => {
  const { status, stdout, stderr } = await run();
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('1 outage in 1 of 2 checks\n');
  expect(stdout).toContain('1 of 2 checks was down: Mon 9 Mar 2026.');
  expect(stdout).toMatch(
    /^- Nightly backup \(default\), 1 outage, 1 h 30 min · 90\.00 % up since Mon 9 Mar, 09:00:00: https?:\/\/\S+\/checks\/[0-9a-f]{40}$/m,
  );
  expect(stdout).toContain('No outages in 1 other check.');
  expect(stdout).not.toContain('You get this');
});

test('as JSON has times and seconds, by the clock of a zone, of one project', async () => {
  const { status, stdout } = await run(
    'daily',
    '--json',
    '--time-zone',
    'Asia/Tokyo',
    '--project',
    'default',
  );
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    frequency: 'daily',
    time_zone: 'Asia/Tokyo',
    from: '2026-03-08T15:00:00.000Z',
    until: '2026-03-09T15:00:00.000Z',
    checks: 2,
    affected: 1,
    down_for: 5400,
    worst: [{ project: 'default', name: 'Nightly backup', outages: 1, down_for: 5400, status: 'up' }],
  });
  const month = await run('monthly', '--json');
  expect(JSON.parse(month.stdout)).toMatchObject({ from: '2026-02-01T00:00:00.000Z', watched: 0, worst: [] });
});

test('is about the last day, week or month that is over, also before its mail is sent', async () => {
  const early = (zone: string) => run('daily', '--json', '--time-zone', zone);
  // It is past midnight there, and not yet eight.
  const { from, until } = JSON.parse((await early('Asia/Tbilisi')).stdout);
  const hourThere = (clock.nowMs() + 4 * hour) % day;
  expect(clock.nowMs() - Date.parse(until)).toBe(hourThere);
  expect(Date.parse(until) - Date.parse(from)).toBe(day);
  await clock.advance(day - hourThere + hour);
  const next = JSON.parse((await early('Asia/Tbilisi')).stdout);
  expect(clock.nowMs() - Date.parse(next.until)).toBe(hour);
});

test('says what is right of a call that is wrong, and teaches by --help', async () => {
  const yearly = await run('yearly');
  expect([yearly.status, yearly.stderr]).toEqual([2, expect.stringContaining('daily, weekly, monthly')]);
  const nowhere = await run('--time-zone', 'Mars/Olympus');
  expect([nowhere.status, nowhere.stderr]).toEqual([
    2,
    expect.stringContaining('"Mars/Olympus" is not a time zone'),
  ]);
  const unknown = await run('--project', 'none');
  expect([unknown.status, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('no project is named "none"'),
  ]);
  const help = await run('--help');
  expect(help.status).toBe(0);
  for (const words of ['Examples:', 'Exit status:', '08:00', '--time-zone'])
    expect(help.stdout).toContain(words);
});
