/** The mail address of a check, in a real browser: where only this machine reaches it, that is said below it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const domains = [
  ['localhost', 1],
  ['pings.example.org', 0],
] as const;

describe.skipIf(browserMissing !== '').each(domains)('the address at %s', (domain, said) => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({
      KNELL_SMTP: '127.0.0.1:0',
      KNELL_EMAIL_DOMAIN: domain,
      KNELL_BASE_URL: 'http://localhost:8000',
    });
  });

  afterAll(() => at?.stop());

  test(`says ${said === 0 ? 'no more' : 'what it takes'}, in the first steps and on the page of a check`, async () => {
    await at.open('checks');
    await at.page.getByText('Set up your first check').waitFor();
    const { uuid } = await at.knell.create({ name: 'Website', channels: '' });
    const note = at.page.getByText('Mail arrives only from the machine of Knell');
    /** Of the addresses by HTTP: those of mail have a domain of their own. */
    const ofHttp = at.page.getByText('Other machines need');
    const tabs = at.page.locator('.tabs');
    await ofHttp.waitFor();
    await tabs.getByRole('button', { name: 'Email' }).click();
    await at.page.getByText(`${uuid}@${domain}`).waitFor();
    await expect.poll(() => note.count()).toBe(said);
    await expect.poll(() => ofHttp.count()).toBe(0);
    await at.page.setViewportSize({ width: 1280, height: 900 });
    await at.open(`checks/${uuid}`);
    await tabs.getByRole('button', { name: 'More' }).click();
    await at.page
      .getByRole('menuitem', { name: 'Email' })
      .or(at.page.getByRole('menuitemradio', { name: 'Email' }))
      .click();
    await at.page.getByText(`${uuid}@${domain}`).waitFor();
    await expect.poll(() => note.count()).toBe(said);
    await expect.poll(() => ofHttp.count()).toBe(0);
    expect(await at.findings()).toEqual([]);
  });
});
