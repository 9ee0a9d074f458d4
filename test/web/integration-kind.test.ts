/** The addresses of forms of integrations, in a real browser: those that name no kind lead on, and a kind is known by its other names. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the address of a form', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
  });

  afterAll(() => at?.stop());

  const main = () => at.page.locator('main');

  test.each(['integrations/new', 'integrations/new/', 'integrations/new/pager'])(
    'leads on from %s, which names no kind',
    async (path) => {
      await at.open(path);
      await at.page.getByRole('heading', { level: 1, name: 'Choose a kind of integration' }).waitFor();
      const alert = main().getByText('Knell has no kind of integration that is called “pager”.');
      await expect.poll(() => alert.count()).toBe(path.endsWith('pager') ? 1 : 0);
      expect(await at.findings('main')).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      await main()
        .getByRole('link', { name: /^Webhook/ })
        .click();
      await at.page.getByRole('heading', { level: 1, name: 'Add integration: Webhook' }).waitFor();
    },
  );

  test.each(['pagerduty', 'PagerDuty', 'pd'])('knows PagerDuty by the name %s, too', async (name) => {
    await at.open(`integrations/new/${name}`);
    await at.page.getByRole('heading', { level: 1, name: 'Add integration: PagerDuty' }).waitFor();
  });
});
