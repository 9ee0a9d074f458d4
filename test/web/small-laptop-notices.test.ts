/** Pages at the width of a small laptop, in a real browser: what has space there is said in full, and nothing is broken or cut. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { failingHook } from '../support/page/failing-hook.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const name = 'Certificate renewal on the public load balancers';

/** Returns the indices at which the lines of an element's text begin, but the first. */
const lineStarts = (element: Json): readonly number[] => {
  const { ownerDocument: document } = element;
  const starts: number[] = [];
  let at = 0;
  let last = Number.NaN;
  const texts = document.createTreeWalker(element, 4);
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    for (let n = 0; n < node.data.length; n++, at++) {
      const range = document.createRange();
      range.setStart(node, n);
      range.setEnd(node, n + 1);
      const { top } = range.getBoundingClientRect();
      if (top > last) starts.push(at);
      last = top;
    }
  return starts;
};

describe.skipIf(browserMissing !== '')('a small laptop', () => {
  let at: OwnerBrowser;
  let check: Json;

  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_SMTP: '127.0.0.1:0', KNELL_EMAIL_DOMAIN: 'ping.example.org' });
    await failingHook(at);
    const tags = 'alpha beta gamma delta epsilon zeta eta theta';
    check = await at.knell.create({ name, tags, channels: '*' });
    await at.knell.request(`/ping/${check.uuid}/fail`);
    await at.knell.create({ name: 'Quiet', channels: '' });
    const window = { name: 'Move of the warehouse', duration: '7d', tags: 'prod' };
    await at.owner.post(`/web/in/${at.project}/maintenance`, window);
  }, 60_000);
  afterAll(() => at?.stop());

  const wide = (width: number) => at.page.setViewportSize({ width, height: 800 });
  /** Of all that are shown. */
  const tops = async (selector: string): Promise<ReadonlySet<number>> =>
    new Set(
      await at.page
        .locator(selector)
        .evaluateAll((all: Json) =>
          all
            .filter((one: Json) => one.offsetParent !== null)
            .map((one: Json) => one.getBoundingClientRect().top),
        ),
    );

  test.each([1000, 1024, 1279, 1440, 800, 768])(
    'has the parts of a check in one line each, at %i px',
    async (width) => {
      await wide(width);
      await at.open(`checks/${check.uuid}`);
      await at.page.locator('.channel-state').nth(1).waitFor();
      expect((await tops('.actions-bar button')).size).toBe(1);
      for (const words of ['Ping now', 'Pause', 'Resume', 'Edit'])
        await at.page.locator('.actions-bar').getByText(words, { exact: true }).waitFor();
      await at.page.locator('.tabs button', { hasText: 'More' }).waitFor();
      expect((await tops('.tabs button')).size).toBe(1);
      await at.page.locator('.tabs').getByRole('button', { name: 'More' }).click();
      await at.page.getByRole('menuitemradio', { name: 'GitHub Actions' }).click();
      const chosen = at.page.locator('.tabs button.chosen span');
      await expect.poll(() => chosen.textContent()).toBe('GitHub Actions');
      await expect.poll(() => chosen.evaluate((one: Json) => one.scrollWidth - one.clientWidth)).toBe(0);
      expect((await tops('.tabs > button, .tabs > .with-menu > button')).size).toBe(1);
      const chat = at.page.locator('.integrations-list li', { hasText: 'Chat' });
      const [who, state] = await Promise.all([
        chat.locator('.who').boundingBox(),
        chat.locator('.channel-state').boundingBox(),
      ]);
      expect(state?.y).toBeLessThan((who?.y ?? 0) + (who?.height ?? 0));
      const url = at.page.locator('.ping-card pre').first();
      const text = (await url.textContent()) ?? '';
      for (const start of await url.evaluate(lineStarts)) expect(text.slice(0, start)).toMatch(/[/-]$/);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    },
  );

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
      const row = at.page.locator('.row', { hasText: name });
      await row.locator('.notifies').getByText('+1').waitFor();
      await row.locator('.notifies svg').first().waitFor();
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
      expect(await at.findings()).toEqual([]);
    },
  );

  test('has the notices in full above a form, with their links', async () => {
    await wide(1024);
    await at.open('new');
    const notices = at.page.locator('.notice');
    await expect.poll(() => notices.count()).toBe(2);
    for (const name of ['Integrations', 'Server settings']) {
      const link = notices.getByRole('link', { name });
      expect((await link.boundingBox())?.width).toBeGreaterThan(50);
      expect(
        await link.evaluate((one: Json) => one.parentElement.scrollWidth > one.parentElement.clientWidth),
      ).toBe(false);
    }
    expect((await tops('.notice')).size).toBe(2);
  });

  test.each([1024, 390])('has an arrow on what is pressed as a whole, at %i px', async (width) => {
    await wide(width);
    await at.open('checks');
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

  test.each([1024, 1440])('has names of checks in full in the matrix, at %i px', async (width) => {
    await wide(width);
    await at.open('integrations?view=matrix');
    const label = at.page.locator('.matrix-row .tick span', { hasText: name });
    await label.waitFor();
    const [height, cut] = await label.evaluate((one: Json) => [
      one.getBoundingClientRect().height,
      one.scrollHeight - one.clientHeight,
    ]);
    expect([height < 24, cut]).toEqual([true, 0]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('finds a tag of the matrix that does not fit into the line', async () => {
    const chips = at.page.locator('.matrix-page .chips');
    await chips.getByRole('button', { name: /^\d more$/ }).click();
    await at.page.getByRole('menuitem', { name: /^theta/ }).click();
    await expect.poll(() => at.page.locator('.matrix-row').count()).toBe(1);
    await expect
      .poll(() => chips.getByRole('button', { name: 'theta' }).getAttribute('aria-pressed'))
      .toBe('true');
    expect(await at.findings()).toEqual([]);
  });
});
