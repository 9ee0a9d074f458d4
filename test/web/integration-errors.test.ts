/** All that is wrong in the form of an integration is marked at once, each at its field, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the form of an integration', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });
  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const part = () => form().locator('details', { hasText: 'Delays, repeats and filters' });
  const field = (label: RegExp) => form().getByRole('textbox', { name: label }).or(form().getByLabel(label));
  const delay = () => field(/^Notify only if down for more than/);
  const repeat = () => field(/^Repeat while down, every/);
  const zone = () => field(/^Time zone of its messages/);
  const url = () => form().getByLabel(/^URL/).first();
  const marked = () =>
    form()
      .locator('[aria-invalid=true]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('name')));
  const said = () => form().locator('.problem').allTextContents();
  const focused = () => at.page.evaluate<string>('document.activeElement.getAttribute("name")');

  const delayWords = 'Enter 0, or up to 44,640 minutes (31 days).';
  const repeatWords = 'Enter 0, or from 1 to 44,640 minutes (31 days).';

  test('of a new one marks all wrong fields at once, in the unit of each, and opens their part', async () => {
    await at.open('integrations/new/webhook');
    await url().fill('no url');
    await part().locator('summary').click();
    await delay().fill('-3');
    await repeat().fill('0.5');
    await zone().fill('Mars/Base');
    // Before an attempt nothing is marked, and the part says no more that nothing is set.
    await expect.poll(() => part().locator('summary').textContent()).not.toContain('at once');
    await part().locator('summary').click();
    await url().press('Enter');
    await expect.poll(marked).toEqual(['url_down', 'delayS', 'repeatS', 'timeZone']);
    await expect.poll(focused).toBe('url_down');
    const words = await said();
    expect(words).toContain(delayWords);
    expect(words).toContain(repeatWords);
    expect(words.some((one) => one.startsWith('Unknown time zone.'))).toBe(true);
    await expect.poll(() => part().evaluate((one: { open?: boolean }) => one.open)).toBe(true);
    expect(await at.findings()).toEqual([]);
  });

  test('takes a mark away while one types, and leaves the focus', async () => {
    await url().fill('https://example.org/x');
    await expect.poll(marked).toEqual(['delayS', 'repeatS', 'timeZone']);
    await expect.poll(focused).toBe('url_down');
    await url().press('Enter');
    await expect.poll(focused).toBe('delayS');
    await expect.poll(() => delay().evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThan(900);
    await delay().fill('5');
    await expect.poll(marked).toEqual(['repeatS', 'timeZone']);
    await repeat().fill('60');
    await zone().fill('Europe/Riga');
    await expect.poll(marked).toEqual([]);
    await expect.poll(() => part().locator('summary').textContent()).toContain('after 5 min');
    await form().getByRole('button', { name: 'Add without a test' }).click();
    await at.page.getByRole('heading', { name: /was added/ }).waitFor();
  });

  test('of one that is there does likewise', async () => {
    await at.open('integrations');
    await at.page
      .locator('main')
      .getByRole('link', { name: /Webhook/ })
      .first()
      .click();
    await delay().fill('-3');
    await repeat().fill('50000');
    await delay().press('Enter');
    await expect.poll(marked).toEqual(['delayS', 'repeatS']);
    await expect.poll(focused).toBe('delayS');
    expect(await said()).toEqual([delayWords, repeatWords]);
    expect(at.complaints).toEqual([]);
  });

  test('does so too for what the server refuses', async () => {
    const body = { kind: 'webhook', name: '', fields: { url_down: 'https://e.org' }, delayS: -3 };
    const answer = (await at.owner.post(`/web/in/${at.project}/channels`, body)).json();
    expect(answer).toMatchObject({ field: 'delayS' });
  });
});
