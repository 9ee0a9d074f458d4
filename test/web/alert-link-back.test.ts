/** The page behind the link of an alert when something is not as its reader expects: a link that was cut, an empty note, a tap that was one too many. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('the link of an alert', () => {
  let at: OwnerBrowser;
  let inbox: MailReceiver;
  let channel: string;

  beforeAll(async () => {
    inbox = await MailReceiver.start();
    at = await OwnerBrowser.start({ KNELL_MAIL_URL: inbox.url });
    const value = { kind: 'email', name: 'ops', value: 'ops@example.org' };
    channel = (await at.owner.post(`/web/in/${at.project}/channels`, value)).json().id;
    await at.page.context().clearCookies();
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await inbox?.stop();
  });

  /** Addresses in the mail about a check that has just failed. */
  async function linksOfOutage(name: string): Promise<{ alert: string; unsubscribe: string; uuid: string }> {
    const { uuid } = await at.knell.create({ name, channels: channel });
    await at.knell.request(`/ping/${uuid}/3`, { method: 'POST' });
    return eventually(async () => {
      await at.clock.advance(1000);
      const mails = await Promise.all((await inbox.until(1)).map(({ text }) => simpleParser(text)));
      const { text = '' } = mails.find(({ subject }) => subject === `DOWN | ${name}`) ?? {};
      const [, alert] = /Acknowledge: https?:\/\/[^/]+(\S+)/.exec(text) ?? [];
      const [, unsubscribe] = /https?:\/\/[^/]+(\/unsubscribe\/\S+)/.exec(text) ?? [];
      if (alert === undefined || unsubscribe === undefined) throw new Error('no mail yet');
      const { httpUrl } = at.knell.app;
      return { alert: httpUrl + alert, unsubscribe: httpUrl + unsubscribe, uuid };
    });
  }

  const heading = (name: string | RegExp) => at.page.getByRole('heading', { name, exact: true });
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const changed = (url: string): string =>
    url.slice(0, -3) + (url.at(-3) === 'A' ? 'B' : 'A') + url.slice(-2);

  test('says of one that was cut that it is broken, and of one that does not fit what may be so', async () => {
    const { alert, unsubscribe, uuid } = await linksOfOutage('link cut');
    for (const [url, message] of [
      [alert, 'alert'],
      [unsubscribe, 'mail'],
    ] as const) {
      for (const cut of [url.slice(0, -1), url.slice(0, -30), `${url}.`, `${url}A`]) {
        expect((await at.page.goto(cut))?.status()).toBe(404);
        await heading('This link is broken').waitFor();
        await at.page.getByText(`Open it from the ${message} again.`).waitFor();
      }
      await at.page.goto(changed(url));
      await heading('This link is broken or out of date').waitFor();
      await at.page
        .getByText(`Perhaps it is not complete or was changed: open it from the ${message}`)
        .waitFor();
      await at.page.getByText('the integration that it was for was deleted, or has another').waitFor();
    }
    expect(await at.findings('main')).toEqual([]);
    for (const path of ['stop-reports', 'confirm-reports', 'confirm-address']) {
      await at.page.goto(`${at.knell.app.httpUrl}/${path}/${at.project}.abc`);
      await heading('This link is broken').waitFor();
    }
    await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
    await at.page.goto(alert);
    await heading('This link is out of date').waitFor();
    await at.page.getByText('The check that it was for was deleted').waitFor();
  });

  test('offers to take back each of two, and what was undone', async () => {
    const { alert } = await linksOfOutage('both held');
    await at.page.goto(alert);
    await button('Snooze for 1 hour').click();
    await button('Acknowledge, too').click();
    await heading('Acknowledged').waitFor();
    await at.page.getByText('It is snoozed until').waitFor();
    await button('Withdraw acknowledgement').waitFor();
    await button('End the snooze').click();
    await heading('Snooze ended').waitFor();
    await button('Withdraw acknowledgement').waitFor();
    await button('Snooze for 8 hours').click();
    await heading(/^Snoozed until/).waitFor();
    await button('End the snooze').waitFor();
    await button('Withdraw acknowledgement').click();
    await heading('Acknowledgement withdrawn').waitFor();
    await at.page.getByText(/Nothing is sent until .*, since it is snoozed/).waitFor();
    await button('End the snooze').waitFor();
    await button('Acknowledge').click();
    await heading('Acknowledged').waitFor();
    expect(await at.findings('main')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test.each([true, false])('asks for a note where there is none, script %s', async (javaScriptEnabled) => {
    const { alert } = await linksOfOutage(`empty note ${javaScriptEnabled}`);
    const context = await at.page.context().browser()?.newContext({ javaScriptEnabled });
    const page = await context?.newPage();
    if (!page) throw new Error('no browser');
    await page.goto(alert);
    const field = page.getByLabel('A note for the others');
    await field.fill('  ');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Write a note first.', { exact: true }).waitFor();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('On it');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Your note was saved.').waitFor();
    await expect.poll(() => page.getByText('Write a note first.').count()).toBe(0);
    await context?.close();
  });
});
