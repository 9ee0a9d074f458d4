/** A service that is late has a late day before its ping has come: statistics count that only then. */
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
  const today = async (): Promise<string | undefined> =>
    /<title>Tue 10 Mar: ([^<]+)/.exec((await knell.request('/status/northwind')).text)?.[1];
  await clock.advance(30 * minute);
  expect(await today()).toBe('up');
  await clock.advance(2 * hour);
  expect(await today()).toBe('late');
  await knell.stop();
});
