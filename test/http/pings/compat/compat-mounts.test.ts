/**
 * The ping addresses of other services, by what these document of them, over real sockets. `path/other-services.test.ts` has the clients
 * that run unchanged.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Json, Knell } from '../../../support/knell.ts';

let knell: Knell;
let uuid: string;
let bare: string;
let key: string;

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_COMPAT_PINGS: 'all' } });
  ({ uuid } = await knell.create({ name: 'Job', slug: 'job' }));
  bare = uuid.replaceAll('-', '');
  key = knell.keys.ping;
});
afterAll(() => knell.stop());

/** With the tokens in place. */
function ask(path: string, init?: RequestInit): Promise<Answer> {
  return knell.request(path.replace('UUID', uuid).replace('BARE', bare).replace('KEY', key), init);
}

async function newest(): Promise<Json> {
  const [ping] = await knell.pings(uuid);
  const { text } = await knell.api('GET', `/api/v3/checks/${uuid}/pings/${ping.n}/body`);
  return { ...ping, body: ping.body_url === null ? '' : text };
}

const genie = (of: string): RequestInit => ({ headers: { Authorization: `GenieKey ${of}` } });
const post = (body: string): RequestInit => ({ method: 'POST', body });

describe('a ping', () => {
  test.each<[string, RequestInit, number, Json]>([
    ['/p/KEY/job?state=run&series=abc&host=db-1', {}, 200, { type: 'start', host: 'db-1' }],
    ['/p/KEY/job?state=complete&message=all+done', {}, 200, { type: 'success', body: 'all done' }],
    ['/p/KEY/job?state=fail&message=no', {}, 200, { type: 'fail', body: 'no' }],
    ['/p/KEY/job?state=ok', {}, 200, { type: 'success' }],
    ['/p/KEY/job', {}, 200, { type: 'success' }],
    ['/api/push/UUID?status=up&msg=OK&ping=', {}, 200, { type: 'success', body: 'OK' }],
    ['/api/push/BARE?status=down&msg=disk+full', {}, 200, { type: 'fail', body: 'disk full' }],
    ['/api/push/KEY/job', {}, 200, { type: 'success' }],
    ['/UUID', {}, 202, { type: 'success' }],
    ['/BARE?m=done', {}, 202, { type: 'success', body: 'done' }],
    ['/BARE?s=0', post('text'), 202, { type: 'success', body: 'text' }],
    ['/UUID?s=3&m=lost', {}, 202, { type: 'fail', body: 'lost' }],
    ['/BARE', post('s=1'), 202, { type: 'fail', body: '' }],
    ['/BARE', post('s=0&m=1%2C234+records'), 202, { type: 'success', body: '1,234 records' }],
    ['/BARE', post('m=lost & found&s=2'), 202, { type: 'fail', body: 'lost ' }],
    ['/BARE', post('sent 3 files, s=1'), 202, { type: 'success', body: 'sent 3 files, s=1' }],
    ['/api/v1/heartbeat/UUID', {}, 200, { type: 'success' }],
    ['/api/v1/heartbeat/BARE/fail', post('why'), 200, { type: 'fail', body: 'why' }],
    ['/api/v1/heartbeat/KEY/job/0', {}, 200, { type: 'success' }],
    ['/api/v1/heartbeat/UUID/17', {}, 200, { type: 'fail' }],
    ['/api/1/cron/job/KEY/?status=in_progress', {}, 202, { type: 'start' }],
    ['/api/1/cron/job/KEY?status=ok', {}, 202, { type: 'success' }],
    ['/api/1/cron/job/KEY/', post('{"status":"error","duration":4.5}'), 202, { type: 'fail' }],
  ])('%s', async (path, init, status, expected) => {
    expect((await ask(path, init)).status).toBe(status);
    expect(await newest()).toMatchObject(expected);
  });

  test('/v2/heartbeats/<name>/ping, by a name that is a slug or becomes one', async () => {
    const { n } = await newest();
    const answers = [
      await ask('/v2/heartbeats/job/ping', genie(key)),
      await ask('/v2/heartbeats/Job/ping', { ...genie(key), method: 'POST' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(answers[0]?.json().result).toBe('PONG - Heartbeat received');
    expect((await newest()).n).toBe(n + 2);
  });

  test('numbers become results', async () => {
    const latest = async (): Promise<Json> => (await newest()).results;
    await ask('/p/KEY/job?state=complete&metric=count:12&metric=duration:3.5&metric=junk');
    expect(await latest()).toEqual({ count: 12, duration: 3.5 });
    await ask('/api/push/UUID?ping=23');
    expect(await latest()).toEqual({ ping: 23 });
    await ask('/api/1/cron/job/KEY/?status=ok&duration=7');
    expect(await latest()).toEqual({ duration: 7 });
  });

  test('start and end of one run belong together, whatever its id is', async () => {
    for (const [begin, end] of [
      ['/p/KEY/job?state=run&series=1699.25', '/p/KEY/job?state=complete&series=1699.25'],
      [`/api/1/cron/job/KEY/?status=in_progress&check_in_id=${bare}`, ''],
    ] as const) {
      await ask(begin);
      const { rid } = await newest();
      await ask(end || begin.replace('in_progress', 'ok'));
      expect(await newest()).toMatchObject({ rid, type: 'success', duration: expect.any(Number) });
      expect(rid).toMatch(/^[-0-9a-f]{36}$/);
    }
  });

  test('Uptime Kuma and Opsgenie get the JSON that their clients read', async () => {
    expect((await ask('/api/push/UUID')).json()).toEqual({ ok: true });
    expect((await ask('/api/push/nobody')).json()).toEqual({ ok: false, msg: 'not found' });
    expect((await ask('/v2/heartbeats/nobody/ping', genie(key))).json()).toEqual({ message: 'not found' });
  });
});

describe('garbage is refused in words, and neither pings nor creates', () => {
  test.each<[string, RequestInit, number, string]>([
    ['/p/KEY/job?state=broken', {}, 400, 'state is one of run, complete, fail, ok'],
    ['/p/KEY/job?state=constructor', {}, 400, 'state is one of'],
    ['/p/KEY/Job', {}, 400, 'a slug is in lower case'],
    ['/p/KEY/nobody', {}, 404, 'not found'],
    ['/p/wrong/job', {}, 404, 'not found'],
    ['/p/KEY', {}, 404, 'not found'],
    ['/p/KEY/job/more', {}, 404, 'not found'],
    ['/p/KEY/%zz', {}, 404, 'not found'],
    ['/p/KEY/new?create=1&timeout=5', {}, 400, 'timeout is too small'],
    ['/api/push/', {}, 404, 'not found'],
    ['/api/push/UUID/more', {}, 404, 'not found'],
    ['/api/push/UUID?status=sideways', {}, 400, 'status is up or down'],
    ['/api/push/00000000000000000000000000000000', {}, 404, 'not found'],
    ['/00000000-0000-0000-0000-000000000000', {}, 404, 'not found'],
    ['/UUID?s=256', {}, 400, 's is an exit status from 0 to 255'],
    ['/UUID?s=x', {}, 400, 's is an exit status'],
    ['/api/v1/heartbeat/UUID/maybe', {}, 400, 'ends with the token, /fail, or an exit status'],
    ['/api/v1/heartbeat/UUID/256', {}, 400, 'exit status'],
    ['/api/v1/heartbeat/nobody', {}, 404, 'not found'],
    ['/v2/heartbeats/job/ping', {}, 401, 'Authorization: GenieKey KEY'],
    ['/v2/heartbeats/job/ping', genie('wrong'), 404, 'not found'],
    ['/v2/heartbeats/job', genie('wrong'), 404, 'not found'],
    ['/api/1/cron/job/KEY/?status=missed', {}, 400, 'status is one of in_progress, ok, error'],
    ['/api/1/cron/job/KEY/', post('{'), 400, 'the body is no JSON object'],
    ['/api/1/cron/job/wrong/?status=ok', {}, 404, 'not found'],
    ['/api/1/cron/job/', {}, 404, 'not found'],
    ['/api/1/cron/job/KEY/', post('{"status":"ok","check_in_id":1}'), 400, 'check_in_id is not a string'],
    ['/api/1/cron/job/KEY/', post('x'.repeat(200_000)), 413, 'larger than 100 kB'],
  ])('%s', async (path, init, status, words) => {
    const { n_pings: before } = await knell.check(uuid);
    const answer = await ask(path, init);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
    expect((await knell.check(uuid)).n_pings).toBe(before);
    expect((await knell.api('GET', '/api/v3/checks/')).json().checks).toHaveLength(1);
  });
});

test('other addresses of the API and of the page are as they were', async () => {
  expect((await knell.api('GET', '/api/v1/checks/')).status).toBe(200);
  expect((await knell.request('/api/v1/heartbeats')).status).toBe(404);
  expect((await knell.request('/sign-in')).headers.get('content-type')).toContain('text/html');
  expect((await ask('/api/push/UUID', { method: 'OPTIONS' })).status).toBe(204);
});
