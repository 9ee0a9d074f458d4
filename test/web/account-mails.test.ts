/** The forms that send mails about accounts: invite, forgot, test. In a real browser, at the width of a phone, by keyboard. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('accounts by mail', () => {
  let at: OwnerBrowser;
  let inbox: MailReceiver;

  beforeAll(async () => {
    inbox = await MailReceiver.start();
    at = await OwnerBrowser.start({ KNELL_MAIL_URL: inbox.url });
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await inbox?.stop();
  });

  const pathInMailTo = (address: string, subject: RegExp): Promise<string> =>
    eventually(async () => {
      const mails = await Promise.all(inbox.all.map(({ text }) => simpleParser(text)));
      const mail = mails.findLast(
        (one) => JSON.stringify(one.to).includes(address) && subject.test(one.subject ?? ''),
      );
      const [, path] = /https?:\/\/[^/]+(\/set-password#\S+)/.exec(mail?.text ?? '') ?? [];
      if (path === undefined) throw new Error('no such mail yet');
      return path;
    });

  test('an owner tries the mail server from its settings', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/server`);
    for (const width of [1440, 1024, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      const field = await at.page.getByLabel('Address for a test email').boundingBox();
      const button = await at.page.getByRole('button', { name: 'Send test email' }).boundingBox();
      expect(button?.y).toBe(field?.y);
    }
    await at.page.getByLabel('Address for a test email').fill('ops@example.org');
    await at.page.getByRole('button', { name: 'Send test email' }).click();
    const form = at.page.locator('.test-mail');
    await form.getByText('The mail server has taken the test email to ops@example.org.').waitFor();
    inbox.refuse = () => ({ code: 550, message: 'relay <b>denied</b>' });
    await at.page.getByRole('button', { name: 'Send test email' }).click();
    await form.getByText('The mail server replied 550: relay <b>denied</b>').waitFor();
    await expect.poll(() => form.getByText('has taken').count()).toBe(0);
    inbox.refuse = () => null;
    at.complaints.splice(0);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings('main')).toEqual([]);
  });

  test('an account without an address says how it gets mail', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/account`);
    await at.page.getByText('If it is an email address, mails about your account go there').waitFor();
  });

  test('a member is invited, chooses a password, forgets it and gets another one', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/project/${at.project}/settings/members`);
    await at.page.getByLabel('Name or email address of a new member').fill('grace@example.org');
    await at.page.getByRole('button', { name: 'Invite' }).click();
    await at.page.getByText('An invitation was sent to grace@example.org.').waitFor();
    const invitation = await pathInMailTo('grace@example.org', /invites you/);
    await at.page.goto('about:blank');
    await at.page.context().clearCookies();
    await at.page.goto(at.knell.app.httpUrl + invitation);
    await at.page.getByLabel('Password').fill('a first password');
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Live', { exact: true }).waitFor();

    // What the page still asks for would be asked by nobody.
    await at.page.goto('about:blank');
    await at.page.context().clearCookies();
    await at.page.goto(`${at.knell.app.httpUrl}/sign-in`);
    await at.page.getByRole('button', { name: 'Forgot your password?' }).press('Enter');
    await at.page.getByLabel('Name').fill('grace@example.org');
    expect(await at.findings('main')).toEqual([]);
    await at.page.keyboard.press('Enter');
    await at.page.getByText('is on its way').waitFor();
    const link = await pathInMailTo('grace@example.org', /Set a new password/);
    await at.page.goto('about:blank');
    await at.page.goto(at.knell.app.httpUrl + link);
    await at.page.getByLabel('Password').fill('a second password');
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Live', { exact: true }).waitFor();
    expect(at.complaints).toEqual([]);
  });
});
