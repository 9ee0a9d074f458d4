/** Runs as a job and its owner see them: pings over a real socket, a real store, and a simulated clock. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';

const start = Date.UTC(2026, 2, 2, 12);
const minute = 60_000;
const a = '0000000a-0000-4000-8000-000000000000';
const b = '0000000b-0000-4000-8000-000000000000';

let clock: SimulatedClock;
let knell: Knell;

beforeEach(async () => {
  clock = new SimulatedClock(start);
  knell = await Knell.start({ clock });
});

afterEach(() => knell.stop());

async function ping(uuid: string, rest = ''): Promise<void> {
  expect((await knell.request(`/ping/${uuid}${rest}`)).status).toBe(200);
}

async function statusOf(uuid: string): Promise<unknown> {
  return (await knell.check(uuid)).status;
}

describe('runs in flight', () => {
  test('each has its own deadline, across a restart', async () => {
    const { uuid } = await knell.create({ timeout: 86_400, grace: 60, max_runtime: 1800 });
    await ping(uuid);
    await ping(uuid, `/start?rid=${a}&host=db-1`);
    await clock.advance(10 * minute);
    await ping(uuid, `/start?rid=${b}`);
    await knell.restart();
    await clock.advance(20 * minute - 1);
    expect(await statusOf(uuid)).toBe('up');
    await clock.advance(1);
    expect(await statusOf(uuid)).toBe('down');
    await ping(uuid, `?rid=${b}`);
    expect(await knell.check(uuid)).toMatchObject({ status: 'up', last_duration: 1200, started: false });
  });

  test('one that says that it is alive has its time again', async () => {
    const { uuid } = await knell.create({ timeout: 86_400, grace: 60, max_runtime: 1800 });
    await ping(uuid);
    await ping(uuid, `/start?rid=${a}`);
    await clock.advance(29 * minute);
    await ping(uuid, `/alive?rid=${a}`);
    await clock.advance(29 * minute);
    expect(await statusOf(uuid)).toBe('up');
    await clock.advance(minute);
    expect(await statusOf(uuid)).toBe('down');
  });
});

describe('what an end means', () => {
  test('a warning by its address, and by its exit status', async () => {
    const { uuid } = await knell.create({ exit_codes: '24=warning,3=warning,*=failure' });
    await ping(uuid);
    await ping(uuid, '/warn');
    await ping(uuid, '/24');
    expect(await statusOf(uuid)).toBe('up');
    const pings = await knell.pings(uuid);
    expect(pings.map(({ type }: { type: string }) => type)).toEqual(['warn', 'warn', 'success']);
    await ping(uuid, '/23');
    expect(await statusOf(uuid)).toBe('down');
    await ping(uuid, '/3');
    expect(await statusOf(uuid)).toBe('down');
    await ping(uuid, '/0');
    expect(await statusOf(uuid)).toBe('down');
  });

  test('a success that came too soon', async () => {
    const { uuid } = await knell.create({ min_runtime: 60 });
    await ping(uuid);
    await ping(uuid, `/start?rid=${a}`);
    await clock.advance(2000);
    await ping(uuid, `?rid=${a}`);
    expect(await statusOf(uuid)).toBe('down');
  });
});

describe('hosts', () => {
  test('the check is down while one is missing', async () => {
    const { uuid } = await knell.create({ timeout: 3600, grace: 600, hosts: 'db-1 db-2' });
    await ping(uuid, '?host=db-1');
    await clock.advance(60 * minute);
    await ping(uuid, '?host=db-1');
    await clock.advance(10 * minute);
    expect(await statusOf(uuid)).toBe('down');
    await ping(uuid, '?host=db-1');
    expect(await statusOf(uuid)).toBe('down');
    await ping(uuid, '?host=db-2');
    expect(await statusOf(uuid)).toBe('up');
  });
});

describe('bad input', () => {
  test.each([
    [{ max_runtime: -1 }, 'max_runtime is too small'],
    [{ max_runtime: 31_536_001 }, 'max_runtime is too large'],
    [{ max_runtime: '60' }, 'max_runtime is not a number'],
    [{ unusual_runtime: 'loud' }, 'unusual_runtime has unexpected value'],
    [{ unusual_factor: 0 }, 'unusual_factor is too small'],
    [{ overlap: true }, 'overlap has unexpected value'],
    [{ exit_codes: '256=success' }, 'exit_codes does not match pattern'],
    [{ exit_codes: '3=warn' }, 'exit_codes does not match pattern'],
    [{ exit_codes: '3=warning,' }, 'exit_codes does not match pattern'],
    [{ hosts: 'a/b' }, 'hosts does not match pattern'],
    [{ hosts: Array.from({ length: 101 }, (_, n) => `h${n}`).join(' ') }, 'hosts does not match pattern'],
    [{ expected_runs: 1001 }, 'expected_runs is too large'],
  ])('%j: %s', async (spec, error) => {
    const answer = await knell.request('/api/v3/checks/', {
      method: 'POST',
      headers: { 'X-Api-Key': knell.keys.readWrite },
      body: JSON.stringify(spec),
    });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({ error: `json validation error: ${error}` });
  });

  test('a host that is no name is left out, and the ping counts', async () => {
    const { uuid } = await knell.create({ hosts: 'db-1' });
    await ping(uuid, '?host=%00%00');
    await ping(uuid, `?host=${'x'.repeat(101)}`);
    expect(await knell.check(uuid)).toMatchObject({ n_pings: 2 });
  });
});
