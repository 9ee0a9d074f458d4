/** The list of checks and the notices above a page at the width of a small laptop, in a real browser: what has space is said in full, and nothing is cut. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import type { OwnerBrowser } from '../support/page/owner-browser.ts';
import { longName, shownTops, smallLaptop } from '../support/page/small-laptop.ts';

describe.skipIf(browserMissing !== '')('the notices on a small laptop', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    ({ at } = await smallLaptop());
    await at.knell.create({ name: 'Quiet', channels: '' });
    const window = { name: 'Move of the warehouse', duration: '7d', tags: 'prod' };
    await at.owner.post(`/web/in/${at.project}/maintenance`, window);
  }, 60_000);
  afterAll(() => at?.stop());

  const wide = (width: number) => at.page.setViewportSize({ width, height: 800 });

  test.each([1000, 1024])(
    'has the notices in full above the list, and whom each check notifies, at %i px',
    async (width) => {
      await wide(width);
      await at.open('checks');
      const notices = at.page.locator('.notice .words');
      await expect.poll(() => notices.count()).toBeGreaterThanOrEqual(5);
      const cut = await at.page
        .locator('.notice')
        .evaluateAll((all: Json) => all.filter((one: Json) => one.scrollWidth > one.clientWidth).length);
      expect(cut).toBe(0);
      for (const one of await notices.all()) await one.waitFor();
      const row = at.page.locator('.row', { hasText: longName });
      await row
        .locator('.notifies')
        .getByText(/^(?:\d of \d|None) works?:/)
        .waitFor();
      await at.page.locator('.row .nobody').first().waitFor();
      const ends = await at.page
        .locator('.row .notifies')
        .evaluateAll((all: Json) =>
          all.map((one: Json) => [
            one.scrollWidth - one.clientWidth,
            one.getBoundingClientRect().left - one.previousElementSibling.getBoundingClientRect().right,
          ]),
        );
      for (const [over = 1, gap = 0] of ends) expect([over <= 0, gap >= 8]).toEqual([true, true]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    },
  );

  test('has no serious finding in either', async () => {
    expect(await at.findings('.notice, .notifies')).toEqual([]);
  });

  test.each([1440, 1024, 390])('has an arrow on what is pressed as a whole, at %i px', async (width) => {
    await wide(width);
    const first = at.page.locator('.notice').first();
    await first.waitFor();
    const arrow = await first.evaluate((one: Json) => {
      const style = one.ownerDocument.defaultView.getComputedStyle(one, '::after');
      return [style.display, style.width];
    });
    expect(arrow).toEqual(['inline-block', '6px']);
    await first.hover();
    const words = first.locator(width < 1000 ? '.short' : '.words');
    await expect
      .poll(() =>
        words.evaluate((one: Json) => one.ownerDocument.defaultView.getComputedStyle(one).textDecorationLine),
      )
      .toBe('underline');
  });

  test.each([1440, 1024])('has both of every page in one line, in full, at %i px', async (width) => {
    await wide(width);
    await at.open('incidents');
    await expect.poll(() => at.page.locator('.notice').count()).toBe(2);
    await expect.poll(async () => (await shownTops(at, '.notice > .words')).size).toBe(1);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('has the notices in full above a form, in the form of every page', async () => {
    await wide(1024);
    await at.open('new');
    const notices = at.page.locator('.notice');
    await expect.poll(() => notices.count()).toBe(2);
    for (const words of [
      /^Hook has been failing since .+\.$/,
      'Chat cannot send: it needs KNELL_TELEGRAM_TOKEN.',
    ])
      await at.page.locator('.notice > .words').and(at.page.getByText(words)).waitFor();
    for (const name of ['Integrations', 'Server settings']) {
      const link = notices.getByRole('link', { name });
      // The whole notice is the link.
      const size = (one: Json): readonly number[] => [one.offsetWidth, one.offsetHeight];
      expect(await link.evaluate(size)).toEqual(await link.locator('..').evaluate(size));
    }
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('has both of every page above the matrix', async () => {
    await at.open('integrations?view=matrix');
    await at.page.locator('.notice.failing').waitFor();
    await at.page.locator('.notice.unable').waitFor();
    await at.page.getByRole('button', { name: 'List', exact: true }).click();
    await at.page.locator('.integrations li').first().waitFor();
    await expect.poll(() => at.page.locator('.notice').count()).toBe(0);
  });

  test('has one line of integrations on a phone, which counts them', async () => {
    await wide(390);
    await at.open('badges');
    const shown = at.page.locator('.notice').filter({ visible: true });
    await expect
      .poll(() => shown.allInnerTexts())
      .toEqual([expect.stringMatching(/^1 integration fails, 1 cannot send/)]);
    expect((await shown.boundingBox())?.height).toBeLessThan(32);
    await shown.getByRole('link', { name: 'Integrations' }).click();
    await at.page.locator('.integrations li').first().waitFor();
    // Those of the list follow it, in two lines of two.
    await at.open('checks');
    await expect
      .poll(() => shown.allInnerTexts())
      .toEqual(
        [
          ...[/^2 integrations broken\n/, /^\d incidents? open\n/, /^1 notifies nobody/],
          /^\d+ in maintenance\n/,
        ].map((words) => expect.stringMatching(words)),
      );
    expect((await shownTops(at, '.notice')).size).toBe(2);
    for (const width of [390, 360]) {
      await wide(width);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      const { x = 0, width: px = 0, height } = (await shown.last().boundingBox()) ?? {};
      expect(x + px).toBeLessThanOrEqual(width);
      expect(height).toBeLessThan(32);
    }
    expect(await at.findings('.banners')).toEqual([]);
  });

  test('goes to the setting on the page of the settings, too', async () => {
    await wide(1440);
    await at.page.goto(`${at.knell.app.httpUrl}/server`);
    const unable = at.page.locator('.notice.unable');
    await unable.getByText('it needs KNELL_TELEGRAM_TOKEN').waitFor();
    const to = unable.getByRole('link', { name: 'Server settings' });
    await expect.poll(() => to.getAttribute('href')).toContain('#KNELL_TELEGRAM_TOKEN');
    await at.page.route('**/web/state', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), failing: {} } });
    });
    await wide(390);
    await at.page.reload();
    await unable.locator('.short', { hasText: 'cannot send' }).waitFor();
    await expect.poll(() => to.count()).toBe(1);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.unroute('**/web/state');
  });
});
