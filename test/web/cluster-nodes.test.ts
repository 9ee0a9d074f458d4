/** The server's settings at a cluster's node, in a real browser: which nodes there are. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { goodPassword, knellAt, linkIn, PageClient } from '../support/page/page-client.ts';
import { patienceMs } from '../support/patience.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';

describe.skipIf(browserMissing !== '')('the settings of the server in a cluster', () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  let leader: Knell;
  let standby: Knell;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    leader = await start('a');
    const link = linkIn((await leader.app.leading)?.setUpUrl ?? '');
    standby = await start('b');
    const client = new PageClient(knellAt(() => standby.app.httpUrl));
    await client.post('/web/set-password', { link, name: 'ada', password: goodPassword });
    await client.get('/web/state');
    browser = await openBrowser();
    const context = await browser.newContext();
    const [name = '', value = ''] = client.cookie.split('=');
    await context.addCookies([{ name, value, url: standby.app.httpUrl }]);
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${standby.app.httpUrl}/server`);
  });

  afterAll(async () => {
    await closeBrowser(browser);
    await standby?.stop();
    await leader?.stop();
  });

  const start = (node: string): Promise<Knell> =>
    Knell.start({
      link: memoryLink(cluster, node),
      env: { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: node },
    });

  const row = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });

  test('shows each node, what it is and how far it is behind', async () => {
    await row('a').getByText('Leader', { exact: true }).waitFor();
    await row('b').getByText('Standby', { exact: true }).waitFor();
    await row('b').getByText('Up to date').waitFor();
    await page.getByText('2 of 2 nodes are running').waitFor();
  });

  test('shows a node that joins, and one that is gone, without a reload', async () => {
    const third = await start('c');
    await row('c').getByText('Standby', { exact: true }).waitFor();
    await page.getByText('3 of 3 nodes are running').waitFor();
    await third.stop();
    await row('c').getByText('Gone', { exact: true }).waitFor();
    await row('c').getByText('last seen').waitFor();
    await page.getByText('2 of 3 nodes are running').waitFor();
  });

  test('is live at a node that does not lead', async () => {
    const { uuid } = await leader.leading().then(() => leader.create({ name: 'Live job' }));
    await page.getByRole('link', { name: 'Checks' }).first().click();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('.row', { hasText: 'Live job' }).getByText('No pings yet').waitFor();
    expect((await leader.request(`/ping/${uuid}`)).text).toBe('OK');
    await page.locator('.row.up', { hasText: 'Live job' }).waitFor();
  });
});
