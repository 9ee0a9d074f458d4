/** Acknowledging and snoozing through the API of a running Knell. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Knell } from '../../../support/knell.ts';

let knell: Knell;
let path = '';
let uniqueKey = '';
beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_METRICS: '127.0.0.1:0' } });
});
afterAll(() => knell.stop());

beforeEach(async () => {
  const made = (await post('/api/v3/checks/', { name: 'backup', slug: '' })).json();
  path = `/api/v3/checks/${made.uuid}`;
  const list = await knell.request('/api/v3/checks/', { headers: { 'X-Api-Key': knell.keys.readOnly } });
  uniqueKey = list.json().checks.at(-1).unique_key;
  await knell.request(`/ping/${made.uuid}/fail`);
});

function post(url: string, json: unknown = {}, key?: string) {
  return knell.api('POST', url, json, key);
}

async function state(key = knell.keys.readWrite, at = `${path}/snooze`) {
  const answer = await knell.request(at, { headers: { 'X-Api-Key': key } });
  expect(answer.status).toBe(200);
  return answer.json();
}

test('a check that is down is acknowledged, once, and no longer', async () => {
  const answer = await post(`${path}/acknowledge`);
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({ name: 'backup', status: 'down' });
  expect(await state()).toMatchObject({ acknowledged: { by: 'API key' }, snoozed: null });
  expect((await post(`${path}/unacknowledge`)).status).toBe(200);
  expect(await state()).toMatchObject({ acknowledged: null });
});

test('one that is not down is not acknowledged: 409', async () => {
  await knell.request(path.replace('/api/v3/checks', '/ping'));
  const answer = await post(`${path}/acknowledge`);
  expect([answer.status, answer.json().error]).toEqual([
    409,
    'check is not down: only a check that is down can be acknowledged',
  ]);
});

test('it is snoozed for some seconds or until a time, however that is written, and not any more', async () => {
  const inAnHour = Math.floor(Date.now() / 1000) + 3600;
  const iso = new Date(inAnHour * 1000).toISOString();
  const shown = iso.replace('.000Z', '+00:00');
  for (const json of [{ until: inAnHour }, { until: iso }, { until: shown }]) {
    expect((await post(`${path}/snooze`, json)).status).toBe(200);
    expect((await state()).snoozed).toMatchObject({ until: shown, by: 'API key' });
    expect((await post(`${path}/unsnooze`)).json()).toMatchObject({ name: 'backup' });
    expect((await state()).snoozed).toBeNull();
  }
  expect((await post(`${path}/snooze`, { for: 60 })).status).toBe(200);
  const { timestamp, until } = (await state()).snoozed;
  expect(Date.parse(until) - Date.parse(timestamp)).toBe(60_000);
});

test.each([
  [{}, 'give either until or for'],
  [{ until: 1, for: 1 }, 'give either until or for'],
  [{ until: 1 }, 'until has passed'],
  [{ until: '2030-05-04T09:00:00' }, 'until is not a time'],
  [{ until: '2030-13-04T09:00:00Z' }, 'until is not a time'],
  [{ until: '2027-02-30T09:00:00Z' }, 'until is not a time'],
  [{ until: 'tomorrow' }, 'until is not a time'],
  [{ until: null }, 'until is not a time'],
  [{ until: -5 }, 'until is not a time'],
  [{ for: 0 }, 'for is not a number of seconds'],
  [{ for: 1.5 }, 'for is not a number of seconds'],
  [{ for: '60' }, 'for is not a number of seconds'],
  [{ for: 400 * 86_400 }, 'for is more than a year ahead'],
  [{ until: '2200-01-01T00:00:00Z' }, 'until is more than a year ahead'],
])('%j is refused: %s', async (json, error) => {
  const answer = await post(`${path}/snooze`, json);
  expect(answer.status).toBe(400);
  expect(answer.json().error).toContain(error);
  expect((await state()).snoozed).toBeNull();
});

test('a read-only key sees it without the UUID, and changes nothing', async () => {
  await post(`${path}/snooze`, { for: 60 });
  const readOnly = knell.keys.readOnly;
  expect(await state(readOnly, `/api/v3/checks/${uniqueKey}/snooze`)).toMatchObject({
    unique_key: uniqueKey,
    snoozed: { by: 'API key' },
  });
  const { snoozes } = await state(readOnly, '/api/v3/snoozes/');
  expect(snoozes.map(({ unique_key }: { unique_key: string }) => unique_key)).toContain(uniqueKey);
  expect(JSON.stringify(snoozes)).not.toContain(path.slice(-36));
  for (const way of ['acknowledge', 'unacknowledge', 'snooze', 'unsnooze'])
    expect((await post(`${path}/${way}`, {}, readOnly)).status).toBe(401);
});

test('the list has only those that are snoozed or acknowledged', async () => {
  const mine = async () =>
    (await state(undefined, '/api/v3/snoozes/')).snoozes.filter(({ uuid }: { uuid: string }) =>
      path.endsWith(uuid),
    );
  expect(await mine()).toEqual([]);
  await post(`${path}/acknowledge`);
  expect(await mine()).toMatchObject([{ acknowledged: { by: 'API key' }, snoozed: null }]);
});

test('metrics say how many are snoozed', async () => {
  await post(`${path}/snooze`, { for: 60 });
  const before = await metric();
  await post(`${path}/unsnooze`);
  expect(await metric()).toBe(before - 1);
});

async function metric(): Promise<number> {
  const text = await (await fetch(knell.app.metricsUrl ?? 'no listener')).text();
  return Number(/^knell_checks_snoozed (\d+)$/m.exec(text)?.[1]);
}
