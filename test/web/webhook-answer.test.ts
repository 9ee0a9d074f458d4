/** What a webhook answers to a test, in a real browser: its first line and how its text begins, whether it worked or not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const token = 'Bearer s3cret-t0ken';

describe.skipIf(browserMissing !== '')('the answer of a webhook to a test', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let id = '';

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    const value = { url_down: receiver.url('/hooks/9f3Kx8'), headers_down: { Authorization: token } };
    const made = { kind: 'webhook', name: 'Tickets', value: JSON.stringify(value), checks: 'none' };
    id = (await at.owner.post(`/web/in/${at.project}/channels`, made)).json().id;
  });

  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  const answer = (status: number, text: string): void => {
    receiver.answering = (_, response) => void response.writeHead(status).end(text);
  };
  const shown = () => at.page.locator('.test-answer');
  const sendTest = () => at.page.getByRole('button', { name: 'Send test', exact: true }).click();

  test('is shown in its form as plain text when it was delivered', async () => {
    answer(200, '<b id="bold">took it</b>');
    await at.open(`integrations/${id}`);
    await sendTest();
    await expect.poll(() => shown().locator('p').textContent()).toBe('The answer was 200 OK:');
    await expect.poll(() => shown().locator('pre').textContent()).toBe('<b id="bold">took it</b>');
    await expect.poll(() => at.page.locator('#bold').count()).toBe(0);
    expect(await at.findings()).toEqual([]);
  });

  test('is shown when it failed, as far as 200 characters, in place of the one before', async () => {
    answer(422, `no such queue ${'x'.repeat(400)}`);
    await sendTest();
    await expect
      .poll(() => shown().locator('p').textContent())
      .toBe('The answer was 422 Unprocessable Entity:');
    await expect.poll(() => shown().locator('pre').textContent()).toBe(`no such queue ${'x'.repeat(186)}…`);
    await expect
      .poll(() => at.page.getByRole('alert').textContent())
      .toBe('The test was not delivered: Status 422.');
    for (const width of [390, 1024, 1440]) {
      await at.page.setViewportSize({ width, height: 900 });
      await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
    }
  });

  test('has nothing of the headers and the address, when it repeats them', async () => {
    receiver.answering = ({ path, headers }, response) =>
      void response.writeHead(500).end(`${path} with ${headers.authorization} failed`);
    await sendTest();
    await expect.poll(() => shown().locator('pre').textContent()).toBe('… with … failed');
  });

  test('is shown in its row of the list, also without a text', async () => {
    answer(204, '');
    await at.open('integrations');
    const row = at.page.getByRole('listitem', { name: 'Tickets' });
    await row.getByRole('button', { name: /test/i }).first().click();
    await expect.poll(() => shown().textContent()).toBe('The answer was 204 No Content, without a text.');
  });
});
