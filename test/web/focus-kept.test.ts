/** What takes away the thing that has the focus does not take the focus: by keyboard one goes on from there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the focus is kept', () => {
  let at: OwnerBrowser;
  let check = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    const failing = { kind: 'webhook', name: 'Tickets', fields: { url_down: 'http://127.0.0.1:9/' } };
    await at.owner.post(`/web/in/${at.project}/channels`, failing);
    for (const tags of ['prod db', 'prod', 'backup']) {
      const { uuid } = await at.knell.create({ name: `Job for ${tags}`, tags, channels: '*' });
      await at.knell.request(`/ping/${uuid}/fail`);
      check = uuid;
    }
  });
  afterAll(() => at?.stop());

  const focused = () => at.page.evaluate<string>('document.activeElement.textContent.trim().slice(0, 40)');
  const isLost = () => at.page.evaluate<boolean>('document.activeElement === document.body');

  test('by a tag that is chosen, and given up', async () => {
    await at.open('checks');
    const chip = at.page.locator('.chip[data-tag=db]');
    await chip.focus();
    await at.page.keyboard.press('Space');
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(focused).toMatch(/^db/);
    await at.page.keyboard.press('Space');
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('false');
    await expect.poll(focused).toMatch(/^db/);
  });

  test('by Escape in a search, which empties it first', async () => {
    await at.open('checks');
    await at.page.keyboard.press('/');
    await at.page.keyboard.type('backup');
    await at.page.getByText('1 of 3 checks').waitFor();
    await at.page.keyboard.press('Escape');
    await at.page.getByText('3 checks', { exact: true }).waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.type')).toBe('search');
    await at.page.keyboard.press('Escape');
    await expect.poll(isLost).toBe(true);
  });

  test('by a button that goes with what it ends', async () => {
    await at.open(`checks/${check}`);
    await at.page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    const withdraw = at.page.getByRole('button', { name: 'Withdraw acknowledgement' });
    await withdraw.focus();
    await at.page.keyboard.press('Enter');
    await withdraw.waitFor({ state: 'detached' });
    await expect.poll(focused).toMatch(/Acknowledge$/);
  });

  test('by failed notifications that are discarded', async () => {
    await at.open('integrations');
    await at.page.getByRole('button', { name: /^Discard \d+ of Tickets$/ }).press('Enter');
    const dialog = at.page.getByRole('dialog', { name: /^Discard \d+ of Tickets/ });
    await dialog.getByRole('button', { name: 'Discard' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(isLost).toBe(false);
  });

  test('on the page that the palette opens', async () => {
    await at.open('checks');
    await at.page.getByRole('link', { name: 'Badges' }).focus();
    await at.page.keyboard.press('Control+k');
    await at.page.locator('.palette input').fill('Reports');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.id')).toBe('main');
  });

  test('and the way back from signing in is to where one came from', async () => {
    const context = await at.page.context().browser()?.newContext();
    const page = await context?.newPage();
    if (!page) throw new Error('there is no browser');
    await page.goto(`${at.knell.app.httpUrl}/docs/`);
    await page.goto(`${at.knell.app.httpUrl}/project/${at.project}/checks/${check}`);
    await page.waitForURL(/sign-in$/);
    await page.goBack();
    await page.waitForURL(/\/docs\/$/);
    await context?.close();
  });
});
