/**
 * Adding an integration on the vendor's own page, in a real browser: from the button to the test message. The vendor's page is what the
 * browser gets at the vendor's address, with a link for each answer of a person (`support/wire/vendor-app`).
 */

import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { minute } from '../../src/lib/units.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { type AppVendor, appSettings, VendorApp } from '../support/wire/vendor-app.ts';

let at: OwnerBrowser;
let app: VendorApp;

async function start(vendor: AppVendor, env: Readonly<Record<string, string>> = appSettings): Promise<Page> {
  app = await VendorApp.start(vendor);
  at = await OwnerBrowser.start(env);
  const { httpUrl } = at.knell.app;
  // What a proxy does that serves Knell under its name.
  const reached = (url: URL): string => url.href.replace('http://knell.test', httpUrl);
  await at.page.route(/^https:\/\/(?:slack|discord)\.com\//, async (route) => {
    const url = route.request().url();
    const answers = `<a href="${reached(app.allow(url))}">Allow</a> <a href="${reached(app.deny(url))}">Cancel</a>`;
    await route.fulfill({ contentType: 'text/html', body: `<title>Vendor</title>${answers}` });
  });
  return at.page;
}

afterEach(async () => {
  await at.stop();
  await app.stop();
});

const addressIn = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

describe.skipIf(browserMissing !== '')('on the page', () => {
  test('Slack: what was typed before is used, and the test arrives', async () => {
    const page = await start('slack');
    await at.knell.create({ name: 'job', tags: 'db' });
    await at.knell.create({ name: 'other' });
    await at.open('integrations/new/slack');
    const form = page.locator('form.check-form');
    const connect = form.getByRole('region', { name: 'Add to Slack' });
    await connect.waitFor();
    expect(await at.findings('form')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await form.getByLabel(/^Name/).fill('Night shift');
    await form.getByLabel('Checks with a tag').check();
    // By keyboard: the button is before all that has to be copied or typed.
    await page.locator('.item-head a').press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add to Slack');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Night shift was added' }).waitFor();
    expect(addressIn(page)).toBe(`/project/${at.project}/integrations/new/slack`);
    const added = page.getByRole('group', { name: 'Night shift was added' });
    await added.getByText('1 of 2 checks notify it.').waitFor();
    expect(app.chat.titles).toEqual([]);
    await added.getByRole('button', { name: 'Send test' }).click();
    await added.getByText('Sent. Did it arrive?').waitFor();
    expect(app.chat.titles).toHaveLength(1);
    expect(await at.findings()).toEqual([]);
    await added.getByRole('link', { name: 'No: change its settings' }).click();
    await page.getByRole('heading', { name: 'Night shift' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Add to Slack' }).count()).toBe(0);
    expect(at.complaints).toEqual([]);
  });

  test.runIf(isLong)(
    'Discord: going back to what the vendor has sent shows the same again, and adds no second one',
    async () => {
      const page = await start('discord');
      await at.open('integrations/new/discord');
      await page.getByRole('button', { name: 'Add to Discord' }).click();
      const back = await page.getByRole('link', { name: 'Allow' }).getAttribute('href');
      await page.getByRole('link', { name: 'Allow' }).click();
      await page.getByRole('heading', { name: 'Knell was added' }).waitFor();
      await page.goto(back ?? '');
      await page.getByText('It was added before: a code of Discord is valid once.').waitFor();
      await page.goBack();
      await page.goForward();
      const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
      expect([integrations.length, app.exchanges.length]).toEqual([1, 1]);
    },
  );

  test.runIf(isLong)('what went wrong is said above the form, which is there to try again', async () => {
    const page = await start('slack');
    await at.open('integrations/new/slack');
    const add = page.getByRole('button', { name: 'Add to Slack' });
    await page.getByLabel(/^Name/).fill('Night shift');
    await page.getByText('Delays, repeats and filters').click();
    await page.locator('input[name=collectS]').fill('2');
    await page.getByLabel('None', { exact: true }).check();
    await add.click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page
      .getByText('Nothing was added: nobody allowed it at Slack. Choose Add to Slack again')
      .waitFor();
    expect(addressIn(page)).toBe(`/project/${at.project}/integrations/new/slack`);
    expect(await at.findings('form')).toEqual([]);
    // What was typed is still there.
    await expect.poll(() => page.getByLabel(/^Name/).inputValue()).toBe('Night shift');
    await expect.poll(() => page.locator('input[name=collectS]').inputValue()).toBe('2');
    await expect.poll(() => page.getByLabel('None', { exact: true }).isChecked()).toBe(true);
    await add.click();
    // Only then the time has begun.
    await page.getByRole('link', { name: 'Allow' }).waitFor();
    await at.clock.advance(11 * minute);
    await page.getByRole('link', { name: 'Allow' }).click();
    await page.getByText('More than 10 minutes have passed: choose Add to Slack again').waitFor();
    await add.click();
    app.secret = 'another';
    await page.getByRole('link', { name: 'Allow' }).click();
    await page.getByText('KNELL_SLACK_CLIENT_ID or KNELL_SLACK_CLIENT_SECRET is wrong').waitFor();
    await page.getByLabel('Webhook URL').fill('https://hooks.slack.com/services/T/B/x');
    await page.getByRole('button', { name: 'Add without a test' }).click();
    await page.getByRole('heading', { name: 'Night shift was added' }).waitFor();
  });

  test.runIf(isLong)('who was signed out meanwhile signs in, and begins again', async () => {
    const page = await start('slack');
    await at.open('integrations/new/slack');
    await page.getByRole('button', { name: 'Add to Slack' }).click();
    const allow = page.getByRole('link', { name: 'Allow' });
    await allow.waitFor();
    await at.owner.post('/web/sign-out');
    await allow.click();
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This answer was not requested in this session').waitFor();
    await page.getByRole('button', { name: 'Add to Slack' }).click();
    await page.getByRole('link', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: '#ops was added' }).waitFor();
  });

  test('a wrong setting is said at its field, and nobody leaves the form for it', async () => {
    const page = await start('slack');
    await at.open('integrations/new/slack');
    await page.getByText('Delays, repeats and filters').click();
    await page.locator('input[name=timeZone]').fill('nonsense');
    await page.getByRole('button', { name: 'Add to Slack' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/project/${at.project}/integrations/new/slack`);
  });

  test.runIf(isLong)('the first steps have the button, too, for all checks', async () => {
    const page = await start('slack');
    await at.open('checks');
    const step = page.locator('.first-steps ol > li').nth(2);
    await step.getByRole('button', { name: 'Slack', exact: true }).click();
    await step.getByRole('button', { name: 'Add to Slack' }).click();
    await at.knell.create({ name: 'job', channels: '' });
    await page.getByRole('link', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: '#ops was added' }).waitFor();
    await page.getByText('Your check notifies it.').waitFor();
  });

  test('without an app there is no such button', async () => {
    const page = await start('slack', { KNELL_DISCORD_CLIENT_ID: 'x' });
    for (const kind of ['slack', 'discord']) {
      await at.open(`integrations/new/${kind}`);
      await page.getByLabel('Webhook URL').waitFor();
      await expect.poll(() => page.getByRole('button', { name: /^Add to/ }).count()).toBe(0);
    }
  });
});
