/** An incident whose check came up and went down again, in a real browser: what its page says of the times, and how that fits a phone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minute } from '../../src/lib/units.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('an incident of a check that is down again', () => {
  let at: OwnerBrowser;
  let id = '';
  let uuid = '';
  /** The beginning of a minute. */
  const startMs = Math.floor(Date.now() / minute) * minute - 20 * minute;

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs, timezoneId: 'UTC' });
    uuid = (await at.knell.create({ name: 'nightly-db', timeout: 3600 })).uuid;
    const body = Array.from({ length: 120 }, (_, n) => `step ${n}`).join('\n');
    const fail = () => at.knell.request(`/ping/${uuid}/fail`, { method: 'POST', body });
    await at.knell.request(`/ping/${uuid}`, { method: 'POST', body: 'done' });
    await fail();
    await at.clock.advance(20_000);
    await at.knell.request(`/ping/${uuid}`, { method: 'POST', body: 'done' });
    await at.clock.advance(100_000);
    await fail();
    await at.clock.advance(11 * minute);
    id = (await at.knell.api('GET', '/api/v3/incidents/?state=open')).json().incidents[0].id;
  }, 60_000);

  afterAll(() => at?.stop());

  const clock = (ms: number, seconds: boolean): string =>
    new Intl.DateTimeFormat('en-US', {
      ...{ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' },
      ...(seconds ? { second: '2-digit' } : {}),
    })
      .format(ms)
      .replace(/\s(?=\D*$)/, '\u00a0');

  async function openIncident(width: number): Promise<void> {
    await at.page.setViewportSize({ width, height: 844 });
    await at.open(`incidents/${id}`);
    await at.page.locator('.last-output').waitFor();
  }

  test('says since when the check is down apart from since when the incident is open', async () => {
    await openIncident(1440);
    const downMs = startMs + 2 * minute;
    const [down, open] = [downMs, startMs].map((ms) => `since (?:yesterday )?${clock(ms, false)}`);
    const words = new RegExp(`1 check down ${down} · open for 13.min, ${open}`);
    await at.page.locator('.now .big', { hasText: /^Down for 11 min/ }).waitFor();
    await at.page.locator('.now .why', { hasText: words }).waitFor();
    await at.page.locator('.incident-check .since', { hasText: new RegExp(down ?? '') }).waitFor();
  });

  test('has seconds in all of its timeline where one minute has several lines', async () => {
    const times = (await at.page.locator('.timeline time').allTextContents()).map((time) =>
      time.replace(/^\w+ (?=\d)/, ''),
    );
    expect(times).toContain(clock(startMs + 20_000, true));
    expect(times).toContain(clock(startMs, true));
    expect(times).toContain(clock(startMs + 2 * minute, true));
  });

  test('breaks no word of its buttons on a phone, and the note grows with its text', async () => {
    await openIncident(390);
    for (const name of ['Show all', 'Compare with the last good run']) {
      const box = await at.page.locator('.last-output').getByRole('link', { name }).boundingBox();
      expect(box?.height).toBeLessThanOrEqual(40);
    }
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    const field = at.page.getByLabel('Note for the others');
    const before = (await field.boundingBox())?.height ?? 0;
    await field.fill('one\ntwo\nthree\nfour');
    expect((await field.boundingBox())?.height).toBeGreaterThan(before + 30);
    expect(await at.findings('.incident')).toEqual([]);
    expect(at.complaints).toEqual([]);
  });

  test('says when it is over how long its check was down, and not that it was up in between', async () => {
    await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(1000);
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open(`incidents/${id}`);
      await at.page
        .locator('.now .big')
        .getByText('Down 11 min 20 s in 2 outages', { exact: true })
        .waitFor();
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    await at.open('incidents');
    const when = at.page.locator('.incidents .resolved .when');
    await expect.poll(() => when.first().textContent()).toMatch(/, down.11.min.20.s in 2 outages/);
    const { duration } = (await at.knell.api('GET', `/api/v3/incidents/${id}`)).json();
    expect(duration).toBe(13 * 60);
  });
});
