/** The badge of a check that is chosen on a phone, in a real browser: it comes into sight. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the badges page on a phone', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 390, height: 844 });
    const subjects = ['orders', 'invoices', 'customers', 'pictures', 'mail', 'logs', 'search index'];
    for (const subject of subjects)
      await at.knell.create({ name: `Nightly backup of the ${subject}`, timeout: 86_400 });
    await at.open('badges');
  });
  afterAll(() => at?.stop());

  const section = () => at.page.locator('section', { hasText: 'A single check' });
  /** Pixels by which the badge reaches below the bar at the bottom of the screen. */
  const below = async (name: string): Promise<number> => {
    const badge = await section().locator('li', { hasText: name }).boundingBox();
    const bar = await at.page.getByRole('navigation', { name: 'Pages' }).boundingBox();
    if (!badge || !bar) return Number.POSITIVE_INFINITY;
    return badge.y + badge.height - bar.y;
  };
  const scrolled = (): Promise<number> => at.page.evaluate('scrollY');

  test('brings the badge that was asked for into sight, and moves nothing where it is in sight', async () => {
    await at.page.getByText('A single check').waitFor();
    const button = (name: string) => section().getByRole('button', { name, exact: true });
    await button('Nightly backup of the search index').click();
    await expect.poll(() => below('search index')).toBeLessThanOrEqual(0);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    const before = await scrolled();
    expect(before).toBeGreaterThan(0);
    await button('Nightly backup of the mail').click();
    await section().getByRole('img', { name: 'Status badge of Nightly backup of the mail' }).waitFor();
    await expect.poll(() => below('mail')).toBeLessThanOrEqual(0);
    expect(await scrolled()).toBe(before);
  });
});
