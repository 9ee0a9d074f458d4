/** The list that follows the first steps, in a real browser: it knows what became of the tests that were sent in them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerYes } from '../support/page/answer-yes.ts';
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
    await answerYes(at.page, 'Allow and send again');
    await step.getByText('Sent. Did it arrive?').waitFor();
    await press('Yes, it arrived');
    await at.page.getByRole('button', { name: 'Go to the list' }).click();
    const notifies = at.page.locator('.row', { hasText: 'first job' }).locator('.notifies');
    await expect.poll(() => notifies.textContent()).toMatch(/^1: /);
  });

  test('offers the other steps in a browser that has not begun them, until they are dismissed', async () => {
    const other = await OwnerBrowser.start();
    try {
      const { uuid } = await other.knell.create({ name: 'made elsewhere', channels: '' });
      await other.open('checks');
      const offer = other.page.getByText('Setup: 1 of 3 done');
      await offer.waitFor();
      expect(await other.findings()).toEqual([]);
      expect(await other.overflow()).toBeLessThanOrEqual(0);
      await other.page.getByRole('button', { name: 'Continue the setup' }).click();
      await other.page.getByText('Waiting for the first ping').waitFor();
      await other.page.getByRole('button', { name: 'Skip to the list' }).click();
      await offer.waitFor();
      await other.page.getByRole('button', { name: 'Dismiss the setup' }).click();
      await offer.waitFor({ state: 'detached' });
      await other.page.reload();
      await other.page.locator('.row', { hasText: 'made elsewhere' }).waitFor();
      await expect.poll(() => offer.count()).toBe(0);
      await other.page.evaluate('localStorage.clear()');
      await other.page.reload();
      await offer.waitFor();
      await other.knell.request(`/ping/${uuid}`);
      await offer.waitFor({ state: 'detached' });
      const left = other.page.getByText('Setup: 2 of 3 done');
      await left.waitFor();
      await other.page.getByRole('searchbox').fill('nothing of this name');
      await left.waitFor({ state: 'detached' });
      await other.page.getByRole('searchbox').fill('');
      await left.waitFor();
      await other.owner.post(`/web/in/${other.project}/api/checks/`, { name: 'second' });
      await left.waitFor({ state: 'detached' });
    } finally {
      await other.stop();
    }
  });
});
