/** Rules of retention on the page, in a real browser: set, wrong, tried, and what is said where they have dropped an output. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { retentionError } from '../../src/domain/retention/retention-rules.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const day = 86_400_000;

describe.skipIf(browserMissing !== '')('rules of retention', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.now() - 10 * day });
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });

  afterAll(() => at?.stop());

  /** A check with a ping a day for five days. */
  async function pinged(name: string): Promise<string> {
    const { uuid } = await at.knell.create({ name, timeout: 86_400, grace: 86_400 });
    for (let count = 0; count < 5; count++) {
      await at.knell.request(`/ping/${uuid}`, { method: 'POST', body: `output ${count}` });
      at.clock.jump(day);
      await at.clock.advance(20_000);
    }
    await at.knell.check(uuid);
    return uuid;
  }

  async function looksRight(name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      for (const width of [390, 1440]) {
        await at.page.setViewportSize({ width, height: 900 });
        expect(await at.findings()).toEqual([]);
        expect(await at.overflow()).toBeLessThanOrEqual(0);
        const { KNELL_TEST_PICTURES } = process.env;
        if (KNELL_TEST_PICTURES)
          await at.page.screenshot({
            path: `${KNELL_TEST_PICTURES}/${name}-${colorScheme}-${width}.png`,
            fullPage: true,
          });
      }
    }
  }

  test('of a check are tried and set in its form, and its log says which outputs they dropped', async () => {
    const uuid = await pinged('backup');
    await at.open(`checks/${uuid}`);
    await at.page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = at.page.locator('form.check-form');
    await form.locator('summary').filter({ hasText: 'Retention' }).click();
    const field = form.getByLabel(/^What is kept/);
    await form
      .getByText("Rules here replace all of the project's. Empty: the last 1,000 pings (default).")
      .waitFor();
    await field.fill('pings 5 moons');
    const error = 'Rule 1: "moons" is no unit of time; write hours, days, weeks or years.';
    await form.getByRole('button', { name: 'What would these rules drop?' }).click();
    await form.getByText(error).waitFor();
    await form.getByRole('button', { name: /^Save/ }).click();
    await expect.poll(() => form.locator('#retention-error').textContent()).toBe(error);
    await field.fill('pings last 4\nbodies of successes 2 days');
    await form.getByRole('button', { name: 'What would these rules drop?' }).click();
    await form.getByText('Would drop 1 ping and 4 outputs, 32 bytes.').waitFor();
    await looksRight('form');
    await field.fill('pings last 4\nbodies of successes 3 days');
    await expect.poll(() => form.getByText('Would drop').count()).toBe(0);
    await form.getByRole('button', { name: /^Save/ }).click();
    const asked = /^These rules drop 1 ping and \d outputs? now\. Save again to do it\.$/;
    await expect.poll(() => form.locator('#retention-error').textContent()).toMatch(asked);
    expect((await at.knell.check(uuid)).retention ?? '').toBe('');
    // Other rules are asked about anew, and rules that drop nothing are not.
    await field.fill('pings last 4');
    await form.getByRole('button', { name: /^Save/ }).click();
    await expect.poll(() => form.locator('#retention-error').textContent()).toContain('drop 1 ping');
    await field.fill('pings last 4\nbodies of successes 3 days');
    await expect.poll(() => form.locator('#retention-error').count()).toBe(0);
    await form.getByRole('button', { name: /^Save/ }).click();
    await expect.poll(() => form.locator('#retention-error').textContent()).toMatch(asked);
    expect((await at.knell.check(uuid)).retention ?? '').toBe('');
    await form.getByRole('button', { name: /^Save/ }).click();
    await expect.poll(async () => (await at.knell.check(uuid)).retention).toContain('3 days');
    // A page that goes elsewhere by itself at that moment would break off the reload.
    await form.waitFor({ state: 'detached' });
    await at.page.reload();
    await at.page.locator('#log').getByRole('button', { name: 'Details of ping 2', exact: true }).click();
    await at.page.getByText('Output dropped by the retention rule after 3 days.').waitFor();
    await looksRight('log');
    expect(at.complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  test('of a project are tried and set in its settings, and are wrong there at their field', async () => {
    await pinged('other');
    await at.open('settings');
    const panel = at.page
      .locator('section')
      .filter({ has: at.page.getByRole('heading', { name: 'Retention' }) });
    await panel.getByText('Empty: each check keeps its last 1,000 pings.').waitFor();
    expect(retentionError((await panel.locator('.rules code').allTextContents()).join('\n'))).toBe('');
    const field = panel.getByLabel(/^What is kept/);
    const count = panel.getByRole('button', { name: 'What would these rules drop?' });
    // There is nothing to count.
    await expect.poll(() => count.count()).toBe(0);
    const how = panel.locator('details');
    const isOpen = () => how.evaluate((one: Json) => one.open);
    await expect.poll(isOpen).toBe(false);
    await field.fill('pings');
    await panel.getByRole('button', { name: 'Save rules' }).click();
    await panel
      .getByText('Rule 1: "pings" is no rule; write pings and then "last 500" or "90 days".')
      .waitFor();
    // How they are written comes by itself with an error; an example is one press from the field, in place of one of its kind.
    await expect.poll(isOpen).toBe(true);
    await field.fill('pings last 20');
    await how.getByRole('button', { name: 'Use failures 1 year' }).click();
    await expect.poll(() => field.evaluate((one: Json) => one.matches(':focus'))).toBe(true);
    await how.getByRole('button', { name: 'Use pings last 500' }).press('Enter');
    await expect.poll(() => field.inputValue()).toBe('failures 1 year\npings last 500');
    await expect.poll(() => panel.locator('.problem').count()).toBe(0);
    await looksRight('how');
    await at.page.setViewportSize({ width: 390, height: 900 });
    const use = how.getByRole('button', { name: 'Use failures 1 year' });
    expect((await use.boundingBox())?.height).toBeLessThan(48);
    await how.locator('summary').click();
    await field.fill('pings last 3');
    await count.click();
    await panel.getByText('Would drop 2 pings and 2 outputs, 16 bytes.').waitFor();
    await looksRight('settings');
    const save = panel.getByRole('button', { name: 'Save rules' });
    await save.click();
    await panel.getByText('These rules drop 2 pings and 2 outputs now. Save again to do it.').waitFor();
    await save.click();
    await panel.getByText('Saved. What the rules drop is deleted within minutes.').waitFor();
    await at.page.reload();
    await expect.poll(() => panel.getByLabel(/^What is kept/).inputValue()).toBe('pings last 3');
    // A check without rules of its own says which apply.
    await at.open('new');
    const part = at.page.locator('form.check-form summary', { hasText: 'Retention' });
    await expect.poll(() => part.textContent()).toBe('Retention pings last 3 (from the project)');
    expect(at.complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });
});
