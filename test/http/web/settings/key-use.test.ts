/** When the keys of a project were used last, as its settings show it: the day, which is written once. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { day, hour } from '../../../../src/lib/units.ts';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../../support/knell.ts';
import { ownerPage, type PageClient, projectIn } from '../../../support/page/page-client.ts';
import { eventually } from '../../../support/patience.ts';

let clock: SimulatedClock;
let knell: Knell;
let owner: PageClient;
let project: string;

beforeEach(async () => {
  clock = new SimulatedClock(Date.UTC(2026, 10, 12, 9));
  knell = await Knell.start({ clock });
  owner = await ownerPage(knell);
  project = await projectIn(owner);
});

afterEach(() => knell?.stop());

const keys = async (): Promise<Json> => (await owner.get(`/web/in/${project}/settings`)).json().keys;
/** Of the key of that scope; undefined where the answer says nothing. */
const lastUsed = async (scope: string): Promise<unknown> =>
  (await keys()).find((key: Json) => key.scope === scope).lastUsed;
/** The number of batches that are in the journal, once everything is. */
async function batches(): Promise<number> {
  const { read } = knell.app.engine;
  await read.durably(() => null);
  return read.eventsUntil().seq;
}

test('a request with a key says so once a day, and a restart keeps it', async () => {
  expect(await Promise.all(['read-write', 'read-only', 'ping'].map(lastUsed))).toEqual([
    null,
    null,
    undefined,
  ]);
  const list = (key = knell.keys.readOnly) => knell.api('GET', '/api/v3/checks/', undefined, key);
  const before = await batches();
  const first = await list();
  expect([first.status, await lastUsed('read-only'), await lastUsed('read-write')]).toEqual([
    200,
    '2026-11-12',
    null,
  ]);
  expect(await batches()).toBe(before + 1);
  for (let n = 0; n < 3; n++) expect((await list()).headers.get('etag')).toBe(first.headers.get('etag'));
  expect(await batches()).toBe(before + 1);
  await knell.restart();
  expect(await lastUsed('read-only')).toBe('2026-11-12');
  await clock.advance(hour);
  const again = await batches();
  await list();
  expect(await batches()).toBe(again);
  clock.skip(day);
  const next = await batches();
  await list();
  await list();
  expect([(await batches()) - next, await lastUsed('read-only')]).toEqual([1, '2026-11-13']);
});

test('whichever way the key comes, and whatever is answered, but not if the key is refused', async () => {
  const { readOnly, readWrite, ping } = knell.keys;
  const status = async (method: string, path: string, body: unknown, key: string): Promise<number> =>
    (await knell.api(method, path, body, key)).status;
  expect(await status('POST', '/api/v3/checks/', { name: 'no' }, readOnly)).toBe(401);
  expect(await status('GET', '/api/v3/checks/', undefined, ping)).toBe(401);
  expect(await lastUsed('read-only')).toBeNull();
  expect(await status('GET', `/api/v3/checks/${project}`, undefined, readOnly)).toBe(404);
  expect(await lastUsed('read-only')).toBe('2026-11-12');
  const made = await knell.request('/api/v3/checks/', {
    method: 'POST',
    body: JSON.stringify({ api_key: readWrite, name: 'job', slug: 'job' }),
  });
  expect([made.status, await lastUsed('read-write')]).toEqual([201, '2026-11-12']);
  const { ping_url: url } = made.json();
  clock.skip(day);
  expect((await knell.request(new URL(url).pathname)).status).toBe(200);
  expect((await knell.request(`/ping/${ping}/job`)).status).toBe(200);
  expect(await lastUsed('ping')).toBeUndefined();
  expect((await knell.request(`/projects/${project}/metrics/${readOnly}`)).status).toBe(200);
  expect([await lastUsed('read-only'), await lastUsed('read-write')]).toEqual(['2026-11-13', '2026-11-12']);
});

test('a stream of events and a wall link are uses, too', async () => {
  const stop = new AbortController();
  const stream = await fetch(`${knell.app.httpUrl}/api/v3/events`, {
    headers: { 'x-api-key': knell.keys.readOnly, accept: 'text/event-stream' },
    signal: stop.signal,
  });
  expect(stream.status).toBe(200);
  await eventually(async () => expect(await lastUsed('read-only')).toBe('2026-11-12'));
  // However long ago it came, its key is in use.
  clock.skip(day);
  await eventually(async () => expect(await lastUsed('read-only')).toBe('2026-11-13'));
  stop.abort();
  const { key } = (await owner.post(`/web/in/${project}/keys`, { scope: 'wall' })).json();
  expect(await lastUsed('wall')).toBeNull();
  await owner.get('/web/overview');
  expect(await lastUsed('wall')).toBeNull();
  expect((await knell.request('/web/overview', { headers: { 'x-knell-wall': key } })).status).toBe(200);
  expect(await lastUsed('wall')).toBe('2026-11-13');
});

test('neither the audit log nor the events, nor the list of checks, have anything of it', async () => {
  await knell.create({ name: 'job' });
  const { read } = knell.app.engine;
  const [found] = read.projects();
  if (!found) throw new Error('there is one');
  const audit = async (): Promise<Json> => (await owner.get('/web/audit')).json().entries;
  const events = async (): Promise<Json> =>
    (await knell.api('GET', '/api/v3/events?after=oldest&format=json')).json().events;
  const before = [await audit(), await events(), read.listVersion(found.id)];
  await knell.api('GET', '/api/v3/checks/', undefined, knell.keys.readOnly);
  expect(await lastUsed('read-only')).toBe('2026-11-12');
  expect([await audit(), await events(), read.listVersion(found.id)]).toEqual(before);
});
