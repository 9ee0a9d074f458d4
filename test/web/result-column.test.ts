/** A number as a column of the list, and the words of a broken limit where the status is, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the numbers of checks in the list', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.now() - 60_000 });
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });

  afterAll(() => at?.stop());

  const names = (): Promise<string[]> => at.page.locator('.row .what > a').allTextContents();
  const cells = (): Promise<string[]> => at.page.locator('.row .result').allTextContents();

  test('are no column while no run has reported one', async () => {
    await at.knell.create({ name: 'plain', timeout: 86_400 });
    await at.open('checks');
    await at.page.locator('.row').first().waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: /^Number/ }).count()).toBe(0);
  });

  test('are a column that the reader chooses, sorts by and finds again', async () => {
    const make = async (name: string, bytes: number): Promise<void> => {
      const { uuid } = await at.knell.create({
        name,
        timeout: 86_400,
        results: 'bytes in B: below 1000 warns',
      });
      await at.knell.request(`/ping/${uuid}?m=bytes:${bytes}&m=files:${bytes / 10}`);
    };
    for (const [name, bytes] of [
      ['small', 20],
      ['large', 9e9],
      ['middle', 5e6],
    ] as const)
      await make(name, bytes);
    await at.open('checks');
    await at.page.getByRole('button', { name: 'Number: None' }).click();
    await at.page
      .getByRole('menuitem', { name: 'bytes' })
      .or(at.page.locator('.menu button', { hasText: 'bytes' }))
      .first()
      .click();
    await at.page.getByRole('columnheader', { name: 'bytes' }).getByRole('button').click();
    await expect.poll(names).toEqual(['small', 'middle', 'large', 'plain']);
    expect(await cells()).toEqual(['20 Bbeyond its limit', '5 MB', '9 GB', '–']);
    await at.page.getByRole('columnheader', { name: 'bytes' }).getByRole('button').click();
    // What has no number is last in both directions.
    await expect.poll(names).toEqual(['large', 'middle', 'small', 'plain']);
    expect(at.page.url()).toContain('sort=result&result=bytes&order=desc');
    await at.open('checks');
    await expect.poll(async () => (await cells()).length).toBe(4);
    // What this browser has kept is in the address for whom that is sent to.
    await expect.poll(() => new URL(at.page.url()).search).toBe('?sort=result&result=bytes&order=desc');
    const ends = await Promise.all(
      ['.heads .result button', '.row .result > :first-child'].map((part) =>
        at.page
          .locator(part)
          .first()
          .evaluate((one: Json) => {
            const range = one.ownerDocument.createRange();
            range.selectNodeContents(one.firstChild);
            return Math.round(range.getBoundingClientRect().right);
          }),
      ),
    );
    expect(ends[0]).toBe(ends[1]);
    await at.page.evaluate('localStorage.clear()');
    await at.page.reload();
    await expect.poll(async () => (await cells()).length).toBe(4);
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      for (const width of [390, 768, 1000, 1280, 1440]) {
        await at.page.setViewportSize({ width, height: 900 });
        expect(await at.overflow()).toBeLessThanOrEqual(0);
        await expect.poll(() => at.page.locator('.row .result').first().isVisible()).toBe(width >= 768);
      }
      expect(await at.findings()).toEqual([]);
    }
    await at.page.getByRole('button', { name: 'Number: bytes' }).click();
    await at.page.locator('.menu button', { hasText: 'None' }).click();
    await expect.poll(async () => (await cells()).length).toBe(0);
    expect(new URL(at.page.url()).search).toBe('');
  });

  test('say why a check is down or has a warning, in its row, its card and at its run', async () => {
    const { uuid } = await at.knell.create({ name: 'empty', timeout: 86_400, results: 'rows: change 50%' });
    for (const rows of [1380, 1400, 1420, 1390, 1410, 0])
      await at.knell.request(`/ping/${uuid}?m=rows:${rows}`);
    const words = 'rows 0, usually 1,384–1,416';
    await at.open('checks');
    const row = at.page.locator('.row', { hasText: 'empty' });
    await expect.poll(() => row.locator('.state > :nth-child(2)').textContent()).toBe(words);
    const warned = at.page.locator('.row', { hasText: 'small' });
    await expect
      .poll(() => warned.locator('.state > :nth-child(2)').textContent())
      .toBe('Warning: bytes 20 B, below 1 kB');
    await row.locator('.what a').click();
    await expect.poll(() => at.page.locator('.now .why strong').textContent()).toBe(words);
    await at.page.locator('.run-rows .failure .noted').getByText(words).waitFor();
    await at.open('checks');
    await warned.locator('.what a').click();
    await expect
      .poll(() => at.page.locator('.now .why strong').textContent())
      .toBe('The last run had a warning: bytes 20 B, below 1 kB');
    expect(at.complaints).toEqual([]);
  });
});
