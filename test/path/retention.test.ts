/**
 * Rules of retention as an owner sees them, on a timeline: what is listed, what a body answers, what a preview says beforehand, and
 * that nothing comes back. The clock is simulated, the rest is real.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restoreSnapshot } from '../../src/store/snapshot/restore.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { tempDir } from '../support/temp-dirs.ts';

const start = Date.UTC(2026, 2, 2, 12);
const hour = 3_600_000;
const day = 24 * hour;

let clock: SimulatedClock;
let knell: Knell;

beforeEach(async () => {
  clock = new SimulatedClock(start);
  knell = await Knell.start({ clock });
});

afterEach(() => knell.stop());

const admin = (command: string, args: Readonly<Record<string, unknown>>) =>
  knell.app.admin({ command, args }, () => {});

async function ping(uuid: string, rest = '', body = 'output'): Promise<void> {
  const answer = await knell.request(`/ping/${uuid}${rest}`, { method: 'POST', body });
  expect(answer.status).toBe(200);
}

/** Pings once a day, `rest` each time, and then waits an hour. */
async function pingDaily(uuid: string, ...rests: readonly string[]): Promise<void> {
  for (const rest of rests) {
    await ping(uuid, rest);
    await wait(day);
  }
}

/** Until Knell has said that it is alive then: an answer comes when that is durable. */
async function wait(ms: number): Promise<void> {
  clock.jump(ms - 20_000);
  await clock.advance(20_000);
  await knell.api('GET', '/api/v3/checks/');
}

const numbers = async (uuid: string) => (await knell.pings(uuid)).map(({ n }: { n: number }) => n);

const bodyOf = async (uuid: string, n: number) => {
  const { status, text } = await knell.api('GET', `/api/v3/checks/${uuid}/pings/${n}/body`);
  return status === 200 ? text : status;
};

const change = (uuid: string, retention: string) =>
  knell.api('POST', `/api/v3/checks/${uuid}`, { retention });

test('by count: the last so many pings are listed, and numbers go on without a gap', async () => {
  const { uuid } = await knell.create({ retention: 'pings last 2' });
  for (let count = 0; count < 5; count++) await ping(uuid);
  expect(await numbers(uuid)).toEqual([5, 4]);
  expect(await bodyOf(uuid, 3)).toBe(404);
  expect(await bodyOf(uuid, 4)).toBe('output');
  expect(await knell.check(uuid)).toMatchObject({ n_pings: 5, retention: 'pings last 2' });
  await ping(uuid);
  expect(await numbers(uuid)).toEqual([6, 5]);
});

test('by age, failures longer, and bodies of successes for three days', async () => {
  const retention = 'pings 5 days\nfailures 365 days\nbodies of successes 3 days';
  const { uuid } = await knell.create({ retention, timeout: 86_400, grace: 86_400 });
  await pingDaily(uuid, '/fail', '', '', '/fail', '', '', '', '', '', '');
  // Ten days on, the pings are as many days old as their number is below eleven.
  expect(await numbers(uuid)).toEqual([10, 9, 8, 7, 6, 4, 1]);
  expect(await bodyOf(uuid, 1)).toBe('output');
  expect(await bodyOf(uuid, 6)).toBe(404);
  expect(await bodyOf(uuid, 7)).toBe(404);
  expect(await bodyOf(uuid, 9)).toBe('output');
  const pings = await knell.pings(uuid);
  const without = pings.find(({ n }: { n: number }) => n === 7);
  expect(without).toMatchObject({ body_url: null, body_dropped_after: 3 * 86_400 });
  expect(pings[0]).not.toHaveProperty('body_dropped_after');
  const flips = await knell.flips(uuid);
  await wait(20 * day);
  expect(await numbers(uuid)).toEqual([4, 1]);
  expect((await knell.flips(uuid)).slice(-flips.length)).toEqual(flips);
  await wait(400 * day);
  expect(await numbers(uuid)).toEqual([]);
  expect(await knell.check(uuid)).toMatchObject({ n_pings: 10 });
  await ping(uuid);
  expect(await numbers(uuid)).toEqual([11]);
});

test('what was dropped stays dropped, whatever the rules, the clock and a restart do', async () => {
  const { uuid } = await knell.create({ retention: 'pings 2 days' });
  await pingDaily(uuid, '', '', '', '');
  expect(await numbers(uuid)).toEqual([4, 3]);
  clock.jump(-3 * day);
  expect(await numbers(uuid)).toEqual([4, 3]);
  clock.jump(3 * day);
  expect((await change(uuid, 'pings 1 year')).status).toBe(200);
  expect(await numbers(uuid)).toEqual([4, 3]);
  await knell.restart();
  expect(await numbers(uuid)).toEqual([4, 3]);
  expect((await change(uuid, '')).json()).not.toHaveProperty('retention');
  await ping(uuid);
  expect(await numbers(uuid)).toEqual([5, 4, 3]);
});

test('a search finds what is kept, and none of what rules drop, replaced ones too', async () => {
  const rules = 'pings last 3\nfailures last 2\nbodies of successes 2 days';
  const { uuid } = await knell.create({ retention: rules, timeout: 86_400, grace: 86_400 });
  await pingDaily(uuid, '/fail', '/fail', '/fail', '', '/fail', '', '');
  const found = async () =>
    (await knell.api('GET', '/api/v3/search?q=output&in=outputs'))
      .json()
      .outputs.map(({ n }: { n: number }) => n);
  expect(await found()).toEqual([7, 6, 5, 3]);
  // At once, and not only after a restart.
  expect((await change(uuid, '')).status).toBe(200);
  expect(await found()).toEqual([7, 6, 5, 3]);
  expect(await numbers(uuid)).toEqual([7, 6, 5, 3]);
  await wait(2 * day);
  expect(await found()).toEqual([7, 6, 5, 3]);
  expect((await change(uuid, rules)).status).toBe(200);
  expect(await found()).toEqual([5, 3]);
});

describe('rules of a project', () => {
  const projectOf = async () => {
    const [project] = (await admin('project list', {})) as { id: string }[];
    return project?.id ?? '';
  };

  test('are for checks without any, and those of a check replace all of them', async () => {
    const own = await knell.create({ name: 'own', retention: 'pings last 4' });
    const other = await knell.create({ name: 'other' });
    for (const { uuid } of [own, other]) await pingDaily(uuid, '', '', '', '', '');
    const project = await projectOf();
    expect(await admin('project retention-preview', { project, retention: 'pings last 2' })).toMatchObject({
      ...{ pings: 3, bodies: 3, checks: 1 },
    });
    expect(await admin('project retention', { project, retention: 'pings last 2' })).toMatchObject({
      retention: 'pings last 2',
    });
    expect(await numbers(own.uuid)).toEqual([5, 4, 3, 2]);
    expect(await numbers(other.uuid)).toEqual([5, 4]);
    await admin('project retention', { project, retention: '' });
    expect(await numbers(other.uuid)).toEqual([5, 4]);
    await wait(hour);
    await ping(other.uuid);
    expect(await numbers(other.uuid)).toEqual([6, 5, 4]);
    await admin('project retention', { project, retention: 'pings last 1' });
    // A check that goes over to rules of its own has lost what it had lost.
    await change(other.uuid, 'pings last 1000');
    expect(await numbers(other.uuid)).toEqual([6]);
  });

  test('that are not valid are refused in words', async () => {
    const project = await projectOf();
    await expect(admin('project retention', { project, retention: 'pings 5 moons' })).rejects.toThrow(
      'retention is not valid: rule 1: "moons" is no unit of time; write hours, days, weeks or years',
    );
  });
});

test('rules that are not valid are refused in words, and change nothing', async () => {
  const { uuid } = await knell.create({});
  for (const bad of ['forever', 'pings last 5000', 'bodies last 3', 7]) {
    const answers = [
      await knell.api('POST', `/api/v3/checks/${uuid}`, { retention: bad }),
      await knell.api('POST', `/api/v3/checks/${uuid}/retention/preview`, { retention: bad }),
      await knell.api('POST', '/api/v3/retention/preview', { retention: bad }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(answer.json().error).toMatch(
        /^json validation error: retention is not (valid: rule 1: .+|a string)$/,
      );
    }
  }
  expect((await knell.api('POST', `/api/v3/checks/${uuid}/retention/preview`, {})).json()).toEqual({
    error: 'json validation error: retention is missing',
  });
  expect(await knell.check(uuid)).not.toHaveProperty('retention');
});

test('a preview says what would go, of a check and of the project, and nothing goes', async () => {
  const { uuid } = await knell.create({});
  await pingDaily(uuid, '', '/fail', '', '', '');
  const asked = { retention: 'pings last 2\nfailures 1 year\nbodies of successes 1 day' };
  const freed = { pings: 2, bodies: 3, bytes: 18, checks: 1, checks_left_out: 0 };
  expect((await knell.api('POST', `/api/v3/checks/${uuid}/retention/preview`, asked)).json()).toEqual(freed);
  expect((await knell.api('POST', '/api/v3/retention/preview', asked, knell.keys.readOnly)).json()).toEqual(
    freed,
  );
  expect(await admin('check retention', { check: uuid, ...asked })).toEqual(freed);
  expect(await numbers(uuid)).toEqual([5, 4, 3, 2, 1]);
  await change(uuid, asked.retention);
  expect(await numbers(uuid)).toEqual([5, 4, 2]);
  const nothing = { pings: 0, bodies: 0, bytes: 0, checks: 1, checks_left_out: 0 };
  expect((await knell.api('POST', `/api/v3/checks/${uuid}/retention/preview`, asked)).json()).toEqual(
    nothing,
  );
});

test('a list that a client has is asked for again once something is dropped', async () => {
  const { uuid } = await knell.create({ retention: 'pings 1 day' });
  await ping(uuid);
  const path = `/api/v3/checks/${uuid}/pings/`;
  const headers = { 'X-Api-Key': knell.keys.readWrite };
  const first = await knell.request(path, { headers });
  expect(first.json().pings).toHaveLength(1);
  await wait(25 * hour);
  const tag = first.headers.get('etag') ?? '';
  const again = await knell.request(path, { headers: { ...headers, 'If-None-Match': tag } });
  expect([again.status, again.json().pings]).toEqual([200, []]);
});

test('a snapshot has the rules, and lacks what they dropped, which is not there where it is restored', async () => {
  const retention = 'pings last 3\nfailures 1 year\nbodies of successes 2 days';
  const { uuid } = await knell.create({ retention });
  await pingDaily(uuid, '/fail', '', '', '', '');
  const shown = [5, 4, 3, 1];
  expect(await numbers(uuid)).toEqual(shown);
  const file = join(tempDir(), 'all.knell');
  await admin('snapshot', { file });
  const dataDir = join(tempDir(), 'data');
  await restoreSnapshot(file, dataDir, () => {});
  const restored = await Knell.start({ clock, dataDir });
  try {
    const api = (path: string) => restored.api('GET', path, undefined, knell.keys.readWrite);
    const path = `/api/v3/checks/${uuid}`;
    expect((await api(path)).json()).toMatchObject({ retention, n_pings: 5 });
    const { pings } = (await api(`${path}/pings/`)).json();
    expect(pings.map(({ n }: { n: number }) => n)).toEqual(shown);
    expect((await api(`${path}/pings/3/body`)).status).toBe(404);
    expect((await api(`${path}/pings/5/body`)).text).toBe('output');
    expect((await api(`${path}/pings/1/body`)).text).toBe('output');
  } finally {
    await restored.stop();
  }
});
