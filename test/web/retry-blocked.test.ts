/** A notification to a private address that is blocked, in a real browser: the owner allows it and sends it again by one button. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerYes } from '../support/page/answer-yes.ts';
import { browserMissing } from '../support/page/browser.ts';
import { type FailedAlert, failedAlert } from '../support/page/failed-alert.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('a notification to a blocked address', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;

  beforeEach(async () => {
    receiver = await HttpReceiver.start();
  });
  afterEach(async () => {
    await at?.stop();
    await receiver.stop();
  });

  async function failed(env: Readonly<Record<string, string>> = {}): Promise<FailedAlert> {
    at = await OwnerBrowser.start(env);
    const value = JSON.stringify({ url_down: receiver.url('/down') });
    return failedAlert(at, { kind: 'webhook', name: 'tickets', value });
  }
  const button = (name: string) => at.page.getByRole('button', { name });

  test('has the address in the place of another try, and is delivered once it is allowed', async () => {
    const { check, incident } = await failed();
    for (const [path, line] of [
      [`checks/${check}`, '.now .strip-line'],
      [`checks/${check}`, '#log .notification.failed'],
      [`incidents/${incident}`, '.timeline .wrong'],
    ] as const) {
      await at.open(path);
      await at.page.locator(line).getByRole('button', { name: 'Allow 127.0.0.1 and retry' }).waitFor();
      await expect.poll(() => button('Retry now').count()).toBe(0);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    const failure = at.page.locator('.timeline .wrong');
    await failure.getByText('127.0.0.1 is a private address, which is blocked. Given up.').waitFor();
    expect(await at.findings()).toEqual([]);
    await button('Allow 127.0.0.1 and retry').press('Enter');
    const question = at.page.locator('dialog[open]');
    await question.getByText('every project may then send to 127.0.0.1.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(receiver.all).toEqual([]);
    await button('Allow 127.0.0.1 and retry').press('Enter');
    await answerYes(at.page, 'Allow and retry');
    await expect.poll(() => receiver.all.length).toBe(1);
  });

  test('is only retried where the environment says which addresses are allowed', async () => {
    const { incident } = await failed({ KNELL_WEBHOOK_ALLOW: '10.0.0.0/8' });
    await at.open(`incidents/${incident}`);
    await button('Retry now').waitFor();
    // What to do is said where no button does it.
    await at.page.getByText('add it to KNELL_WEBHOOK_ALLOW').first().waitFor();
    await at.open('integrations');
    await button('Retry all now').waitFor();
    await expect.poll(() => button('Allow 127.0.0.1').count()).toBe(0);
  });
});
