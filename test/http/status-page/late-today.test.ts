/** A service that is late says since when, and has a late day before its ping has come: statistics count that only then. */
import { expect, test } from 'vitest';
import { hour, minute } from '../../../src/lib/units.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { Knell } from '../../support/knell.ts';
import { ownerPage, projectIn } from '../../support/page/page-client.ts';

test('a day is late while its ping is overdue, and is up where it is not', async () => {
  const clock = new SimulatedClock(Date.UTC(2026, 2, 10, 9));
  const knell = await Knell.start({ clock });
  const owner = await ownerPage(knell);
  const { uuid } = await knell.create({ name: 'job', timeout: 3600, grace: 24 * 3600 });
  await knell.request(`/ping/${uuid}`);
  const services = [{ name: 'Backups', checks: [uuid] }];
  await owner.post(`/web/in/${await projectIn(owner)}/status-pages`, {
    ...{ slug: 'northwind', title: 'Northwind', services },
  });
  const found = async (wanted: RegExp): Promise<string | undefined> =>
    wanted.exec((await knell.request('/status/northwind')).text)?.[1];
  const today = () => found(/<title>Tue 10 Mar: ([^<]+)/);
  const state = () => found(/<span class="state \w+">([^<]+)/);
  await clock.advance(30 * minute);
  expect([await today(), await state()]).toEqual(['up', 'Up']);
  await clock.advance(2 * hour);
  // Its ping was expected an hour after the last one.
  expect([await today(), await state()]).toEqual(['late', 'Late since 10:00']);
  await knell.stop();
});
