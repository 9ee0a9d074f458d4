/** The page of one check in a real browser: its status and what can be done, its history, its log, and what is set of it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

const minute = 60_000;
const day = 1440 * minute;

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  let at: OwnerBrowser;
  let backup: Json;
  let busy: Json;

  const ping = ({ uuid }: Json, rest = '', body = '') =>
    at.knell.request(`/ping/${uuid}${rest}`, { method: 'POST', body });
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const wide = (width: number) => at.page.setViewportSize({ width, height: 900 });
  const lines = () => at.page.locator('.log > li');
  const kinds = () =>
    lines().evaluateAll((nodes: Json) => nodes.map((node: Json) => node.className.split(' ')[0]));
  const inLog = (name: string) => at.page.locator('.log-card').getByRole('button', { name, exact: true });

  /** Ten days of runs of two minutes, the fourth and the last one fail. */
  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_SMTP: '127.0.0.1:0', KNELL_EMAIL_DOMAIN: 'ping.example.org' });
    await wide(1300);
    // A private address: refused without a connection, so nothing leaves this machine.
    const hook = { kind: 'webhook', name: 'Blocked', fields: { url_down: 'http://127.0.0.1:9/' } };
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, hook)).json();
    const spec = { slug: 'nightly', tags: 'prod', timeout: 90_000, grace: 3600, channels: id };
    backup = await at.knell.create({ name: 'Nightly backup', ...spec });
    busy = await at.knell.create({ name: 'Queue', timeout: 3600, grace: 3600 });
    for (let n = 1; n <= 10; n++) {
      await ping(backup, '/start');
      await at.clock.advance(2 * minute);
      const fails = n === 4 || n === 10;
      await ping(backup, fails ? '/3' : '', fails ? `step ${n}: no space left` : `copied ${n} files`);
      // Nothing is due meanwhile: a day second by second would take long.
      if (n < 10) at.clock.skip(day - 3 * minute);
      if (n < 10) await at.clock.advance(minute);
    }
    const sent = `/api/v3/checks/${backup.uuid}/notifications/?seconds=3600`;
    await eventually(async () => {
      await at.clock.advance(5);
      expect((await at.knell.api('GET', sent)).json().notifications).toHaveLength(1);
    });
    await at.clock.advance(189 * minute);
    await at.owner.signIn('ada');
    const [name = '', value = ''] = at.owner.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url: at.knell.app.httpUrl }]);
  }, 120_000);

  afterAll(() => at?.stop());

  test('says first how it is, since when, why, and what became of the notifications', async () => {
    await at.open(`checks/${backup.uuid}`);
    await at.page.locator('.now .big').getByText('Down for 3 h 9 min').waitFor();
    await at.page.getByText('Exit status 3 after 2 min').waitFor();
    await at.page.getByText('1 failed: Blocked (Webhook)').waitFor();
    const sent = `/api/v3/checks/${backup.uuid}/notifications/`;
    const before = (await at.knell.api('GET', sent)).json().notifications.length;
    await button('Retry now').click();
    await eventually(async () => {
      await at.clock.advance(5);
      expect((await at.knell.api('GET', sent)).json().notifications.length).toBeGreaterThan(before);
    });
    expect(await at.findings()).toEqual([]);
  });

  test('acknowledges and snoozes, shows both with their end, and takes both back', async () => {
    await button('Acknowledge').click();
    await at.page.getByText('Acknowledged by ada').first().waitFor();
    await expect.poll(() => button('Acknowledge').getAttribute('aria-disabled')).toBe('true');
    await lines().getByText('Acknowledged by ada').waitFor();
    await at.page.locator('.now').getByRole('button', { name: 'Withdraw acknowledgement' }).click();
    await expect.poll(() => button('Acknowledge').getAttribute('aria-disabled')).toBe('false');
    await button('Snooze').click();
    await at.page.getByRole('menuitem', { name: 'Snooze for 1 hour' }).click();
    await button('Snooze').click();
    await at.page.getByRole('menuitem', { name: 'Snooze until a date…' }).click();
    const inThreeDays = new Date(at.clock.nowMs() + 3 * day);
    const two = (value: number): string => String(value).padStart(2, '0');
    const date = `${inThreeDays.getFullYear()}-${two(inThreeDays.getMonth() + 1)}-${two(inThreeDays.getDate())}`;
    await at.page.getByLabel('Date and time').fill(`${date}T09:30`);
    await at.page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click();
    await expect
      .poll(async () => {
        const path = `/web/in/${at.project}/rows?ids=${backup.uuid}`;
        return (await at.owner.get(path)).json().rows[0].snoozedUntilMs;
      })
      .toBe(new Date(`${date}T09:30`).getTime());
    await at.page.locator('.now').getByText('Snoozed until').waitFor();
    await at.page.locator('.now').getByRole('button', { name: 'End the snooze' }).click();
    await expect.poll(() => at.page.locator('.now').getByText('Snoozed until').count()).toBe(0);
  });

  test('keeps in its log what was acknowledged and snoozed, with its end, by a filter of its own', async () => {
    await inLog('Snoozes').click();
    await lines().getByText('Snooze ended by ada').waitFor();
    const said = () => lines().locator('strong').allTextContents();
    await expect
      .poll(said)
      .toEqual([
        'Snooze ended by ada',
        'Snooze changed by ada',
        'Snoozed by ada',
        'Acknowledgement withdrawn by ada',
        'Acknowledged by ada',
      ]);
    expect(await at.findings('.log-card')).toEqual([]);
    await inLog('All').click();
  });

  test('shows the history of a range that is in the address, as figures, charts and a table', async () => {
    const figure = (name: string) =>
      at.page.locator('.figures > div', { hasText: name }).locator('dd').textContent();
    await expect.poll(() => figure('Outages')).toBe('2');
    await expect.poll(() => figure('Runs, 2 failed')).toBe('10');
    await expect.poll(() => figure('Median duration')).toBe('2 min');
    await expect.poll(() => at.page.locator('.history tbody tr').count()).toBe(10);
    await button('24 h').click();
    await expect.poll(() => figure('Runs, 1 failed')).toBe('1');
    expect(new URL(at.page.url()).searchParams.get('range')).toBe('24h');
    await at.page.reload();
    await expect.poll(() => figure('Runs, 1 failed')).toBe('1');
    await button('90 d').click();
    await expect.poll(() => figure('Runs, 2 failed')).toBe('10');
    // Before the check existed there is nothing, not green.
    const shares = await at.page.locator('.strip').evaluate((strip: Json) => {
      const width = (name: string) =>
        [...strip.querySelectorAll(`.${name}`)].reduce((sum, one) => sum + one.getBBox().width, 0);
      return { up: width('up') / width('nothing'), down: width('down') / width('nothing') };
    });
    expect(shares.up).toBeGreaterThan(0.05);
    expect(shares.up).toBeLessThan(0.13);
    expect(shares.down).toBeGreaterThan(0.005);
    await button('30 d').click();
    await expect.poll(() => new URL(at.page.url()).search).toBe('?range=30d');
  });

  test('goes by keyboard from a run in the chart to that run in the log', async () => {
    const chart = at.page.getByRole('img', { name: /^Durations of 10 runs, 2 with a failure/ });
    await chart.focus();
    await at.page.keyboard.press('End');
    await at.page.locator('.chart .tip').getByText('2 min · failed · exit status 3').waitFor();
    for (let n = 0; n < 6; n++) await at.page.keyboard.press('ArrowLeft');
    await at.page.locator('.chart .tip').getByText('failed').waitFor();
    await at.page.keyboard.press('Enter');
    await at.page.locator('#run-8 .body pre').getByText('step 4: no space left').waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.closest("li")?.id')).toBe('run-8');
    // And by the pointer, which shows what is under it.
    const width = await chart.evaluate((node: Json) => node.clientWidth);
    await chart.click({ position: { x: width - 24, y: 100 } });
    await at.page.locator('#run-20 .body pre').getByText('step 10: no space left').waitFor();
  });

  test.runIf(isLong)('shows many runs by their buckets, and each part of the log once', async () => {
    // No page draws each of these pings.
    await at.page.goto('about:blank');
    for (let n = 0; n < 150; n++) {
      await ping(busy, '/start');
      await at.clock.advance(1000);
      await ping(busy, '', n === 20 ? 'the needle' : '');
      await at.clock.advance(59_000);
    }
    await at.open(`checks/${busy.uuid}?range=24h`);
    await at.page.getByText('Duration: median, and p95 as a thin line.').waitFor();
    const rows = at.page.locator('.history tbody tr');
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    await expect.poll(() => rows.count()).toBeLessThan(6);
    await at.page.locator('.fold .at').getByText('97 runs').waitFor();
    await at.page.getByRole('button', { name: 'Load older entries' }).click();
    await at.page.locator('.fold .at').getByText('146 runs').waitFor();
    await expect.poll(kinds).toEqual(['run', 'run', 'run', 'fold', 'change', 'run']);
    await at.page.getByRole('button', { name: 'Show 146 runs' }).click();
    await expect.poll(() => lines().count()).toBe(152);
    const ids = await lines().evaluateAll((nodes: Json) => nodes.map(({ id }: Json) => id).filter(Boolean));
    expect(new Set(ids).size).toBe(151);
    await at.page.getByPlaceholder('Search output').fill('NEEDLE');
    await expect.poll(kinds).toEqual(['run']);
    await expect.poll(() => lines().first().getAttribute('id')).toBe('run-42');
  });

  test('has a log that filters, jumps to a date, and has a link to each entry', async () => {
    await at.open(`checks/${backup.uuid}`);
    await inLog('Failed').click();
    await expect.poll(kinds).toEqual(['run', 'run']);
    await inLog('Status').click();
    await expect.poll(kinds).toEqual(['change', 'change', 'change', 'change']);
    await inLog('All').click();
    await expect.poll(kinds).toContain('fold');
    const eighth = new Date(at.clock.nowMs() - 8 * day);
    const two = (value: number): string => String(value).padStart(2, '0');
    await at.page
      .getByLabel('Jump to a date')
      .fill(`${eighth.getFullYear()}-${two(eighth.getMonth() + 1)}-${two(eighth.getDate())}`);
    await button('Back to the newest').waitFor();
    await expect.poll(() => lines().count()).toBeLessThan(5);
    await button('Back to the newest').click();
    await expect.poll(kinds).toContain('fold');
    const link = at.page.locator('#run-8 a.at');
    const address = await link.evaluate((node: Json) => node.href);
    expect(address).toMatch(/\?at=\d+#run-8$/);
    await at.page.goto('about:blank');
    await at.page.goto(address);
    await at.page.locator('#run-8 .body pre').getByText('step 4: no space left').waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('opens and closes a run by a click anywhere on its line, and by keyboard', async () => {
    await at.open(`checks/${backup.uuid}`);
    const line = at.page.locator('#run-20');
    const body = line.locator('.body pre');
    const opened = (): Promise<string | null> =>
      line.getByRole('button').first().getAttribute('aria-expanded');
    await line.locator('.said').click();
    await body.getByText('step 10: no space left').waitFor();
    // What it shows can be read and selected without its being closed.
    await body.click();
    await body.dblclick();
    expect(await opened()).toBe('true');
    await line.locator('.end .n').click();
    await expect.poll(opened).toBe('false');
    await line.locator('a.at').click();
    expect(await opened()).toBe('false');
    await line.getByRole('button').focus();
    await at.page.keyboard.press('Enter');
    await body.waitFor();
    await at.page.keyboard.press('Space');
    await expect.poll(opened).toBe('false');
    const fold = at.page.locator('.log .fold.runs').first();
    await fold.locator('.said').click();
    await expect.poll(() => fold.getByRole('button').getAttribute('aria-expanded')).toBe('true');
  });

  test('changes the URL and all snippets together, by UUID or slug', async () => {
    const shown = () => at.page.locator('.ping-card pre').allTextContents();
    const base = 'http://knell.test/ping';
    const byUuid = `${base}/${backup.uuid}`;
    await expect.poll(async () => (await shown())[0]).toBe(byUuid);
    expect((await shown())[1]).toContain(`${byUuid}/start`);
    await button('Slug').click();
    const bySlug = `${base}/${at.knell.keys.ping}/nightly`;
    await expect.poll(async () => (await shown())[0]).toBe(bySlug);
    expect((await shown())[1]).toContain(`${bySlug}/start`);
    await button('More').click();
    await at.page.getByRole('menuitemradio', { name: 'Kubernetes' }).click();
    await expect.poll(async () => (await shown())[1]).toContain('kind: CronJob');
    expect((await shown())[1]).toContain(`${bySlug}/start`);
    await button('Email').click();
    await expect.poll(async () => (await shown())[1]).toBe(`${at.knell.keys.ping}+nightly@ping.example.org`);
  });

  test('links the guides of the manual', async () => {
    const links = at.page.locator('.ping-card p a');
    const targets = await links.evaluateAll((all: Json[]) => all.map(({ href }) => new URL(href).pathname));
    expect(targets).toHaveLength(4);
    for (const target of targets) expect((await at.knell.request(target)).status, target).toBe(200);
  });

  test('names the state of an integration as its page does', async () => {
    const inCard = at.page.locator('.integrations-list .channel-state');
    await inCard.getByText('Failing since').waitFor();
    const words = (await inCard.textContent())?.trim();
    const color = () =>
      at.page
        .locator('.channel-state, .health strong')
        .evaluate((node: Json) => node.ownerDocument.defaultView.getComputedStyle(node).color);
    const inCheck = await color();
    await at.open('integrations');
    await at.page.locator('.health strong', { hasText: words ?? '' }).waitFor();
    expect(await color()).toBe(inCheck);
    await at.open(`checks/${backup.uuid}`);
  });

  test('edits schedule, notifications and description in their place', async () => {
    await button('Edit schedule').click();
    await at.page.getByRole('radio', { name: 'Cron' }).check();
    await at.page.getByLabel('Schedule').fill('99 2 * * *');
    await button('Save').click();
    await at.page.locator('.check-side [role=alert]').waitFor();
    await at.page.getByLabel('Schedule').fill('15 2 * * *');
    await at.page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin');
    await button('Save').click();
    await at.page.getByText('Daily at 2:15 (Europe/Berlin)').waitFor();
    await expect.poll(() => at.page.locator('.next-runs tr').count()).toBe(5);
    await button('Edit notifications').click();
    await at.page.getByLabel('Blocked').uncheck();
    await button('Save').click();
    await at.page.getByText('nobody. Add an integration').waitFor();
    await button('Edit description').click();
    await at.page.getByLabel('Description').fill('See https://wiki.example.org/restore, then call.');
    await at.page.getByLabel('Tags').fill('prod db');
    await button('Save').click();
    const link = at.page.getByRole('link', { name: 'https://wiki.example.org/restore' });
    await expect.poll(() => link.getAttribute('href')).toBe('https://wiki.example.org/restore');
    await at.page.locator('.item-head .tag', { hasText: 'db' }).waitFor();
  });

  test('keeps the focus in the card that is edited', async () => {
    const inForm = () =>
      at.page.evaluate<boolean>("document.activeElement.closest('form.in-place') !== null");
    const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
    for (const title of isLong ? ['schedule', 'notifications', 'description'] : ['schedule']) {
      for (const name of ['Cancel', 'Save']) {
        await button(`Edit ${title}`).press('Enter');
        await at.page.locator('form.in-place').waitFor();
        await expect.poll(inForm).toBe(true);
        await button(name).press('Enter');
        await at.page.locator('form.in-place').waitFor({ state: 'detached' });
        await expect.poll(focused).toBe(`Edit ${title}`);
      }
    }
  });

  test('has its neighbours of the list, by k and j', async () => {
    await at.open('checks');
    await at.page.locator('.row a', { hasText: 'Nightly backup' }).click();
    await at.page.getByRole('heading', { name: 'Nightly backup' }).waitFor();
    await at.page.getByRole('link', { name: 'Next' }).waitFor();
    await at.page.keyboard.press('j');
    await at.page.getByRole('heading', { name: 'Queue' }).waitFor();
    await at.page.getByRole('link', { name: 'Previous' }).waitFor();
    await at.page.keyboard.press('k');
    await at.page.getByRole('heading', { name: 'Nightly backup' }).waitFor();
  });

  test.runIf(isLong)('names keys only where there may be some', async () => {
    await at.page.locator('.neighbours kbd').first().waitFor();
    const context = await at.page
      .context()
      .browser()
      ?.newContext({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    if (!context) throw new Error('there is a browser');
    await context.addCookies(await at.page.context().cookies());
    const phone = await context.newPage();
    await phone.goto(at.page.url());
    await phone.locator('.neighbours a').first().waitFor();
    await phone.locator('.neighbours kbd').first().waitFor({ state: 'hidden' });
    await context.close();
  });

  test.runIf(isLong)('has them also when it was opened by its link', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/project/${at.project}/checks/${busy.uuid}`);
    await at.page.getByRole('heading', { name: 'Queue' }).waitFor();
    await at.page.getByRole('link', { name: 'Previous' }).click();
    await at.page.getByRole('heading', { name: 'Nightly backup' }).waitFor();
    await at.page.getByRole('link', { name: 'Next' }).waitFor();
    await at.page.keyboard.press('j');
    await at.page.getByRole('heading', { name: 'Queue' }).waitFor();
  });

  const sizes = [
    [1300, 400, 'light'],
    [360, null, 'dark'],
    [1010, 320, 'dark'],
    [800, null, 'light'],
    [320, null, 'light'],
  ] as const;
  test.each(isLong ? sizes : sizes.slice(0, 2))(
    'fits into %i px, with a right column of %s, %s',
    async (width, side, colorScheme) => {
      await wide(width);
      await at.page.emulateMedia({ colorScheme });
      await at.open(`checks/${backup.uuid}`);
      await at.page.locator('.chart canvas').waitFor();
      await lines().first().waitFor();
      const main = (await at.page.locator('.check-main').boundingBox()) ?? { x: 0, width: 0 };
      const right = (await at.page.locator('.check-side').boundingBox()) ?? { x: 0, width: 0 };
      if (side === null) expect(right.x).toBe(main.x);
      else expect([right.width, right.x > main.x]).toEqual([side, true]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
      await at.page.emulateMedia({ colorScheme: null });
    },
  );

  test('moves to another project, whose list is shown then', async () => {
    await wide(1300);
    const { id } = (await at.owner.post('/web/projects', { name: 'Archive' })).json();
    const { uuid } = await at.knell.create({ name: 'Old job' });
    await at.open(`checks/${uuid}`);
    await button('More actions').click();
    await at.page.getByRole('menuitem', { name: 'Move…' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await at.page.waitForURL(`**/project/${id}/checks`);
    await at.page.locator('.row', { hasText: 'Old job' }).waitFor();
  });

  test('had nothing to complain of but what was refused on purpose', () => {
    // 403: its page may ask once more for what has moved to another project.
    expect(at.complaints.filter((text) => !/status of 40[034]/.test(text))).toEqual([]);
  });
});
