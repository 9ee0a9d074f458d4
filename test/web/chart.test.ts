/** The chart of a check's runs in a real browser: its axis, what it shows without durations, and how failures among many runs look. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { second } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

/** What is drawn, as counts of pixels of each of the page's colours, how far up the first are, and how far to the left anything is. */
const drawn = `(() => {
  const canvas = document.querySelector('.chart canvas');
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const probe = document.createElement('span');
  document.body.append(probe);
  const rgb = (name) => {
    probe.style.color = 'var(' + name + ')';
    return getComputedStyle(probe).color.match(/\\d+/g).map(Number);
  };
  const wanted = { succeeded: rgb('--bar'), failed: rgb('--down-bar') };
  probe.remove();
  const found = { succeeded: 0, failed: 0, left: width, top: height };
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 40) found.left = Math.min(found.left, (at / 4) % width);
    if (data[at + 3] < 255) continue;
    for (const name of ['succeeded', 'failed'])
      if (wanted[name].every((value, part) => value === data[at + part])) {
        found[name]++;
        if (name === 'succeeded') found.top = Math.min(found.top, Math.floor(at / 4 / width) / devicePixelRatio);
      }
  }
  return found;
})()`;

describe.skipIf(browserMissing !== '')('the chart of runs', () => {
  let at: OwnerBrowser;
  let sync: Json;
  let probe: Json;
  let sweep: Json;

  const ping = ({ uuid }: Json, rest = '') => at.knell.request(`/ping/${uuid}${rest}`, { method: 'POST' });
  const pixels = (): Promise<Json> => at.page.evaluate<Json>(drawn);
  const open = async ({ uuid }: Json, query = ''): Promise<void> => {
    await at.open(`checks/${uuid}${query}`);
    await at.page.locator('.chart canvas').waitFor();
  };
  const chosen = () => at.page.locator('.history .segments [aria-pressed=true]').textContent();

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    sync = await at.knell.create({ name: 'Offsite sync', timeout: 3600, grace: 7200 });
    probe = await at.knell.create({ name: 'Queue depth probe', timeout: 3600, grace: 3600 });
    sweep = await at.knell.create({ name: 'Thumbnail sweep', timeout: 3600, grace: 3600 });
    await ping(sync, '/start');
    // 160 runs, of which one in twenty fails.
    for (let n = 0; n < 160; n++) {
      await ping(sweep, '/start');
      await at.clock.advance(20 * second);
      await ping(sweep, n % 20 === 3 ? '/3' : '');
      await ping(probe, n % 20 === 3 ? '/fail' : '');
      await at.clock.advance(20 * second);
      if (n === 120) await ping(sync);
    }
  }, 120_000);

  afterAll(() => at?.stop());

  test.each([1440, 390])('has an axis of which nothing is cut, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 900 });
    await open(sync);
    await at.page.locator('.figures', { hasText: /1 h 20 min|1 h 21 min/ }).waitFor();
    // "1 h 30 min" is the widest; a word that is cut begins at the very edge.
    expect((await pixels()).left).toBeGreaterThanOrEqual(2);
    const edges = await at.page.evaluate<readonly number[]>(
      '[".strip", ".chart .u-over"].map((one) => Math.round(document.querySelector(one).getBoundingClientRect().left))',
    );
    expect(edges[0]).toBe(edges[1]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('shows how many runs there were, and no durations, of a check that never sends a start', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await open(probe);
    await at.page.getByText('Runs. Their durations are known where a job pings at its start, too.').waitFor();
    const chart = at.page.getByRole('img', { name: /^Numbers of runs at \d times, \d with a failure/ });
    await chart.focus();
    await at.page.keyboard.press('End');
    await at.page
      .locator('.chart .tip')
      .getByText(/· \d+ runs( · \d+ failed)?$/)
      .waitFor();
    expect(await at.findings('.history')).toEqual([]);
  });

  test('shows of many runs the part that failed', async () => {
    await open(sweep, '?range=30d');
    await at.page.getByText('The colours are the parts that failed and were late.').waitFor();
    const { succeeded, failed, top } = await pixels();
    // Runs of 20 s reach the highest step of the axis, and not the upper edge of the plot.
    expect(top).toBeGreaterThan(14 + 4);
    expect(failed).toBeGreaterThan(10);
    expect(failed / (succeeded + failed)).toBeLessThan(0.3);
  });

  test('has a range that fits the data, until one is chosen', async () => {
    await open(probe);
    await expect.poll(chosen).toBe('24 h');
    const width = (): Promise<number> =>
      at.page.locator('.strip').evaluate((strip: Json) => {
        const { left, right } = strip.getBoundingClientRect();
        const begun = Math.min(
          ...[...strip.querySelectorAll('.up, .down')].map((one) => one.getBoundingClientRect().left),
        );
        return (right - begun) / (right - left);
      });
    // The two hours since it was created, and two of 24 once those are chosen.
    await expect.poll(width).toBeGreaterThan(0.5);
    await at.page.locator('.history').getByRole('button', { name: '24 h' }).click();
    await expect.poll(() => new URL(at.page.url()).searchParams.get('range')).toBe('24h');
    await expect.poll(width).toBeLessThan(0.15);
    await at.page.locator('.history').getByRole('button', { name: '90 d' }).click();
    await expect.poll(chosen).toBe('90 d');
    expect(new URL(at.page.url()).searchParams.get('range')).toBe('90d');
  });
});
