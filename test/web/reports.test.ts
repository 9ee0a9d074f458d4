/** The page of reports in a real browser: chosen by keyboard, confirmed by the mail's link, previewed on a phone and in the dark. */
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { goodPassword } from '../support/page/page-client.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('the page of reports', () => {
  let at: OwnerBrowser;
  let inbox: MailReceiver;

  beforeAll(async () => {
    inbox = await MailReceiver.start();
    at = await OwnerBrowser.start({ KNELL_MAIL_URL: inbox.url });
    const { uuid } = await at.knell.create({ name: `Backup ${'of-everything'.repeat(6)}`, timeout: 3600 });
    await at.knell.request(`/ping/${uuid}/fail`);
    await at.knell.create({ name: 'Never pinged' });
    await at.clock.advance(hour);
    await at.open('checks');
  });

  afterAll(async () => {
    await at?.stop();
    await inbox?.stop();
  });

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });

  test('is in the menu on a phone, has no faults for readers of any kind, and fits', async () => {
    await at.page.getByRole('button', { name: /account of ada/ }).click();
    await at.page.getByRole('menuitem', { name: 'Reports' }).click();
    await at.page.getByRole('heading', { name: 'Reports' }).waitFor();
    await at.page.getByRole('link', { name: /^Backup/ }).waitFor();
    await at.page
      .getByText(/^Of 2 checks, 1 had outages and 1 was not watched\. That one had no ping yet/)
      .waitFor();
    await at.page.getByText('2 checks: 1 down, 1 new').waitFor();
    await at.page.locator('[role=status]', { hasText: 'Save an address to send one.' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      expect(await at.findings()).toEqual([]);
    }
    for (const width of [320, 360]) {
      await at.page.setViewportSize({ width, height: 800 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
  });

  test('an address that is none is said at its field', async () => {
    const address = at.page.getByLabel('Email address');
    await address.fill('nobody');
    await at.page.getByLabel('Your password').fill(goodPassword);
    await button('Save').press('Enter');
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    await at.page.locator('#address-error', { hasText: 'Enter an email address, such as' }).waitFor();
    expect(await at.page.evaluate('document.activeElement.type')).toBe('email');
    await address.fill('ada@example.org');
    await expect.poll(() => at.page.locator('main .problem').count()).toBe(0);
    await at.page.getByLabel('Your password').fill('wrong horse battery');
    await button('Save').press('Enter');
    await expect.poll(() => at.page.getByLabel('Your password').getAttribute('aria-invalid')).toBe('true');
    expect(at.complaints.splice(0)).toHaveLength(1);
    await at.page.reload();
  });

  test('an address is entered by keyboard, and confirmed by the link in the mail', async () => {
    const status = at.page.locator('.actions [role=status]');
    await at.page.getByText('To get them, choose how often, and give an address.').waitFor();
    await at.page.getByLabel('How often').selectOption('daily');
    await at.page.getByText('To get them, give an address.').waitFor();
    await at.page.getByLabel('Email address').fill('ada@example.org');
    await at.page.getByText('No reports are sent. To get them, save this.').waitFor();
    await expect.poll(() => status.textContent()).toBe('Enter your current password first.');
    await at.page.getByLabel('Your password').fill(goodPassword);
    await expect.poll(() => status.textContent()).toBe('Save an address to send one.');
    await expect.poll(() => button('Send me one now').isDisabled()).toBe(true);
    await button('Save').press('Enter');
    await at.page.getByText('ada@example.org is not confirmed yet').waitFor();
    const [mail] = await inbox.until(1);
    const { text = '' } = await simpleParser(mail?.text ?? '');
    const path = /^Confirm: http:\/\/knell\.test(\S+)$/m.exec(text)?.[1] ?? '';
    const other = await at.page.context().newPage();
    await other.goto(at.knell.app.httpUrl + path);
    await other.getByRole('button', { name: 'Confirm' }).click();
    await other.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await other.close();
    await at.page.evaluate("dispatchEvent(new Event('focus'))");
    await at.page.getByText(/The next report is sent on/).waitFor();
    await expect.poll(() => at.page.getByLabel('How often').inputValue()).toBe('daily');
  });

  test('what it shows is what the mail says, and links to the check', async () => {
    await at.page.getByRole('heading', { name: 'Today so far' }).waitFor();
    await button('This week').press('Enter');
    await at.page.getByRole('heading', { name: 'This week so far' }).waitFor();
    await at.page.getByText('1 outage in 1 of 2 checks.').waitFor();
    await at.owner.post('/web/projects', { name: 'Other' });
    await at.page.reload();
    await at.page.getByText('1 outage in 1 of 2 checks, in all your projects.').waitFor();
    // On a phone, where the table has no heads, each figure says what it is.
    await expect
      .poll(() => at.page.locator('.report-lines tbody tr').first().textContent())
      .toMatch(/1 outage\s*down \d.*[\d.]+ %\s*.* up/);
    // Also where no other page has been.
    await at.page.reload();
    const colorOf = (one: Json): string => one.ownerDocument.defaultView.getComputedStyle(one).color;
    const down = at.page.getByText('down now');
    const above = at.page.locator('.report-lines th .faint').first();
    expect(await down.evaluate(colorOf)).not.toBe(await above.evaluate(colorOf));
    await button('Send me one now').click();
    await at.page.getByText('Sent.').waitFor();
    const mails = await inbox.until(2);
    const { subject } = await simpleParser(mails[1]?.text ?? '');
    expect(subject).toBe('Daily report | 1 outage in 1 of 2 checks');
    await at.page.getByRole('link', { name: /^Backup/ }).click();
    await at.page.waitForURL(/\/checks\//);
    await at.page.getByRole('heading', { name: /^Backup/ }).waitFor();
  });

  test('has other periods than those of mails, in its address', async () => {
    const headings = at.page.locator('.report-head h2');
    const shown = (words: string) => expect.poll(() => headings.allTextContents()).toEqual([words]);
    const search = (): string => new URL(at.page.url()).search;
    await at.page.goto(`${at.knell.app.httpUrl}/reports`);
    await shown('Today so far');
    for (const width of [1440, 1024, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      await button('Last 30 days').press('Enter');
      await shown('Last 30 days');
      await at.page.getByText(/^1 outage in 1 of 2 checks/).waitFor();
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings('.report')).toEqual([]);
      await button('Today').press('Enter');
      await shown('Today so far');
      expect(search()).toBe('');
    }
    // The checks were created in this month.
    await button('Last month').press('Enter');
    await at.page.getByText('Knell is running. No check was watched').waitFor();
    await expect.poll(search).toBe('?period=last-month');
    await at.page.reload();
    await shown('Last month');
    await button('Last 7 days').press('Enter');
    await at.page.getByText(/^1 outage in 1 of 2 checks/).waitFor();
    await at.page.locator('.report dd', { hasText: /, begun at a full hour$/ }).waitFor();
  });

  test('says whose time it is in, and takes that of the browser by a button', async () => {
    const context = await at.page.context().browser()?.newContext({ timezoneId: 'America/New_York' });
    if (!context) throw new Error('there is no browser');
    await context.addCookies(await at.page.context().cookies());
    const page = await context.newPage();
    await page.goto(`${at.knell.app.httpUrl}/reports`);
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Days, weeks and months are those of UTC, while the other').waitFor();
    await page.locator('.report dd', { hasText: / \(UTC\)$/ }).waitFor();
    await page.getByText(/The next report is sent on .* \(UTC\)\./).waitFor();
    await page.getByRole('button', { name: 'Use America/New_York' }).click();
    await page.getByText('Days, weeks and months are those of America/New_York.').waitFor();
    await expect.poll(() => page.getByText('(UTC)').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: /^Use / }).count()).toBe(0);
    await context.close();
  });

  test('is in the header of a wide window', async () => {
    await at.page.setViewportSize({ width: 1280, height: 900 });
    await at.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Reports' }).click();
    await at.page.getByRole('heading', { name: 'Reports' }).waitFor();
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(at.complaints).toEqual([]);
  });

  test('asks for the password once the address is another one, says why, and sorts its table', async () => {
    const second = await at.knell.create({ name: 'Another', timeout: 3600 });
    await at.knell.request(`/ping/${second.uuid}/fail`);
    await at.clock.advance(60_000);
    await at.page.reload();
    const address = at.page.getByLabel('Email address');
    await address.fill('other@example.org');
    await at.page.getByLabel('Your password').waitFor();
    await at.page.getByText('Links for a new password go to this address.').waitFor();
    await expect.poll(() => button('Save').getAttribute('aria-disabled')).toBe('true');
    const heads = at.page.locator('.report-lines thead th');
    const names = () =>
      at.page
        .locator('.report-lines tbody th a')
        .evaluateAll((all) => all.map((one) => one.textContent?.slice(0, 7)));
    await expect.poll(names).toEqual(['Backup ', 'Another']);
    await expect.poll(() => heads.first().getAttribute('aria-sort')).toBeNull();
    await button('Check').click();
    await expect.poll(names).toEqual(['Another', 'Backup ']);
    await expect.poll(() => heads.first().getAttribute('aria-sort')).toBe('ascending');
    await button('Downtime').press('Enter');
    await expect.poll(names).toEqual(['Backup ', 'Another']);
    await expect.poll(() => heads.nth(2).getAttribute('aria-sort')).toBe('descending');
    await button('Downtime').press('Enter');
    await expect.poll(names).toEqual(['Another', 'Backup ']);
    expect(await at.findings()).toEqual([]);
  });
});
