/** The history of a check on its page, in a real browser: figures, charts, and the run behind a bar. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { NightlyBackup } from '../support/page/nightly-backup.ts';

describe.skipIf(browserMissing !== '')('the history of a check', () => {
  const scene = NightlyBackup.forFile();
  beforeAll(() => scene.open());

  test('shows the history of a range that is in the address, as figures, charts and a table', async () => {
    const figure = (name: string) =>
      scene.at.page.locator('.figures > div', { hasText: name }).locator('dd').textContent();
    await expect.poll(() => figure('Outages')).toBe('2');
    await expect.poll(() => figure('Runs, 2 failed')).toBe('10');
    await expect.poll(() => figure('Median duration')).toBe('2 min');
    await expect.poll(() => scene.at.page.locator('.history tbody tr').count()).toBe(10);
    const heads = async (): Promise<readonly string[]> => {
      const names = await scene.at.page.locator('.figures dt').allTextContents();
      return names.map((name) => name.split(/,| since/)[0] ?? '');
    };
    const columns = ['Uptime', 'Outages', 'Downtime', 'Median duration', 'p95 duration', 'Runs'];
    await expect.poll(heads).toEqual(columns);
    await scene.button('24 h').click();
    await expect.poll(() => figure('Runs, 1 failed')).toBe('1');
    await expect.poll(heads).toEqual(columns);
    expect(new URL(scene.at.page.url()).searchParams.get('range')).toBe('24h');
    await scene.at.page.reload();
    await expect.poll(() => figure('Runs, 1 failed')).toBe('1');
    await scene.button('90 d').click();
    await expect.poll(() => figure('Runs, 2 failed')).toBe('10');
    // Before the check existed there is nothing, not green.
    const shares = await scene.at.page.locator('.strip').evaluate((strip: Json) => {
      const width = (name: string) =>
        [...strip.querySelectorAll(`.${name}`)].reduce((sum, one) => sum + one.getBBox().width, 0);
      return { up: width('up') / width('nothing'), down: width('down') / width('nothing') };
    });
    expect(shares.up).toBeGreaterThan(0.05);
    expect(shares.up).toBeLessThan(0.13);
    expect(shares.down).toBeGreaterThan(0.005);
    await scene.button('30 d').click();
    await expect.poll(() => new URL(scene.at.page.url()).search).toBe('?range=30d');
  });

  test('says the day of each run in a fold of several days, and of no other', async () => {
    await scene.open();
    const runs = () => scene.at.page.locator('.log .run .said').allTextContents();
    await expect.poll(async () => (await runs()).every((one) => !one.includes(' on '))).toBe(true);
    const fold = scene.at.page.getByRole('button', { name: /^Show \d runs$/ }).first();
    const count = Number(/\d/.exec((await fold.textContent()) ?? ''));
    expect(count).toBeGreaterThan(2);
    await fold.click();
    const dated = async () => (await runs()).flatMap((one) => / on (.+) · 2 min/.exec(one)?.[1] ?? []);
    await expect.poll(async () => new Set(await dated()).size).toBe(count);
  });

  test('goes by keyboard from a run in the chart to that run in the log', async () => {
    const chart = scene.at.page.getByRole('img', { name: /^Durations of 10 runs, 2 with a failure/ });
    await chart.focus();
    await scene.at.page.keyboard.press('End');
    await scene.at.page.locator('.chart .tip').getByText('2 min · failed · exit status 3').waitFor();
    for (let n = 0; n < 6; n++) await scene.at.page.keyboard.press('ArrowLeft');
    await scene.at.page.locator('.chart .tip').getByText('failed').waitFor();
    await scene.at.page.keyboard.press('Enter');
    await scene.at.page.locator('#run-8 .body pre').getByText('step 4: no space left').waitFor();
    await expect.poll(() => scene.at.page.evaluate('document.activeElement.closest("li")?.id')).toBe('run-8');
    // And by the pointer, which shows what is under it.
    const width = await chart.evaluate((node: Json) => node.clientWidth);
    await chart.click({ position: { x: width - 24, y: 100 } });
    await scene.at.page.locator('#run-20 .body pre').getByText('step 10: no space left').waitFor();
  });

  test.runIf(isLong)('shows many runs by their buckets, and each part of the log once', async () => {
    // No page draws each of these pings.
    await scene.at.page.goto('about:blank');
    for (let n = 0; n < 150; n++) {
      await scene.ping(scene.busy, '/start');
      await scene.at.clock.advance(1000);
      await scene.ping(scene.busy, '', n === 20 ? 'the needle' : '');
      await scene.at.clock.advance(59_000);
    }
    await scene.at.open(`checks/${scene.busy.uuid}?range=24h`);
    await scene.at.page.getByText('Duration: median, and p95 as a thin line.').waitFor();
    const rows = scene.at.page.locator('.history tbody tr');
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    await expect.poll(() => rows.count()).toBeLessThan(6);
    await scene.at.page.locator('.fold .at').getByText('97 runs').waitFor();
    await scene.at.page.getByRole('button', { name: 'Load older entries' }).click();
    await scene.at.page.locator('.fold .at').getByText('146 runs').waitFor();
    await expect.poll(() => scene.kinds()).toEqual(['run', 'run', 'run', 'fold', 'change', 'run']);
    await scene.at.page.getByRole('button', { name: 'Show 146 runs' }).click();
    await expect.poll(() => scene.lines().count()).toBe(152);
    const ids = await scene
      .lines()
      .evaluateAll((nodes: Json) => nodes.map(({ id }: Json) => id).filter(Boolean));
    expect(new Set(ids).size).toBe(151);
    await scene.at.page.getByPlaceholder('Search output').fill('NEEDLE');
    await expect.poll(() => scene.kinds()).toEqual(['run']);
    await expect.poll(() => scene.lines().first().getAttribute('id')).toBe('run-42');
  });

  scene.endsWithoutComplaints();
});
