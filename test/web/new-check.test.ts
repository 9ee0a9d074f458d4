/** A check right after it was made, in a real browser: its page, what is wrong with it, whom it notifies, its snippets. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const run = promisify(execFile);

describe.skipIf(browserMissing !== '')('a new check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.open('new');
  });

  afterAll(() => at?.stop());

  test('is never called gone while it is new', async () => {
    await at.page.evaluate(`
      window.alarms = [];
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll('[role=alert]')) window.alarms.push(textContent);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
    await at.page.getByLabel(/^Name/).fill('just made');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: 'just made' }).waitFor();
    await at.page.locator('.now .why', { hasText: 'No pings yet' }).waitFor();
    expect(await at.page.evaluate('window.alarms')).toEqual([]);
  });

  test('says what is wrong with it in the words of its form', async () => {
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

  test('is shown again when one does not clone it after all', async () => {
    const page = at.page.url();
    await at.page.getByRole('button', { name: 'More actions' }).click();
    await at.page.getByRole('menuitem', { name: /^Clone/ }).click();
    await at.page.getByLabel(/^Name/).fill('not made');
    await at.page.getByRole('button', { name: 'Cancel' }).click();
    await at.page.getByRole('heading', { level: 1, name: 'just made' }).waitFor();
    expect(at.page.url()).toBe(page);
  });

  test('says whom it notifies, and that nobody is notified', async () => {
    await at.page.getByText('nobody. Add an integration').waitFor();
    const hook = { kind: 'webhook', name: 'Hook', fields: { url_down: 'https://example.org' } };
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, hook)).json();
    const uuid = /checks\/(.+)$/.exec(at.page.url())?.[1] ?? '';
    await at.owner.post(`/web/in/${at.project}/api/checks/${uuid}`, { channels: id });
    await at.page.locator('.integrations-list li', { hasText: 'Hook' }).waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('opens a call first where cron cannot say the schedule', async () => {
    const { uuid } = await at.knell.create({ name: 'odd', timeout: 45 * 60 });
    await at.open(`checks/${uuid}`);
    const tab = at.page.locator('.tabs [aria-pressed=true]');
    await expect.poll(() => tab.textContent()).toBe('curl');
    await at.page.locator('.tabs').getByRole('button', { name: 'crontab' }).click();
    await at.page.getByText('Cron cannot say this schedule').waitFor();
    await at.page.goBack();
    await expect.poll(() => tab.textContent()).toBe('crontab');
  });

  test('opens the unit of systemd first where the schedule is one of systemd', async () => {
    const before = at.page.url();
    const { uuid } = await at.knell.create({ name: 'timer', schedule: '*-*-* 04:00', tz: 'UTC' });
    await at.open(`checks/${uuid}`);
    await expect.poll(() => at.page.locator('.tabs [aria-pressed=true]').textContent()).toBe('systemd');
    await at.page.goto(before);
  });

  test('has snippets that work where they are for', async () => {
    const snippet = async (name: string): Promise<string> => {
      const tab = at.page.getByRole('button', { name, exact: true });
      if ((await tab.count()) > 0) await tab.click();
      else {
        await at.page.locator('.tabs').getByRole('button', { name: 'More' }).click();
        await at.page.getByRole('menuitemradio', { name, exact: true }).click();
      }
      await at.page.locator('.tabs [aria-pressed=true], .tabs .chosen', { hasText: name }).waitFor();
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
    await at.page.locator('.tabs .chosen, .tabs button').last().click();
    await at.page.getByRole('menuitemradio', { name: 'PHP', exact: true }).waitFor();
    await expect.poll(() => at.page.getByText('Email', { exact: true }).count()).toBe(0);
  });

  test('had nothing to complain of', () => {
    expect(at.complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
  });
});
