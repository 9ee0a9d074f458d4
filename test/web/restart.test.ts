/** Knell is ended while pages listen, and started again where it was: the pages notice, wait, and go on by themselves. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { goodPassword, knellAt, linkIn, PageClient } from '../support/page/page-client.ts';
import { patienceMs } from '../support/patience.ts';
import { KnellProcess } from '../support/process/knell-process.ts';

const silentListeners = 40;

describe.skipIf(browserMissing !== '')('ending and starting again', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'knell-test-'));
  let knell: KnellProcess;
  let address = '';
  let browser: Browser;
  let page: Page;
  let leaving: Page;
  let pingUrl = '';
  const owner = new PageClient(knellAt(() => knell.httpUrl));
  const second = new PageClient(knellAt(() => knell.httpUrl));

  beforeAll(async () => {
    address = `127.0.0.1:${await freePort()}`;
    knell = await KnellProcess.start(dataDir, { KNELL_HTTP: address, KNELL_BASE_URL: `http://${address}` });
    const link = linkIn(knell.setUpUrl);
    await owner.post('/web/set-password', { link, name: 'ada', password: goodPassword });
    const project = (await owner.get('/web/state')).json().projects[0].id;
    const made = await owner.post(`/web/in/${project}/api/checks/`, {
      name: 'Nightly backup',
      timeout: 3600,
    });
    pingUrl = `/ping/${made.json().uuid}`;
    await second.signIn('ada');
    browser = await openBrowser();
    page = await shown(owner, `/project/${project}/checks`);
    leaving = await shown(second, `/project/${project}/checks`);
    await Promise.all(Array.from({ length: silentListeners }, () => silent(project)));
  });

  afterAll(async () => {
    await closeBrowser(browser);
    await knell?.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function shown(client: PageClient, path: string): Promise<Page> {
    const context = await browser.newContext();
    const [name = '', value = ''] = client.cookie.split('=');
    await context.addCookies([{ name, value, url: knell.httpUrl }]);
    const opened = await context.newPage();
    opened.setDefaultTimeout(patienceMs);
    await opened.goto(knell.httpUrl + path);
    await opened.getByText('Live', { exact: true }).waitFor();
    return opened;
  }

  /** A listener that never says a word, not even when the connection ends. */
  async function silent(project: string): Promise<void> {
    const asked = request(`${knell.httpUrl}/web/live?project=${project}&csrf=${owner.csrf}`, {
      headers: {
        cookie: owner.cookie,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-version': '13',
      },
    });
    asked.end();
    const [, socket]: [unknown, Socket] = (await once(asked, 'upgrade')) as [unknown, Socket];
    socket.on('error', () => {});
    socket.pause();
  }

  test('SIGTERM ends the process with 0, however many pages are open', async () => {
    await page.evaluate('window.notLoadedAnew = true');
    // Its pauses never end: only what the browser says brings it back.
    await page.evaluate(
      '{ const real = setTimeout; window.setTimeout = (run, ms, ...rest) => ms > 320 && ms <= 3000 ? 0 : real(run, ms, ...rest); }',
    );
    // A network that drops everything: the first try of this one is never answered.
    await leaving.route('**/web/state', () => {}, { times: 1 });
    expect(await knell.end('SIGTERM')).toBe(0);
  });

  test('the page says that the connection is lost, and keeps what it knew', async () => {
    await page.getByText('Reconnecting…').waitFor();
    await page.locator('.row', { hasText: 'Nightly backup' }).getByText('No pings yet').waitFor();
  });

  test('pages come back by themselves, at once when the network does, and show what happens then', async () => {
    knell = await KnellProcess.start(dataDir, {
      KNELL_HTTP: address,
      KNELL_BASE_URL: `http://${address}`,
    });
    await leaving.getByText('Live', { exact: true }).waitFor();
    await page
      .getByText(/^(Reconnecting|Offline)/)
      .first()
      .waitFor();
    await page.evaluate("dispatchEvent(new Event('online'))");
    await page.getByText('Live', { exact: true }).waitFor();
    expect((await fetch(knell.httpUrl + pingUrl)).status).toBe(200);
    await page.locator('.row.up', { hasText: 'Nightly backup' }).waitFor();
    expect(await page.evaluate('window.notLoadedAnew')).toBe(true);
  });

  test('a network that drops everything is noticed: a connection that says nothing for long is doubted', async () => {
    const relay = await Relay.start(Number(address.split(':')[1]));
    const context = await browser.newContext();
    const [name = '', value = ''] = owner.cookie.split('=');
    await context.addCookies([{ name, value, url: relay.url }]);
    const quiet = await context.newPage();
    await quiet.clock.install();
    await quiet.goto(`${relay.url}/projects`);
    await quiet.getByRole('link', { name: 'Knell', exact: true }).first().click();
    await quiet.getByText('Live', { exact: true }).waitFor();
    const answered = quiet.waitForResponse('**/manifest.webmanifest');
    await quiet.clock.fastForward(30_000);
    expect((await answered).ok()).toBe(true);
    await quiet.getByText('Live', { exact: true }).waitFor();
    relay.isSilent = true;
    await quiet.clock.fastForward(30_000);
    await quiet.getByText(/^Offline, data from /).waitFor();
    relay.isSilent = false;
    await quiet.evaluate("dispatchEvent(new Event('online'))");
    await quiet.clock.fastForward(6000);
    await quiet.getByText('Live', { exact: true }).waitFor();
    await context.setOffline(true);
    await quiet.getByText(/^Offline, data from /).waitFor({ timeout: 5000 });
    await context.close();
    await relay.stop();
  });

  test('a page whose session ends elsewhere asks to sign in', async () => {
    await leaving.getByText('Live', { exact: true }).waitFor();
    expect((await second.post('/web/sign-out')).status).toBe(200);
    await leaving.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await leaving.waitForURL('**/sign-in');
  });

  test('anyone who signs in comes to the page that was asked for', async () => {
    await leaving.getByLabel('Name').fill('ada');
    await leaving.getByLabel('Password').fill(goodPassword);
    await leaving.getByRole('button', { name: 'Sign in', exact: true }).click();
    await leaving.waitForURL('**/project/*/checks');
    await leaving.getByText('Live', { exact: true }).waitFor();
    const { uuid } = /\/ping\/(?<uuid>.+)/.exec(pingUrl)?.groups ?? {};
    await leaving.context().clearCookies();
    await leaving.goto(`${knell.httpUrl}/checks/${uuid}/details/`);
    await leaving.getByLabel('Name').fill('ada');
    await leaving.getByLabel('Password').fill(goodPassword);
    await leaving.getByRole('button', { name: 'Sign in', exact: true }).click();
    await leaving.getByRole('heading', { name: 'Nightly backup' }).waitFor();
  });

  test('a bookmark of Healthchecks without a project redirects to the page of the project, after signing in', async () => {
    await leaving.context().clearCookies();
    await leaving.goto(`${knell.httpUrl}/integrations/`);
    await leaving.getByLabel('Name').fill('ada');
    await leaving.getByLabel('Password').fill(goodPassword);
    await leaving.getByRole('button', { name: 'Sign in', exact: true }).click();
    await leaving.waitForURL('**/project/*/integrations');
    await leaving.getByRole('heading', { name: 'Integrations' }).first().waitFor();
  });
});

/** Passes on bytes between the page and the server, or loses all of them. */
class Relay {
  isSilent = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number) {
    this.#server = createServer((page) => {
      const server = connect(port, '127.0.0.1');
      for (const [from, to] of [
        [page, server],
        [server, page],
      ] as const) {
        this.#sockets.add(from);
        from.on('data', (bytes: Buffer) => this.isSilent || to.write(bytes));
        from.on('error', () => {});
        from.on('close', () => to.destroy());
      }
    });
  }

  static async start(port: number): Promise<Relay> {
    const relay = new Relay(port);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** A port given by the system cannot be had again for a minute; one that was asked for can. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
