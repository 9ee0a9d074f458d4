/** The command palette in a real browser, by keyboard: what it finds, where it goes, what it does, and for whom. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { goodPassword, linkIn, PageClient } from '../support/page/page-client.ts';

describe.skipIf(browserMissing !== '')('the command palette', () => {
  let at: OwnerBrowser;
  let backup: Json;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    backup = await at.knell.create({ name: 'Backup', tags: 'prod', slug: 'backup' });
    for (let n = 1; n <= 14; n++) await at.knell.create({ name: `Job ${n}` });
    await at.knell.create({ name: 'Backup of staging', tags: 'staging' });
    const other = (await at.owner.post('/web/projects', { name: 'Northwind' })).json();
    await at.knell.api('POST', '/api/v3/checks/', { name: 'Invoices' }, other.keys['read-write']);
    await at.open('checks');
  });

  // The keys that open it would close what a test left open that failed.
  afterEach(() => at.page.evaluate("document.querySelector('dialog[open]')?.close()"));
  afterAll(() => at?.stop());

  const palette = () => at.page.getByRole('dialog', { name: 'Command palette' });
  const field = () => palette().getByRole('combobox');
  const option = (name: string | RegExp) => palette().getByRole('option', { name });
  const press = (...keys: readonly string[]) =>
    keys.reduce((before, key) => before.then(() => at.page.keyboard.press(key)), Promise.resolve());
  const opened = async (text = '', key = 'Control+k'): Promise<void> => {
    await press(key);
    await field().waitFor();
    await at.page.keyboard.type(text);
  };
  const active = (): Promise<string> =>
    at.page.evaluate(
      "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent ?? ''",
    );
  const statusOf = async (): Promise<string> =>
    (await at.knell.api('GET', `/api/v3/checks/${backup.uuid}`)).json().status;

  test('is loaded when it is first asked for', async () => {
    const loaded = (): Promise<readonly string[]> =>
      at.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)");
    expect((await loaded()).filter((name) => name.includes('palette'))).toEqual([]);
    await opened();
    expect((await loaded()).filter((name) => name.includes('palette'))).not.toEqual([]);
    await press('Escape');
    await palette().waitFor({ state: 'detached' });
  });

  test('has what was typed while it was being loaded, which does nothing else', async () => {
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await at.page.route('**/*palette-dialog*', async (route) => {
      await held;
      await route.continue();
    });
    await at.open('checks');
    await at.page.locator('.row').nth(3).waitFor();
    // Each of them is a key of the list: it would go down, select, snooze, and begin a new check.
    await press('j', 'Control+k', 'x', 'z', 'n', 'Backspace');
    goOn();
    await expect.poll(() => field().inputValue()).toBe('xz');
    await expect.poll(() => at.page.locator('.toast, .bulk').count()).toBe(0);
    await press('Escape');
    await palette().waitFor({ state: 'detached' });
    await at.page.unroute('**/*palette-dialog*');
  });

  test('opens by Cmd+K too, from within a field, and closes by the same keys and by Escape', async () => {
    await at.page.getByLabel('Search checks').focus();
    await opened('', 'Meta+k');
    await press('Control+k');
    await palette().waitFor({ state: 'detached' });
    await expect
      .poll(() => at.page.evaluate("document.activeElement?.getAttribute('aria-label')"))
      .toBe('Search checks');
  });

  test('opens again by a key that comes before the last one is put away', async () => {
    await opened();
    await at.page.evaluate(`(() => {
      document.querySelector('dialog.palette').close();
      dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }));
    })()`);
    await field().waitFor();
    await expect.poll(() => palette().count()).toBe(1);
    await press('Escape');
    await palette().waitFor({ state: 'detached' });
  });

  test('goes to a page by its name', async () => {
    await opened('integ');
    await expect.poll(active).toBe('Integrations');
    await press('Enter');
    await at.page.getByRole('heading', { name: 'Integrations' }).first().waitFor();
    await palette().waitFor({ state: 'detached' });
  });

  test('finds a check by words of its name and tags, in any order', async () => {
    await opened('prod back');
    await option(/^Backup/).waitFor();
    await expect.poll(() => palette().getByRole('option').count()).toBe(1);
    await press('Enter');
    await at.page.getByRole('heading', { name: 'Backup' }).first().waitFor();
  });

  test('opens what is found for a name and Enter, also where Enter comes before the answer', async () => {
    let answer: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await at.page.route('**/web/find?*', (route) => held.then(() => route.continue()));
    await opened('invoices');
    await press('Enter');
    answer();
    await at.page.getByRole('heading', { name: 'Invoices' }).first().waitFor();
    await at.page.unroute('**/web/find?*');
    await expect.poll(() => at.page.getByLabel('Project', { exact: true }).inputValue()).not.toBe(at.project);
    await at.open('checks');
  });

  test('goes through what it finds by the arrow keys, round and round, and says how much there is', async () => {
    await opened('job');
    await palette().getByText('12 of 14 checks').waitFor();
    await expect.poll(active).toContain('Job 1');
    await press('ArrowDown');
    await expect.poll(active).toContain('Job 2');
    await press('ArrowUp', 'ArrowUp');
    await expect.poll(active).toContain('Job 12');
    const isInView = (): Promise<boolean> =>
      at.page.evaluate(`(() => {
        const list = document.querySelector('#palette-list').getBoundingClientRect();
        const row = document.querySelector('[role=option][aria-selected=true]').getBoundingClientRect();
        return row.top >= list.top && row.bottom <= list.bottom;
      })()`);
    await expect.poll(isInView).toBe(true);
    await press('ArrowDown');
    await expect.poll(active).toContain('Job 1');
    await press('Escape');
  });

  test('keeps what was chosen when the answer of the server comes', async () => {
    let answer: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await at.page.route('**/web/find?*', (route) => held.then(() => route.continue()));
    await opened('s');
    await press('ArrowDown');
    const chosen = await active();
    const before = await palette().getByRole('option').count();
    answer();
    await expect.poll(() => palette().getByRole('option').count()).toBeGreaterThan(before);
    expect(await active()).toBe(chosen);
    await at.page.unroute('**/web/find?*');
    await press('Escape');
  });

  test('does to the open check what its page can: pauses it, resumes it, snoozes it', async () => {
    await at.open(`checks/${backup.uuid}`);
    await opened('pause');
    await expect.poll(active).toBe('Pause');
    await press('Enter');
    await expect.poll(statusOf).toBe('paused');
    await opened('resume');
    await expect.poll(active).toBe('Resume');
    await press('Enter');
    await expect.poll(statusOf).not.toBe('paused');
    await opened('snooze 1');
    await expect.poll(active).toBe('Snooze for 1 hour');
    await press('Enter');
    await at.page
      .getByText(/^Snoozed until/)
      .first()
      .waitFor();
    await opened('end the');
    await expect.poll(active).toBe('End the snooze');
    await press('Enter');
    await at.page.getByText('Backup alerts again.').waitFor();
    await opened('edit');
    await expect.poll(active).toBe('Edit');
    await press('Enter');
    await at.page.locator('form.check-form').waitFor();
    await at.page.goBack();
    await at.page.locator('form.check-form').waitFor({ state: 'detached' });
  });

  test('opens what deletes and moves the check that is open, by the page’s own dialogs', async () => {
    await at.open(`checks/${backup.uuid}`);
    await at.page.getByRole('heading', { level: 1, name: 'Backup' }).waitFor();
    await opened('delete');
    await expect.poll(active).toContain('Delete…');
    await press('Enter');
    await at.page.getByRole('dialog', { name: 'Delete this check?' }).waitFor();
    await press('Escape');
    await expect.poll(() => new URL(at.page.url()).search).toBe('');
    await opened('move');
    await expect.poll(active).toContain('Move to…');
    await press('Enter');
    const move = at.page.getByRole('dialog', { name: 'Move to another project' });
    await move.getByRole('option', { name: 'Northwind' }).waitFor({ state: 'attached' });
    await move.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => new URL(at.page.url()).search).toBe('');
  });

  test('finds snoozes and maintenance by other words for them, and the list by what it does', async () => {
    await at.open(`checks/${backup.uuid}`);
    await at.page.getByRole('heading', { level: 1, name: 'Backup' }).waitFor();
    for (const text of ['silence', 'quiet', 'mute']) {
      await opened(text);
      await expect.poll(active).toContain('Snooze for 1 hour');
      await palette().getByRole('option', { name: 'Maintenance' }).waitFor();
      await press('Escape');
    }
    await at.open('incidents');
    await opened('move');
    await expect.poll(active).toContain('Checks');
    await press('Escape');
  });

  test('finds the matrix by what it is and by what it is called', async () => {
    for (const text of ['matrix', 'who gets notified']) {
      await opened(text);
      await expect.poll(active).toContain('Who gets notified');
      await press('Enter');
      await expect.poll(() => new URL(at.page.url()).search).toBe('?view=matrix');
      await at.open(`checks/${backup.uuid}`);
      await at.page.getByRole('heading', { level: 1, name: 'Backup' }).waitFor();
    }
  });

  test('asks before a ping by hand marks a check as up that is down', async () => {
    await at.knell.request(`/ping/${backup.uuid}/fail`);
    await expect.poll(statusOf).toBe('down');
    await opened('ack');
    await expect.poll(active).toBe('Acknowledge');
    await press('Enter');
    await at.page.getByText('Backup acknowledged.').waitFor();
    await opened('ping now');
    await expect.poll(active).toBe('Ping now');
    await press('Enter');
    const question = at.page.getByRole('dialog', { name: 'Mark Backup as up?' });
    await question.waitFor();
    // What it asks comes first.
    await press('Control+k');
    await press('Escape');
    await question.waitFor({ state: 'detached' });
    await palette().waitFor({ state: 'detached' });
    expect(await statusOf()).toBe('down');
  });

  test('goes to another project, changes the colours, and says when nothing matches', async () => {
    await opened('northwind project');
    await expect.poll(active).toBe('Northwind');
    await press('Enter');
    await at.page.getByText('1 check', { exact: true }).waitFor();
    await opened('dark');
    await expect.poll(active).toBe('Colours: dark');
    await press('Enter');
    await expect
      .poll(() => at.page.evaluate("document.documentElement.getAttribute('data-theme')"))
      .toBe('dark');
    await opened('zzz');
    await palette().getByText('Nothing matches.').waitFor();
    // The way to the manual is no result.
    await expect.poll(() => palette().getByRole('status').allTextContents()).toEqual(['No results']);
    await expect.poll(active).toBe('Search the manual for “zzz”');
    await press('Escape');
    await opened('systemd timer');
    await expect.poll(active).toBe('Search the manual for “systemd timer”');
    expect(await at.findings('dialog[open]')).toEqual([]);
    await press('Enter');
    await at.page.waitForURL('**/docs/?q=systemd+timer');
    await at.page.locator('#manual-found a').first().waitFor();
    await at.page.goBack();
    await at.page.getByRole('button', { name: /account of ada$/ }).click();
    const manual = at.page.getByRole('menuitem', { name: 'Manual' });
    await expect.poll(() => manual.getAttribute('href')).toBe('/docs/');
    await press('Escape');
    await at.open('checks');
  });

  test('opens by the box of the header, without findings, and fits on a phone', async () => {
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 800 });
      await at.page.getByRole('button', { name: 'Search pages, checks and outputs' }).click();
      await option('Checks').waitFor();
      expect(await at.findings()).toEqual([]);
      await field().fill('job');
      await palette().getByText('Job 12').waitFor();
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      await press('Escape');
    }
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });

  test('is among the keyboard shortcuts', async () => {
    await at.page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await at.page.locator('dialog[open]').getByText('Ctrl K').waitFor();
    await press('Escape');
  });

  test('says why when the server cannot be reached, and goes on with pages', async () => {
    await at.page.route('**/web/find?*', (route) => route.abort());
    await opened('badges');
    await palette().getByText("Can't reach Knell").waitFor();
    await expect.poll(active).toBe('Badges');
    await press('Escape');
    await at.page.unroute('**/web/find?*');
    expect(at.complaints.splice(0).filter((text) => !/ERR_FAILED/.test(text))).toEqual([]);
  });

  test('offers a viewer nothing that a viewer may not do', async () => {
    const { link } = (await at.owner.post('/web/users', { name: 'vera', role: 'viewer' })).json();
    const vera = new PageClient(at.knell);
    await vera.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    const [cookie = '', value = ''] = vera.cookie.split('=');
    await at.page.context().addCookies([{ name: cookie, value, url: at.knell.app.httpUrl }]);
    await at.open('checks');
    // Nor does the line above the list.
    const nobody = at.page.locator('.banner', { hasText: 'nobody' });
    await expect.poll(() => nobody.getByRole('link').textContent()).toBe('Show');
    await at.page.locator('.row', { hasText: 'Backup of staging' }).getByRole('link').first().click();
    await at.page.getByRole('heading', { name: 'Backup of staging' }).first().waitFor();
    await opened();
    await option('Sign out').waitFor();
    for (const name of ['Create check', 'Pause', 'Ping now', 'Audit log', 'Server settings', 'Status pages'])
      await option(name).waitFor({ state: 'detached' });
    await at.page.keyboard.type('sign out');
    await press('Enter');
    await at.page.getByLabel('Password').waitFor();
  });
});
