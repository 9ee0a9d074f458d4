/** All checks at once, and what a filter leaves of a selection, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/domain/check/check.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('all checks of the list', () => {
  let at: OwnerBrowser;
  const count = 520;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    const { engine } = at.knell.app;
    const [project] = engine.read.projects();
    const many = Array.from({ length: count }, (_, n) => ({
      ...defaultConfig,
      name: `job ${n}`,
      tags: n < 90 ? 'few' : 'many',
    }));
    await Promise.all(
      many.map((config) => project && engine.change.createCheck(project.id, config, at.clock.nowMs())),
    );
  }, 60_000);

  afterAll(() => at?.stop());

  const bar = (words: string) => at.page.locator('.bulk').getByText(words, { exact: true });
  const box = () => at.page.getByRole('checkbox', { name: 'Select all checks' });
  const state = (): Promise<Json> => box().evaluate((one: Json) => [one.checked, one.indeterminate]);
  const off = [false, false];
  const mixed = [false, true];
  const on = [true, false];

  test('are selected by the box of the head, also those that were not in sight, and no longer by it', async () => {
    await at.open('checks?tag=few');
    await at.page.getByText('90 of 520 checks').waitFor();
    await expect.poll(state).toEqual(off);
    await box().click();
    await bar('90 checks selected').waitFor();
    await expect.poll(state).toEqual(on);
    expect(await at.findings()).toEqual([]);
    await at.page.getByLabel('Select job 3', { exact: true }).click();
    await bar('89 checks selected').waitFor();
    await expect.poll(state).toEqual(mixed);
    await box().click();
    await bar('90 checks selected').waitFor();
    await expect.poll(state).toEqual(on);
    await box().click();
    await at.page.locator('.bulk').waitFor({ state: 'detached' });
    await expect.poll(state).toEqual(off);
  });

  test('are selected with a key, also from the box, and the keys say so', async () => {
    await at.open('checks?tag=few');
    await at.page.getByText('90 of 520 checks').waitFor();
    await at.page.keyboard.press('a');
    await bar('90 checks selected').waitFor();
    await box().focus();
    await at.page.keyboard.press('a');
    await at.page.locator('.bulk').waitFor({ state: 'detached' });
    await at.page.keyboard.press('?');
    await at.page.locator('dialog.keys').getByText('Select all checks that are listed, or none').waitFor();
    await at.page.keyboard.press('Escape');
  });

  test('are too many to be changed at once, which is said', async () => {
    await at.open('checks');
    await box().click();
    await at.page.locator('.toast', { hasText: 'The first 500 of 520 checks are selected' }).waitFor();
    await bar('500 checks selected').waitFor();
    await expect.poll(state).toEqual(on);
    await at.page.locator('.bulk').getByRole('button', { name: 'Delete…' }).click();
    const dialog = at.page.locator('dialog[open]');
    await dialog.getByText('and 490 more').waitFor();
    expect(await at.findings('dialog[open]')).toEqual([]);
    await dialog.getByLabel('Type 500 to confirm').fill('50');
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Delete permanently' }).isDisabled())
      .toBe(true);
    await at.page.keyboard.press('Escape');
  });

  test('are no longer selected once a filter does not find them', async () => {
    await at.open('checks?tag=few');
    await at.page.getByText('90 of 520 checks').waitFor();
    await box().click();
    await bar('90 checks selected').waitFor();
    await at.page.getByLabel('Search checks').fill('job 77');
    await bar('1 check selected').waitFor();
    await expect.poll(state).toEqual(on);
    await at.page.getByLabel('Search checks').fill('');
    await at.page.getByText('90 of 520 checks').waitFor();
    await bar('1 check selected').waitFor();
    await expect.poll(state).toEqual(mixed);
    await at.page.getByLabel('Search checks').fill('job 5');
    await at.page.locator('.bulk').waitFor({ state: 'detached' });
  });

  test('that have left the list by themselves are counted as not shown', async () => {
    await at.open('checks?q=job+1&tag=few&status=new');
    await at.page.getByText('18 of 520 checks').waitFor();
    await box().click();
    await bar('18 checks selected').waitFor();
    await at.page.getByRole('heading', { name: 'Checks' }).hover({ force: true });
    await at.page.locator('.bulk').getByRole('button', { name: 'Pause' }).click();
    await bar('18 checks selected, 18 not shown').waitFor();
    await at.page.setViewportSize({ width: 1280, height: 800 });
    const cut = await at.page.locator('.bulk').evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(cut, 'pixels of the bar that are cut').toBeLessThanOrEqual(0);
    expect(at.complaints).toEqual([]);
  });
});
