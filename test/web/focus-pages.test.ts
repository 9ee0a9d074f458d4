/** What has the focus can be seen: not below the bar of a phone, not below what stays at the side, and its ring is not cut off. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { failingHook } from '../support/page/failing-hook.ts';
import { focusFaults } from '../support/page/focus-faults.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the focus', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await failingHook(at);
    await at.page.setViewportSize({ width: 390, height: 844 });
  });

  afterAll(() => at?.stop());

  const faults = () => focusFaults(at.page);

  test.each([
    ['the badges', 'badges', 'img'],
    ['the settings', 'settings', '.line'],
  ])('is in sight at every stop of %s on a phone', async (_, path, settled) => {
    await at.open(path);
    await at.page.locator(settled).first().waitFor();
    expect(await faults()).toEqual([]);
    expect(await focusFaults(at.page, 'Shift+Tab')).toEqual([]);
  });

  test('has its ring in the list of the pages of the manual', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.page.goto(`${at.knell.app.httpUrl}/docs/installing`);
    expect(await faults()).toEqual([]);
    await at.page.setViewportSize({ width: 390, height: 844 });
  });

  test('is in sight in the overview, where a phone has all counts of a project, too', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    const said = at.page.getByRole('link', { name: '1 failing, 1 cannot send in default' });
    await said.waitFor();
    // What cannot send is not down.
    await said.locator('.down').getByText('1 failing', { exact: true }).waitFor();
    await said.locator('.late').getByText('1 cannot send', { exact: true }).waitFor();
    const counts = at.page.getByRole('row', { name: /default/ }).locator('td.count:visible');
    const of = await counts.evaluateAll((cells: readonly Json[]) =>
      cells.map((cell) => [cell.dataset.head, Number(cell.textContent)] as const),
    );
    expect(of.map(([head]) => head)).toEqual(['Down', 'Late', 'Running', 'Up', 'Paused', 'New']);
    const sum = of.reduce((all, [, count]) => all + count, 0);
    await at.page.getByText(sum === 1 ? '1 check' : `${sum} checks`, { exact: true }).waitFor();
    // The name has the lines that it needs, and the failure one.
    expect((await said.boundingBox())?.height).toBeLessThan(24);
    // The table has it of each project.
    await at.page.locator('.notice').waitFor({ state: 'detached' });
    expect(await faults()).toEqual([]);
    await at.page.setViewportSize({ width: 1024, height: 844 });
    await at.page.getByRole('cell', { name: '1 failing, 1 cannot send in default' }).waitFor();
    await expect.poll(() => at.page.getByText(/^\d+ checks?$/).isVisible()).toBe(false);
  });
});
