/**
 * This browser as an integration, in a real Chromium: its service worker shows what is pushed and opens the check; the button of the
 * form says what the browser refuses. Chromium without Google's services cannot subscribe: where it has to, `PushManager.subscribe`
 * is replaced by one that gives a subscription with a real key pair, and nothing else is.
 */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asCheckId, uniqueKeyOf } from '../../src/lib/ids.ts';
import { type Json, Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { seriousFindings } from '../support/page/findings.ts';
import { ownerPage, type PageClient } from '../support/page/page-client.ts';
import { patienceMs } from '../support/patience.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { PrefixProxy } from '../support/wire/prefix-proxy.ts';
import { PushBrowser } from '../support/wire/push-browser.ts';
import { PushService, verifiedClaims } from '../support/wire/push-service.ts';

describe.skipIf(browserMissing !== '')('this browser', () => {
  let knell: Knell;
  let proxy: PrefixProxy;
  let service: PushService;
  let owner: PageClient;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let devtools: CDPSession;
  let base = '';
  let project = '';

  beforeAll(async () => {
    service = await PushService.start(tempDir());
    // Under a path, as where it shares a site: the service worker is for that path only.
    let target = '';
    proxy = await PrefixProxy.start('/knell', true, () => target);
    base = `${proxy.origin}/knell`;
    knell = await Knell.start({ env: { KNELL_BASE_URL: base } });
    target = knell.app.httpUrl;
    owner = await ownerPage(knell);
    project = (await owner.get('/web/state')).json().projects[0].id;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await closeBrowser(browser);
    await knell?.stop();
    await proxy?.stop();
    await service?.stop();
  });

  beforeEach(async () => {
    service.forget();
    context = await browser.newContext({ viewport: { width: 390, height: 800 } });
    const [name = '', value = ''] = owner.cookie.split('=');
    await context.addCookies([{ name, value, url: base }]);
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    devtools = await context.newCDPSession(page);
  });
  afterEach(() => context.close());

  const open = (path: string) => page.goto(`${base}/project/${project}/${path}`);
  const form = () => page.locator('form.check-form');
  const press = () => form().getByRole('button', { name: 'Alert this browser', exact: true }).click();
  const allow = () => context.grantPermissions(['notifications'], { origin: proxy.origin });

  /** Registers the service worker as the button does, and returns the id that the developers' tools have for it. */
  async function worker(): Promise<string> {
    await devtools.send('ServiceWorker.enable');
    const known = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL === `${base}/`);
        if (own) resolve(own.registrationId);
      });
    });
    await page.evaluate(async () => {
      const { location, navigator } = globalThis as unknown as Json;
      const root = `${location.pathname.split('/project')[0]}/`;
      await navigator.serviceWorker.register(`${root}sw.js`, { scope: root });
      await navigator.serviceWorker.ready;
    });
    return known;
  }

  async function deliver(registrationId: string, message: object | string): Promise<void> {
    const data = typeof message === 'string' ? message : JSON.stringify(message);
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: proxy.origin, registrationId, data });
  }

  const notifications = (): Promise<readonly Json[]> =>
    page.evaluate(async () => {
      const { navigator } = globalThis as unknown as Json;
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(
        ({ title, body, tag, data, requireInteraction }: Json) => ({
          ...{ title, body, tag, data, requireInteraction },
        }),
      );
    });

  const alert = (check: Json, status: 'down' | 'up', key: string) => ({
    title: status === 'down' ? `🔴 ${check.name} is DOWN` : `🟢 ${check.name} is UP`,
    text: 'The job reported a failure.',
    url: `${base}/project/${project}/checks/${key}`,
    tag: key,
    status,
  });

  test('shows what is pushed, the recovery in place of the outage', async () => {
    await allow();
    await open('integrations');
    const id = await worker();
    const check = { name: 'Nightly <b>backup</b>' };
    await deliver(id, alert(check, 'down', 'a1'));
    await expect.poll(notifications).toEqual([
      {
        title: '🔴 Nightly <b>backup</b> is DOWN',
        body: 'The job reported a failure.',
        tag: 'a1',
        data: { url: `${base}/project/${project}/checks/a1` },
        requireInteraction: true,
      },
    ]);
    await deliver(id, alert({ name: 'Other' }, 'down', 'b2'));
    await deliver(id, alert(check, 'up', 'a1'));
    await expect
      .poll(async () => (await notifications()).map(({ title }) => title).sort())
      .toEqual(['🔴 Other is DOWN', '🟢 Nightly <b>backup</b> is UP']);
    // A browser ends the subscription of a worker that shows nothing.
    await deliver(id, 'no JSON');
    await expect.poll(async () => (await notifications()).map(({ title }) => title)).toContain('Knell');
  });

  /**
   * Clicks the notification. Chromium lets nothing but a click of its user open or focus a window, and has no way to click for a
   * program: the event is made, and what the worker asks for is returned instead of done.
   */
  async function click(title: string): Promise<{ readonly opened: string; readonly focused: string }> {
    const [own] = context.serviceWorkers();
    if (!own) throw new Error('there is no service worker');
    return own.evaluate(async (wanted) => {
      const worker = globalThis as unknown as Json;
      const asked = { opened: '', focused: '' };
      worker.clients.openWindow = async (url: string) => {
        asked.opened = url;
      };
      worker.WindowClient.prototype.focus = async function () {
        asked.focused = this.url;
      };
      const shown = await worker.registration.getNotifications();
      const notification = shown.find((one: Json) => one.title === wanted);
      const event = new worker.NotificationEvent('notificationclick', { notification });
      let done: unknown;
      Object.defineProperty(event, 'waitUntil', { value: (promise: unknown) => (done = promise) });
      worker.dispatchEvent(event);
      await done;
      return asked;
    }, title);
  }

  test('opens the check at a click: in the tab that shows it, or in a new one', async () => {
    await allow();
    const check = await knell.create({ name: 'Clicked', channels: '' });
    const key = uniqueKeyOf(asCheckId(check.uuid));
    await open('integrations');
    const id = await worker();
    const shown = alert(check, 'down', key);
    await deliver(id, shown);
    await expect.poll(notifications).toHaveLength(1);
    expect(await click(shown.title)).toEqual({ opened: shown.url, focused: '' });
    // A click takes it away.
    await expect.poll(notifications).toEqual([]);
    await page.goto(shown.url);
    await page.getByRole('heading', { name: 'Clicked', level: 1 }).waitFor();
    // Its address has the UUID for those who may edit it.
    expect(page.url()).toBe(`${base}/project/${project}/checks/${check.uuid}`);
    // With a tag of its own: Chromium may still be closing the one before.
    await deliver(id, { ...shown, tag: 'another' });
    await expect.poll(notifications).toHaveLength(1);
    expect(await click(shown.title)).toEqual({ opened: '', focused: page.url() });
  });

  test('is the first of all kinds, and its form says what an iPhone needs', async () => {
    await open('integrations');
    await page.getByRole('region', { name: 'Add an integration' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Add this browser', level: 1 }).waitFor();
    await form().getByText('Add to Home Screen').waitFor();
    expect(await seriousFindings(page, 'form')).toEqual([]);
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
  });

  test.each([
    ['denied', 'This browser blocks the notifications of this page'],
    ['granted', 'The push service of this browser gave no subscription.'],
  ] as const)('says what the browser refuses: permission %s', async (setting, words) => {
    const root = await browser.newBrowserCDPSession();
    const { targetInfo } = await devtools.send('Target.getTargetInfo');
    const where = { origin: proxy.origin, browserContextId: targetInfo.browserContextId ?? '' };
    await root.send('Browser.setPermission', { ...where, permission: { name: 'notifications' }, setting });
    await open('integrations/new/webpush');
    await press();
    await form().getByRole('alert').filter({ hasText: words }).waitFor();
    expect(await nameOfAll()).toEqual([]);
    await root.detach();
  });

  const nameOfAll = async (): Promise<readonly string[]> => {
    const { integrations } = (await owner.get(`/web/in/${project}/integrations`)).json();
    return integrations.map(({ name }: Json) => name);
  };

  /** In place of what Chromium would get from Google: the key is the server's, and the pair of the subscription is real. */
  const subscribing = (subscription: string): Promise<unknown> =>
    context.addInitScript((value) => {
      const found = { ...JSON.parse(value), toJSON: () => JSON.parse(value) };
      const { PushManager } = globalThis as unknown as Json;
      PushManager.prototype.getSubscription = async () => null;
      PushManager.prototype.subscribe = async (options: Json) => {
        Object.assign(globalThis, { subscribedWith: options });
        return { ...found, options };
      };
    }, subscription);

  test('is added, named, and tested at one press; a new subscription takes the place of the old one', async () => {
    await allow();
    const [user, renewed] = [PushBrowser.random(), PushBrowser.random()];
    await subscribing(user.subscription(`${service.origin}/send/1`));
    await open('integrations/new/webpush');
    await press();
    await page.getByRole('heading', { name: 'Chrome on Linux was added' }).waitFor();
    await page.getByText('Sent. Did it arrive?').waitFor();
    const sent = await service.request(1);
    const message = JSON.parse(user.decrypt(sent.bytes));
    expect(message.title).toContain('Test notification from Knell');
    const { key } = (await owner.get('/web/push-key')).json();
    expect((await verifiedClaims(String(sent.headers.authorization))).key).toBe(key);
    expect(await page.evaluate('subscribedWith')).toEqual({
      userVisibleOnly: true,
      applicationServerKey: key,
    });
    // What was sent is shown by the worker that the button has registered.
    await deliver(await worker(), message);
    await expect.poll(async () => (await notifications()).map(({ title }) => title)).toEqual([message.title]);

    await subscribing(renewed.subscription(`${service.origin}/send/2`));
    const moved = page.waitForResponse((response) => response.url().endsWith('/web/push-moved'));
    await open('checks');
    expect(await (await moved).json()).toEqual({ count: 1 });
    await open('integrations');
    await page.getByRole('button', { name: 'Send test to Chrome on Linux' }).click();
    const again = await service.request(2);
    expect([again.path, JSON.parse(renewed.decrypt(again.bytes)).title]).toEqual(['/send/2', message.title]);
  });

  /** What the browser sends its worker when it has replaced a subscription; `waitUntil` is that of a real event. */
  const changed = (before: string, after: string): Promise<void> =>
    (context.serviceWorkers()[0] ?? fail()).evaluate(
      async ([oldEndpoint, value = '']) => {
        let done: unknown;
        const event = Object.assign(new Event('pushsubscriptionchange'), {
          oldSubscription: { endpoint: oldEndpoint },
          newSubscription: { toJSON: () => JSON.parse(value) },
          waitUntil: (promise: unknown) => {
            done = promise;
          },
        });
        (globalThis as unknown as Json).dispatchEvent(event);
        await done;
      },
      [before, after],
    );

  test('repairs by itself what the browser has replaced, if somebody is signed in, and says so else', async () => {
    await allow();
    const user = PushBrowser.random();
    const value = user.subscription(`${service.origin}/send/before`);
    const body = { kind: 'webpush', name: 'Replaced', fields: { value }, checks: 'none' };
    const { id } = (await owner.post(`/web/in/${project}/channels`, body)).json();
    await open('integrations');
    await worker();
    await changed(`${service.origin}/send/before`, user.subscription(`${service.origin}/send/after`));
    await owner.post(`/web/in/${project}/channels/${id}/test`);
    expect((await service.request(1)).path).toBe('/send/after');
    expect(await notifications()).toEqual([]);
    await context.clearCookies();
    await changed(`${service.origin}/send/after`, user.subscription(`${service.origin}/send/third`));
    expect(await notifications()).toMatchObject([{ title: 'Knell can no longer alert this browser' }]);
  });

  test('is an app that can be installed', async () => {
    await open('integrations');
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // A context of a test is a private window, to which Chromium adds none.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
    const { url, errors, data } = await devtools.send('Page.getAppManifest');
    expect([url, errors]).toEqual([`${base}/manifest.webmanifest`, []]);
    const { start_url, scope, icons } = JSON.parse(data ?? '');
    for (const path of [start_url, scope]) expect(new URL(path, url).href).toBe(`${base}/`);
    for (const { src, sizes } of icons) {
      const size = await page.evaluate(async (address) => {
        const { Image } = globalThis as unknown as Json;
        const image = new Image();
        image.src = address;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, new URL(src, url).href);
      expect(size).toBe(sizes);
    }
  });
});

function fail(): never {
  throw new Error('there is no service worker');
}
