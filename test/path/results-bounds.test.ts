/** What bounds the numbers of checks, and what is said when a bound is reached: over a real socket, with a real store. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectResultRulesMax, resultNamesMax, resultRulesMax } from '../../src/domain/limits.ts';
import { AlertTimeline } from '../support/page/alert-timeline.ts';

let timeline: AlertTimeline;

beforeEach(async () => {
  timeline = await AlertTimeline.start({ KNELL_API_RATE_LIMIT: '0' });
});

afterEach(() => timeline.stop());

const post = (path: string, json: Record<string, unknown>) =>
  timeline.knell.api('POST', `/api/v3/${path}`, json);

test('rules of a project: one more is refused with 400, also after a restart, until others are gone', async () => {
  const results = Array.from({ length: resultRulesMax }, (_, n) => `n${n}`).join('\n');
  const ids: string[] = [];
  for (let left = projectResultRulesMax / resultRulesMax; left > 0; left -= 100) {
    const made = await Promise.all(Array.from({ length: 100 }, () => post('checks/', { results })));
    ids.push(...made.map((answer) => answer.json().uuid));
  }
  const refused = {
    error:
      'results has too many rules: the checks of a project may have 10,000, and there are 10,000; delete some of other checks',
  };
  const more = await post('checks/', { results: 'one' });
  expect([more.status, more.json()]).toEqual([400, refused]);
  const { uuid } = (await post('checks/', { name: 'plain' })).json();
  await timeline.restart();
  const changed = await post(`checks/${uuid}`, { results: 'one' });
  expect([changed.status, changed.json()]).toEqual([400, refused]);
  // Other rules, as many, and other fields are taken.
  expect((await post(`checks/${ids[0]}`, { results: results.replace('n0', 'm0') })).status).toBe(200);
  expect((await post(`checks/${ids[0]}`, { name: 'renamed' })).status).toBe(200);
  expect((await post(`checks/${ids[0]}`, { results: 'n0' })).status).toBe(200);
  expect((await post(`checks/${uuid}`, { results: 'one' })).status).toBe(200);
  expect((await timeline.knell.api('DELETE', `/api/v3/checks/${ids[1]}`)).status).toBe(200);
  expect((await post('checks/', { results })).status).toBe(201);
}, 60_000);

test('names that are others in each run: nothing grows, and the list and a hint say so', async () => {
  const { uuid } = await timeline.check('job', { results: 'files' });
  for (let n = 0; n < 8; n++) {
    const query = Array.from({ length: 19 }, (_, at) => `m=x${n * 19 + at}:1`).join('&');
    expect((await timeline.knell.request(`/ping/${uuid}?${query}&m=files:${n}`)).status).toBe(200);
  }
  const get = async (rest: string) =>
    (await timeline.knell.api('GET', `/api/v3/checks/${uuid}/${rest}`)).json();
  const { results, left_out } = await get('results/');
  expect([results.length, left_out]).toEqual([resultNamesMax, 1 + 8 * 19 - resultNamesMax]);
  expect(results[0]).toMatchObject({ name: 'files', last: 7 });
  expect((await get('results/x1?step=hour')).points).toHaveLength(1);
  // Beyond the thirtieth name, an hour keeps none.
  expect((await get('results/x100?step=hour')).points).toEqual([]);
  const { hints } = await get('hints/');
  expect(hints).toMatchObject([
    { code: 'result-names', text: expect.stringMatching(/^Runs reported 153 different names/) },
  ]);
});

test('a limit that has nothing to judge is named by a hint', async () => {
  const { uuid } = await timeline.check('job', { results: 'files: below 1\nrows: below 1' });
  const query = Array.from({ length: 20 }, (_, at) => `m=x${at}:1`).join('&');
  // The 21st number of a ping is left out, whatever its rule says.
  for (let n = 0; n < 5; n++)
    await timeline.knell.request(`/ping/${uuid}?${query}&m=files:0`, { method: 'POST', body: 'rows=3' });
  expect((await timeline.knell.check(uuid)).status).toBe('up');
  const { hints } = (await timeline.knell.api('GET', `/api/v3/checks/${uuid}/hints/`)).json();
  expect(hints).toEqual([
    {
      code: 'result-missing',
      text: 'The last 5 good runs reported no files, so no limit of it was judged: a number counts among the first 20 of a ping, or in the last 5,000 lines of an output.',
      change: null,
    },
  ]);
});
