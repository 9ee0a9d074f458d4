/** Links to lines of an output: what the address says, and what a colleague sees, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf, lineRangeOf } from '../../src/web/log/line-address.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

test.each([
  ['#output-42-L10', { n: 42, from: 10, to: 10 }],
  ['#output-42-L10-14', { n: 42, from: 10, to: 14 }],
  ['#output-42-L14-10', { n: 42, from: 10, to: 14 }],
  ['#output-42-L0', null],
  ['#output-42', null],
  ['#run-42', null],
  ['', null],
])('%s is %j', (hash, range) => {
  expect(lineRangeOf(hash)).toEqual(range);
  if (range !== null && !hash.endsWith('14-10')) expect(hashOf(range)).toBe(hash);
});

describe.skipIf(browserMissing !== '')('a line of an output', () => {
  let at: OwnerBrowser;
  let uuid: string;
  const text = Array.from({ length: 300 }, (_, line) => `line ${line + 1} <b>of</b> it`).join('\n');

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.now() - 60_000 });
    ({ uuid } = await at.knell.create({ name: 'job', timeout: 86_400 }));
    await at.knell.request(`/ping/${uuid}/fail`, { method: 'POST', body: text });
    for (let n = 0; n < 40; n++) await at.knell.request(`/ping/${uuid}`);
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });

  afterAll(() => at?.stop());

  const marked = () => at.page.locator('.linked-output .marked').allTextContents();

  test('is put into the address by a click on its number, and a range with Shift', async () => {
    const other = (await at.knell.create({ name: 'short', timeout: 86_400 })).uuid;
    await at.knell.request(`/ping/${other}/fail`, { method: 'POST', body: text });
    await at.open(`checks/${other}`);
    await at.page.getByRole('button', { name: 'Details of ping 1', exact: true }).click();
    const body = at.page.locator('#log .body');
    await body.getByRole('link', { name: 'Line 292', exact: true }).click();
    await expect.poll(() => at.page.url()).toMatch(/#output-1-L292$/);
    await body.getByRole('link', { name: 'Line 294', exact: true }).click({ modifiers: ['Shift'] });
    await expect.poll(() => at.page.url()).toMatch(/#output-1-L292-294$/);
    await expect
      .poll(() => body.locator('.marked').allTextContents())
      .toEqual([292, 293, 294].map((line) => `line ${line} <b>of</b> it\n`));
    // What is selected is the output as it is: without numbers, and with one line feed a line.
    const selected = (): Promise<string> =>
      body.locator('pre').evaluate((pre) => {
        const selection = pre.ownerDocument.defaultView?.getSelection();
        selection?.selectAllChildren(pre);
        return String(selection);
      });
    await expect.poll(selected).toBe(text.split('\n').slice(-12).join('\n'));
    await at.page.keyboard.press('ArrowDown');
    await at.page.keyboard.press('Enter');
    await expect.poll(() => at.page.url()).toMatch(/#output-1-L295$/);
  });

  test('is opened, in sight and marked by its address, wherever its ping is in the log', async () => {
    await at.open(`checks/${uuid}#output-1-L150-151`);
    await expect.poll(marked).toEqual(['line 150 <b>of</b> it\n', 'line 151 <b>of</b> it\n']);
    const sight = async (): Promise<boolean> => {
      const box = await at.page.locator('.linked-output .marked').first().boundingBox();
      return box !== null && box.y >= 0 && box.y < 900;
    };
    await expect.poll(sight).toBe(true);
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      for (const width of [390, 1440]) {
        await at.page.setViewportSize({ width, height: 900 });
        await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
        expect(await at.findings()).toEqual([]);
      }
    }
    expect(at.complaints).toEqual([]);
  });

  test('that is not there says so: of no output, and behind its end', async () => {
    await at.open(`checks/${uuid}#output-2-L1`);
    await at.page
      .getByText('There is no output of ping 2: it brought none, or it is no longer kept.')
      .waitFor();
    await at.open('checks');
    await at.open(`checks/${uuid}#output-1-L400`);
    await at.page.getByText('The output has 300 lines only.').waitFor();
  });
});
