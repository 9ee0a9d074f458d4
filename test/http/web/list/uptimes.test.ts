/** The uptime of a project, which is that of its checks: as its list has it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { Knell } from '../../../support/knell.ts';
import { ownerPage, type PageClient } from '../../../support/page/page-client.ts';

const clock = new SimulatedClock(Date.UTC(2026, 2, 2, 12));
let knell: Knell;
let owner: PageClient;
let project = '';

beforeAll(async () => {
  knell = await Knell.start({ clock });
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
});
afterAll(() => knell?.stop());

test('is that of its only watched check, also while that is down and young', async () => {
  const { uuid } = await knell.create({ name: 'Young', timeout: 3600 });
  await knell.create({ name: 'Never pinged' });
  await knell.request(`/ping/${uuid}`);
  await clock.advance(400_000);
  await knell.request(`/ping/${uuid}/fail`);
  const both = async (): Promise<readonly unknown[]> => {
    const { uptimes } = (await owner.get('/web/uptimes')).json();
    const { rows } = (await owner.get(`/web/in/${project}/rows?ids=${uuid}`)).json();
    return [uptimes[project], rows[0].uptime];
  };
  expect(await both()).toEqual([100, 100]);
  await clock.advance(20_000);
  const [ofProject, ofCheck] = await both();
  expect(ofCheck).toBeCloseTo(100 * (400 / 420), 3);
  expect(ofProject).toBeCloseTo(100 * (400 / 420), 3);
});
