/**
 * Forms that vendors fill in, in a real browser and under a path of a site: there by the button, back with the vendor's answer. In
 * Pushover's place is a page on this machine, which the owner's setting names; PagerDuty's address is answered in the browser.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { goodPassword } from '../support/page/page-client.ts';
import { freePort } from '../support/wire/free-port.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const userKey = 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG';

describe.skipIf(browserMissing !== '')('a form that the vendor fills in', () => {
  let at: OwnerBrowser;
  let pushover: HttpReceiver;
  let base = '';

  beforeEach(async () => {
    pushover = await HttpReceiver.start();
    pushover.answering = ({ path }, response) => {
      const { searchParams } = new URL(path, 'http://pushover.test');
      const link = (to: string, added: string, text: string): string =>
        `<a href="${searchParams.get(to)}${added}">${text}</a>`.replaceAll('&', '&amp;');
      response.setHeader('content-type', 'text/html');
      response.end(
        `<title>Pushover</title>${link('success', `&pushover_user_key=${userKey}`, 'Subscribe')}
        ${link('success', '&pushover_unsubscribed=1', 'Unsubscribe')} ${link('failure', '', 'Cancel')}`,
      );
    };
    const address = `127.0.0.1:${await freePort()}`;
    base = `http://${address}/knell`;
    at = await OwnerBrowser.start({
      ...{ KNELL_HTTP: address, KNELL_BASE_URL: base },
      ...{
        KNELL_PUSHOVER_TOKEN: 'token',
        KNELL_PUSHOVER_SUBSCRIPTION_URL: pushover.url('/subscribe/Knell-abc'),
      },
      KNELL_PD_APP_ID: 'PX1AB2C',
    });
  });

  afterEach(async () => {
    await at?.stop();
    await pushover?.stop();
  });

  const pathOf = (kind: string): string => `${base}/project/${at.project}/integrations/new/${kind}`;

  async function toPushover(): Promise<void> {
    await at.page.goto(pathOf('po'));
    await field(/^Name/).fill('My phone');
    await at.page.getByRole('button', { name: 'Subscribe with Pushover' }).focus();
    await at.page.keyboard.press('Enter');
    await at.page.waitForURL(`${pushover.url('/subscribe/')}**`);
  }

  const choose = (name: string): Promise<void> => at.page.getByRole('link', { name, exact: true }).click();
  const field = (name: string | RegExp) => at.page.locator('form.check-form').getByLabel(name);
  const added = async (): Promise<Json[]> =>
    (await at.owner.get(`/web/in/${at.project}/integrations`)).json().integrations;

  test('Pushover gives its key, and who goes back and forth gets the form again, not another integration', async () => {
    await toPushover();
    await choose('Subscribe');
    await at.page
      .getByText('Pushover has filled in this form: nothing is added before you choose to.')
      .waitFor();
    expect(at.page.url()).toBe(pathOf('po'));
    await expect.poll(() => field('User or group key').inputValue()).toBe(userKey);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await field('Priority when down').selectOption('1');
    await at.page.getByRole('button', { name: 'Add without a test' }).click();
    await at.page.getByRole('heading', { name: 'My phone was added' }).waitFor();
    expect((await added()).map(({ kind, fields }) => [kind, fields.priority])).toEqual([['po', '1']]);
    await at.page.goBack();
    await choose('Subscribe');
    await at.page
      .getByText('The integration My phone sends to the same already: another one would alert twice.')
      .waitFor();
    expect((await added()).length).toBe(1);
    await at.page.reload();
    await at.page.getByRole('button', { name: 'Subscribe with Pushover' }).waitFor();
    await expect.poll(() => field('User or group key').inputValue()).toBe('');
    expect(at.complaints).toEqual([]);
  });

  const answers = [
    ['Cancel', 'You have not subscribed at Pushover. Try again, or enter the user key.'],
    ['Unsubscribe', 'You have unsubscribed at Pushover: integrations with that key get no more alerts.'],
  ] as const;
  test.each(isLong ? answers : answers.slice(0, 1))(
    'after %s there, the form says what to do',
    async (link, words) => {
      await toPushover();
      await choose(link);
      await at.page.getByRole('alert').filter({ hasText: words }).waitFor();
      expect(at.page.url()).toBe(pathOf('po'));
      await expect.poll(() => field(/^Name/).inputValue()).toBe('My phone');
      await at.page.getByRole('button', { name: 'Subscribe with Pushover' }).waitFor();
    },
  );

  test.runIf(isLong)('who is signed out meanwhile signs in, and begins once more', async () => {
    await toPushover();
    await at.page.context().clearCookies();
    await choose('Subscribe');
    await at.page.getByLabel('Name').fill('ada');
    await at.page.getByLabel('Password', { exact: true }).fill(goodPassword);
    await at.page.keyboard.press('Enter');
    await at.page.getByText('You have signed in again since you went to Pushover.').waitFor();
    expect(at.page.url()).toBe(pathOf('po'));
    expect(await added()).toEqual([]);
  });

  test('an address that was made elsewhere is refused', async () => {
    await at.page.goto(`${base}/filled/po?state=eyJ9.x&pushover_user_key=${userKey}`);
    await at.page.getByText('This address was not made by this Knell').waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.getByRole('link', { name: 'Back to integrations' }).click();
    await at.page.waitForURL(`${base}/project/${at.project}/integrations`);
  });

  test.runIf(isLong)('of PagerDuty each service becomes an integration, one after the other', async () => {
    const keys = ['Payments', 'Unwanted', 'Web'].map((name, nth) => ({
      ...{ integration_key: `${nth}`.repeat(32), name, id: `P${nth}`, type: 'service' },
    }));
    const config = JSON.stringify({ integration_keys: keys, account: { subdomain: 'acme', name: 'Acme' } });
    await at.page.route('https://app.pagerduty.com/**', (route) => {
      const url = new URL(route.request().url());
      expect([url.pathname, url.searchParams.get('version')]).toEqual(['/install/integration', '2']);
      const back = new URL(url.searchParams.get('redirect_url') ?? '');
      back.searchParams.set('config', config);
      return route.fulfill({ status: 200, contentType: 'text/html', body: page(back.href) });
    });
    const page = (to: string): string => `<a href="${to.replaceAll('&', '&amp;')}">Connect</a>`;
    await at.page.goto(pathOf('pd'));
    await at.page.getByRole('button', { name: 'Connect with PagerDuty' }).click();
    await choose('Connect');
    await at.page.getByText('PagerDuty has filled in this form for Payments').waitFor();
    await at.page.getByText('After it 2 more follow.').waitFor();
    await expect.poll(() => field(/^Name/).inputValue()).toBe('Payments');
    await at.page.getByRole('button', { name: 'Add without a test' }).click();
    await at.page.getByRole('button', { name: 'Add Unwanted' }).click();
    await at.page.getByRole('button', { name: 'Skip Unwanted' }).click();
    await at.page.getByText('PagerDuty has filled in this form for Web').waitFor();
    await expect.poll(() => field('Integration key').inputValue()).toBe('2'.repeat(32));
    await at.page.getByRole('button', { name: 'Add without a test' }).click();
    await at.page.getByRole('button', { name: 'Back to integrations' }).waitFor();
    expect((await added()).map(({ name }) => name).sort()).toEqual(['Payments', 'Web']);
  });
});
