/** Maintenance by a ping key, as scripts ask for it, on a simulated clock. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hour, minute } from '../../../src/lib/units.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../support/knell.ts';

const start = Date.UTC(2026, 4, 4, 12);

let clock: SimulatedClock;
let knell: Knell;
beforeEach(async () => {
  clock = new SimulatedClock(start);
  knell = await Knell.start({ clock });
});
afterEach(() => knell.stop());

async function ask(path: string, method = 'GET', key = knell.keys.ping): Promise<readonly [number, string]> {
  const { status, text } = await knell.request(`/ping/${key}/${path}`, { method });
  return [status, text];
}

const windows = async (): Promise<Json> =>
  (await knell.api('GET', '/api/v3/maintenance/')).json().maintenance;

test('is started, goes on for longer, is ended, and is one window throughout', async () => {
  expect(await ask('maintenance/2h')).toEqual([200, 'OK, maintenance until 2026-05-04T14:00:00Z']);
  await clock.advance(hour);
  expect(await ask('maintenance/30m', 'POST')).toEqual([200, 'OK, maintenance until 2026-05-04T14:00:00Z']);
  expect(await ask('maintenance/90m')).toEqual([200, 'OK, maintenance until 2026-05-04T14:30:00Z']);
  expect(await ask('maintenance/end', 'POST')).toEqual([200, 'OK, maintenance has ended']);
  expect(await ask('maintenance/end')).toEqual([200, 'OK, no maintenance was on']);
  await clock.advance(hour);
  expect(await ask('maintenance/1d')).toEqual([200, 'OK, maintenance until 2026-05-05T14:00:00Z']);
  await knell.restart();
  const [window, ...others] = await windows();
  expect(others).toEqual([]);
  expect(window).toMatchObject({
    ...{ name: 'Maintenance', by: 'a script, by the ping key', checks: [], tags: [], active: true },
    dates: [{ from: '2026-05-04T12:00:00+00:00', until: '2026-05-04T13:00:00+00:00' }],
  });
});

test('of a tag, and of one check, are windows of their own', async () => {
  const { uuid } = await knell.create({ name: 'Nightly', slug: 'nightly' });
  await ask('maintenance/2h?tag=db');
  // Those of one instant are in the order of their ids, which are random.
  await clock.advance(1);
  await ask('nightly/maintenance/1h');
  expect(await windows()).toMatchObject([
    { name: 'Maintenance db', tags: ['db'], checks: [], active: true },
    { name: 'Maintenance nightly', tags: [], checks: [uuid], active: true },
  ]);
  expect(await ask('maintenance/end')).toEqual([200, 'OK, no maintenance was on']);
  expect(await ask('maintenance/end?tag=db')).toEqual([200, 'OK, maintenance has ended']);
  expect((await windows()).map(({ active }: Json) => active)).toEqual([false, true]);
});

test('the audit log says that it was a ping', async () => {
  await ask('maintenance/2h');
  const [entry] = knell.app.engine.read.audit(null, 1);
  expect(entry).toMatchObject({ subject: 'maintenance', action: 'created', actor: { kind: 'ping' } });
});

describe('refuses', () => {
  test.each([
    ...['maintenance/59s', 'maintenance/8d', 'maintenance/2x', 'maintenance/1000000000h', 'maintenance/0m'],
    ...['job/maintenance/soon', 'job/maintenance/2', 'maintenance/2h?tag=', 'maintenance/2h?tag=a%20b'],
  ])('%s', async (path) => {
    expect(await ask(path)).toEqual([
      400,
      expect.stringMatching(/^(?:give a time from 1m to 7d|a tag has no)/),
    ]);
    expect(await windows()).toEqual([]);
  });

  test('a slug with a tag, keys that are no ping key, and slugs that nobody or several have', async () => {
    for (const name of ['one', 'two']) await knell.create({ name, slug: 'twins' });
    expect(await ask('twins/maintenance/2h?tag=db')).toEqual([400, 'give a slug or a tag, not both']);
    expect(await ask('twins/maintenance/2h')).toEqual([409, 'ambiguous slug']);
    expect(await ask('nobody/maintenance/2h')).toEqual([404, 'not found']);
    expect(await ask('maintenance/2h', 'GET', 'a-wrong-key')).toEqual([404, 'not found']);
    expect(await ask('maintenance/2h', 'GET', knell.keys.readWrite)).toEqual([404, 'not found']);
    expect(await ask('maintenance/2h', 'PUT')).toEqual([404, 'not found']);
    expect(await windows()).toEqual([]);
  });
});

test('a check with the slug maintenance is pinged as before', async () => {
  const { uuid } = await knell.create({ name: 'M', slug: 'maintenance' });
  const paths = ['', '/start', '/fail', '/log', '/0', '/90', '/warn'];
  for (const path of paths) expect(await ask(`maintenance${path}`)).toEqual([200, 'OK']);
  expect(await ask('maintenance/256')).toEqual([400, 'invalid url format']);
  expect(await ask('maintenance/nonsense')).toEqual([404, 'not found']);
  expect(await knell.pings(uuid)).toHaveLength(paths.length);
  expect(await windows()).toEqual([]);
  await clock.advance(minute);
  expect(await ask('maintenance/maintenance/2h')).toEqual([
    200,
    'OK, maintenance until 2026-05-04T14:01:00Z',
  ]);
  expect((await windows())[0].checks).toEqual([uuid]);
});

test('on a path with more slashes, as of a base address that ends with one', async () => {
  const answer = await knell.request(`//ping//${knell.keys.ping}//maintenance//2h`);
  expect([answer.status, answer.text]).toEqual([200, 'OK, maintenance until 2026-05-04T14:00:00Z']);
});
