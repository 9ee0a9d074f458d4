/** A notice of a status page in a real browser: its services have their states, and those that are down are ticked. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a new notice', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const services = [];
    for (const name of ['Shop', 'Mail', 'Search', 'Archive']) {
      const { uuid } = await at.knell.create({ name: `job of ${name}`, timeout: 86_400 });
      services.push({ id: '', name, checks: [uuid] });
      if (name !== 'Search') await at.knell.request(`/ping/${uuid}${name === 'Shop' ? '/fail' : ''}`);
      if (name === 'Archive') await at.knell.api('POST', `/api/v3/checks/${uuid}/pause`);
    }
    const page = { slug: 'public', title: 'Public', services };
    expect((await at.owner.post(`/web/in/${at.project}/status-pages`, page)).status).toBe(201);
  }, 60_000);
  afterAll(() => at?.stop());

  test('has the state of each service beside its name, and those that are down ticked', async () => {
    for (const width of [1440, 360]) {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open('status-pages');
      await at.page.getByRole('button', { name: 'Post a notice on Public' }).click();
      const box = (name: RegExp) => at.page.getByRole('checkbox', { name });
      await box(/^Shop down$/).waitFor();
      // As the server takes it.
      await at.page.getByRole('textbox', { name: /^Text optional, web addresses become links$/ }).waitFor();
      await expect.poll(() => box(/^Shop/).isChecked()).toBe(true);
      await expect.poll(() => box(/^Mail up$/).isChecked()).toBe(false);
      await expect.poll(() => box(/^Search no data yet$/).isChecked()).toBe(false);
      await expect.poll(() => box(/^Archive paused$/).isChecked()).toBe(false);
      // Its sign is at the height of its word.
      const off = await at.page.locator('.notice-status').evaluateAll((all: Json) =>
        all.map((one: Json) => {
          const [sign, words] = [one.querySelector('svg'), one.ownerDocument.createRange()];
          words.selectNode(one.lastChild);
          const [a, b] = [sign, words].map((each) => each.getBoundingClientRect());
          return Math.abs((a.top + a.bottom - b.top - b.bottom) / 2);
        }),
      );
      expect(off.length).toBe(4);
      expect(Math.max(...off)).toBeLessThanOrEqual(1);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
    }
  });

  test('that is not published yet is in its form again after a reload, until it is given up', async () => {
    await at.open('status-pages');
    const post = at.page.getByRole('button', { name: 'Post a notice on Public' });
    const [title, text] = [at.page.getByLabel('Title for readers'), at.page.getByLabel('Text')];
    const box = (name: RegExp) => at.page.getByRole('checkbox', { name });
    await post.click();
    await title.fill('No orders');
    await at.page.getByLabel('Stage').selectOption('Identified');
    await text.fill('A disk is full.');
    await box(/^Mail/).check();
    await box(/^Shop/).uncheck();
    await at.page.reload();
    await expect.poll(() => title.inputValue()).toBe('No orders');
    await expect.poll(() => at.page.getByLabel('Stage').inputValue()).toBe('identified');
    await expect.poll(() => text.inputValue()).toBe('A disk is full.');
    await expect.poll(() => box(/^Mail/).isChecked()).toBe(true);
    await expect.poll(() => box(/^Shop/).isChecked()).toBe(false);
    await at.page.getByRole('button', { name: 'Cancel' }).click();
    await title.waitFor({ state: 'detached' });
    await at.page.reload();
    await post.click();
    await expect.poll(() => title.inputValue()).toBe('');
    await expect.poll(() => box(/^Shop/).isChecked()).toBe(true);
  });
});
