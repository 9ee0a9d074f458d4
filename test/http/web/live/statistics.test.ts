/** What the page gets of a check's statistics, over a real socket, before and after a restart. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckStatistics, StatisticsBucket } from '../../../../src/domain/views/page-view.ts';
import { day, hour, minute } from '../../../../src/lib/units.ts';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { Knell } from '../../../support/knell.ts';
import { goodPassword, ownerPage, PageClient } from '../../../support/page/page-client.ts';

const startMs = Date.UTC(2026, 2, 10, 12);
const clock = new SimulatedClock(startMs);

let knell: Knell;
let page: PageClient;
let project = '';
let uuid = '';
let quiet = '';

beforeAll(async () => {
  knell = await Knell.start({ clock });
  page = await ownerPage(knell);
  project = (await page.get('/web/state')).json().projects[0].id;
  ({ uuid } = await knell.create({ name: 'Backup', timeout: 3600, grace: 3600 }));
  ({ uuid: quiet } = await knell.create({ name: 'Never run' }));
  const ping = (rest: string) => knell.request(`/ping/${uuid}${rest}`, { method: 'POST' });
  // 12:00 to 12:03 a run; 13:00 one that fails; 14:00 it is up again; 15:30 late; from 17:30 on it is down.
  await ping('/start');
  await clock.advance(3 * minute);
  await ping('');
  await clock.advance(57 * minute);
  await ping('/fail');
  await clock.advance(hour);
  await ping('');
  await clock.advance(90 * minute);
  await ping('');
  await clock.advance(4 * hour);
}, 60_000);

afterAll(() => knell.stop());

async function statistics(id: string, query: string): Promise<CheckStatistics> {
  const answer = await page.get(`/web/in/${project}/checks/${id}/statistics${query}`);
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.stringContaining('{')]);
  return answer.json() as CheckStatistics;
}

/** Those in which anything happened. */
const eventful = ({ buckets }: CheckStatistics): readonly StatisticsBucket[] =>
  buckets.filter(
    ({ succeeded, late, failed, missed, downMs }) => succeeded + late + failed + missed + downMs > 0,
  );

const expectedHours = [
  {
    fromMs: startMs,
    succeeded: 1,
    failed: 0,
    watchedMs: 57 * minute,
    durations: { count: 1, medianMs: 3 * minute },
  },
  { fromMs: startMs + hour, failed: 1, outages: 1, missed: 0, downMs: hour, durations: null },
  { fromMs: startMs + 2 * hour, succeeded: 1, late: 0, downMs: 0 },
  { fromMs: startMs + 3 * hour, succeeded: 0, late: 1, downMs: 0 },
  { fromMs: startMs + 5 * hour, missed: 1, outages: 1, downMs: 30 * minute },
  { fromMs: startMs + 6 * hour, missed: 0, downMs: hour },
  { fromMs: startMs + 7 * hour, missed: 0, downMs: 30 * minute },
];

describe('statistics of a check', () => {
  test('show each hour of the last day, as it was, also after a restart and a fold', async () => {
    const before = await statistics(uuid, '?range=24h');
    expect(before.buckets).toHaveLength(24);
    expect(eventful(before)).toMatchObject(expectedHours);
    await knell.restart();
    expect(await statistics(uuid, '?range=24h')).toEqual(before);
  });

  test('give uptimes with number and length of outages, and none where nothing was watched', async () => {
    const { uptimes, months } = await statistics(uuid, '?range=90d');
    const watchedMs = 7 * hour + 27 * minute;
    const downMs = 3 * hour;
    const percent = 100 * (1 - downMs / watchedMs);
    for (const { range, ...uptime } of uptimes)
      expect(uptime, range).toEqual({ percent: expect.closeTo(percent), outages: 2, downMs });
    expect(months).toHaveLength(12);
    expect(months.at(-1)).toMatchObject({ startMs: Date.UTC(2026, 2), outages: 2, downMs });
    expect(months.at(-2)).toMatchObject({ percent: null, outages: 0 });
    const none = await statistics(quiet, '?range=365d');
    expect(none.uptimes.map(({ percent }) => percent)).toEqual([null, null, null, null, null]);
    expect(eventful(none)).toEqual([]);
  });

  test('put the days of a time zone into their buckets', async () => {
    const { buckets } = await statistics(uuid, '?range=90d&tz=Asia%2FTokyo');
    // Midnight in Tokyo is at 15:00 UTC.
    const [before, after] = buckets.slice(-2);
    expect(after).toMatchObject({ fromMs: Date.UTC(2026, 2, 10, 15), succeeded: 0, late: 1, missed: 1 });
    expect(before).toMatchObject({ succeeded: 2, failed: 1, outages: 1, downMs: hour });
  });

  test('begin months and days by the time zone of the account, where the page names none', async () => {
    const zone = async (timeZone: string): Promise<void> => {
      expect((await page.post('/web/account', { timeZone })).status).toBe(200);
    };
    await zone('Pacific/Auckland');
    const { months, tz } = await statistics(uuid, '?range=90d');
    expect(tz).toBe('Pacific/Auckland');
    // Summer time (UTC+13) from 27 September to 5 April, else UTC+12: each month begins at its own midnight.
    const begins = new Map(
      months.map(({ startMs }) => [new Date(startMs).toISOString().slice(0, 16), startMs]),
    );
    expect([...begins.keys()].slice(-6)).toEqual([
      '2025-09-30T11:00',
      '2025-10-31T11:00',
      '2025-11-30T11:00',
      '2025-12-31T11:00',
      '2026-01-31T11:00',
      '2026-02-28T11:00',
    ]);
    expect([...begins.keys()].slice(0, 6)).toEqual([
      '2025-03-31T11:00',
      '2025-04-30T12:00',
      '2025-05-31T12:00',
      '2025-06-30T12:00',
      '2025-07-31T12:00',
      '2025-08-31T12:00',
    ]);
    await zone('');
    expect((await statistics(uuid, '?range=90d')).tz).toBe('UTC');
  });

  test('refuse a range and a time zone that there are not, and checks of nobody', async () => {
    const statusOf = async (path: string) => (await page.get(`/web/in/${project}/checks/${path}`)).status;
    expect(await statusOf(`${uuid}/statistics?range=1h`)).toBe(400);
    expect(await statusOf(`${uuid}/statistics?range=24h&tz=Mars%2FOlympus`)).toBe(400);
    expect(await statusOf('00000000-0000-4000-8000-000000000000/statistics?range=24h')).toBe(404);
    const nobody = new PageClient(knell);
    expect((await nobody.get(`/web/in/${project}/checks/${uuid}/statistics?range=24h`)).status).toBe(401);
  });

  test('keep days for years, hours for 90 days', async () => {
    clock.jump(100 * day);
    const signedIn = await page.signIn('ada', goodPassword);
    expect(signedIn.status).toBe(200);
    const { buckets, uptimes } = await statistics(uuid, '?range=365d');
    const first = buckets.find(({ watchedMs }) => watchedMs > 0);
    expect(first).toMatchObject({ succeeded: 2, late: 1, failed: 1, missed: 1 });
    expect(uptimes.find(({ range }) => range === '30d')).toMatchObject({
      percent: 0,
      outages: 1,
      downMs: 30 * day - 30 * minute,
    });
  });

  test('take the shortest range that shows all that there is, where none is chosen', async () => {
    const fitted = async (id: string) => (await statistics(id, '?range=fit')).range;
    await page.signIn('ada', goodPassword);
    expect(await fitted(quiet)).toBe('30d');
    const { uuid: brief } = await knell.create({ timeout: 30 * 86_400, grace: 3600 });
    await knell.request(`/ping/${brief}`, { method: 'POST' });
    const begunMs = clock.nowMs();
    for (const [days, range] of [
      [0.9, '24h'],
      [1.1, '7d'],
      [6.9, '7d'],
      [7.1, '30d'],
    ] as const) {
      await clock.advance(begunMs + days * day - clock.nowMs());
      await page.signIn('ada', goodPassword);
      expect(await fitted(brief), `${days} days`).toBe(range);
    }
  });
});
