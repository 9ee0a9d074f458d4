/** The lines of a row of the list in a real browser: those of all columns are beside each other, and a dash is in the middle. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

/** The middle of the text of an element. */
const middle = (element: Json): number => {
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  const { top, bottom } = range.getBoundingClientRect();
  return (top + bottom) / 2;
};

describe.skipIf(browserMissing !== '')('a row of the list', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.knell.create({ name: 'new one', channels: '' });
    const { uuid } = await at.knell.create({ name: 'backup' });
    await at.knell.request(`/ping/${uuid}/start`);
    await at.clock.advance(90_000);
    await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(60_000);
    await at.knell.request(`/ping/${uuid}/fail`);
    await at.clock.advance(3_600_000);
  });
  afterAll(() => at?.stop());

  const middles = (row: string, ...parts: readonly string[]): Promise<readonly number[]> =>
    Promise.all(
      parts.map((part) => at.page.locator('.row', { hasText: row }).locator(part).evaluate(middle)),
    );

  test.each([1024, 1440])('has its lines beside each other in all columns, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 800 });
    await at.open('checks');
    await at.page.locator('.row', { hasText: 'backup' }).locator('.since').waitFor();
    for (const [status, ...others] of [
      await middles('backup', '.state strong', '.uptime > .figure', '.last > :first-child'),
      await middles('backup', '.state > :nth-child(2)', '.schedule > :nth-child(2)', '.since'),
    ])
      for (const other of others) expect(Math.abs(other - (status ?? 0))).toBeLessThanOrEqual(0.5);
    const [nobody, ...dashes] = await middles(
      'new one',
      '.nobody',
      '.uptime > :first-child',
      '.last > :first-child',
    );
    for (const dash of dashes) expect(Math.abs(dash - (nobody ?? 0))).toBeLessThanOrEqual(1);
  });

  test('has one line for the end of a maintenance on another day', async () => {
    const { uuid } = await at.knell.create({ name: 'move' });
    await at.knell.request(`/ping/${uuid}`);
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'Move', duration: '7d', checks: [uuid] });
    await at.page.setViewportSize({ width: 1440, height: 800 });
    await at.open('checks');
    const words = at.page.locator('.row', { hasText: 'move' }).locator('.state > :nth-child(2)');
    await expect.poll(() => words.textContent()).toMatch(/^In maintenance until \S+ \S+$/);
    expect((await words.boundingBox())?.height).toBeLessThan(20);
  });

  test('has the status beside the name on a phone', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    const [name, status] = await middles('backup', '.what > a', '.state strong');
    expect(Math.abs((name ?? 0) - (status ?? 0))).toBeLessThanOrEqual(1);
  });
});
