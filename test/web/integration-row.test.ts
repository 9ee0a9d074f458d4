/** The row of an integration in a real browser: what it says of one that cannot send, and the search for another kind. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

describe.skipIf(browserMissing !== '')('the row of an integration', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const made = { kind: 'telegram', name: 'Chat', value: '{"id":1}' };
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, made)).json();
    const { uuid } = await at.knell.create({ name: 'Backup', channels: id });
    await at.knell.request(`/ping/${uuid}/fail`);
    await eventually(async () => {
      await at.clock.advance(5);
      const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
      expect(integrations[0].failed).toBe(1);
    });
    await at.open('integrations');
  });

  afterAll(() => at?.stop());

  test.each([390, 1024, 1280, 1440])('breaks no name of a variable, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 800 });
    const note = at.page.locator('.health').getByText('Needs KNELL_TELEGRAM_TOKEN');
    await expect.poll(async () => (await note.boundingBox())?.height).toBeLessThan(24);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('says why in a sentence, with the name of the kind as everywhere', async () => {
    await at.page.locator('.troubles', { hasText: 'Telegram needs KNELL_TELEGRAM_TOKEN' }).waitFor();
  });

  test('a search that leaves one kind opens its form with Enter, and no other does', async () => {
    const search = at.page.getByLabel('Search kinds of integrations');
    await search.fill('message to');
    await search.press('Enter');
    await search.fill('telegram');
    await search.press('Enter');
    await search.fill('slack');
    await expect.poll(() => at.page.locator('a.kind').count()).toBe(1);
    expect(new URL(at.page.url()).pathname).toMatch(/integrations$/);
    await search.press('Enter');
    await at.page.getByRole('heading', { name: 'Add Slack' }).waitFor();
    expect(at.complaints).toEqual([]);
  });
});
