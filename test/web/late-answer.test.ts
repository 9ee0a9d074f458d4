/** An answer that comes after a newer update, in a real browser: a slow network delays what was asked for, and not what is published. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
  });
  afterAll(() => at?.stop());

  test('shows what an update has said last, whatever was asked for before it', async () => {
    const { uuid } = await at.knell.create({ name: 'backup', channels: '' });
    const held: (() => void)[] = [];
    let asked = 0;
    // The page asks once more when it is connected again: that answer is as old as the question, and late.
    await at.page.route('**/rows?ids=*', async (route) => {
      const response = await route.fetch();
      if (++asked > 1) await new Promise<void>((release) => held.push(release));
      await route.fulfill({ response });
    });
    await at.open(`checks/${uuid}`);
    const title = (words: RegExp) => at.page.locator('.now .big').filter({ hasText: words }).first();
    await title(/^New/).waitFor();
    await at.page.context().setOffline(true);
    await at.page.getByText('Live', { exact: true }).waitFor({ state: 'hidden' });
    await at.page.context().setOffline(false);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await at.knell.request(`/ping/${uuid}/fail`);
    await title(/^Down/).waitFor();
    const late = at.page.waitForResponse('**/rows?ids=*');
    for (const release of held) release();
    await (await late).finished();
    await at.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await expect.poll(() => title(/^Down/).count()).toBe(1);
    await expect.poll(() => at.page.getByText('No pings yet').count()).toBe(0);
  });
});
