/** Knell under a path of a site, behind a proxy that hands the path on and behind one that strips it, in a browser. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answerOf, Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { goodPassword, linkIn } from '../support/page/page-client.ts';
import { patienceMs } from '../support/patience.ts';
import { PrefixProxy } from '../support/wire/prefix-proxy.ts';

const running: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.stop();
});

async function start(strips: boolean): Promise<{ knell: Knell; base: string }> {
  let target = '';
  const proxy = await PrefixProxy.start('/knell', strips, () => target);
  running.push(proxy);
  const base = `${proxy.origin}/knell`;
  const knell = await Knell.start({ env: { KNELL_BASE_URL: base, KNELL_HTTP_COMPAT: '127.0.0.1:0' } });
  running.push(knell);
  target = knell.app.httpUrl;
  return { knell, base };
}

const get = async (url: string, headers = {}) => answerOf(await fetch(url, { redirect: 'manual', headers }));

describe.each([
  ['hands its path on', false],
  ['strips its path', true],
])('behind a proxy that %s', (_what, strips) => {
  test('every address that Knell gives out works, on both listeners', async () => {
    const { knell, base } = await start(strips);
    const check = await knell.create({ name: 'Backup', slug: 'backup', tags: 'nightly' });
    const key = { 'x-api-key': knell.keys.readWrite };
    expect(check.ping_url).toBe(`${base}/ping/${check.uuid}`);
    expect((await get(check.ping_url)).text).toBe('OK');
    expect((await get(`${base}/ping/${knell.keys.ping}/backup`)).text).toBe('OK');
    expect((await get(check.update_url, key)).json()).toMatchObject({ name: 'Backup', n_pings: 2 });
    expect((await get(check.badge_url)).text).toContain('<svg');
    const { badges } = (await get(`${base}/api/v3/badges/`, key)).json();
    for (const url of Object.values<string>(badges['*'])) expect((await get(url)).status).toBe(200);
    const redirected = await get(`${base}/api/v3/checks?tag=nightly`, key);
    expect(redirected.headers.get('location')).toBe('/knell/api/v3/checks/?tag=nightly');
    expect((await get(`${base}/api/v3/checks/?tag=nightly`, key)).json().checks.length).toBe(1);
    expect((await get(`${base}//api//v3/checks/`, key)).status).toBe(200);
    // Asked directly, with the path and without it, for jobs on the same machine.
    for (const url of [knell.app.httpUrl, knell.app.compatUrl]) {
      for (const prefix of ['', '/knell'])
        expect((await get(`${url}${prefix}/ping/${check.uuid}`)).text).toBe('OK');
    }
  });

  test('the cookie is for that path, and the path without a slash is the page', async () => {
    const { knell, base } = await start(strips);
    const answer = await fetch(`${base}/web/set-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link: linkIn(knell.app.setUpUrl), name: 'ada', password: goodPassword }),
    });
    expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/knell\/;/);
    const bare = await get(base);
    expect([302, 200]).toContain(bare.status);
    expect(bare.headers.get('location') ?? '/knell/').toBe('/knell/');
  });
});

describe.skipIf(browserMissing)('in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });

  afterAll(() => closeBrowser(browser));

  test.each([
    ['hands its path on', false],
    ['strips its path', true],
  ])(
    'the page works behind a proxy that %s: set-up, list, live updates, links, reload',
    async (_what, strips) => {
      const { knell, base } = await start(strips);
      const { uuid } = await knell.create({ name: 'Backup' });
      const page = await browser.newPage();
      page.setDefaultTimeout(patienceMs);
      const outside: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(`${base}/`) && !request.url().startsWith('data:'))
          outside.push(request.url());
      });
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      expect(knell.app.setUpUrl?.startsWith(`${base}/set-password#`)).toBe(true);
      await page.goto(knell.app.setUpUrl ?? '');
      await page.getByLabel('Name').fill('ada');
      for (const field of await page.locator('input[type=password]').all()) await field.fill(goodPassword);
      await page.locator('form button').click();
      await page.getByText('Live', { exact: true }).waitFor();
      await knell.request(`/ping/${uuid}`);
      await page.locator('.row.up', { hasText: 'Backup' }).waitFor();
      await page.getByRole('link', { name: 'Backup' }).click();
      await page.waitForURL(`${base}/project/*/checks/${uuid}`);
      await page.getByText(`${base}/ping/${uuid}`).first().waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Backup' }).waitFor();
      await page.goBack();
      await page.locator('.row', { hasText: 'Backup' }).waitFor();
      expect([outside, complaints]).toEqual([[], []]);
      await page.close();
    },
  );

  test('who signs in under one name of the machine is signed in under the other', async () => {
    const knell = await Knell.start({ env: { KNELL_BASE_URL: '' } });
    running.push(knell);
    const page = await browser.newPage();
    page.setDefaultTimeout(patienceMs);
    const { port } = new URL(knell.app.httpUrl);
    const [, link = ''] = (knell.app.setUpUrl ?? '').split('#');
    await page.goto(`http://127.0.0.1:${port}/set-password#${link}`);
    expect(page.url()).toBe(`http://localhost:${port}/set-password#${link}`);
    await page.getByLabel('Name').fill('ada');
    for (const field of await page.locator('input[type=password]').all()) await field.fill(goodPassword);
    await page.locator('form button').click();
    await page.getByText('Live', { exact: true }).waitFor();
    for (const host of ['localhost', '127.0.0.1']) {
      await page.goto(`http://${host}:${port}/`);
      await page.getByText('Live', { exact: true }).waitFor();
    }
    await page.close();
  });
});
