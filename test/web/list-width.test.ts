/** The list of checks at the width of a small laptop, in a real browser: every column is there, and nothing that is said is cut. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

/** The evening of Thursday, 24 December 2026: what is to come tomorrow, in "10:00 AM", is longest. */
const startMs = Date.UTC(2026, 11, 24, 22);

describe.skipIf(browserMissing !== '')('the list', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs, timezoneId: 'UTC' });
    const create = async (name: string, spec: object, ...pings: readonly string[]): Promise<Json> => {
      const check = await at.knell.create({ name, tags: 'prod', grace: 3600, ...spec });
      for (const rest of pings) await at.knell.request(`/ping/${check.uuid}${rest}`, { method: 'POST' });
      return check;
    };
    await create('New', {});
    await create('Nightly backup of the orders database', {});
    await create('Sync', { schedule: '0 */4 * * *', tz: 'UTC' }, '');
    await create('Office', { schedule: '*/15 9-17 * * 1-5', tz: 'America/New_York' }, '');
    await create('Odd', { timeout: 3600 + 20 * 60 }, '');
    await create('Broken', {}, '', '/3');
    const moved = await create('Moved', { timeout: 86_400, grace: 60 }, '');
    await create('Overdue', { timeout: 3600, grace: 11 * 3600 }, '');
    const snoozed = await create('Snoozed', {}, '/fail');
    await at.clock.advance(3600_000 + 60_000);
    await at.page.clock.setFixedTime(at.clock.nowMs());
    await at.knell.api('POST', `/api/v3/checks/${moved.uuid}`, { timeout: 60 });
    await at.owner.signIn('ada');
    const [name = '', value = ''] = at.owner.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url: at.knell.app.httpUrl }]);
    const body = { for: 12 * 3600 };
    await at.knell.api('POST', `/api/v3/checks/${snoozed.uuid}/snooze`, body);
  });

  afterAll(() => at?.stop());

  const shown = (selector: string): Promise<readonly string[]> =>
    at.page.locator(selector).evaluateAll((all: Json) =>
      all
        .filter((one: Json) => one.offsetParent !== null)
        // A time does not break before `AM`.
        .map((one: Json) => one.textContent.trim().replaceAll(/\u00a0(?=[AP]M)/g, ' ')),
    );

  test.each([1024, 390])('has space above and below what is in a row, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 768 });
    await at.open('checks');
    await at.page.locator('.row').nth(8).waitFor();
    const spaces = await at.page.locator('.row').evaluateAll((rows: Json) =>
      rows.map((row: Json) => {
        const { top, bottom } = row.getBoundingClientRect();
        const boxes = [...row.querySelectorAll('.what > *, .schedule > *, .state > span, .columns')]
          .map((one: Json) => one.getBoundingClientRect())
          .filter((box: Json) => box.height > 0);
        return Math.min(...boxes.flatMap((box: Json) => [box.top - top, bottom - box.bottom]));
      }),
    );
    expect(Math.min(...spaces)).toBeGreaterThanOrEqual(3);
    const row = at.page.locator('.row', { hasText: 'Broken' });
    const [words, columns] = await Promise.all([
      row.locator('.state strong').boundingBox(),
      row.locator('.columns').boundingBox(),
    ]);
    if (width < 768) expect(columns?.y).toBeGreaterThanOrEqual((words?.y ?? 0) + (words?.height ?? 0) + 4);
  });

  test('has two lines of a schedule at most in a wide window, and all of it for the pointer', async () => {
    await at.page.setViewportSize({ width: 1440, height: 768 });
    await at.open('checks');
    const cell = at.page.locator('.row .schedule', { hasText: 'Every 15 minutes' });
    const tall = () => cell.evaluate((one: Json) => one.getBoundingClientRect().height);
    await expect.poll(tall).toBeGreaterThan(20);
    expect(await tall()).toBeLessThanOrEqual(30);
    await expect.poll(() => cell.getAttribute('title')).toMatch(/^Every 15 minutes from 9:00/);
  });

  test.each([1024, 1200])('has schedule and last run at %i px, and cuts nothing', async (width) => {
    await at.page.setViewportSize({ width, height: 768 });
    await at.open('checks');
    await at.page.locator('.row').nth(8).waitFor();
    const heads = async (): Promise<readonly string[]> =>
      (await shown('.heads [role=columnheader]')).map((words) =>
        words.replaceAll(/[▴▾]/g, '').replace(/\s+/, ' '),
      );
    await expect
      .poll(heads)
      .toEqual([
        ...['Select', 'Check', 'Status Next run', 'Schedule'],
        ...[expect.stringContaining('Last'), 'Uptime, 30 d', 'Last run', 'Notifies'],
      ]);
    for (const words of [
      'Every 4 hours from 12:00 AM',
      'Every 15 minutes from 9:00 AM to 5:59 PM, Monday to Friday (America/New_York)',
    ])
      expect(await shown('.row .schedule > :first-child')).toContain(words);
    const states = await shown('.row .state > :nth-child(2)');
    expect(states).toContain('When its schedule changed');
    expect(states).toContain('Goes down tomorrow 10:00 AM');
    expect(states).toContain('The job failed · Snoozed until tomorrow 11:01 AM');
    const cut = await at.page
      .locator(
        '.heads button, .summary .note, .row .state > *, .row .schedule > *, .row .last > *, .row .what > a',
      )
      .evaluateAll((all: Json) =>
        all
          .filter(
            ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Json) =>
              scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 4,
          )
          .map((one: Json) => one.textContent),
      );
    // Three lines of a schedule are cut; the pointer shows all of it.
    expect(cut.filter((words: string) => !words.startsWith('Every 15 minutes'))).toEqual([]);
    const office = at.page.locator('.row .schedule', { hasText: 'Every 15 minutes' });
    await expect
      .poll(() => office.getAttribute('title'))
      .toMatch(
        /^Every 15 minutes from 9:00\sAM to 5:59\sPM, Monday to Friday \(America\/New_York\): \*\/15 9-17/,
      );
    const empty = await at.page.locator('.row').evaluateAll((all: Json) =>
      all.map((one: Json) => {
        const [, what, state] = one.children;
        return state.getBoundingClientRect().left - what.getBoundingClientRect().right;
      }),
    );
    for (const px of empty) expect(px).toBeLessThan(40);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings()).toEqual([]);
  });

  test.each([1024, 1440])('names the uptime in one line over its figures, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 768 });
    await at.open('checks');
    const head = at.page.locator('.heads .uptime');
    const words = head.getByRole('button', { name: 'Uptime, 30 d' });
    const [cell, button] = [await head.boundingBox(), await words.boundingBox()];
    expect(button?.height).toBeLessThanOrEqual(24);
    expect(button?.width).toBeLessThanOrEqual(cell?.width ?? 0);
    await words.click();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(() => head.locator('.arrow').textContent()).toBe('▴');
    await expect.poll(() => new URL(at.page.url()).search).toContain('sort=uptime');
    // The next run is below the status, and so is the arrow of its order.
    const state = at.page.locator('.heads .state');
    await state.getByRole('button', { name: 'Next run' }).click();
    await expect.poll(() => state.getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(() => state.locator('.arrow').allTextContents()).toEqual(['', '▴']);
    await state.getByRole('button', { name: 'Status' }).click();
  });

  test.each([390, 320])('says what comes next of a check that is up, whole, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 768 });
    await at.open('checks');
    const words = at.page.locator('.row.up .state strong');
    await words.first().waitFor();
    await expect.poll(() => words.allTextContents()).toContainEqual(expect.stringMatching(/^Next in \d/));
    const cut = await words.evaluateAll((all: Json) =>
      all.filter((one: Json) => one.scrollWidth > one.clientWidth).map((one: Json) => one.textContent),
    );
    expect(cut).toEqual([]);
  });

  test('shows what a run was where the last 20 are shown', async () => {
    await at.page.setViewportSize({ width: 1024, height: 768 });
    const runs = at.page.locator('.row', { hasText: 'Broken' }).locator('.columns');
    await runs.focus();
    await at.page.keyboard.press('ArrowLeft');
    const tip = runs.locator('.tip');
    await tip.getByText('failed').waitFor();
    const box = await tip.boundingBox();
    expect(box?.width).toBeGreaterThan(60);
  });
});
