/** The page behind the link of an alert, on a phone at night: one tap and no password, in both colours, by keyboard too. */
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

  async function linkOfOutage(name: string): Promise<{ uuid: string; url: string }> {
    const { uuid } = await at.knell.create({ name, channels: channel });
    const body = `${'a line of output\n'.repeat(40)}pg_dump: error: ${'x'.repeat(200)}\n`;
    await at.knell.request(`/ping/${uuid}/3`, { method: 'POST', body });
    const path = await eventually(async () => {
      await at.clock.advance(5);
      const mails = await Promise.all((await inbox.until(1)).map(({ text }) => simpleParser(text)));
      const mail = mails.find(({ subject }) => subject === `DOWN | ${name}`);
      const [, found] = /Acknowledge: https?:\/\/[^/]+(\S+)/.exec(mail?.text ?? '') ?? [];
      if (found === undefined) throw new Error('no mail yet');
      return found;
    });
    return { uuid, url: at.knell.app.httpUrl + path };
  }

  const heldOf = async (uuid: string) => (await at.knell.api('GET', `/api/v3/checks/${uuid}/snooze`)).json();

  test.each(['light', 'dark'] as const)('acknowledges with one tap, %s', async (colorScheme) => {
    const { uuid, url } = await linkOfOutage(`Nightly backup ${colorScheme}`);
    await at.page.emulateMedia({ colorScheme });
    await at.page.goto(url);
    await at.page.getByText('pg_dump: error').waitFor();
    expect(await at.findings('main')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    const button = at.page.getByRole('button', { name: 'Acknowledge' });
    const box = await button.boundingBox();
    // Without scrolling, and large enough for a thumb.
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
    expect(box?.height).toBeGreaterThanOrEqual(40);
    await button.click();
    await at.page.getByRole('heading', { name: 'Acknowledged' }).waitFor();
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: { by: 'ops@example.org' } });
    expect(at.complaints).toEqual([]);
  });

  test('snoozes by keyboard', async () => {
    const { uuid, url } = await linkOfOutage('Invoice run');
    await at.page.goto(`${url}?snooze`);
    await at.page.keyboard.press('Tab');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: 'Snoozed' }).waitFor();
    expect(await heldOf(uuid)).toMatchObject({ acknowledged: null, snoozed: { by: 'ops@example.org' } });
  });
});
