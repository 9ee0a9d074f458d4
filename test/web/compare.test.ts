/** Two outputs side by side, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the outputs of two runs', () => {
  let at: OwnerBrowser;
  let uuid: string;
  const lines = (changed: Readonly<Record<number, string>>) =>
    Array.from({ length: 60 }, (_, line) => changed[line] ?? `file ${line} <i>copied</i>`).join('\n');
  const ping = (body: string, end = '') => at.knell.request(`/ping/${uuid}${end}`, { method: 'POST', body });

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.now() - 60_000 });
    ({ uuid } = await at.knell.create({ name: 'job', timeout: 86_400 }));
    await ping(lines({ 5: 'an older run' }));
    await ping(lines({}));
    await ping('', '/log');
    await ping(lines({ 30: 'file 30: permission denied', 31: 'retrying' }), '/fail');
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });

  afterAll(() => at?.stop());

  const card = () => at.page.locator('.compare');

  test('are compared with the last good run at one press, and the address is a link to that', async () => {
    await at.open(`checks/${uuid}`);
    await at.page.getByRole('button', { name: 'Compare with the last good run' }).first().click();
    await expect.poll(() => at.page.url()).toMatch(/[?&]compare=2-4$/);
    await card().getByText('2 lines removed, 2 lines added.').waitFor();
    await expect
      .poll(() => card().locator('td.is-removed').allTextContents())
      .toEqual(['−file 30 <i>copied</i>', '−file 31 <i>copied</i>']);
    await expect
      .poll(() => card().locator('td.is-added').allTextContents())
      .toEqual(['+file 30: permission denied', '+retrying']);
    await expect
      .poll(() => card().locator('td.fold').allTextContents())
      .toEqual(['Show 27 lines that are the same', 'Show 25 lines that are the same']);
    // Columns of an output are in line only if its letters have one width.
    const family = "getComputedStyle(document.querySelector('.diff td.is-added')).fontFamily";
    await expect.poll(() => at.page.evaluate<string>(family)).toMatch(/monospace$/);
    await card().getByRole('button', { name: 'Show 27 lines' }).click();
    await card().getByText('file 0 <i>copied</i>').first().waitFor();
    await at.page.reload();
    await card().getByText('2 lines removed, 2 lines added.').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      for (const width of [390, 1440]) {
        await at.page.setViewportSize({ width, height: 900 });
        // On a phone they are one below the other.
        await expect.poll(() => card().locator('.diff tr').last().locator('td').count()).toBe(1);
        await expect.poll(() => card().locator('.diff.unified').count()).toBe(width < 768 ? 1 : 0);
        await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
        expect(await at.findings()).toEqual([]);
      }
    }
    expect(at.complaints).toEqual([]);
  });

  test('have the focus while they are compared, and give it back', async () => {
    const focused = () =>
      at.page.evaluate<string>(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      );
    await at.open(`checks/${uuid}`);
    const opener = at.page.getByRole('button', { name: 'Compare with the last good run' }).first();
    await opener.press('Enter');
    await card().getByText('2 lines removed, 2 lines added.').waitFor();
    await expect.poll(focused).toBe('Compare outputs');
    await at.page.keyboard.press('Tab');
    await card().getByLabel('Before').selectOption('1');
    await expect.poll(() => at.page.url()).toMatch(/compare=1-4$/);
    // Choosing another one leaves it where one chooses.
    expect(await at.page.evaluate('document.activeElement.tagName')).toBe('SELECT');
    await card().getByRole('button', { name: 'Close' }).press('Enter');
    await expect.poll(focused).toBe(await opener.textContent());
    await expect.poll(() => at.page.url()).not.toContain('compare');
    await opener.press('Enter');
    await expect.poll(focused).toBe('Compare outputs');
    await at.page.keyboard.press('Escape');
    await card().waitFor({ state: 'detached' });
    await expect.poll(focused).toBe(await opener.textContent());
  });

  test('are left by the way back, to the same check', async () => {
    await at.open('checks');
    await at.open(`checks/${uuid}`);
    await at.page.getByRole('button', { name: 'Compare with the last good run' }).first().click();
    await card().getByText('2 lines removed, 2 lines added.').waitFor();
    await at.page.goBack();
    await expect.poll(() => card().count()).toBe(0);
    expect(new URL(at.page.url()).pathname).toMatch(new RegExp(`/checks/${uuid}$`));
  });

  test('are any two that one chooses, the same ones too, and what is not there says so', async () => {
    await at.open(`checks/${uuid}?compare=2-4`);
    await card().getByLabel('Before').selectOption('1');
    await expect.poll(() => at.page.url()).toMatch(/compare=1-4$/);
    await card().getByText('3 lines removed, 3 lines added.').waitFor();
    await card().getByLabel('After').selectOption('1');
    await card().getByText('The outputs are the same.').waitFor();
    await at.open(`checks/${uuid}?compare=3-4`);
    await card()
      .getByText('There is no output of ping 3: it brought none, or it is no longer kept.')
      .waitFor();
    await at.open(`checks/${uuid}?compare=good-1`);
    await card().getByText('No good run before ping 1 is listed: choose another one.').waitFor();
    await card().getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => card().count()).toBe(0);
  });

  test('are offered beside what a failed run printed, but where the last good one is known to have printed nothing', async () => {
    const { uuid: silent } = await at.knell.create({ name: 'silent', timeout: 86_400 });
    const acts = at.page.locator('.last-output .acts').first();
    const lookAt = async (shown: string) => {
      await at.open(`checks/${silent}`);
      await expect.poll(() => acts.textContent()).toBe(shown);
      const { incidents } = (await at.knell.api('GET', '/api/v3/incidents/?q=silent&state=open')).json();
      await at.open(`incidents/${incidents[0].id}`);
      await expect.poll(() => acts.textContent()).toBe(shown);
    };
    const failed = () => at.knell.request(`/ping/${silent}/fail`, { method: 'POST', body: 'fatal: no disk' });
    await failed();
    await lookAt('Show in the log');
    await at.open(`checks/${silent}`);
    await at.page.getByRole('button', { name: 'Details of ping 1' }).click();
    await at.page.locator('.log .details').getByText('fatal: no disk').first().waitFor();
    const offered = at.page.getByRole('button', { name: 'Compare with the last good run' });
    await expect.poll(() => offered.count()).toBe(0);
    await at.knell.request(`/ping/${silent}`);
    await failed();
    await lookAt('Show in the log');
  });

  test('of 100 kB each, in which every line is another one, do not hold up the page', async () => {
    const other = (letter: string) =>
      Array.from({ length: 14_000 }, (_, line) => `${letter}${line}`).join('\n');
    await ping(other('a'));
    await ping(other('b'), '/fail');
    await at.open(`checks/${uuid}?compare=5-6`);
    await card()
      .getByText(/They differ in too much to be lined up/)
      .waitFor();
    await card()
      .getByRole('button', { name: /^Show more of/ })
      .waitFor();
  });
});
