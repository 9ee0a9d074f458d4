/** A page asks the server for nothing twice, unless something has changed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { patienceMs } from '../support/patience.ts';

/** Longer than a page waits before it asks anew for what has changed. */
const settledMs = 1500;

describe.skipIf(browserMissing !== '')('nothing is asked for twice', () => {
  let at: OwnerBrowser;
  let uuid = '';
  let asked: string[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.clock.install();
    uuid = (await at.knell.create({ name: 'Nightly backup', slug: 'backup' })).uuid;
    await at.knell.request(`/ping/${uuid}`);
    at.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/web/')) asked.push(`${request.method()} ${pathname}${search}`);
    });
  });

  afterAll(() => at?.stop());

  const twice = (): readonly string[] => asked.filter((one, place) => asked.indexOf(one) !== place);

  /** By the browser's clock, which is wound on. */
  async function settled(selector: string): Promise<void> {
    await at.page.locator(selector).first().waitFor();
    await at.page.waitForLoadState('networkidle');
    await at.page.clock.runFor(settledMs);
    await at.page.waitForLoadState('networkidle');
  }

  /** Within the document, so that the connection for live updates is there already. */
  async function goTo(path: string): Promise<void> {
    asked = [];
    const to = JSON.stringify(`/project/${at.project}/${path}`);
    await at.page.evaluate(
      `{ const link = document.createElement('a'); link.href = ${to}; document.body.append(link); link.click(); link.remove(); }`,
    );
  }

  test.each([
    ['checks', '.row'],
    ['check', '.log li'],
    ['new', 'form.check-form'],
    ['status-pages', 'h1'],
    ['badges', 'img'],
    ['integrations', 'h1'],
    ['settings', '.line'],
    ['settings/members', '.members td'],
  ])('by the page %s', async (name, selector) => {
    const [before, there] = name.startsWith('settings') ? ['badges', 'img'] : ['settings', '.line'];
    await at.open(before);
    await settled(there);
    await goTo(name === 'check' ? `checks/${uuid}` : name);
    await settled(selector);
    expect(asked.length).toBeGreaterThan(0);
    expect(twice()).toEqual([]);
  });

  test('where the counts of the project come after the rows', async () => {
    let release = (): void => {};
    const rowsAreThere = new Promise<void>((resolve) => {
      release = resolve;
    });
    await at.page.route('**/summary', async (route) => {
      await rowsAreThere;
      await route.continue();
    });
    let goOn = (): void => {};
    const isLive = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await at.page.route('**/status-pages-page*.js', async (route) => {
      await isLive;
      await route.continue();
    });
    const rows = at.page.waitForResponse(/\/rows$/);
    asked = [];
    await at.page.goto(`${at.knell.app.httpUrl}/project/${at.project}/status-pages`);
    await at.page.getByText('Live', { exact: true }).waitFor();
    goOn();
    await (await rows).finished();
    release();
    await settled('h1');
    expect(twice()).toEqual([]);
    await at.page.unrouteAll({ behavior: 'wait' });
  });

  test('a check that is created or changed is asked for', async () => {
    await at.open('status-pages');
    await settled('main button');
    asked = [];
    await at.knell.create({ name: 'Second' });
    await expect.poll(() => asked, { timeout: patienceMs }).toEqual([`GET /web/in/${at.project}/rows`]);
    await goTo(`checks/${uuid}`);
    await settled('.log li');
    asked = [];
    await at.knell.request(`/ping/${uuid}/fail`);
    await at.page.getByText('The job reported a failure').first().waitFor();
    await settled('.log li');
    expect(asked.some((one) => one.endsWith('/log'))).toBe(true);
    expect(twice()).toEqual([]);
  });
});
