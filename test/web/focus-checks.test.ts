/** Where the focus is shows at every stop of Tab, forwards and backwards: nothing that stays on the screen covers it or cuts it off. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { focusFaults } from '../support/page/focus-faults.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the focus is in sight', () => {
  let at: OwnerBrowser;
  let check = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const failing = { kind: 'webhook', name: 'Tickets', fields: { url_down: 'http://127.0.0.1:9/' } };
    await at.owner.post(`/web/in/${at.project}/channels`, failing);
    await at.owner.post(`/web/in/${at.project}/channels`, {
      kind: 'telegram',
      name: 'Chat',
      value: '{"id":1}',
    });
    for (let n = 0; n < 10; n++) {
      const { uuid } = await at.knell.create({
        name: `Job ${n}`,
        tags: 'prod',
        channels: '*',
        slug: `job-${n}`,
      });
      if (n % 2 === 0) await at.knell.request(`/ping/${uuid}`);
      check = uuid;
    }
    for (let n = 0; n < 8; n++) {
      await at.knell.request(`/ping/${check}/${n % 2}`, { method: 'POST', body: `line ${n}\n`.repeat(5) });
      await at.clock.advance(3_600_000);
    }
  }, 60_000);

  afterAll(() => at?.stop());

  const pages = () => [
    ['checks', 'checks', '.row'],
    ['check', `checks/${check}`, '.log li'],
    ['new', 'new', 'form.check-form'],
  ];

  // What is folded has fields, too; in a form it stays open.
  const openGroups = (): Promise<void> =>
    at.page.evaluate("for (const one of document.querySelectorAll('form details')) one.open = true");

  test.each([
    [1440, 500],
    [390, 700],
  ])('at every stop, at %i px', async (width, height) => {
    await at.page.setViewportSize({ width, height });
    const found: string[] = [];
    for (const [name, path, settled] of pages()) {
      await at.open(path ?? '');
      await at.page
        .locator(settled ?? '')
        .first()
        .waitFor();
      await openGroups();
      for (const key of ['Tab', 'Shift+Tab'] as const)
        for (const fault of await focusFaults(at.page, key)) found.push(`${name}, ${fault}`);
    }
    expect(found).toEqual([]);
  });
});
