/**
 * How soon a slow phone can use the list, and that nothing on it moves when updates arrive. Not measured on the wall clock,
 * which on a busy machine says nothing about the page: what the phone needs is computed from what the page asks for and
 * from the processor time of its thread.
 *
 * The network: 150 ms per request, 1.6 Mbit/s (what Lighthouse calls slow 4G). The phone: a quarter of a desktop's speed,
 * by a fixed amount of work that is measured on this machine before. Not in it: opening connections.
 */
import type { Browser, CDPSession, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { ownerPage } from '../support/page/page-client.ts';
import { patienceMs } from '../support/patience.ts';

const phone = { width: 390, height: 844 };
const requestMs = 150;
const bytesPerMs = 1600 / 8;
/** What the phone needs for `work`, in milliseconds of its processor. */
const phoneWorkMs = 25;
const checksShown = 100;
const usableWithinMs = 1000;
const loadsMeasured = 5;

/** A little of what a page does: objects, JSON, elements. */
const work = `(() => {
  const root = document.createElement('div');
  for (let round = 0; round < 200; round++) {
    const rows = Array.from({ length: 50 }, (_, n) => ({ name: 'job ' + n, tags: ['a' + n, 'b' + n] }));
    const read = JSON.parse(JSON.stringify(rows));
    root.replaceChildren(...read.slice(0, 10).map(({ name }) => {
      const row = document.createElement('p');
      row.className = 'row';
      row.textContent = name;
      return row;
    }));
  }
})()`;
const warmUps = 6;
const samples = 5;

const watchShifts = `(() => {
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => ({
    value: entry.value,
    atMs: entry.startTime,
    of: entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 120) : String(node))),
  })))).observe({ type: 'layout-shift', buffered: true });
})()`;

/** Settles once the list is there. What Playwright looks for by itself takes the page's thread a quarter of the time. */
const watchList = `
  window.listShown = new Promise((done) => {
    const look = () => {
      const all = document.querySelector('.under')?.textContent.includes('${checksShown} checks');
      if (all && document.querySelector('.row')) done();
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
`;

describe.skipIf(browserMissing !== '')('on a slow phone', () => {
  const clock = new SimulatedClock(Date.now());
  const checks: Json[] = [];
  let knell: Knell;
  let browser: Browser;
  let cookie = '';
  let project = '';

  beforeAll(async () => {
    knell = await Knell.start({ clock });
    const owner = await ownerPage(knell);
    cookie = owner.cookie;
    project = (await owner.get('/web/state')).json().projects[0].id;
    for (let n = 0; n < checksShown; n++) {
      const tags = `team-${n % 7} ${n % 2 ? 'prod' : 'staging'}`;
      checks.push(
        await knell.create({ name: `Job number ${n} of the night`, tags, timeout: 3600, grace: 600 }),
      );
    }
    browser = await openBrowser();
  });

  afterAll(async () => {
    await closeBrowser(browser);
    await knell?.stop();
  });

  /** Milliseconds of the processor that the page's thread has used since it began. */
  async function usedMs(devtools: CDPSession): Promise<number> {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  }

  async function measured(page: Page): Promise<CDPSession> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    return devtools;
  }

  /** How many times as fast as the phone this machine is. */
  async function measureSpeed(): Promise<number> {
    const context = await browser.newContext();
    const page = await context.newPage();
    const devtools = await measured(page);
    const times: number[] = [];
    for (let run = 0; run < warmUps + samples; run++) {
      const before = await usedMs(devtools);
      await page.evaluate(work);
      times.push((await usedMs(devtools)) - before);
    }
    await context.close();
    const median = times.slice(warmUps).sort((a, b) => a - b)[samples >> 1] ?? 0;
    return Math.max(1, phoneWorkMs / median);
  }

  async function phonePage(): Promise<Page> {
    const context = await browser.newContext({ viewport: phone, deviceScaleFactor: 2, isMobile: true });
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: knell.app.httpUrl }]);
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.addInitScript(watchShifts);
    await page.addInitScript(watchList);
    return page;
  }

  /** What a phone with nothing in its cache gets, and what its page takes until the list is there. */
  async function loadedOnce(): Promise<{ readonly bytes: number; readonly usedMs: number }> {
    const page = await phonePage();
    const devtools = await measured(page);
    const answered: Request[] = [];
    page.on('response', (response) => answered.push(response.request()));
    await page.goto(`${knell.app.httpUrl}/project/${project}/checks`);
    await page.evaluate('window.listShown');
    const used = await usedMs(devtools);
    // What is answered after this was not needed for it, and may end with the page.
    const sizes = await Promise.all(answered.map((request) => request.sizes()));
    const bytes = sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
    await page.context().close();
    return { bytes, usedMs: used };
  }

  test(`the list can be used within ${usableWithinMs} ms, with nothing in the cache`, async () => {
    const loads = [];
    // The machine's other work, which slows the processor too, is not the page's fault.
    for (let load = 0; load < loadsMeasured; load++) {
      const speed = await measureSpeed();
      const { bytes, usedMs: used } = await loadedOnce();
      loads.push({ bytes, processorMs: used * speed });
    }
    const bytes = Math.max(...loads.map((load) => load.bytes));
    const processorMs = Math.min(...loads.map((load) => load.processorMs));
    // The page, and then all that it needs at once: see the next test.
    const networkMs = 2 * requestMs + bytes / bytesPerMs;
    const said = `${Math.round(networkMs)} ms of the network (${bytes} bytes), ${Math.round(processorMs)} of the processor`;
    console.info(said);
    expect(networkMs + processorMs, said).toBeLessThan(usableWithinMs);
  });

  test.each(['', 'project'])('all that the list needs is asked for at once, of /%s', async (address) => {
    const path = address === '' ? '/' : `/project/${project}/checks`;
    const page = await phonePage();
    const asked: string[] = [];
    const held: (() => Promise<void>)[] = [];
    const html = (await knell.request(path)).text;
    const files = [...html.matchAll(/assets\/([^"]+)"/g)].map(([, name = '']) => name);
    const needed = [...files, 'list', 'state'];
    // Nothing is answered before all are asked for: one that waited for another would never be.
    await page.route(/\/assets\/|\/web\//, async (route) => {
      asked.push(new URL(route.request().url()).pathname.replace(/^.*\//, ''));
      held.push(() => route.continue());
      if (asked.length >= needed.length) await Promise.all(held.splice(0).map((answer) => answer()));
    });
    await page.goto(`${knell.app.httpUrl}${path}`);
    await page.getByText('Live', { exact: true }).waitFor();
    expect(asked.slice(0, needed.length).sort()).toEqual(needed.sort());
    expect(files.length).toBeLessThanOrEqual(3);
    // Asked whether anything has changed, when the connection is there; the state is not. And what maintenance is on.
    await expect.poll(() => asked.slice(needed.length).sort()).toEqual(['active', 'list']);
    await page.unrouteAll({ behavior: 'wait' });
    await page.context().close();
  });

  test('nothing moves while pings and status changes arrive', async () => {
    const page = await phonePage();
    // By name: what is down first changes the order, on purpose.
    await page.goto(`${knell.app.httpUrl}/project/${project}/checks?sort=name`);
    await page.evaluate('window.listShown');
    await page.getByText('Live', { exact: true }).waitFor();
    const settled = (await page.evaluate<Json[]>('window.shifts')).length;
    for (let round = 0; round < 4; round++) {
      for (const [n, check] of checks.slice(0, 12).entries())
        await knell.request(`/ping/${check.uuid}${['', '/start', '/fail', '/log'][(round + n) % 4]}`);
      await clock.advance(1000);
      // What was sent to the page before has been drawn by then.
      await page.evaluate('fetch("/web/state").then(() => new Promise(requestAnimationFrame))');
    }
    await page.locator('.row.down').first().waitFor();
    await clock.advance(3700_000);
    await page.locator('.row').getByText('overdue').first().waitFor();
    await clock.advance(700_000);
    await page.locator('.row').getByText('Down for').first().waitFor();
    await expect.poll(() => page.title()).toMatch(/^\d+ down – /);
    const all = await page.evaluate<Json[]>('window.shifts');
    const moves = all.slice(settled);
    expect(
      moves.reduce((sum, { value }) => sum + value, 0),
      JSON.stringify(moves),
    ).toBeLessThan(0.01);
    await page.context().close();
  });
});
