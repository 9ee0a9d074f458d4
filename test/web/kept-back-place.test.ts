/** Where it is said what keeps a retry back, in a real browser: a line below the words that it is about, and as far to the right as they are. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour } from '../../src/lib/units.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

const widths = [320, 390, 1024, 1440];

interface Box {
  readonly left: number;
  readonly top: number;
  readonly height: number;
}

describe.skipIf(browserMissing !== '')('what keeps a retry back', () => {
  let at: OwnerBrowser;
  let check = '';
  let incident = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' }, 'chromium', {
      startMs: Date.now() - 48 * hour,
    });
    for (const name of ['pager', 'ticket system']) {
      const made = { kind: 'webhook', name, fields: { url_down: 'http://127.0.0.1:9/' }, checks: 'none' };
      await at.owner.post(`/web/in/${at.project}/channels`, made);
    }
    ({ uuid: check } = await at.knell.create({ name: 'db', timeout: 30 * 86_400, channels: '*' }));
    await at.knell.request(`/ping/${check}/fail`);
    incident = (await at.knell.api('GET', '/api/v3/incidents/')).json().incidents[0].id;
    await eventually(async () => {
      await at.clock.advance(hour);
      const { notifications = [] } = (await at.knell.api('GET', `/api/v3/incidents/${incident}`)).json();
      expect(notifications).toMatchObject([{ outcome: 'failed' }, { outcome: 'failed' }]);
    });
    await at.page.clock.setFixedTime(at.clock.nowMs());
    await at.knell.api('POST', `/api/v3/checks/${check}/snooze`, { for: 3600 });
  }, 60_000);
  afterAll(() => at?.stop());

  /** The boxes of what keeps it back, and of the words of the same line. */
  const boxes = (row: string, words: string) => async (): Promise<readonly [Box, Box]> => {
    const line = at.page
      .locator(row)
      .filter({ has: at.page.locator('.kept-back') })
      .first();
    const boxOf = (selector: string) =>
      line
        .locator(selector)
        .first()
        .evaluate((one: { getBoundingClientRect(): Box }) => {
          const { left, top, height } = one.getBoundingClientRect();
          return { left: Math.round(left), top, height };
        });
    return [await boxOf('.kept-back'), await boxOf(words)];
  };

  /** In the column of the words, in two lines at most; the page may still move. */
  const isBelow = (measured: () => Promise<readonly [Box, Box]>) => async (): Promise<boolean> => {
    const [kept, words] = await measured();
    return kept.left === words.left && kept.top >= words.top + words.height && kept.height <= 40;
  };

  test.for(widths)('is below the words of the timeline at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 844 });
    await at.open(`incidents/${incident}`);
    await expect.poll(isBelow(boxes('.timeline > li', 'p'))).toBe(true);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test.for([320, 390])('is below the words of the log at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 844 });
    await at.open(`checks/${check}`);
    await expect.poll(isBelow(boxes('.log > li.sent', '.said'))).toBe(true);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });
});
