/** A report in a real browser counts no acknowledgement that was withdrawn, and the one that stayed from when it was given. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { hour, minute } from '../../src/lib/units.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a report, once an acknowledgement was undone', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (const name of ['Backup', 'Mirror'])
      await at.knell.request(`/ping/${(await at.knell.create({ name })).uuid}/fail`);
    await at.clock.advance(hour);
  });
  afterAll(() => at?.stop());

  const says = async (words: string): Promise<void> => {
    await at.page.goto(`${at.knell.app.httpUrl}/reports`);
    await at.page.getByText(words, { exact: true }).waitFor();
  };

  test('says that none is acknowledged, and then after how long one was', async () => {
    await at.open('incidents');
    await at.page.getByRole('button', { name: 'Acknowledge all 2 open incidents' }).click();
    await at.page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await at.page.getByText('Undone: ').waitFor();
    await says('2 opened, none acknowledged');
    await at.clock.advance(30 * minute);
    const { incidents } = (await at.knell.api('GET', '/api/v3/incidents/')).json();
    await at.open(`incidents/${incidents[0].id}`);
    await at.page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    await at.page.getByText('Acknowledged by ada,').waitFor();
    await says('2 opened, of which 1 was acknowledged after 1 h 30 min');
  });
});
