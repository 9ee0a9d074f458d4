/** Hints as an owner gets them over the API, from pings over the socket on a simulated clock. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../support/knell.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A midnight in winter. */
const start = Date.UTC(2026, 0, 5);

let clock: SimulatedClock;
let knell: Knell;

beforeEach(async () => {
  clock = new SimulatedClock(start);
  knell = await Knell.start({ clock });
});

afterEach(() => knell.stop());

async function hints(id: string, key?: string): Promise<Json> {
  const answer = await knell.api('GET', `/api/v3/checks/${id}/hints/`, undefined, key);
  expect(answer.status).toBe(200);
  return answer.json().hints;
}

/** A run each night at that hour (UTC). */
async function nights(uuid: string, count: number, atHour: number): Promise<void> {
  for (let night = 0; night < count; night++) {
    await clock.advance(atHour * hour);
    await knell.request(`/ping/${uuid}/start`);
    await clock.advance(minute);
    await knell.request(`/ping/${uuid}`);
    await clock.advance((24 - atHour) * hour - minute);
  }
}

test('the zone of another check would fit, and is right once it is set', async () => {
  await knell.create({ schedule: '0 12 * * *', tz: 'Europe/Berlin' });
  await knell.create({ schedule: '0 12 * * *', tz: 'Asia/Tokyo' });
  const { uuid } = await knell.create({ schedule: '0 3 * * *', tz: 'UTC', grace: 1800 });
  await nights(uuid, 4, 2);
  expect(await hints(uuid)).toEqual([]);
  await nights(uuid, 2, 2);
  const [hint, ...others] = await hints(uuid);
  expect(others).toEqual([]);
  expect(hint).toEqual({
    code: 'time-zone',
    text: 'Runs begin 60 minutes before they are expected: is the time zone right? Europe/Berlin would fit.',
    change: { tz: 'Europe/Berlin' },
  });
  const changed = await knell.api('POST', `/api/v3/checks/${uuid}`, {
    schedule: '0 3 * * *',
    ...hint.change,
  });
  expect(changed.status).toBe(200);
  expect(await hints(uuid)).toEqual([]);
});

test('a grace time that was never enough, seen with a read-only key, and mended by its change', async () => {
  const { uuid } = await knell.create({ timeout: 3600, grace: 600 });
  for (let run = 0; run < 7; run++) {
    await knell.request(`/ping/${uuid}`);
    await clock.advance((80 + run) * minute);
  }
  const [{ unique_key }] = (await knell.api('GET', '/api/v3/checks/', undefined, knell.keys.readOnly)).json()
    .checks;
  const [hint] = await hints(unique_key, knell.keys.readOnly);
  expect(hint).toEqual({
    code: 'never-in-time',
    text: 'Not one of the last 6 runs came within the grace time of 10 minutes: they came 20 to 25 minutes after they were expected.',
    change: { grace: 1800 },
  });
  const { what_if } = (
    await knell.api('POST', '/api/v3/schedules/preview', { check: uuid, ...hint.change })
  ).json();
  expect(what_if.as_is.length).toBeGreaterThan(6);
  expect(what_if.as_asked).toEqual([]);
  await knell.api('POST', `/api/v3/checks/${uuid}`, hint.change);
  expect(await hints(uuid)).toEqual([]);
});

test('starts without an end', async () => {
  const { uuid } = await knell.create({});
  for (let run = 0; run < 5; run++) {
    await knell.request(`/ping/${uuid}/start`);
    await clock.advance(24 * hour);
  }
  expect(await hints(uuid)).toMatchObject([{ code: 'starts-without-ends', change: null }]);
});

test('only of a check of the project', async () => {
  const path = '/api/v3/checks/00000000-0000-4000-8000-000000000000/hints/';
  expect((await knell.api('GET', path)).status).toBe(404);
  expect((await knell.api('GET', path, undefined, 'x'.repeat(32))).status).toBe(401);
});
