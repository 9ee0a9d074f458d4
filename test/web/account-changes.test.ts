/** A changed address, a closed account and a project that is handed over: in a real browser, on a phone, by keyboard, with real mails. */
import { simpleParser } from 'mailparser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { seriousFindings } from '../support/page/findings.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { goodPassword, linkIn, PageClient } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

const phone = { width: 390, height: 844 };

describe.skipIf(browserMissing !== '')('accounts that change', () => {
  let at: OwnerBrowser;
  let inbox: MailReceiver;
  let page: Page;

  beforeAll(async () => {
    inbox = await MailReceiver.start();
    at = await OwnerBrowser.start({ KNELL_MAIL_URL: inbox.url });
    page = await pageOf('grace@example.org', 'owner');
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await inbox?.stop();
  });

  /** A member of the project who has signed in, in a browser of their own. */
  async function pageOf(name: string, role: string): Promise<Page> {
    const body = { name, role, installation: 'none' };
    const { link } = (await at.owner.post(`/web/in/${at.project}/members`, body)).json();
    const client = new PageClient(at.knell);
    await client.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    const context = await at.page.context().browser()?.newContext({ viewport: phone });
    if (!context) throw new Error('no browser');
    const [cookie = '', value = ''] = client.cookie.split('=');
    await context.addCookies([{ name: cookie, value, url: at.knell.app.httpUrl }]);
    const opened = await context.newPage();
    opened.on('pageerror', (error) => at.complaints.push(error.message));
    return opened;
  }

  const mailTo = (address: string, subject: RegExp) =>
    eventually(async () => {
      const mails = await Promise.all(inbox.all.map(({ text }) => simpleParser(text)));
      const mail = mails.findLast(
        (one) => JSON.stringify(one.to).includes(address) && subject.test(one.subject ?? ''),
      );
      if (!mail) throw new Error(`no mail to ${address} yet`);
      return mail;
    });
  const overflow = (of: Page): Promise<number> =>
    of.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  const expectWell = async (of: Page): Promise<void> => {
    expect(await overflow(of)).toBeLessThanOrEqual(0);
    expect(await seriousFindings(of)).toEqual([]);
  };
  const namedHere = (name: string) => at.knell.app.engine.read.users().find((user) => user.name === name);

  test('a new address is asked for, withdrawn, asked for again and confirmed by its link', async () => {
    await page.goto(`${at.knell.app.httpUrl}/account`);
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await page
      .getByText('You also sign in with it. It is an email address, so mails about your account go there.')
      .waitFor();
    await name.fill('hopper@example.net');
    await page.getByText('Your name changes when you confirm it there.').waitFor();
    await expect.poll(() => page.getByText('so mails about your account go there').count()).toBe(0);
    const profile = page.getByRole('region', { name: 'Profile' }).or(page.locator('section', { has: name }));
    await profile.getByLabel('Your password').fill(goodPassword);
    await profile.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('A link to confirm').waitFor();
    await expect.poll(() => name.inputValue()).toBe('grace@example.org');
    await expectWell(page);
    const first = await mailTo('hopper@example.net', /Confirm your new address/);
    await page.getByRole('button', { name: 'Withdraw' }).press('Enter');
    await expect.poll(() => page.getByText('A link to confirm').count()).toBe(0);
    const link = (text: string | undefined): string => /(\/confirm-address\/\S+)/.exec(text ?? '')?.[1] ?? '';
    expect((await at.knell.request(link(first.text))).status).toBe(404);

    at.clock.skip(1000);
    await name.fill('hopper@example.net');
    await profile.getByLabel('Your password').fill(goodPassword);
    await profile.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('A link to confirm').waitFor();
    const path = await eventually(async () => {
      const found = link((await mailTo('hopper@example.net', /Confirm your new address/)).text);
      if (found === link(first.text)) throw new Error('the second mail is on its way');
      return found;
    });
    // Read on another device, which is not signed in.
    const context = await at.page.context().browser()?.newContext({ viewport: phone });
    const other = await context?.newPage();
    if (!other) throw new Error('no browser');
    await other.goto(at.knell.app.httpUrl + path);
    await other.getByText('will be called hopper@example.net').waitFor();
    await expectWell(other);
    await other.keyboard.press('Tab');
    await other.keyboard.press('Enter');
    await other.getByRole('heading', { name: 'Your address was changed' }).waitFor();
    await other.goto(at.knell.app.httpUrl + path);
    await other.getByRole('heading', { name: 'This link is broken or out of date' }).waitFor();
    await context?.close();
    await page.reload();
    await expect.poll(() => name.inputValue()).toBe('hopper@example.net');
    await mailTo('grace@example.org', /Your address was changed/);
  });

  test('a project is offered by keyboard; the other one sees it on the page, and accepts', async () => {
    const joan = await pageOf('joan@example.org', 'editor');
    await page.goto(`${at.knell.app.httpUrl}/project/${at.project}/settings`);
    const field = page.getByLabel('Name or email address of the member');
    await field.fill('nobody@example.org');
    await page.keyboard.press('Enter');
    await page.getByText('nobody with this name is a member of this project: invite them first').waitFor();
    await field.fill('joan@example.org');
    await page.keyboard.press('Enter');
    await page.getByText('An email was sent to joan@example.org.').waitFor();
    await page.getByRole('button', { name: 'Withdraw the offer' }).waitFor();
    await expectWell(page);
    const { text = '' } = await mailTo('joan@example.org', /offers you the project default/);
    const [, path = ''] = /http:\/\/[^/]+(\/project\/\S+)/.exec(text) ?? [];

    await joan.goto(at.knell.app.httpUrl + path);
    const offer = joan.getByRole('region', { name: 'Offer of the project default' });
    await offer.getByText('hopper@example.net wants to hand the project default over to you').waitFor();
    await expectWell(joan);
    await offer.getByRole('button', { name: 'Accept default' }).press('Enter');
    await joan.getByText('You own default now.').waitFor();
    await expect.poll(() => offer.count()).toBe(0);
    expect(namedHere('joan@example.org')?.projects).toMatchObject([{ role: 'owner' }]);
    expect(namedHere('hopper@example.net')?.projects).toMatchObject([{ role: 'editor' }]);

    // And back again, declined this time.
    await joan.goto(`${at.knell.app.httpUrl}/project/${at.project}/settings`);
    await joan.getByLabel('Name or email address of the member').fill('hopper@example.net');
    await joan.keyboard.press('Enter');
    await joan.getByRole('button', { name: 'Withdraw the offer' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Decline default' }).press('Enter');
    await page.getByText('You declined default.').waitFor();
    expect(namedHere('joan@example.org')?.projects).toMatchObject([{ role: 'owner' }]);
    await joan.context().close();
  });

  test('an account is closed by its name and its password; the projects that are left are named before', async () => {
    const alan = await pageOf('alan@example.org', 'viewer');
    const { id } = namedHere('alan@example.org') ?? {};
    const { id: joan } = namedHere('joan@example.org') ?? {};
    await at.owner.post(`/web/in/${at.project}/members/${id}`, { role: 'owner' });
    await at.owner.post(`/web/in/${at.project}/members/${joan}`, { role: 'editor' });
    await alan.goto(`${at.knell.app.httpUrl}/account`);
    await alan.getByRole('button', { name: 'Close your account…' }).press('Enter');
    const dialog = alan.getByRole('dialog', { name: 'Close your account?' });
    await dialog.getByText('the owners of this server keep them').waitFor();
    await dialog.getByRole('listitem').getByText('default').waitFor();
    await expectWell(alan);
    const close = dialog.getByRole('button', { name: 'Close permanently' });
    await dialog.getByLabel('Type alan@example.org to confirm').fill('alan@example.org');
    await dialog.getByLabel('Your password').fill('wrong horse battery');
    await close.press('Enter');
    await dialog.getByText('This is not your current password.').waitFor();
    const focused = () =>
      alan.evaluate<string>(
        'document.activeElement.getAttribute("aria-invalid") + document.activeElement.type',
      );
    await expect.poll(focused).toBe('truepassword');
    await dialog.getByLabel('Your password').fill(goodPassword);
    await close.press('Enter');
    await alan.getByRole('heading', { name: 'Sign in to Knell' }).waitFor();
    expect(namedHere('alan@example.org')).toBeUndefined();
    await mailTo('alan@example.org', /Your account was closed/);
    await alan.context().close();
  });

  test('a member without a project closes the account, too; the last owner cannot, and reads why', async () => {
    const lone = await pageOf('lone@example.org', 'none');
    await lone.goto(at.knell.app.httpUrl);
    await lone.getByRole('heading', { name: 'No projects' }).waitFor();
    await lone.getByRole('button', { name: 'Close your account…' }).press('Enter');
    await lone.getByLabel('Type lone@example.org to confirm').fill('lone@example.org');
    await lone.getByLabel('Your password').fill(goodPassword);
    await expectWell(lone);
    await lone.getByRole('button', { name: 'Close permanently' }).press('Enter');
    await lone.getByRole('heading', { name: 'Sign in to Knell' }).waitFor();
    await lone.context().close();
    await at.page.goto(`${at.knell.app.httpUrl}/account`);
    await at.page.getByText("You can't close your account: you are the only owner of this server").waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: 'Close your account…' }).count()).toBe(0);
    await at.page.getByRole('link', { name: 'make another member an owner' }).click();
    await at.page.getByLabel('Name or email address of a new member').waitFor();
    expect(at.complaints).toEqual([]);
  });
});
