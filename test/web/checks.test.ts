/** The list of checks and the page of one, in a real browser: what must not be lost or taken away while one uses them. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

const run = promisify(execFile);

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
  const rowOf = (name: string) => at.page.getByRole('link', { name, exact: true });
  const focused = () => at.page.evaluate<string>('document.activeElement.textContent.slice(0, 20)');
  const ping = (n: number, suffix = '') =>
    at.knell.request(`/ping/${checks[n].uuid}${suffix}`, { method: 'POST' });

  test('leave the focus where it is when updates come, and when what is typed changes the list', async () => {
    await at.open('checks');
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

  test('are never called gone while they are new', async () => {
    await at.page.evaluate(`
      window.alarms = [];
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll('[role=alert]')) window.alarms.push(textContent);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
    await at.page.getByLabel('Name', { exact: true }).fill('just made');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: 'just made' }).waitFor();
    await at.page.getByText('No pings yet. Alerts start').waitFor();
    expect(await at.page.evaluate('window.alarms')).toEqual([]);
  });

  test('say what is wrong with them in the words of their form', async () => {
    await at.page.getByRole('button', { name: 'More actions' }).click();
    await at.page.getByRole('menuitem', { name: 'Edit' }).click();
    await at.page.getByRole('spinbutton', { name: 'Expect a ping every' }).fill('400');
    await at.page.getByRole('button', { name: 'Save' }).click();
    await at.page.getByText('The interval must be at most 365 days.').waitFor();
    await at.page.getByLabel('Cron').check();
    await at.page.getByLabel('Time zone').fill('Nowhere');
    await at.page.getByRole('button', { name: 'Save' }).click();
    await at.page.getByText('Unknown time zone. Choose one from the list').waitFor();
    await at.page.getByRole('button', { name: 'Cancel' }).click();
    await at.page.getByRole('heading', { name: 'just made' }).waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.id')).toBe('main');
  });

  test('say whom they notify, and that nobody is notified', async () => {
    await at.page.getByText('nobody. Add an integration').waitFor();
    const hook = { kind: 'webhook', name: 'Hook', fields: { url_down: 'https://example.org' } };
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, hook)).json();
    const uuid = /checks\/(.+)$/.exec(at.page.url())?.[1] ?? '';
    await at.owner.post(`/web/in/${at.project}/api/checks/${uuid}`, { channels: id });
    await at.page.locator('.integrations-list li', { hasText: 'Hook' }).waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('have snippets that work where they are for', async () => {
    const snippet = async (name: string): Promise<string> => {
      await at.page.getByRole('button', { name, exact: true }).click();
      await at.page.getByRole('button', { name, exact: true, pressed: true }).waitFor();
      return (await at.page.locator('.copyable pre').nth(1).textContent()) ?? '';
    };
    // What comes with Windows is PowerShell 5, which refuses the whole command for a parameter that it does not know.
    expect(await snippet('PowerShell')).not.toContain('MaximumRetryCount');
    const script = /ExecStopPost=\/bin\/sh -c '([^']+)'$/.exec(await snippet('systemd'))?.[1] ?? '';
    const asked = async (status: string): Promise<string> => {
      const env = { ...process.env, EXIT_STATUS: status };
      const { stdout } = await run('/bin/sh', ['-c', `curl() { echo "$@"; }; ${script}`], { env });
      return stdout.trim().split('/').at(-1) ?? '';
    };
    expect([await asked('0'), await asked('203'), await asked('TERM')]).toEqual(['0', '203', 'fail']);
    // This Knell takes no mail.
    await expect.poll(() => at.page.getByRole('button', { name: 'Email', exact: true }).count()).toBe(0);
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

  test('say why they are as they are', async () => {
    const open = async (n: number, why: string): Promise<void> => {
      await at.open(`checks/${checks[n].uuid}`);
      await at.page.getByText(why).first().waitFor();
    };
    const act = (n: number, what: string) =>
      at.owner.post(`/web/in/${at.project}/api/checks/${checks[n].uuid}/${what}`);
    await ping(2, '/fail');
    await open(2, 'The job reported a failure');
    await ping(3);
    await act(3, 'pause');
    await act(3, 'resume');
    await open(3, 'Resumed. Alerts');
    await ping(4, '/start');
    await open(4, "Running. You'll be alerted");
    await at.page.locator('.now .strip-line').getByText('Due by').waitFor();
    await ping(5);
    await at.clock.advance(90_000_001);
    await open(5, 'No ping arrived in time');
    // However short it was, it is seen.
    const bar = (await at.page.locator('.strip .down').boundingBox()) ?? { x: 0, width: 0 };
    const strip = (await at.page.locator('.strip').boundingBox()) ?? { x: 0, width: 0 };
    expect(bar.width).toBeGreaterThan(0);
    expect(bar.x + bar.width).toBeLessThanOrEqual(strip.x + strip.width + 0.1);
  });

  test('go with an explanation when somebody deletes them', async () => {
    await at.owner.send('DELETE', `/web/in/${at.project}/api/checks/${checks[5].uuid}`);
    await at.page.getByText('This check was deleted').waitFor();
    await at.page.getByRole('link', { name: 'All checks' }).click();
    await rowOf('job 0').waitFor();
  });

  test.runIf(isLong)('fit into a window of 320 px, as every page does', async () => {
    await at.page.setViewportSize({ width: 320, height: 640 });
    for (const name of ['checks', 'new', 'integrations', 'badges', 'settings', `checks/${checks[0].uuid}`]) {
      await at.open(name);
      expect(await at.overflow(), name).toBeLessThanOrEqual(0);
    }
  });

  test('had nothing to complain of', () => {
    expect(at.complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
  });
});
