/** `ETag` and `If-None-Match` of the management API, over real sockets and over random histories. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApi } from '../../../src/http/api/api.ts';
import { ApiEngine, makeCheck } from '../../support/engine/api-engine.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { type Answer, type Json, Knell } from '../../support/knell.ts';
import { isLong } from '../../support/long.ts';
import { eventually } from '../../support/patience.ts';
import { httpRequest } from '../../support/wire/http-call.ts';

const startMs = Date.UTC(2030, 4, 4, 12);
let clock: SimulatedClock;
let knell: Knell;

beforeAll(async () => {
  clock = new SimulatedClock(startMs);
  knell = await Knell.start({ clock });
});
afterAll(() => knell.stop());
afterEach(() => vi.restoreAllMocks());

const get = (path: string, tag = '', key = knell.keys.readWrite): Promise<Answer> =>
  knell.request(path, { headers: { 'X-Api-Key': key, ...(tag === '' ? {} : { 'If-None-Match': tag }) } });
const tagOf = (answer: Answer): string => answer.headers.get('etag') ?? '';

async function unchanged(path: string, tag: string): Promise<boolean> {
  const answer = await get(path, tag);
  if (answer.status !== 304) return false;
  expect([answer.text, tagOf(answer), answer.headers.get('content-type')]).toEqual(['', tag, null]);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  return true;
}

const list = '/api/v3/checks/';
const tagged = (uuid: string): readonly string[] => [
  list,
  `${list}?slug=job&tag=a`,
  `${list}${uuid}`,
  `${list}${uuid}/snooze`,
  '/api/v2/checks/',
  '/api/v3/snoozes/',
  '/api/v3/channels/',
  '/api/v3/badges/',
];
const incidents = '/api/v3/incidents/';
const past = (uuid: string): readonly string[] => [
  `${list}${uuid}/pings/`,
  `${list}${uuid}/flips/`,
  `${list}${uuid}/flips/?seconds=100`,
  `${list}${uuid}/runs/`,
  `${list}${uuid}/notifications/`,
  `${list}${uuid}/notifications/?seconds=100`,
  `${list}${uuid}/runs/?seconds=100&limit=2`,
];
const maintenance = '/api/v3/maintenance/';

describe('an answer', () => {
  test('has a tag, and is not sent again as long as it is the same', async () => {
    const { uuid } = await knell.create({ name: 'job', tags: 'a' });
    for (const path of tagged(uuid)) {
      const first = await get(path);
      expect(tagOf(first), path).toMatch(/^"[0-9a-z]+\.[\w-]{22}"$/);
      expect(await unchanged(path, tagOf(first)), path).toBe(true);
      expect((await get(path, `"x", W/${tagOf(first)}`)).status, path).toBe(304);
      expect((await get(path)).text, path).toBe(first.text);
    }
  });

  test('about the past has one too, which matches while nothing is folded', async () => {
    const { uuid } = await knell.create({ name: 'past', timeout: 86_400 });
    await knell.request(`/ping/${uuid}/fail`, { method: 'POST', body: 'why' });
    for (const path of past(uuid)) {
      let tag = '';
      await eventually(async () => {
        const { status, headers } = await get(path, tag);
        tag = headers.get('etag') ?? '';
        expect(status, path).toBe(304);
      });
      await knell.request(`/ping/${uuid}/log`);
      expect((await get(path, tag)).status, path).toBe(200);
    }
  });

  test('with incidents has a tag that matches once none is open', async () => {
    const { uuid } = await knell.create({ name: 'incident', timeout: 86_400 });
    await knell.request(`/ping/${uuid}/fail`);
    const open = await get(incidents);
    expect(open.json().incidents[0].state).toBe('open');
    expect((await get(incidents, tagOf(open))).status).toBe(200);
    for (const { uuid: other, status } of (await get(list)).json().checks)
      if (status === 'down') await knell.request(`/ping/${other}`);
    const resolved = await get(incidents);
    expect(resolved.json().incidents.map(({ state }: Json) => state)).not.toContain('open');
    expect(await unchanged(incidents, tagOf(resolved))).toBe(true);
    await knell.request(`/ping/${uuid}/fail`);
    expect((await get(incidents, tagOf(resolved))).status).toBe(200);
  });

  test('with maintenance is another one when a window begins and when it ends', async () => {
    const fromS = Math.ceil(clock.nowMs() / 1000) + 60;
    await knell.api('POST', maintenance, { name: 'soon', from: fromS, until: fromS + 60 });
    const activity = async (answer: Answer) => answer.json().maintenance.map(({ active }: Json) => active);
    for (const isActive of [false, true]) {
      const answer = await get(maintenance);
      expect(await activity(answer)).toEqual([isActive]);
      expect(await unchanged(maintenance, tagOf(answer))).toBe(true);
      await clock.advance(60_999);
      const after = await get(maintenance, tagOf(answer));
      expect([after.status, await activity(after)]).toEqual([200, [!isActive]]);
    }
  });

  test('with flips of the last seconds is another one when the first of them is older', async () => {
    const { uuid } = await knell.create({ name: 'flips', timeout: 86_400 });
    await knell.request(`/ping/${uuid}/fail`);
    const path = `${list}${uuid}/flips/?seconds=100`;
    const tag = tagOf(await get(path));
    await clock.advance(100_001);
    const after = await get(path, tag);
    expect([after.status, after.json()]).toEqual([200, []]);
  });

  test('is rendered for no tag, for one of another answer, and for any (*)', async () => {
    const all = await get(list);
    const filtered = await get(`${list}?tag=none`);
    for (const tag of ['', '*', '"', '"0.x"', tagOf(filtered), `"1${tagOf(all).slice(2)}`]) {
      const answer = await get(list, tag);
      expect([answer.status, answer.text], tag).toEqual([200, all.text]);
    }
    expect((await get(`${list}?tag=none`, tagOf(all))).status).toBe(200);
  });

  test('of a read-write key is no answer for a read-only one', async () => {
    const tag = tagOf(await get(list));
    expect((await get(list, tag, knell.keys.readOnly)).status).toBe(200);
    expect((await get(list, tag, 'x'.repeat(32))).status).toBe(401);
  });

  test('has no tag where it is an error, and in version 1, which shows how long a run takes', async () => {
    expect(tagOf(await get(`${list}00000000-0000-4000-8000-000000000000`))).toBe('');
    expect(tagOf(await get('/api/v1/checks/'))).toBe('');
    expect(tagOf(await get('/api/v3/status/'))).toBe('');
  });

  test('is another one after each kind of change, by a ping too', async () => {
    const { uuid } = await knell.create({ name: 'changes', timeout: 3600, grace: 600 });
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      'a first ping': () => knell.request(`/ping/${uuid}`),
      'a ping that changes no status': () => knell.request(`/ping/${uuid}`),
      'a start': () => knell.request(`/ping/${uuid}/start`),
      'a log': () => knell.request(`/ping/${uuid}/log`),
      'a failure': () => knell.request(`/ping/${uuid}/fail`),
      'an update': () => knell.api('POST', `${list}${uuid}`, { desc: 'other' }),
      'a pause': () => knell.api('POST', `${list}${uuid}/pause`),
      'a resumption': () => knell.api('POST', `${list}${uuid}/resume`),
      'another check': () => knell.create({ name: 'another' }),
      'a deletion': () => knell.api('DELETE', `${list}${uuid}`),
    };
    for (const [what, change] of Object.entries(changes)) {
      const before = await get(list);
      await change();
      const after = await get(list, tagOf(before));
      expect(after.status, what).toBe(200);
      expect(after.text, what).not.toBe(before.text);
      expect(await unchanged(list, tagOf(after)), what).toBe(true);
    }
  });

  test('is another one by time alone, to the millisecond', async () => {
    const { uuid } = await knell.create({ name: 'due', timeout: 60, grace: 60 });
    await knell.request(`/ping/${uuid}`);
    const path = `${list}${uuid}`;
    for (const status of ['up', 'grace']) {
      const answer = await get(path);
      expect(answer.json().status).toBe(status);
      await clock.advance(59_999);
      expect(await unchanged(path, tagOf(answer)), status).toBe(true);
      await clock.advance(1);
      expect((await get(path, tagOf(answer))).status, status).toBe(200);
    }
    expect((await get(path)).json().status).toBe('down');
  });

  test('is not moved by what another project does', async () => {
    const made = await knell.app.admin({ command: 'project create', args: { name: 'other' } }, () => {});
    const { keys } = made as { keys: { read_write: string } };
    const tag = tagOf(await get(list));
    await knell.request('/api/v3/checks/', {
      method: 'POST',
      headers: { 'X-Api-Key': keys.read_write },
      body: JSON.stringify({ name: 'elsewhere' }),
    });
    expect(await unchanged(list, tag)).toBe(true);
  });

  test('that is not sent is not rendered', async () => {
    const tag = tagOf(await get(list));
    const rendering = vi.spyOn(knell.app.engine.read, 'checks');
    expect(await unchanged(list, tag)).toBe(true);
    expect(rendering).not.toHaveBeenCalled();
    await get(list);
    expect(rendering).toHaveBeenCalledOnce();
  });

  test('of an earlier process is rendered again', async () => {
    const own = await Knell.start({ clock: new SimulatedClock(startMs) });
    const ask = (tag: string) =>
      own.request(list, { headers: { 'X-Api-Key': own.keys.readWrite, 'If-None-Match': tag } });
    const before = await ask('');
    expect((await ask(tagOf(before))).status).toBe(304);
    await own.restart();
    const after = await ask(tagOf(before));
    expect([after.status, after.text]).toEqual([200, before.text]);
    await own.stop();
  });
});

test('a 304 about what could not be written is none: the answer is rendered instead', async () => {
  const engine = new ApiEngine();
  const { read, change } = engine;
  const route = createApi({ read, changeBy: () => change, baseUrl: () => 'http://k', rateLimitPerMinute: 0 });
  const request = httpRequest({ url: list, key: engine.key(0, 'read-write') });
  const tag = Object.fromEntries((await route(request)).headers).ETag ?? '';
  const ask = async () => (await route({ ...request, headers: { 'if-none-match': tag } })).status;
  expect(await ask()).toBe(304);
  engine.onRolledBack = () => {
    engine.listVersion++;
  };
  expect(await ask()).toBe(200);
});

test('a change that is not durable yet, and so not shown, is none that a tag has counted', async () => {
  const engine = new ApiEngine();
  const { read, change } = engine;
  const check = makeCheck(1);
  engine.add(check);
  const route = createApi({ read, changeBy: () => change, baseUrl: () => 'http://k', rateLimitPerMinute: 0 });
  const request = httpRequest({ url: `${list}${check.id}/flips/`, key: engine.key(0, 'read-write') });
  // Accepted, which the version counts; its commit ends during the first request.
  engine.listVersion++;
  engine.onDurable = () => {
    engine.changes = [{ atMs: 1000, from: 'up', to: 'down', cause: 'fail' }];
  };
  const first = await route(request);
  const tag = Object.fromEntries(first.headers).ETag ?? '';
  const again = await route({ ...request, headers: { 'if-none-match': tag } });
  const shown = String(again.status === 304 ? first.body : again.body);
  expect(JSON.parse(shown)).toEqual([{ timestamp: '1970-01-01T00:00:01+00:00', up: 0 }]);
});

type Step = (uuids: readonly string[], of: number) => Promise<unknown>;

const one = (uuids: readonly string[], of: number): string => uuids[of % uuids.length] ?? '';

const steps: readonly Step[] = [
  (uuids, of) => knell.request(`/ping/${one(uuids, of)}`),
  (uuids, of) => knell.request(`/ping/${one(uuids, of)}/start`),
  (uuids, of) => knell.request(`/ping/${one(uuids, of)}/fail`),
  (uuids, of) => knell.request(`/ping/${one(uuids, of)}/${of % 256}`),
  (uuids, of) => knell.api('POST', `${list}${one(uuids, of)}/pause`),
  (uuids, of) => knell.api('POST', `${list}${one(uuids, of)}/resume`),
  (uuids, of) => knell.api('POST', `${list}${one(uuids, of)}`, { tags: `t${of % 3}`, grace: 60 + (of % 5) }),
  (uuids, of) => knell.api('POST', `${list}${one(uuids, of)}/snooze`, { for: 1 + (of % 200) }),
  (uuids, of) => knell.api('POST', `${list}${one(uuids, of)}/acknowledge`),
  (_, of) => knell.api('POST', maintenance, { name: `m${of}`, duration: 1 + (of % 100) }),
  (_, of) => knell.api('POST', maintenance, { schedule: '*/2 * * * *', tz: 'UTC', duration: 1 + (of % 150) }),
  (_, of) => clock.advance(of % 100_000),
  (_, of) => clock.advance(of % 5),
  (_, of) =>
    knell.app.admin(
      {
        command: 'channel create',
        args: { project: 'default', kind: 'email', name: `c${of}`, value: 'a@b.c' },
      },
      () => {},
    ),
  async () => {},
];

const anyStep = fc.tuple(fc.nat(steps.length - 1), fc.nat(1_000_000));

test('whenever 304 was answered, what is rendered then is what the tag was given with', async () => {
  let spared = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: isLong ? 1 : 6, maxLength: 15 }), async (history) => {
      const made = await Promise.all([60, 90, 86_400].map((timeout) => knell.create({ timeout, grace: 60 })));
      const uuids = made.map(({ uuid }) => uuid);
      const paths = [...tagged(one(uuids, 0)), ...past(one(uuids, 0)), incidents, maintenance];
      /** Bodies by path and tag. */
      const bodies = new Map<string, string>();
      const last = new Map<string, string>();
      for (const [step, of] of history) {
        await steps[step]?.(uuids, of);
        for (const path of paths) {
          const conditional = await get(path, last.get(path));
          const rendered = await get(path);
          if (conditional.status === 304) {
            spared++;
            expect(rendered.text).toBe(bodies.get(`${path} ${tagOf(conditional)}`));
          }
          const tag = tagOf(rendered);
          last.set(path, tag);
          const known = bodies.get(`${path} ${tag}`);
          if (known !== undefined) expect(rendered.text).toBe(known);
          bodies.set(`${path} ${tag}`, rendered.text);
        }
      }
      for (const uuid of uuids) await knell.api('DELETE', `${list}${uuid}`);
    }),
    { numRuns: isLong ? 30 : 6 },
  );
  expect(spared).toBeGreaterThan(50);
});
