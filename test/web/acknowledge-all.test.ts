/** A night with several incidents on a phone, in a real browser: all of them are acknowledged at once, and nothing is left empty. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('several incidents', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (const name of ['Backup', 'Mirror', 'Report'])
      await at.knell.request(`/ping/${(await at.knell.create({ name })).uuid}/fail`);
    await at.clock.advance((2 * 24 + 22) * 3_600_000);
  });
  afterAll(() => at?.stop());

  const all = () => at.page.locator('.open-head button');
  const states = async () =>
    (await at.knell.api('GET', '/api/v3/incidents/'))
      .json()
      .incidents.map(({ state }: { readonly state: string }) => state);

  test('have no empty line below how long one is open, before and after it is acknowledged', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    const { incidents } = (await at.knell.api('GET', '/api/v3/incidents/')).json();
    await at.open(`incidents/${incidents[0].id}`);
    const big = at.page.locator('.incident .now .big');
    await expect.poll(() => big.textContent()).toBe('Open for 2 d 22 h');
    const height = async () => (await big.boundingBox())?.height ?? 0;
    const before = await height();
    expect(before).toBeLessThan(48);
    const acknowledge = at.page.getByRole('button', { name: 'Acknowledge', exact: true });
    await acknowledge.click();
    await at.page.getByText('Acknowledged by ada,').waitFor();
    await at.page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await at.page.getByText('Acknowledged by ada,').waitFor({ state: 'detached' });
    await acknowledge.click();
    await at.page.getByText('Acknowledged by ada,').waitFor();
    await expect.poll(() => big.textContent()).toBe('Open for 2 d 22 h');
    expect(await height()).toBe(before);
  });

  test('are acknowledged but for one that is refused, as it is over by now', async () => {
    const { incidents } = (await at.knell.api('GET', '/api/v3/incidents/?state=open')).json();
    const [refused, other] = incidents;
    await at.open('incidents');
    await expect.poll(() => all().textContent()).toBe('Acknowledge all 2 open incidents');
    const one = at.page.locator('.incidents').getByRole('button', { name: /^Acknowledge (?!all)/ });
    await one.first().click();
    await at.page
      .locator('.toast', { hasText: /^Acknowledged: / })
      .getByRole('button', { name: 'Undo' })
      .click();
    await at.page.getByText('Undone: ').waitFor();
    await expect.poll(() => all().textContent()).toBe('Acknowledge all 2 open incidents');
    const path = `**/incidents/${refused.id}/acknowledge`;
    const conflict = { status: 409, json: { error: 'this incident is resolved' } };
    await at.page.route(path, (route) => route.fulfill(conflict));
    await all().click();
    await at.page.getByText('Acknowledged 1 incident.').waitFor();
    await at.page.unroute(path);
    const stateOf = async (id: string) => (await at.knell.api('GET', `/api/v3/incidents/${id}`)).json().state;
    await expect.poll(() => stateOf(other.id)).toBe('acknowledged');
    await at.page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => stateOf(other.id)).toBe('open');
  });

  test('are acknowledged by one press, whose button keeps its place', async () => {
    await at.open('incidents');
    await expect.poll(() => all().textContent()).toBe('Acknowledge all 2 open incidents');
    const left = async () => (await all().boundingBox())?.y;
    const before = await left();
    await all().click();
    await at.page.getByText('Acknowledged 2 incidents.').waitFor();
    // The list below what is said does not contradict it for a moment.
    expect(await all().allTextContents()).toEqual(['Acknowledge all open incidents']);
    await expect.poll(states).toEqual(['acknowledged', 'acknowledged', 'acknowledged']);
    await expect.poll(() => all().getAttribute('aria-disabled')).toBe('true');
    expect(await left()).toBe(before);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('are open again by one press on what was said of it, and only those', async () => {
    const toasts = at.page.locator('.toast');
    // What was done reports nothing that went wrong: that is no message.
    expect(await toasts.allTextContents()).toEqual(['Acknowledged 2 incidents.Undou']);
    await toasts.getByRole('button', { name: 'Undo' }).click();
    await at.page.getByText('Undone: ').waitFor();
    expect(await all().allTextContents()).toEqual(['Acknowledge all 2 open incidents']);
    expect((await states()).toSorted()).toEqual(['acknowledged', 'open', 'open']);
    await expect.poll(() => all().textContent()).toBe('Acknowledge all 2 open incidents');
    await expect.poll(() => toasts.allTextContents()).toEqual(['Undone: “Acknowledged 2 incidents.”']);
  });

  test('are acknowledged one by one, each at the time at which that is said', async () => {
    const buttons = at.page.locator('.incidents .who button');
    await expect.poll(() => buttons.count()).toBe(2);
    await buttons.first().click();
    await at.page.getByText(/^Acknowledged: /).waitFor();
    expect(await buttons.all()).toHaveLength(1);
  });
});
