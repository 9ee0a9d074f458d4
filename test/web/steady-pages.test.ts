/** A page that comes in parts moves nothing that is shown already: somebody may be about to press it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const watchMoves = `window.moves = []; new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    window.moves.push([value, ...sources.map(({ node }) => (node?.textContent ?? '').slice(0, 60))]);
}).observe({ type: 'layout-shift', buffered: true });`;

/** Of the window's height and area: words that follow a number may move a little. */
const movedMax = 0.01;

describe.skipIf(browserMissing !== '')('while it comes, nothing moves on', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    // It cannot send: a notice is above every page.
    await at.owner.post(`/web/in/${at.project}/channels`, {
      kind: 'telegram',
      name: 'Chat',
      value: '{"id":1}',
    });
    for (const tags of ['prod db', 'prod', 'backup'])
      await at.knell.create({ name: `Job for ${tags}`, tags, channels: '*' });
    await at.page.addInitScript(watchMoves);
  });
  afterAll(() => at?.stop());

  const pages = [
    ['checks', '.row'],
    ['new', 'form.check-form'],
    ['new/crontab', 'form.crontab'],
    ['incidents', '.no-incidents'],
    ['integrations', '.integrations li'],
    ['badges', 'h2:text("Tags")'],
    ['settings', '.line'],
  ] as const;

  test.each(pages.flatMap((page) => [1440, 390].map((width) => [...page, width] as const)))(
    '%s (%s) at %i px',
    async (path, settled, width) => {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open(path);
      await at.page.locator(settled).first().waitFor();
      await at.page.evaluate('fetch("/web/state").then(() => new Promise(requestAnimationFrame))');
      const moves = await at.page.evaluate<readonly [number][]>('moves');
      expect(
        moves.reduce((sum, [value]) => sum + value, 0),
        JSON.stringify(moves),
      ).toBeLessThan(movedMax);
    },
  );
});
