/** The numbers of a check on its page, in a real browser. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resultRulesError } from '../../src/domain/results/result-rules.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the results of a check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.now() - 3_600_000 });
  });

  afterAll(() => at?.stop());

  test('are a value, what is usual, the limits and a chart each, at every width and in both colours', async () => {
    const { uuid } = await at.knell.create({
      name: 'backup',
      timeout: 3600,
      results: 'files: below 1, change 50% warns\nbytes in B',
    });
    for (const files of [1380, 1400, 1420, 1390, 1410, 0]) {
      await at.clock.advance(60_000);
      await at.knell.request(`/ping/${uuid}?m=files:${files}&m=bytes:${files * 1e6}`);
    }
    await at.open(`checks/${uuid}`);
    const card = at.page.locator('.results-card');
    await expect.poll(() => card.locator('li').count()).toBe(2);
    await expect
      .poll(() => card.locator('li').nth(0).textContent())
      .toMatch(/^files0.*usually 1,384–1,416 · below 1 is a failure · a change by over 50 % is a warning/);
    await expect.poll(() => card.locator('li').nth(1).textContent()).toMatch(/^bytes0 B/);
    await card.getByRole('img', { name: 'files of 6 runs, from 0 to 1,420, 1 with a failure' }).waitFor();
    await expect.poll(() => card.locator('li').nth(0).locator('circle.bad').count()).toBe(1);
    await expect.poll(() => card.locator('.limit').count()).toBe(2);
    const dashesOf = (outcome: string): Promise<string> =>
      card.locator(`.limit.${outcome}`).evaluate((line: Json) => {
        const { stroke, strokeDasharray } = line.ownerDocument.defaultView.getComputedStyle(line);
        return `${stroke} ${strokeDasharray}`;
      });
    const [ofFailure, ofWarning] = [await dashesOf('failure'), await dashesOf('warning')];
    for (const at of [0, 1]) expect(ofFailure.split(') ')[at]).not.toBe(ofWarning.split(') ')[at]);
    await expect
      .poll(() => card.locator('.limits').allTextContents())
      .toEqual(['0 to 1,4201: failure700: warning', '0 B to 1.42 GB']);
    await expect
      .poll(() => card.locator('li').nth(0).locator('strong').textContent())
      .toBe('0, beyond its limit: a failure');
    await at.page.locator('#log').getByText('files 0, below 1').first().waitFor();
    await at.page.locator('#log').getByText('bytes 0 B').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      for (const width of [390, 1440]) {
        await at.page.setViewportSize({ width, height: 900 });
        expect(await at.findings()).toEqual([]);
        expect(await at.overflow()).toBeLessThanOrEqual(0);
      }
    }
    expect(at.complaints).toEqual([]);
  });

  test('are drawn by hour and by day, which the address keeps, and come as a file', async () => {
    const { uuid } = await at.knell.create({ name: 'hourly', timeout: 86_400, results: 'rows: below 5' });
    for (const rows of [10, 20, 3]) {
      await at.knell.request(`/ping/${uuid}?m=rows:${rows}`);
      await at.clock.advance(3_600_000);
    }
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open(`checks/${uuid}`);
    const card = at.page.locator('.results-card');
    await card.getByRole('img', { name: 'rows of 3 runs, from 3 to 20, 1 with a failure' }).waitFor();
    await card.getByRole('button', { name: '7 d' }).click();
    await card.getByRole('img', { name: 'rows of 3 hours, from 3 to 20, 1 with a failure' }).waitFor();
    await expect.poll(() => card.locator('.limit').count()).toBe(1);
    await at.page.reload();
    await card.getByRole('img', { name: 'rows of 3 hours, from 3 to 20, 1 with a failure' }).waitFor();
    await card.getByRole('button', { name: '90 d' }).click();
    await card.getByRole('img', { name: /^rows of [12] days, from 3 to 20, 1 with a failure$/ }).waitFor();
    const [download] = await Promise.all([
      at.page.waitForEvent('download'),
      card.getByRole('link', { name: 'Values of rows as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('hourly-rows-by-day.csv');
    const csv = readFileSync(await download.path(), 'utf8');
    expect(csv).toMatch(/^time,name,runs,failed,average,min,max,unit\r\n/);
    expect(await at.findings()).toEqual([]);
    await at.clock.advance(10 * 86_400_000);
    await at.page.clock.setFixedTime(at.clock.nowMs());
    await card.getByRole('button', { name: '7 d' }).click();
    await card.getByText('No run reported it in the last 7 d.').waitFor();
    await at.page.clock.setFixedTime(Date.now());
  });

  test('are not there for a check whose runs report none, and rules that are none are said at their field', async () => {
    const { uuid } = await at.knell.create({ name: 'plain', timeout: 3600 });
    await at.knell.request(`/ping/${uuid}`);
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open(`checks/${uuid}`);
    await at.page.locator('#log li').first().waitFor();
    await expect.poll(() => at.page.locator('.results-card').count()).toBe(0);
    await at.page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = at.page.locator('form.check-form');
    const runs = form.locator('details').filter({ hasText: 'A run may take at most' });
    await runs.locator('> summary').click();
    await form.getByLabel(/^Results/).fill('files: blow 1');
    await form.getByRole('button', { name: /^Save/ }).click();
    await form.getByText('Line 1: "blow" is no limit; write below, above, change or missing.').waitFor();
    const rules = form.getByLabel(/^Results/);
    await rules.fill('files: above 5');
    const how = form.locator('details.how', { hasText: 'behind a colon' });
    // What is wrong has opened it.
    for (const use of await how.getByRole('button').all()) await use.click();
    // One of the same name goes, and each of them is a rule.
    await expect.poll(async () => (await rules.inputValue()).split('\n').length).toBe(5);
    expect(resultRulesError(await rules.inputValue())).toBe('');
    await form.locator('summary', { hasText: '5 rules of results' }).waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await rules.fill('files: below 1');
    await form.getByRole('button', { name: /^Save/ }).click();
    await at.page.locator('.results-card').getByText('no run has reported it').waitFor();
    expect((await at.knell.check(uuid)).results).toBe('files: below 1');
  });

  test('of a warning are not why a check is down that failed before it', async () => {
    const results = 'rows: below 5 warns';
    const { uuid } = await at.knell.create({ name: 'import', timeout: 86_400, results });
    await at.knell.request(`/ping/${uuid}/3`);
    await at.clock.advance(1000);
    await at.knell.request(`/ping/${uuid}?m=rows:1`);
    await at.open('checks');
    const row = at.page.locator('.row', { hasText: 'import' });
    await expect.poll(() => row.textContent()).toContain('Exit status 3');
    await expect.poll(() => row.textContent()).not.toContain('below 5');
  });
});
