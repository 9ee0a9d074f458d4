/** Whole stories on a timeline: what a check's owner sees as hours pass. The clock is simulated, the rest is real. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';

const start = Date.UTC(2026, 2, 2, 12);
const minute = 60_000;
const iso = (minutes: number): string =>
  new Date(start + minutes * minute).toISOString().replace('.000Z', '+00:00');

let clock: SimulatedClock;
let knell: Knell;

beforeEach(async () => {
  clock = new SimulatedClock(start);
  knell = await Knell.start({ clock });
});

afterEach(() => knell.stop());

const ping = async (uuid: string, rest = ''): Promise<void> => {
  const answer = await knell.request(`/ping/${uuid}${rest}`);
  expect(answer.status).toBe(200);
};

test('a check goes from new to up, to grace, to down, and back up', async () => {
  const { uuid } = await knell.create({ name: 'backup', timeout: 600, grace: 300 });
  expect(await knell.check(uuid)).toMatchObject({
    status: 'new',
    n_pings: 0,
    last_ping: null,
    next_ping: null,
  });
  await ping(uuid);
  expect(await knell.check(uuid)).toMatchObject({
    status: 'up',
    n_pings: 1,
    last_ping: iso(0),
    next_ping: iso(10),
  });
  await clock.advance(10 * minute - 1);
  expect(await knell.check(uuid)).toMatchObject({ status: 'up' });
  await clock.advance(1);
  expect(await knell.check(uuid)).toMatchObject({ status: 'grace', next_ping: iso(10) });
  await clock.advance(5 * minute - 1);
  expect(await knell.check(uuid)).toMatchObject({ status: 'grace' });
  await clock.advance(1);
  expect(await knell.check(uuid)).toMatchObject({ status: 'down', next_ping: null });
  await clock.advance(60 * minute);
  await ping(uuid);
  expect(await knell.check(uuid)).toMatchObject({ status: 'up', next_ping: iso(85) });
  expect(await knell.flips(uuid)).toEqual([
    { timestamp: iso(75), up: 1 },
    { timestamp: iso(15), up: 0 },
  ]);
});

test('the first outage of a check is a flip, and so is one out of a pause: downtime can be summed', async () => {
  const { uuid } = await knell.create({ timeout: 600, grace: 300 });
  await ping(uuid, '/fail');
  await clock.advance(2 * minute);
  await ping(uuid);
  await knell.api('POST', `/api/v3/checks/${uuid}/pause`);
  await clock.advance(minute);
  await ping(uuid, '/fail');
  await clock.advance(3 * minute);
  await ping(uuid);
  expect(await knell.flips(uuid)).toEqual([
    { timestamp: iso(6), up: 1 },
    { timestamp: iso(3), up: 0 },
    { timestamp: iso(2), up: 1 },
    { timestamp: iso(0), up: 0 },
  ]);
});

test('a flip is dated by the deadline, not by when somebody looked', async () => {
  const { uuid } = await knell.create({ timeout: 600, grace: 300 });
  await ping(uuid);
  clock.jump(100 * minute);
  expect(await knell.check(uuid)).toMatchObject({ status: 'down' });
  expect(await knell.flips(uuid)).toEqual([{ timestamp: iso(15), up: 0 }]);
});

test('a ping after the deadline cannot hide that it was missed', async () => {
  const { uuid } = await knell.create({ timeout: 600, grace: 300 });
  await ping(uuid);
  clock.jump(16 * minute);
  await ping(uuid);
  expect((await knell.flips(uuid)).map((flip: { up: number }) => flip.up)).toEqual([1, 0]);
});

test('a clock that is set back neither fires a deadline again nor loses it', async () => {
  const { uuid } = await knell.create({ timeout: 600, grace: 300 });
  await ping(uuid);
  await clock.advance(15 * minute);
  expect(await knell.flips(uuid)).toHaveLength(1);
  clock.jump(-15 * minute);
  await clock.advance(20 * minute);
  expect(await knell.flips(uuid)).toHaveLength(1);
  await ping(uuid);
  await clock.advance(15 * minute);
  expect((await knell.check(uuid)).status).toBe('down');
});

test('a run that does not end takes the check down a grace time after its start', async () => {
  const { uuid } = await knell.create({ timeout: 3600, grace: 300 });
  await ping(uuid);
  await clock.advance(minute);
  await ping(uuid, '/start');
  expect(await knell.check(uuid)).toMatchObject({ status: 'up', started: true, next_ping: iso(1) });
  await clock.advance(5 * minute);
  expect(await knell.check(uuid)).toMatchObject({ status: 'down', started: true });
  await ping(uuid);
  expect(await knell.check(uuid)).toMatchObject({ status: 'up', started: false, last_duration: 300 });
});

test('a cron check in a zone expects its next local time across a change of clocks', async () => {
  const { uuid } = await knell.create({ schedule: '30 9 * * *', tz: 'Europe/Riga', grace: 3600 });
  const dayBefore = Date.UTC(2026, 2, 28, 8);
  clock.skip(dayBefore - start);
  await ping(uuid);
  expect(await knell.check(uuid)).toMatchObject({
    next_ping: '2026-03-29T06:30:00+00:00',
    tz: 'Europe/Riga',
  });
});

test('an interval of a year is watched to its end', async () => {
  const { uuid } = await knell.create({ timeout: 31_536_000, grace: 31_536_000 });
  await ping(uuid);
  clock.jump(365 * 24 * 60 * minute);
  expect((await knell.check(uuid)).status).toBe('grace');
  clock.jump(365 * 24 * 60 * minute - 1);
  expect((await knell.check(uuid)).status).toBe('grace');
  clock.jump(1);
  expect((await knell.check(uuid)).status).toBe('down');
});

describe('pausing', () => {
  test('stops the clock, and a ping starts it again', async () => {
    const { uuid } = await knell.create({ timeout: 600, grace: 300 });
    await ping(uuid, '/start');
    const paused = await knell.api('POST', `/api/v3/checks/${uuid}/pause`);
    expect(paused.json()).toMatchObject({ status: 'paused', started: false, next_ping: null });
    await clock.advance(1000 * minute);
    expect((await knell.check(uuid)).status).toBe('paused');
    await ping(uuid);
    expect((await knell.check(uuid)).status).toBe('up');
  });

  test('with manual_resume ignores pings until resumed by hand', async () => {
    const { uuid } = await knell.create({ manual_resume: true });
    await knell.api('POST', `/api/v3/checks/${uuid}/pause`);
    await ping(uuid);
    expect(await knell.check(uuid)).toMatchObject({ status: 'paused', n_pings: 1, last_ping: null });
    expect((await knell.pings(uuid))[0].type).toBe('ign');
    const resumed = await knell.api('POST', `/api/v3/checks/${uuid}/resume`);
    expect(resumed.json()).toMatchObject({ status: 'new' });
    expect((await knell.api('POST', `/api/v3/checks/${uuid}/resume`)).status).toBe(409);
  });
});

describe('an update', () => {
  test('that lengthens the period brings a late check back up at once', async () => {
    const { uuid } = await knell.create({ timeout: 600, grace: 300 });
    await ping(uuid);
    await clock.advance(11 * minute);
    expect((await knell.check(uuid)).status).toBe('grace');
    const updated = await knell.api('POST', `/api/v3/checks/${uuid}`, { timeout: 3600 });
    expect(updated.json()).toMatchObject({ status: 'up', next_ping: iso(60) });
  });

  test('that shortens it takes the check down now, not in the past', async () => {
    const { uuid } = await knell.create({ timeout: 3600, grace: 300 });
    await ping(uuid);
    await clock.advance(30 * minute);
    const updated = await knell.api('POST', `/api/v3/checks/${uuid}`, { timeout: 60 });
    expect(updated.json().status).toBe('down');
    expect(await knell.flips(uuid)).toEqual([{ timestamp: iso(30), up: 0 }]);
  });
});

describe('an outage of Knell itself', () => {
  test('puts a deadline off by the time it was away, once', async () => {
    const { uuid } = await knell.create({ timeout: 600, grace: 300 });
    await ping(uuid);
    await clock.advance(14 * minute);
    await knell.restart(() => clock.jump(3 * minute));
    expect((await knell.check(uuid)).status).toBe('grace');
    await clock.advance(minute - 1);
    expect((await knell.check(uuid)).status).toBe('grace');
    await knell.restart(() => clock.jump(2 * minute));
    expect((await knell.check(uuid)).status).toBe('down');
    expect(await knell.flips(uuid)).toEqual([{ timestamp: iso(18), up: 0 }]);
  });

  test('is no excuse for longer than the grace time', async () => {
    const { uuid } = await knell.create({ timeout: 600, grace: 300 });
    await ping(uuid);
    await clock.advance(14 * minute);
    await knell.restart(() => clock.jump(600 * minute));
    expect((await knell.check(uuid)).status).toBe('down');
    expect(await knell.flips(uuid)).toEqual([{ timestamp: iso(20), up: 0 }]);
  });

  test('with the credit off fires at once what came due', async () => {
    await knell.stop();
    knell = await Knell.start({ clock, env: { KNELL_OUTAGE_CREDIT: 'off' } });
    const { uuid } = await knell.create({ timeout: 600, grace: 300 });
    await ping(uuid);
    await clock.advance(14 * minute);
    await knell.restart(() => clock.jump(3 * minute));
    expect((await knell.check(uuid)).status).toBe('down');
    expect(await knell.flips(uuid)).toEqual([{ timestamp: iso(15), up: 0 }]);
  });
});
