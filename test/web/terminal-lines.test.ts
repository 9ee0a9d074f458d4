/** An output that was written for a terminal, on the page of its check: colours in both schemes, and text that stays text. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const colours = [31, 32, 33, 34, 35, 36, 90, 41, 42, 43, 44, 45, 46, 100, 7, 2];
const output = [
  '\u001b]0;a title\u0007Backup of \u001b]8;;https://evil.example.org/\u001b\\the archive\u001b]8;;\u001b\\',
  ...colours.map((code) => `\u001b[1;${code}mcolour ${code}\u001b[0m plain`),
  '10 %\r50 %\r\u001b[K100 %',
  '\u001b[4;31m<img src=x onerror=alert(1)>\u001b[0m',
  '\u001b[31mERROR: no space left\u001b[0m',
].join('\n');

describe.skipIf(browserMissing !== '')('the output of a terminal', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const { uuid } = await at.knell.create({ name: 'Backup' });
    await at.knell.request(`/ping/${uuid}/fail`, { method: 'POST', body: output });
    await at.open(`checks/${uuid}`);
  });

  afterAll(() => at?.stop());

  const lookOf = (within: string, text: string) =>
    at.page
      .locator(`${within} pre span`, { hasText: new RegExp(`^${text}$`) })
      .last()
      .evaluate((node: unknown) => {
        // biome-ignore lint/suspicious/noExplicitAny: it runs in the browser, whose types the tests do not have.
        const look = (globalThis as any).getComputedStyle(node);
        return [look.color, look.fontWeight, look.textDecorationLine];
      });

  test('has its colours among the last lines, and in the viewer', async () => {
    await at.page.locator('.last-output pre').getByText('100 %').waitFor();
    await at.page.emulateMedia({ colorScheme: 'light' });
    const red = ['rgb(191, 35, 48)', '600', 'none'];
    await expect.poll(() => lookOf('.last-output', 'ERROR: no space left')).toEqual(red);
    await at.page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => lookOf('.body', 'colour 32')).toEqual(['rgb(19, 119, 63)', '700', 'none']);
    await expect
      .poll(async () => (await lookOf('.body', '<img src=x onerror=alert\\(1\\)>'))[2])
      .toBe('underline');
  });

  test('is text: no title, no address, no state of a progress but the last', async () => {
    const text = () => at.page.locator('.body pre').textContent();
    await expect.poll(text).toContain('Backup of the archive\n');
    await expect.poll(text).toContain('\n100 %\n<img src=x');
    await expect.poll(text).not.toMatch(/title|evil|50 %|[^\P{Cc}\n]/u);
    await expect.poll(() => at.page.locator('.body pre img, .body pre a:not(.line-number)').count()).toBe(0);
  });

  test.each(['light', 'dark'] as const)('can be read in the %s scheme, on any width', async (colorScheme) => {
    await at.page.emulateMedia({ colorScheme });
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 1000 });
      await expect.poll(() => at.findings()).toEqual([]);
      await expect.poll(() => at.overflow()).toBe(0);
    }
    expect(at.complaints).toEqual([]);
  });
});
