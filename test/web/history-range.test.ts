/** The history of a young check in a real browser: 24 h that are chosen are 24 hours, what is above has the same axis, and nothing is left out. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour, minute } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

/** Counts the pixels of the chart that have the colour of failures. */
const redPixels = `(() => {
  const canvas = document.querySelector('.chart canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const probe = document.createElement('span');
  document.body.append(probe);
  probe.style.color = 'var(--down-bar)';
  const red = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
  probe.remove();
  let found = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] === 255 && red.every((value, part) => value === data[at + part])) found++;
  return found;
})()`;

const edgesOf = (selector: string) =>
  `(() => { const { left, right } = document.querySelector('${selector}').getBoundingClientRect(); return [left, right].map(Math.round); })()`;

/** With usual spaces. */
const plain = (words: string | null): string =>
  (words ?? '').replaceAll('\u202f', ' ').replaceAll('\u00a0', ' ');

describe.skipIf(browserMissing !== '')('the history of a young check', () => {
  let at: OwnerBrowser;
  let check: Json;
  let startedMs = 0;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    check = await at.knell.create({ name: 'Young', timeout: 3600, grace: 3600, max_runtime: 900 });
    const ping = (rest: string) => at.knell.request(`/ping/${check.uuid}${rest}`, { method: 'POST' });
    startedMs = at.clock.nowMs();
    await ping('/start');
    await at.clock.advance(249);
    await ping('');
    await at.clock.advance(2 * minute);
    await ping('/fail');
  }, 120_000);

  afterAll(() => at?.stop());

  test.each([1440, 390])('has an axis of 24 hours, as the runs above, at %i px', async (width) => {
    const { page } = at;
    await page.setViewportSize({ width, height: 900 });
    await at.open(`checks/${check.uuid}?range=24h`);
    await page.locator('.chart canvas').waitFor();
    await expect
      .poll(() => page.locator('.history .segments [aria-pressed=true]').textContent())
      .toBe('24 h');
    const edges = () =>
      Promise.all(['.run-bars', '.strip', '.chart .u-over'].map((one) => page.evaluate(edgesOf(one))));
    await expect.poll(async () => new Set((await edges()).map((one) => String(one))).size).toBe(1);
    const [left = 0, right = 0] = await page.evaluate<readonly number[]>(edgesOf('.chart .u-over'));
    await page.locator('.chart').focus();
    await page.keyboard.press('Home');
    const hover = await page.locator('.chart-hover').boundingBox();
    const fromMs = at.clock.nowMs() - 24 * hour;
    const wanted = left + ((startedMs - fromMs) / (at.clock.nowMs() - fromMs)) * (right - left);
    expect(Math.abs((hover?.x ?? 0) + (hover?.width ?? 0) / 2 - wanted)).toBeLessThan(3);
    await page.locator('.strip .begins', { hasText: /^Created / }).waitFor();
    const since = (await page.locator('.legend .from').textContent()) ?? '';
    expect(plain(since)).toMatch(/^Since yesterday \d+:\d\d [AP]M$/);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('begins when the check was created and ends now, before a range is chosen', async () => {
    const { page } = at;
    await at.open(`checks/${check.uuid}`);
    await page.locator('.chart canvas').waitFor();
    const [left = 0, right = 0] = await page.evaluate<readonly number[]>(edgesOf('.chart .u-over'));
    await page.locator('.chart').focus();
    await page.keyboard.press('Home');
    const hover = await page.locator('.chart-hover').boundingBox();
    const fromMs = startedMs;
    const untilMs = at.clock.nowMs();
    const wanted = left + ((startedMs - fromMs) / (untilMs - fromMs)) * (right - left);
    expect(Math.abs((hover?.x ?? 0) + (hover?.width ?? 0) / 2 - wanted)).toBeLessThan(3);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('draws a failure without a start among the durations', async () => {
    await expect.poll(() => at.page.evaluate<number>(redPixels)).toBeGreaterThan(8);
    await expect.poll(() => at.page.locator('.run-bars .failure').count()).toBe(1);
  });

  test('says the same duration in the list of runs, in the log, and of the 95th percentile', async () => {
    const { page } = at;
    await page.locator('.run-rows tr.success td', { hasText: /^249 ms/ }).waitFor();
    await page.locator('.log .run.succeeded', { hasText: '249 ms' }).waitFor();
    await page.locator('.legend .p95', { hasText: 'p95 249 ms' }).waitFor();
    await page.locator('.figures', { hasText: '249 ms' }).waitFor();
  });

  test('says in the legend what is before the check, once the band is too narrow there', async () => {
    const { page } = at;
    await at.open(`checks/${check.uuid}?range=24h`);
    await page.locator('.strip .begins').waitFor();
    await expect.poll(() => page.locator('.legend .before').count()).toBe(0);
    await at.clock.advance(20 * hour);
    await at.open(`checks/${check.uuid}`);
    await page.locator('.legend', { hasText: 'Before it was created' }).waitFor();
    await expect.poll(() => page.locator('.strip .begins').count()).toBe(0);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('says that it shows a part of 24 hours, and counts the open outage up to now', async () => {
    const { page } = at;
    await page.setViewportSize({ width: 1440, height: 900 });
    const fresh = await at.knell.create({ name: 'Fresh' });
    await at.knell.request(`/ping/${fresh.uuid}/fail`);
    await at.open(`checks/${fresh.uuid}`);
    const created = page.locator('.legend .from');
    const wanted = await page.evaluate<string>(
      `new Date(${at.clock.nowMs()}).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })`,
    );
    await expect.poll(async () => plain(await created.textContent())).toBe(`Created ${plain(wanted)}`);
    const downtime = page.locator('.figures div', { hasText: 'Downtime' }).locator('dd');
    const first = await downtime.textContent();
    await expect.poll(() => downtime.textContent()).not.toBe(first);
    await created.waitFor();
    expect(at.complaints).toEqual([]);
  });
});
