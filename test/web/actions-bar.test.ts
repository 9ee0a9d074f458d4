/** The buttons of a check's page in a real browser: each in its place whatever the state is, and what a ping by hand asks and says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

describe.skipIf(browserMissing !== '')('the buttons of a check', () => {
  let at: OwnerBrowser;
  let check: Json;

  const ping = (rest = '') => at.knell.request(`/ping/${check.uuid}${rest}`, { method: 'POST' });
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const dialog = () => at.page.getByRole('dialog');
  const row = async (): Promise<Json> => at.knell.check(check.uuid);
  const title = (words: string | RegExp) => at.page.locator('.now .big').getByText(words).waitFor();
  /** Name and place of each that is seen, and whether it is on. */
  const bar = (): Promise<readonly (readonly [name: string, place: string, isOff: boolean])[]> =>
    at.page.locator('.actions-bar button').evaluateAll((all: Json) =>
      all
        .filter((one: Json) => one.offsetParent !== null)
        .map((one: Json) => {
          const { left, top, width } = one.getBoundingClientRect();
          const name = one.getAttribute('aria-label') ?? one.textContent.trim();
          return [name, `${left} ${top} ${width}`, one.getAttribute('aria-disabled') === 'true'];
        }),
    );
  /** One of them has another name while the check is down. */
  const places = async () =>
    (await bar()).map(([name, place]) => `${name === 'Mark as up' ? 'Ping now' : name} ${place}`);

  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.1' });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    const add = async (name: string, settings: object): Promise<string> => {
      const channel = {
        kind: 'webhook',
        name,
        fields: { url_down: 'http://127.0.0.1:9/', url_up: 'http://127.0.0.1:9/' },
      };
      return (await at.owner.post(`/web/in/${at.project}/channels`, { ...channel, ...settings })).json().id;
    };
    const hook = await add('Hook', {});
    const off = await add('Attic', {});
    await at.owner.post(`/web/in/${at.project}/channels/${off}`, { disabled: true });
    const spec = { timeout: 90_000, grace: 3600, channels: `${hook},${off}` };
    check = await at.knell.create({ name: 'Nightly backup', ...spec });
    await at.open(`checks/${check.uuid}`);
  }, 120_000);

  afterAll(() => at?.stop());

  test.each([1440, 1024, 390])('are at the same places in every state, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 900 });
    await at.knell.api('POST', `/api/v3/checks/${check.uuid}/resume`);
    await ping();
    await title('Up');
    const known = await places();
    await ping('/fail');
    await title(/^Down for/);
    expect(await places()).toEqual(known);
    await button('Acknowledge').click();
    await at.page.locator('.now').getByText('Acknowledged by ada').waitFor();
    expect(await places()).toEqual(known);
    await at.knell.api('POST', `/api/v3/checks/${check.uuid}/pause`);
    await title('Paused');
    expect(await places()).toEqual(known);
    const heights = await at.page
      .locator('.actions-bar > button:visible, .actions-bar .with-menu > button')
      .evaluateAll((all: Json) => all.map((one: Json) => one.getBoundingClientRect().height));
    if (width < 768) expect(Math.min(...heights)).toBeGreaterThanOrEqual(40);
    expect(await at.findings('.now')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test.each(['light', 'dark'] as const)('say why they are off, and look so, in %s', async (colorScheme) => {
    await at.page.emulateMedia({ colorScheme });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.knell.api('POST', `/api/v3/checks/${check.uuid}/resume`);
    await ping('/fail');
    await title(/^Down for/);
    const looks = (name: string): Promise<readonly string[]> =>
      button(name).evaluate((one: Json) => {
        const { color, backgroundColor, borderTopColor } =
          one.ownerDocument.defaultView.getComputedStyle(one);
        return [color, backgroundColor, borderTopColor];
      });
    const resume = button('Resume');
    await expect.poll(() => resume.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => resume.getAttribute('title')).toBe('The check is not paused');
    const [off, on] = [await looks('Resume'), await looks('Pause')];
    for (const [at, value] of off.entries()) expect(value).not.toBe(on[at]);
    // It keeps its place among the stops of the Tab key, where its reason is read.
    await resume.focus();
    expect(await resume.evaluate((one: Json) => one.matches(':focus'))).toBe(true);
    expect(await at.findings('.actions-bar')).toEqual([]);
    await at.page.emulateMedia({ colorScheme: 'light' });
  });

  test('do one thing however often they are pressed at one spot', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.knell.api('POST', `/api/v3/checks/${check.uuid}/resume`);
    await ping('/fail');
    await title(/^Down for/);
    const { n_pings: before } = await row();
    for (const name of ['Acknowledge', 'Pause']) {
      const box = await button(name).boundingBox();
      await at.page.mouse.dblclick((box?.x ?? 0) + 20, (box?.y ?? 0) + 10);
      await at.page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 10);
    }
    await dialog().getByText('Pause Nightly backup?').waitFor();
    expect((await row()).status).toBe('down');
    await eventually(async () => {
      await at.page.keyboard.press('Enter');
      expect((await row()).status).toBe('paused');
    });
    await title('Paused');
    await at.page.locator('.log .change.to-paused').first().waitFor();
    expect(await row()).toMatchObject({ status: 'paused', n_pings: before });
    await at.page.locator('.actions-bar').getByRole('button', { name: 'Resume' }).click();
    await title('Waiting for a ping');
  });

  test('ask before a ping marks a check as up that is down, and say who is notified', async () => {
    await ping('/fail');
    await title(/^Down for/);
    const { n_pings: before } = await row();
    const box = await button('Mark as up').boundingBox();
    await at.page.mouse.dblclick((box?.x ?? 0) + 20, (box?.y ?? 0) + 10);
    await dialog().getByText('Mark Nightly backup as up?').waitFor();
    // Its alert that the check is down fails meanwhile.
    await dialog()
      .getByText(/^Notified that it is up: Hook \(Webhook\)\.|^Hook \(Webhook\): tried, but/)
      .waitFor();
    await dialog().getByText('which is still waiting for Hook (Webhook), is not sent.').waitFor();
    expect(await at.findings('dialog')).toEqual([]);
    await at.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await row()).toMatchObject({ status: 'down', n_pings: before });
    await button('Mark as up').click();
    await dialog()
      .getByText(/^Notified that it is up|: tried, but/)
      .waitFor();
    // Not the first moment: a second press would be taken for an answer.
    await eventually(async () => {
      await at.page.keyboard.press('Enter');
      expect((await row()).status).toBe('up');
    });
    await at.page.getByText('Nightly backup is marked as up.').waitFor();
    await title('Up');
    await at.page.locator('.log .change.to-up .rest', { hasText: 'by hand, by ada' }).first().waitFor();
    await at.page.locator('.log .run .rest', { hasText: 'by hand, by ada' }).first().waitFor();
  });

  test('ask also in the list, and where the page had not seen that the check went down', async () => {
    await ping('/fail');
    await at.open('checks');
    await at.page.locator('.row', { hasText: 'Nightly backup' }).hover();
    await button('Ping Nightly backup now').click();
    await dialog().getByText('Mark Nightly backup as up?').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    const unasked = await at.owner.post(`/web/in/${at.project}/checks/${check.uuid}/ping`);
    expect([unasked.status, unasked.json().field]).toEqual([409, 'mark_up']);
    expect((await row()).status).toBe('down');
  });

  test('do one thing in the list, too, however often they are pressed at one spot', async () => {
    await at.knell.api('POST', `/api/v3/checks/${check.uuid}/resume`);
    await ping();
    await at.open('checks');
    const line = at.page.locator('.row', { hasText: 'Nightly backup' });
    const actions = () =>
      line
        .locator('.row-actions button')
        .evaluateAll((all: Json) => all.map((one: Json) => one.getBoundingClientRect().left));
    const pressThrice = async (name: string): Promise<void> => {
      const { x = 0, y = 0 } = (await button(name).boundingBox()) ?? {};
      await at.page.mouse.dblclick(x + 10, y + 10);
      await at.page.mouse.click(x + 10, y + 10);
    };
    await line.hover();
    const places = await actions();
    expect(await at.findings('.row')).toEqual([]);
    await pressThrice('Pause Nightly backup');
    await line.getByText(/^Paused for /).waitFor();
    await expect.poll(() => button('Pause Nightly backup').getAttribute('title')).toBe('The check is paused');
    await at.page.waitForLoadState('networkidle');
    expect((await row()).status).toBe('paused');
    expect(await actions()).toEqual(places);
    await pressThrice('Resume Nightly backup');
    await expect.poll(() => button('Pause Nightly backup').getAttribute('title')).toBe('Pause');
    await at.page.waitForLoadState('networkidle');
    expect((await row()).status).toBe('new');
    expect(await actions()).toEqual(places);
    // Nothing was refused, which a message would have said.
    expect(await at.page.locator('.toast').allTextContents()).toEqual([
      expect.stringMatching(/Nightly backup resumed\.\sAlerts start after its next ping\./),
    ]);
    await ping('/fail');
  });

  test('say that nobody is notified of a check that is snoozed', async () => {
    await at.owner.post(`/web/in/${at.project}/api/checks/${check.uuid}/snooze`, { for: 3600 });
    await at.open(`checks/${check.uuid}`);
    await button('Mark as up').click();
    await dialog().getByText('Nobody is notified now: it is snoozed until').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });
});
