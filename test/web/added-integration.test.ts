/** What is said of an integration right after it was added, in a real browser, and the test that goes with it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver, MailReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('an integration that is added', () => {
  let at: OwnerBrowser;
  let http: HttpReceiver;
  let mail: MailReceiver;

  beforeAll(async () => {
    http = await HttpReceiver.start();
    mail = await MailReceiver.start();
    at = await OwnerBrowser.start({ KNELL_MAIL_URL: mail.url, KNELL_WEBHOOK_ALLOW: '127.0.0.2' });
    await at.knell.create({ name: 'first job', channels: '' });
  });

  afterAll(async () => {
    await at?.stop();
    await http?.stop();
    await mail?.stop();
  });

  const form = () => at.page.locator('form.check-form');
  const press = (name: string) => at.page.getByRole('button', { name, exact: true }).click();

  test('is tested with it, on its own page too', async () => {
    await at.open('integrations/new/email');
    await form().getByLabel('Email address').fill('ops@example.org');
    await form().getByLabel('Skip verification').check();
    await press('Add and send test');
    await at.page.getByText('Sent. Did it arrive?').waitFor();
    expect(mail.all).toHaveLength(1);
    expect(await at.findings()).toEqual([]);
    await press('Yes, it arrived');
    await at.page.getByRole('heading', { name: 'Integrations' }).waitFor();
  });

  test('gets no test while its address has not confirmed', async () => {
    await at.open('integrations/new/email');
    await form().getByLabel('Email address').fill('grace@example.org');
    // Only what is confirmed at once can get a test.
    await form().getByLabel('Skip verification').check();
    await at.page.getByRole('button', { name: 'Add without a test' }).waitFor();
    await form().getByText('It is added, then tested.').waitFor();
    await form().getByLabel('Skip verification').uncheck();
    await form().getByText('No test is sent until the address is confirmed.').waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: /test/ }).count()).toBe(0);
    await press('Add and send verification email');
    await at.page.getByText('The address gets an email now').waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: /Send/ }).count()).toBe(0);
    expect(mail.all.map(({ to }) => to)).toEqual([['ops@example.org'], ['grace@example.org']]);
  });

  test('is said to get nothing before, and its address can be asked again where the mail did not go', async () => {
    mail.refuse = () => ({ code: 550, message: 'not now' });
    await at.open('integrations/new/email');
    await form().getByLabel('Email address').fill('linus@example.org');
    await press('Add and send verification email');
    await at.page.getByText('It gets alerts once the address is confirmed.').waitFor();
    await expect.poll(() => at.page.getByText(/notif(?:y|ies) it/).count()).toBe(0);
    await at.page.getByRole('alert').getByText('The verification email was not sent').waitFor();
    await at.page.getByRole('link', { name: 'Mail server settings' }).waitFor();
    const again = at.page.getByRole('button', { name: 'Send again' });
    await again.click();
    await at.page.getByRole('alert').getByText('The verification email was not sent').waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    mail.refuse = () => null;
    await again.click();
    await at.page.getByText('The address gets an email now').waitFor();
    await again.waitFor({ state: 'detached' });
    expect(mail.all.at(-1)?.to).toEqual(['linus@example.org']);
    await at.page.getByRole('link', { name: 'Change its settings' }).click();
    await at.page.getByText('No test can be sent: its address is not confirmed yet.').waitFor();
    await at.open('integrations');
    const line = at.page.locator('li.integration', { hasText: 'linus@example.org' });
    const test = line.getByRole('button', { name: 'Send test to Email' });
    await expect.poll(() => test.getAttribute('aria-disabled')).toBe('true');
    at.complaints.splice(0);
  });

  test('says where a private address is allowed, if not on the page', async () => {
    await at.open('integrations/new/webhook');
    await form().getByLabel(/^URL/).first().fill(http.url());
    await press('Add and send test');
    const problem = at.page.getByRole('alert').getByText('KNELL_WEBHOOK_ALLOW comes from the environment');
    await problem.waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: /^Allow/ }).count()).toBe(0);
    expect(http.all).toEqual([]);
    expect(await at.findings()).toEqual([]);
  });

  test('is added without a test on request, and says so', async () => {
    await at.open('integrations/new/ntfy');
    const topic = form().getByLabel('Topic');
    await form().getByRole('button', { name: 'Generate' }).click();
    await expect.poll(() => topic.inputValue()).toMatch(/^knell-[a-z2-7]{20}$/);
    const first = await topic.inputValue();
    await form().getByRole('button', { name: 'Generate' }).click();
    await expect.poll(() => topic.inputValue()).not.toBe(first);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await press('Add without a test');
    await at.page.getByText('Nothing was sent to it yet.').waitFor();
    await at.page.getByRole('button', { name: 'Send test', exact: true }).waitFor();
    expect(at.complaints).toEqual([]);
  });
});
