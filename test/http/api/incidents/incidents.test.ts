/** Incidents by the management API: pings and requests over a real socket, a real store, a simulated clock. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { incidentChecksMax } from '../../../../src/domain/limits.ts';
import type { Json } from '../../../support/knell.ts';
import { AlertTimeline, minute } from '../../../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
});
afterEach(() => timeline.stop());

const list = '/api/v3/incidents/';

async function get(path: string, key?: string): Promise<Json> {
  const answer = await timeline.knell.api('GET', path, undefined, key);
  expect(answer.status).toBe(200);
  return answer.json();
}

async function post(id: string, action: string, body: unknown = {}): Promise<Json> {
  const answer = await timeline.knell.api('POST', `${list}${id}/${action}`, body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json();
}

async function titles(query = ''): Promise<readonly string[]> {
  return (await get(`${list}${query}`)).incidents.map(({ title }: { title: string }) => title);
}

/** A database that is down, and what depends on it. */
async function outage(): Promise<void> {
  await timeline.check('db-1', { channels: '*' });
  for (const name of ['app', 'page', 'mail']) await timeline.check(name, { depends_on: 'db-1' });
  await timeline.ping('db-1', '/fail');
  await timeline.advance(0);
  for (const name of ['app', 'page', 'mail']) await timeline.ping(name, '/fail');
}

describe('one incident', () => {
  test('counts those that are down, also the ones that its list has no place for', async () => {
    await timeline.check('db', {});
    const apps = Array.from({ length: incidentChecksMax + 1 }, (_, at) => `app-${at}`);
    await Promise.all(apps.map((name) => timeline.check(name, { depends_on: 'db' })));
    await timeline.ping('db', '/fail');
    await timeline.pingAll(apps.slice(0, -1), '/fail');
    // Last, so that the list has no place for it.
    await timeline.ping(`app-${incidentChecksMax}`, '/fail');
    const [incident] = (await get(list)).incidents;
    const all = incidentChecksMax + 2;
    expect(incident).toMatchObject({ n_checks: all, n_down: all });
    await timeline.ping('app-0');
    await timeline.ping(`app-${incidentChecksMax}`);
    expect(await get(`${list}${incident.id}`)).toMatchObject({ n_checks: all, n_down: all - 2 });
  });

  test('has in the list why the check that it opened with is down, or was', async () => {
    await outage();
    expect((await get(list)).incidents[0]).toMatchObject({ n_checks: 4, cause: 'fail' });
    await timeline.ping('db-1');
    expect((await get(list)).incidents[0]).toMatchObject({ n_down: 3, cause: 'fail' });
    for (const name of ['app', 'page', 'mail']) await timeline.ping(name);
    expect((await get(list)).incidents[0]).toMatchObject({ state: 'resolved', cause: 'fail' });
    // Of each its own, also where the check has gone down for another reason since.
    await timeline.later(24 * 60 + 90);
    const causes = (await get(list)).incidents.map(({ title, cause }: Json) => [title, cause]);
    expect(causes).toContainEqual([expect.stringMatching(/^db-1 is down/), 'timeout']);
    expect(causes).toContainEqual(['db-1 was down, and 3 that depend on it', 'fail']);
  });

  test('has the name that its check has now, or once had where it is deleted, and is found by old and new ones', async () => {
    const uuidOf = async (): Promise<string> => {
      const [{ id }] = (await get(list)).incidents;
      return (await get(`${list}${id}`)).checks[0].uuid;
    };
    await timeline.check('orders', {});
    await timeline.ping('orders', '/fail');
    const uuid = await uuidOf();
    await timeline.knell.api('POST', `/api/v3/checks/${uuid}`, { name: 'vacuum' });
    expect(await titles()).toEqual(['vacuum is down']);
    for (const text of ['ORDERS', 'vacuum']) expect(await titles(`?q=${text}`)).toEqual(['vacuum is down']);
    expect(await titles('?q=sweep')).toEqual([]);
    const [{ id }] = (await get(list)).incidents;
    const shown = await post(id, 'notes', { note: 'on it' });
    expect([shown.title, shown.checks[0].name, shown.entries[0].check]).toEqual([
      ...['vacuum is down', 'vacuum', 'orders'],
    ]);
    await timeline.knell.api('DELETE', `/api/v3/checks/${uuid}`);
    expect(await titles('?q=orders')).toHaveLength(1);
  });

  test('has no cause in the list once its check is deleted', async () => {
    await timeline.check('gone', {});
    await timeline.ping('gone', '/fail');
    await timeline.ping('gone');
    const [{ id, cause }] = (await get(list)).incidents;
    expect(cause).toBe('fail');
    const { checks } = await get(`${list}${id}`);
    await timeline.knell.api('DELETE', `/api/v3/checks/${checks[0].uuid}`);
    expect((await get(list)).incidents[0].cause).toBeUndefined();
  });

  test('says what is down, since when, who was notified, and what people did', async () => {
    await outage();
    await timeline.until(1);
    await timeline.later(2);
    const [{ id }] = (await get(list)).incidents;
    await post(id, 'acknowledge', { note: 'the disk is full' });
    await post(id, 'notes', { note: 'half of it is back' });
    await timeline.ping('db-1');
    await timeline.later(1);
    const shown = await get(`${list}${id}`);
    expect(shown).toMatchObject({
      id,
      state: 'acknowledged',
      title: 'app and 2 more are down',
      opened: '2026-03-02T02:00:00+00:00',
      acknowledged: '2026-03-02T02:02:00+00:00',
      acknowledged_by: 'API key',
      resolved: null,
      duration: 180,
      n_checks: 4,
      n_down: 3,
    });
    expect(shown.checks.map(({ name, left, dependent }: Json) => [name, left, dependent])).toEqual([
      ['db-1', '2026-03-02T02:02:00+00:00', false],
      ['app', null, true],
      ['page', null, true],
      ['mail', null, true],
    ]);
    expect(shown.checks[0].uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(shown.entries.map(({ kind, check, by, text }: Json) => [kind, check, by, text])).toEqual([
      ['opened', 'db-1', '', ''],
      ['joined', 'app', '', ''],
      ['joined', 'page', '', ''],
      ['joined', 'mail', '', ''],
      ['acknowledged', '', 'API key', ''],
      ['note', '', 'API key', 'the disk is full'],
      ['note', '', 'API key', 'half of it is back'],
      ['left', 'db-1', '', ''],
    ]);
    const outcomes = async (): Promise<readonly (readonly string[])[]> => {
      const { notifications } = await get(`${list}${id}`);
      return notifications.map(({ check, event, outcome }: Json) => [check, event, outcome]);
    };
    await timeline.until(2);
    await timeline.later(1);
    await expect.poll(outcomes).toContainEqual(['db-1', 'up', 'delivered']);
    expect(await outcomes()).toContainEqual(['db-1', 'down', 'delivered']);
    for (const name of ['app', 'mail', 'page'])
      expect(await outcomes()).toContainEqual([name, 'down', 'held']);
  });

  test('is shown to a read-only key without what lets it ping, and without whom it would notify', async () => {
    await outage();
    const { readOnly } = timeline.knell.keys;
    const [{ id }] = (await get(list, readOnly)).incidents;
    const shown = await get(`${list}${id}`, readOnly);
    expect(shown.title).toBe('db-1 is down and 3 depend on it');
    expect(shown.checks[0]).toMatchObject({
      name: 'db-1',
      unique_key: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect([shown.checks[0].uuid, shown.notifications]).toEqual([undefined, undefined]);
    const refused = await timeline.knell.api('POST', `${list}${id}/acknowledge`, {}, readOnly);
    expect([refused.status, refused.json()]).toEqual([401, { error: 'wrong api key' }]);
    expect((await get(`${list}${id}`)).state).toBe('open');
  });

  test('is acknowledged with its checks, and that is undone', async () => {
    await outage();
    const [{ id }] = (await get(list)).incidents;
    await post(id, 'acknowledge');
    const acknowledged = async (): Promise<number> =>
      (await get('/api/v3/snoozes/')).snoozes.filter((one: Json) => one.acknowledged).length;
    expect(await acknowledged()).toBe(4);
    expect(await post(id, 'unacknowledge')).toMatchObject({ state: 'open', acknowledged_by: null });
    expect(await acknowledged()).toBe(0);
  });

  test('of an outage that is over says how long it took, and takes notes, but is not acknowledged', async () => {
    await outage();
    await timeline.later(5);
    for (const name of ['db-1', 'app', 'page', 'mail']) await timeline.ping(name);
    const [{ id, ...rest }] = (await get(list)).incidents;
    expect(rest).toMatchObject({
      state: 'resolved',
      title: 'db-1 was down, and 3 that depend on it',
      duration: 300,
      n_down: 0,
    });
    await timeline.later(60);
    expect((await get(`${list}${id}`)).duration).toBe(300);
    const refused = await timeline.knell.api('POST', `${list}${id}/acknowledge`);
    expect([refused.status, refused.json()]).toEqual([409, { error: 'this incident is resolved' }]);
    expect((await post(id, 'notes', { note: 'a disk was full' })).entries.at(-1)).toMatchObject({
      kind: 'note',
      text: 'a disk was full',
    });
  });

  test.each([
    ['notes', {}, 'a note needs a text'],
    ['notes', { note: ' ' }, 'a note needs a text'],
    ['notes', { note: 'x'.repeat(1001) }, 'a note has at most 1000 characters'],
    ['acknowledge', { note: 'x'.repeat(1001) }, 'a note has at most 1000 characters'],
    ['acknowledge', { note: 7 }, 'note is not a string'],
  ])('refuses %s with %j', async (action, body, error) => {
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    const [{ id }] = (await get(list)).incidents;
    const refused = await timeline.knell.api('POST', `${list}${id}/${action}`, body);
    expect([refused.status, refused.json()]).toEqual([400, { error }]);
    expect((await get(`${list}${id}`)).entries).toHaveLength(1);
  });

  test('of another project, or none, is refused', async () => {
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    const [{ id }] = (await get(list)).incidents;
    const { engine } = timeline.knell.app;
    const { readWrite } = await engine.change.createProject('other', 'paid', timeline.clock.nowMs());
    for (const [method, rest] of [
      ['GET', ''],
      ['POST', '/acknowledge'],
      ['POST', '/notes'],
    ]) {
      const body = method === 'GET' ? undefined : { note: 'x' };
      const other = await timeline.knell.api(method ?? '', `${list}${id}${rest}`, body, readWrite.clear);
      const error = 'access denied: the incident belongs to another project';
      expect([other.status, other.json()]).toEqual([403, { error }]);
      const none = `${list}00000000-0000-4000-8000-000000000000${rest}`;
      expect((await timeline.knell.api(method ?? '', none, body)).status).toBe(404);
    }
    expect((await timeline.knell.api('GET', list, undefined, readWrite.clear)).json().incidents).toEqual([]);
  });
});

describe('the list', () => {
  test('has the newest first, by state and text, a page at a time without gap or repetition', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five'])
      await timeline.check(name, { timeout: 86_400 });
    // Two of one instant: a page may end between them.
    for (const name of ['one', 'two']) await timeline.knell.request(`/ping/${await uuidOf(name)}/fail`);
    for (const name of ['three', 'four', 'five']) {
      await timeline.clock.advance(minute);
      await timeline.ping(name, '/fail');
    }
    await timeline.ping('four');
    const all = await titles();
    expect(all.slice(0, 3)).toEqual(['five is down', 'four was down', 'three is down']);
    expect([...all.slice(3)].sort()).toEqual(['one is down', 'two is down']);
    const paged: string[] = [];
    let before = '';
    for (let page = 0; page < 5; page++) {
      const { incidents, next } = await get(`${list}?limit=1${before}`);
      paged.push(...incidents.map(({ title }: { title: string }) => title));
      // What opens in between is on no later page.
      await timeline.clock.advance(minute);
      await timeline.check(`later ${page}`, { slug: `later-${page}` });
      await timeline.ping(`later ${page}`, '/fail');
      before = `&before=${next}`;
      expect(next === null).toBe(page === 4);
    }
    expect(paged).toEqual(all);
    expect(await titles('?state=resolved')).toEqual(['four was down']);
    const [{ id }] = (await get(`${list}?state=open,acknowledged&q=THREE`)).incidents;
    await post(id, 'acknowledge', { note: 'Waiting for the vendor' });
    expect(await titles('?state=acknowledged&state=resolved')).toEqual(['four was down', 'three is down']);
    expect(await titles('?q=VENDOR')).toEqual(['three is down']);
    expect(await titles('?q=nothing')).toEqual([]);
  });

  test.each([
    ['?state=closed', 'state is not one of open, acknowledged, resolved'],
    ['?limit=0', 'limit is not a number from 1 to 100'],
    ['?limit=101', 'limit is not a number from 1 to 100'],
    ['?before=x', 'before is not a cursor of this list'],
    [`?q=${'x'.repeat(201)}`, 'q has at most 200 characters'],
  ])('refuses %s', async (query, error) => {
    const refused = await timeline.knell.api('GET', list + query);
    expect([refused.status, refused.json()]).toEqual([400, { error }]);
  });
});

async function uuidOf(name: string): Promise<string> {
  const { checks } = await get(`/api/v3/checks/?slug=${name}`);
  return checks[0].uuid;
}

test('metrics say how many are open', async () => {
  const open = async (): Promise<number> => {
    const text = await (await fetch(timeline.knell.app.metricsUrl ?? 'no listener')).text();
    return Number(/^knell_incidents_open (\d+)$/m.exec(text)?.[1]);
  };
  await timeline.check('job', {});
  await timeline.ping('job', '/fail');
  expect(await open()).toBe(1);
  await timeline.ping('job');
  expect(await open()).toBe(0);
});
