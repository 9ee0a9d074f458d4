/** The page of a check that flaps, of which nothing is folded yet: over a real socket, with pings that came over one. */
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../../support/knell.ts';
import { leastLongestTurnMs } from '../../../support/longest-turn.ts';
import { ownerPage, type PageClient } from '../../../support/page/page-client.ts';

const outages = 2000;
let knell: Knell;
let owner: PageClient;
let path = '';

beforeAll(async () => {
  knell = await Knell.start({ clock: new SimulatedClock(Date.UTC(2026, 0, 10, 7, 20)) });
  owner = await ownerPage(knell);
  const project = (await owner.get('/web/state')).json().projects[0].id;
  const { uuid } = await knell.create({ name: 'flapping' });
  for (let left = outages; left > 0; left--) {
    await knell.request(`/ping/${uuid}/fail`);
    await knell.request(`/ping/${uuid}`);
  }
  path = `/web/in/${project}/checks/${uuid}/statistics?range=24h`;
}, 120_000);

afterAll(() => knell?.stop());

const asked = (): Promise<unknown> =>
  new Promise((resolve, reject) => {
    get(`${knell.app.httpUrl}${path}`, { headers: { cookie: owner.cookie }, agent: false }, (response) => {
      response.resume().on('end', resolve).on('error', reject);
    }).on('error', reject);
  });

test('has every outage, and takes no turn of 10 ms', async () => {
  const { total, uptimes }: Json = (await owner.get(path)).json();
  expect([total.outages, total.failed, total.succeeded]).toEqual([outages, outages, outages]);
  expect(uptimes[0].outages).toBe(outages);
  // The first request counts ahead, in many turns; those after it read what is kept. Without it, each reads everything five times.
  expect(await leastLongestTurnMs(10, asked)).toBeLessThan(10);
});
