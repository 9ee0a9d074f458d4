/** The form of a maintenance window in a real browser whose network answers late: nothing moves when the next times come. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

/** All that moves, also right after something was typed. */
const watchShifts = `(() => {
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().flatMap((entry) =>
    entry.sources.filter(({ node }) => node?.closest?.('form')).map(({ node }) => node.outerHTML.slice(0, 120)),
  ))).observe({ type: 'layout-shift' });
})()`;

const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

describe.skipIf(browserMissing !== '')('the form of a maintenance window', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
  });

  afterAll(() => at?.stop());

  const said = () => at.page.locator('form p[aria-live]');

  /** Lets the preview wait until what was done is drawn. Returns what moved when it came. */
  async function shiftsOf(act: () => Promise<void>, words: RegExp): Promise<readonly string[]> {
    let release = (): void => {};
    const isReleased = new Promise<void>((done) => {
      release = done;
    });
    let asked = (): void => {};
    const isAsked = new Promise<void>((done) => {
      asked = done;
    });
    await at.page.route(/\/preview$/, async (route) => {
      asked();
      await isReleased;
      await route.continue();
    });
    await act();
    await isAsked;
    await at.page.evaluate(twoFrames);
    await at.page.evaluate(watchShifts);
    release();
    await expect.poll(() => said().textContent()).toMatch(words);
    await at.page.evaluate(twoFrames);
    await at.page.unroute(/\/preview$/);
    return at.page.evaluate<string[]>('window.shifts');
  }

  /** Of the space for the times, below the last of them. */
  const emptyPx = () =>
    at.page.evaluate<number>(`(() => {
      const said = document.querySelector('form p[aria-live]');
      return said.getBoundingClientRect().bottom - said.lastElementChild.getBoundingClientRect().bottom;
    })()`);

  // As high as all of the form: what is out of sight moves, too.
  const wide = (width: number) => at.page.setViewportSize({ width, height: 2000 });
  const begins = () => at.page.getByLabel('Begins at');

  test('moves nothing below when its times come', async () => {
    await wide(390);
    await at.open('settings/maintenance');
    const open = () => at.page.getByRole('button', { name: 'Create maintenance window' }).click();
    expect(await shiftsOf(open, /^(Starts at once|Next)/)).toEqual([]);
    expect(await emptyPx()).toBeLessThan(5);
    await at.page.getByLabel('Repeatedly').check();
    await at.page.getByLabel('Duration').fill('6d');
    // It may be on now.
    expect(await shiftsOf(() => begins().fill('0 2 * * 0'), /for 6 days\..*Next: .* until /)).toEqual([]);
    await at.page.getByLabel('Duration').fill('2h');
    await expect.poll(() => said().textContent()).toMatch(/for 2 hours/);
    expect(await emptyPx()).toBeLessThan(5);
  });

  test('has no empty space for what is said of fields that are empty', async () => {
    await wide(1024);
    await at.open('settings/maintenance');
    await at.page.getByRole('button', { name: 'Create maintenance window' }).click();
    await at.page.getByLabel('Repeatedly').check();
    await at.page.getByLabel('Checks with a tag').check();
    const height = (selector: string) =>
      at.page.locator(selector).evaluate((one) => one.getBoundingClientRect().height);
    await expect.poll(() => height('form p.times')).toBe(0);
    await expect.poll(() => height('form .covered')).toBe(0);
  });

  test('opens without moving the page aside', async () => {
    await wide(1440);
    await at.open('settings/maintenance');
    const title = at.page.locator('.page-head');
    const { x } = (await title.boundingBox()) ?? {};
    await at.page.getByRole('button', { name: 'Create maintenance window' }).click();
    await at.page.getByLabel('Name').waitFor();
    expect((await title.boundingBox())?.x).toBe(x);
  });

  test('moves nothing on a wide screen, either', async () => {
    await wide(1024);
    await at.page.getByLabel('Repeatedly').check();
    expect(await shiftsOf(() => begins().fill('30 2 * * 0'), /2:30.*Next: .*:30.* until /)).toEqual([]);
  });

  test('has one stop of Tab for a long list of checks, whose arrow keys go on', async () => {
    for (let n = 10; n < 30; n++) await at.knell.create({ name: `job ${n}` });
    await at.open('settings/maintenance');
    await at.page.getByRole('button', { name: 'Create maintenance window' }).click();
    await at.page.getByLabel('Chosen checks').check();
    await at.page.getByLabel('job 10').waitFor();
    await at.page.getByLabel('Find checks').focus();
    await at.page.keyboard.press('Tab');
    for (const key of ['ArrowDown', 'ArrowDown', 'Space']) await at.page.keyboard.press(key);
    await expect.poll(() => at.page.getByLabel('job 12').isChecked()).toBe(true);
    await at.page.keyboard.press('Tab');
    await expect.poll(() => at.page.evaluate('document.activeElement.closest(".choices")')).toBeNull();
    await at.page.keyboard.press('Shift+Tab');
    await expect.poll(() => at.page.getByLabel('job 12').evaluate((one) => one.matches(':focus'))).toBe(true);
  });
});
