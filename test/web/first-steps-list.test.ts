/** The list that follows the first steps, in a real browser: it knows what became of the tests that were sent in them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('the list after the first steps', () => {
  let at: OwnerBrowser;
  let hook: HttpReceiver;

  beforeAll(async () => {
    hook = await HttpReceiver.start();
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });

  afterAll(async () => {
    await at?.stop();
    await hook?.stop();
  });

  test('says that an integration works whose first test was blocked, and its second delivered', async () => {
    await at.open('checks');
    await at.page.getByText('Set up your first check').waitFor();
    const { uuid } = await at.knell.create({ name: 'first job', channels: '' });
    await at.knell.request(`/ping/${uuid}`);
    const step = at.page.locator('.first-steps ol > li').nth(2);
    const press = (name: string | RegExp) => step.getByRole('button', { name }).click();
    await press('Webhook');
    await step.getByLabel('URL').first().fill(hook.url());
    await press(/^Add/);
    await step.getByText('Nothing was sent: 127.0.0.1 is a private address').waitFor();
    await press('Allow 127.0.0.1 and send again');
    await step.getByText('Sent. Did it arrive?').waitFor();
    await press('Yes, it arrived');
    await at.page.getByRole('button', { name: 'Go to the list' }).click();
    const notifies = at.page.locator('.row', { hasText: 'first job' }).locator('.notifies');
    await expect.poll(() => notifies.textContent()).toMatch(/^1: /);
  });
});
