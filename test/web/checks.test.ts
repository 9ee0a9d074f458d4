/** The list of checks and the page of one, in a real browser: what must not be lost or taken away while one uses them. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

describe.skipIf(browserMissing !== '')('the checks', () => {
  let at: OwnerBrowser;
  const checks: Json[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (let n = 0; n < 60; n++)
      checks.push(await at.knell.create({ name: `job ${n}`, tags: `t${'abc'[n % 3]}` }));
  });

  afterAll(() => at?.stop());

  const filter = () => at.page.getByLabel('Search checks');
  const focused = () => at.page.evaluate<string>('document.activeElement.textContent.slice(0, 20)');
  const ping = (n: number, suffix = '') =>
    at.knell.request(`/ping/${checks[n].uuid}${suffix}`, { method: 'POST' });

  test('leave the focus where it is when updates come, and when what is typed changes the list', async () => {
    await at.open('checks');
    await at.page.locator('.row', { hasText: 'job 0' }).waitFor();
    await at.page.keyboard.press('j');
    await at.page.locator('.row.chosen a:focus').waitFor();
    await at.page.keyboard.press('/');
    await at.page.keyboard.type('job 1');
    await at.page.getByText('15 of 60 checks').waitFor();
    await ping(1);
    await at.page.locator('.row.up', { hasText: 'job 1' }).first().waitFor();
    await at.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await at.page.keyboard.type('2');
    await at.page.getByText('1 of 60 checks').waitFor();
    await expect.poll(() => filter().inputValue()).toBe('job 12');
  });

  test('are found again as they were left: filtered, scrolled, chosen', async () => {
    await filter().fill('');
    await at.page.getByRole('button', { name: 'Filter and sort' }).click();
    await at.page.getByRole('button', { name: 'tb 20' }).click();
    await at.page.getByText('20 of 60 checks').waitFor();
    await at.page.keyboard.press('Escape');
    await filter().focus();
    await at.page.keyboard.press('Escape');
    for (let n = 0; n < 15; n++) await at.page.keyboard.press('j');
    await expect.poll(focused).toBe('job 43');
    const top = await at.page.evaluate<number>('scrollY');
    expect(top).toBeGreaterThan(0);
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: 'job 43' }).waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.id')).toBe('main');
    await at.page.goBack();
    await at.page.getByText('20 of 60 checks').waitFor();
    await expect.poll(() => at.page.evaluate('scrollY')).toBe(top);
    await expect.poll(focused).toBe('job 43');
  });

  test('have keyboard shortcuts that `?` lists in view, and that can be switched off', async () => {
    const dialog = at.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const isInView = (): Promise<boolean> =>
      dialog.evaluate((node: Json) => {
        const { top, bottom } = node.getBoundingClientRect();
        return top >= 0 && bottom <= node.ownerDocument.defaultView.innerHeight;
      });
    const button = at.page.getByRole('button', { name: 'Keyboard shortcuts' });
    await at.page.setViewportSize({ width: 640, height: 800 });
    await at.page.evaluate('scrollTo(0, 0); document.activeElement.blur()');
    await at.page.keyboard.press('?');
    await at.page.getByText('Next, previous check').waitFor();
    expect(await isInView()).toBe(true);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    // The keys are for the list below it.
    await at.page.keyboard.press('n');
    await at.page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(new URL(at.page.url()).pathname).toMatch(/checks$/);
    await button.click();
    const box = at.page.getByLabel('Use these keys');
    await box.uncheck();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await at.page.keyboard.press('n');
    await at.page.keyboard.press('j');
    await at.page.keyboard.press('?');
    expect(await focused()).toBe('Keyboard shortcuts');
    await at.page.reload();
    await at.page.locator('.row').first().waitFor();
    await at.page.keyboard.press('n');
    expect(new URL(at.page.url()).pathname).toMatch(/checks$/);
    await button.click();
    await box.check();
    await at.page.keyboard.press('Escape');
    await at.page.keyboard.press('n');
    await at.page.getByRole('heading', { name: 'New check' }).waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('name');
  });

  test.runIf(isLong)(
    'have a log of pings, status changes and notifications, newest first, by kind',
    async () => {
      // A private address: refused without a connection, so nothing leaves this machine.
      const hook = { kind: 'webhook', name: 'Blocked', fields: { url_down: 'http://127.0.0.1:9/' } };
      const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, hook)).json();
      const { uuid } = await at.knell.create({ name: 'logged', channels: id });
      await at.knell.request(`/ping/${uuid}`, { method: 'POST', body: 'all is well' });
      await at.clock.advance(1000);
      await at.knell.request(`/ping/${uuid}/fail`);
      const sent = `/api/v3/checks/${uuid}/notifications/`;
      await eventually(async () => {
        await at.clock.advance(5);
        expect((await at.knell.api('GET', sent)).json().notifications).toHaveLength(1);
      });
      await at.open(`checks/${uuid}`);
      const lines = at.page.locator('.log > li');
      const kinds = () =>
        lines.evaluateAll((nodes: Json) => nodes.map((node: Json) => node.className.split(' ')[0]));
      await expect.poll(kinds).toEqual(['notification', 'change', 'run', 'change', 'run']);
      await lines.first().getByText('Failed').waitFor();
      await lines.first().getByText('Down alert to Blocked (Webhook)').waitFor();
      await lines.first().getByText('127.0.0.1 is private').waitFor();
      const show = (what: string) =>
        at.page.getByRole('combobox', { name: 'Filter the log' }).selectOption(what);
      await show('notifications');
      await expect.poll(kinds).toEqual(['notification']);
      await show('status');
      await expect.poll(kinds).toEqual(['change', 'change']);
      await show('failed');
      await expect.poll(kinds).toEqual(['run']);
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    },
  );

  test('had nothing to complain of', () => {
    expect(at.complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
  });
});
