/** Runs of a check that tracks them, as its page shows them in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const tintedRows = `(() => {
  const canvas = document.querySelector('.history canvas');
  const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const x = width - 30 * devicePixelRatio;
  return Array.from({ length: height }, (_, y) => data[4 * (y * width + x) + 3]).filter((alpha) => alpha > 25 && alpha < 50).length;
})()`;

const rid = '0000000a-0000-4000-8000-000000000000';

describe.skipIf(browserMissing !== '')('the runs of a check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const spec = { name: 'dump', timeout: 86_400, max_runtime: 1, exit_codes: '24=warning', overlap: 'warn' };
    const { uuid } = await at.knell.create(spec);
    const coloured = { method: 'POST', body: '\u001b[31mred\u001b[0m and plain' };
    expect((await at.knell.request(`/ping/${uuid}/log`, coloured)).status).toBe(200);
    for (const rest of ['', '/24?host=db-1', `/start?rid=${rid}&host=db-2`, '/alive', '/start'])
      expect((await at.knell.request(`/ping/${uuid}${rest}`)).status).toBe(200);
    await at.clock.advance(1000);
    expect(await at.knell.check(uuid)).toMatchObject({ status: 'down' });
    await at.open(`checks/${uuid}`);
  });

  afterAll(() => at?.stop());

  const log = () => at.page.locator('ol.log');

  test('are in the log: with a warning, overlapping, hung, and each with its machine', async () => {
    await log().getByText('Run, with a warning').waitFor();
    await log().getByText('exit status 24 · db-1').waitFor();
    await log()
      .getByText(/overlaps the run started \d/)
      .waitFor();
    await log().getByText('Sign of life').waitFor();
    await log().getByText('Run hung').first().waitFor();
    await log()
      .getByText(/started .* may take 1 s · db-2/)
      .waitFor();
    await log().getByText('a run did not end in time').waitFor();
    await at.page
      .getByText(/A run hung: started .* on db-2, may take 1 s/)
      .first()
      .waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('have their output without the colours of a terminal', async () => {
    await log().getByRole('button', { name: 'Details of ping 1', exact: true }).click();
    await expect.poll(() => log().locator('pre').textContent()).toBe('red and plain');
  });

  test('are bars in rows, and the machines a grid, at every width and in both colours', async () => {
    const { uuid } = await at.knell.create({
      name: 'fleet',
      timeout: 3600,
      hosts: 'db-1 db-2',
      max_runtime: 3600,
    });
    for (const rest of ['?host=db-1', `/start?rid=${rid}&host=db-1`, '/start?host=db-2', '/fail?host=db-2'])
      await at.knell.request(`/ping/${uuid}${rest}`);
    await at.open(`checks/${uuid}`);
    const card = at.page.locator('.runs-card');
    await card.getByText('db-2').first().waitFor();
    await expect.poll(() => card.locator('.hosts li').allInnerTexts()).toHaveLength(2);
    await card.getByText(/Running .* on db-1 · hangs (at|tomorrow) /).waitFor();
    await expect.poll(() => card.locator('.run-bars li').count()).toBe(3);
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      for (const width of [390, 1440]) {
        await at.page.setViewportSize({ width, height: 900 });
        expect(await at.findings()).toEqual([]);
        expect(await at.overflow()).toBeLessThanOrEqual(0);
      }
    }
  });

  test('are noted with the figures by which they were', async () => {
    const spec = { name: 'noted', timeout: 86_400, min_runtime: 2, unusual_runtime: 'warn', overlap: 'warn' };
    const { uuid } = await at.knell.create(spec);
    const ping = async (rest: string, thenMs = 0): Promise<void> => {
      await at.knell.request(`/ping/${uuid}${rest}`);
      await at.clock.advance(thenMs);
    };
    for (let n = 0; n < 10; n++) {
      await ping('/start', 34_000);
      await ping('');
    }
    for (const tookMs of [3000, 1000]) {
      await ping('/start', tookMs);
      await ping('');
    }
    await ping(`/start?rid=${rid}`, 3000);
    await ping('/start', 34_000);
    await ping('');
    await at.open(`checks/${uuid}`);
    await log().getByText('3 s · unusually short, usually 24 to 44 s').waitFor();
    await log().getByText('1 s · shorter than 2 s').waitFor();
    const usual = at.page.locator('.legend').getByText('Usually 24 to 44 s');
    await usual.waitFor();
    await expect
      .poll(() => usual.getAttribute('title'))
      .toBe('The middle of the last 11 good runs took 34 s');
    const chart = at.page.getByRole('img', { name: /Durations of .* Usually 24 to 44 s\./ });
    await chart.waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      // Rows of the canvas that have the tint of the band, where no column is.
      await expect.poll(() => at.page.evaluate<number>(tintedRows)).toBeGreaterThan(20);
    }
    expect(await at.findings()).toEqual([]);
    // Its end says nothing, its start did.
    await log()
      .getByText(/34 s · overlaps the run started \d/)
      .waitFor();
  });

  test('are in the list: how far one is, and whether the last had a warning, and nothing moves', async () => {
    const quick = { timeout: 86_400, grace: 86_400 };
    const names = ['half way', 'too few', 'warned'];
    const [half, few, warned] = await Promise.all(names.map((name) => at.knell.create({ ...quick, name })));
    const ping = (check: Json, rest = '') => at.knell.request(`/ping/${check.uuid}${rest}`);
    for (let n = 0; n < 5; n++) {
      await ping(half, '/start');
      if (n === 0) await ping(few, '/start');
      await at.clock.advance(60_000);
      await ping(half);
      if (n === 0) await ping(few);
    }
    await ping(warned, '/warn');
    const row = (name: string) => at.page.locator('.row', { hasText: name });
    const bar = row('half way').getByRole('progressbar', { name: 'Progress of half way' });
    const places = async () => [
      ...(await Promise.all(names.map((name) => row(name).locator('.state strong').boundingBox()))),
      ...(await Promise.all(names.map((name) => row(name).boundingBox()))),
    ];
    const tops = async () => (await places()).map((box) => [box?.y, box?.height]);
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 900 });
      await at.open('checks?sort=name&q=a');
      await at.open('checks?sort=name');
      await row('warned').getByText('Last run with a warning').locator('visible=true').waitFor();
      await at.page.locator('.summary .part.up').getByText('1 warning').waitFor({ state: 'attached' });
      await row('warned').locator('.columns .warned').waitFor({ state: 'attached' });
      await row('half way')
        .getByText(/^Next in /)
        .first()
        .waitFor();
      await expect.poll(() => bar.count()).toBe(0);
      const before = await tops();
      await ping(half, '/start');
      await ping(few, '/start');
      await at.clock.advance(30_000);
      await bar.waitFor();
      await row('too few').locator('visible=true').getByText('Running').first().waitFor();
      await expect.poll(() => row('too few').getByRole('progressbar').count()).toBe(0);
      await expect.poll(tops).toEqual(before);
      await expect.poll(() => bar.getAttribute('aria-valuetext')).toMatch(/^\d+ %, usually 1 min$/);
      await expect.poll(() => bar.boundingBox()).toMatchObject({ height: 2 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await at.page.emulateMedia({ colorScheme });
        expect(await at.findings()).toEqual([]);
        expect(await at.overflow()).toBeLessThanOrEqual(0);
      }
      await ping(half);
      await ping(few);
      await expect.poll(() => bar.count()).toBe(0);
      await expect.poll(tops).toEqual(before);
    }
  });

  test('of the last day are the newest 500, and what is not known of it is hatched and said', async () => {
    const spec = { timeout: 86_400, max_runtime: 7200 };
    const busy = await at.knell.create(spec);
    // Of its pings Knell keeps 100, of those of the other project 1,000.
    const small = { command: 'project create', args: { name: 'small', plan: 'free' } };
    const { project, keys } = (await at.knell.app.admin(small, () => {})) as Json;
    const chatty = (await at.knell.api('POST', '/api/v3/checks/', spec, keys.read_write)).json();
    const ping = (check: Json, rest = '') => at.knell.request(`/ping/${check.uuid}${rest}`);
    await ping(busy, `/start?rid=${rid}`);
    await ping(chatty);
    // It began before the day that is shown, which ends with the hour in flight.
    await at.clock.advance(100 * 60_000);
    await ping(busy, `?rid=${rid}`);
    await at.clock.advance(22.6 * 3_600_000);
    const card = at.page.locator('.runs-card');
    const unknown = () =>
      card
        .locator('.run-bars')
        .evaluate<number, Json>((list: Json) => Number.parseFloat(list.style.getPropertyValue('--unknown')));
    await at.open(`checks/${busy.uuid}`);
    await card.locator('.run-bars li').waitFor({ state: 'attached' });
    await expect.poll(unknown).toBe(0);
    // An open page would draw its 500 bars anew at each of these pings.
    await at.page.goto('about:blank');
    const many = async (times: number, one: () => Promise<unknown>): Promise<void> => {
      for (let left = times; left > 0; left -= 50) await Promise.all(Array.from({ length: 50 }, one));
    };
    await many(550, () => ping(busy));
    await many(100, () => ping(chatty, '/log'));
    await ping(chatty);
    await at.open(`checks/${busy.uuid}`);
    await card.getByText(/^These are the newest 500, since .*; there are more\.$/).waitFor();
    await expect.poll(() => card.locator('.run-bars li').count()).toBe(500);
    await expect.poll(unknown).toBeGreaterThan(95);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.goto(`${at.knell.app.httpUrl}/project/${project.id}/checks/${chatty.uuid}`);
    await card.getByText(/^The log of pings goes back to .*: what was before is not known\.$/).waitFor();
    await expect.poll(() => card.locator('.run-bars li').count()).toBe(1);
    await expect.poll(unknown).toBeGreaterThan(95);
  });

  test('are rows with the output of each in one press', async () => {
    const { uuid } = await at.knell.create({ name: 'nightly', timeout: 3600, max_runtime: 600 });
    const from = at.clock.nowMs();
    const run = async (number: number, end: string, body = ''): Promise<void> => {
      const id = `?rid=0000001${number}-0000-4000-8000-000000000000&host=db-${number}`;
      await at.knell.request(`/ping/${uuid}/start${id}`);
      await at.clock.advance(number * 60_000);
      await at.knell.request(`/ping/${uuid}${end}${id}`, { method: 'POST', body });
    };
    for (const number of [1, 2, 3, 4]) await run(number, '', `run ${number} is done`);
    await run(5, '/3', `${'copied\n'.repeat(60)}error: <b>\u001b[31mdisk full\u001b[0m`);
    await run(6, '/start');
    await at.page.clock.setFixedTime(from + 22 * 60_000);
    await at.open(`checks/${uuid}`);
    const rows = at.page.locator('.run-rows tbody');
    await expect.poll(() => rows.count()).toBe(5);
    await expect.poll(() => rows.nth(0).textContent()).toMatch(/^Running.*–db-6$/);
    await expect.poll(() => rows.nth(1).textContent()).toMatch(/^Failure.*5 mindb-5Output/);
    await rows.nth(1).getByRole('button', { name: 'Output of the run that ended with ping 10' }).click();
    await expect.poll(() => rows.nth(1).locator('pre').textContent()).toMatch(/copied\nerror: <b>disk full$/);
    // It is shown from its end, and what speaks of an error is marked.
    await expect
      .poll(() => rows.nth(1).locator('pre .bad').allTextContents())
      .toEqual(['error: <b>disk full']);
    const below = (pre: Json) => pre.scrollHeight - pre.clientHeight - pre.scrollTop;
    expect(await rows.nth(1).locator('pre').evaluate<number, Json>(below)).toBeLessThanOrEqual(1);
    await at.page.getByRole('button', { name: 'Show more runs' }).click();
    await expect.poll(() => rows.count()).toBe(6);
    for (const width of [390, 1440]) {
      await at.page.setViewportSize({ width, height: 900 });
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    // Without a machine there is no column of machines.
    const lonely = await at.knell.create({
      name: 'lonely',
      slug: 'lonely',
      timeout: 86_400,
      max_runtime: 600,
    });
    await at.knell.request(`/ping/${lonely.uuid}`);
    await at.open(`checks/${lonely.uuid}`);
    await at.page.locator('.run-rows thead').waitFor();
    await expect
      .poll(() => at.page.locator('.run-rows thead th:visible').allTextContents())
      .toEqual(['Outcome', 'Started', 'Ended', 'Took', 'Output']);
    // Where there is no column of ends, one without a start still says when it was.
    const when = () => rows.nth(0).locator('td').first().locator('span:visible').textContent();
    await expect.poll(when).toBe('–');
    await at.page.setViewportSize({ width: 390, height: 900 });
    await expect.poll(when).toMatch(/\d+:\d\d.*\s*end$/);
  });
});
