/** A project's settings in a real browser: renamed, and deleted by its name. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const evil = '<img src=x onerror="window.evil=1">';

describe.skipIf(browserMissing !== '')('the settings page', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_SNAPSHOTS: '1d:7' });
    await at.knell.create({ name: 'job' });
    await at.open('settings');
  });

  afterAll(() => at?.stop());

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });

  test('does not offer to delete the only project, and says why', async () => {
    await at.page.getByText("You can't delete your only project").waitFor();
    // Nothing limits it.
    await at.page.getByText('1 check. The log of each has its last 1,000 pings.').waitFor();
    await expect.poll(() => button('Delete the project…').count()).toBe(0);
  });

  test('renames it, here and in the header, to the text that was typed', async () => {
    await expect.poll(() => button('Rename').isDisabled()).toBe(true);
    await at.page.getByLabel('Name of this project').fill(evil);
    await expect.poll(() => button('Rename').isEnabled()).toBe(true);
    await at.page.keyboard.press('Tab');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: evil }).waitFor();
    await at.page.getByText('Renamed.').waitFor();
    expect((await at.owner.get('/web/state')).json().projects).toMatchObject([{ name: evil }]);
    expect(await at.page.evaluate('window.evil')).toBeUndefined();
  });

  test('says how old the latest snapshot is, and that there is one a day', async () => {
    await at.page.getByRole('link', { name: 'Server', exact: true }).click();
    await at.page.waitForURL('**/server');
    await at.page.getByText('One is written every day; the newest 7 are kept').waitFor();
    await at.page.getByText('No snapshot yet').waitFor();
    await at.knell.app.admin({ command: 'snapshot', args: {} }, () => {});
    await at.page.reload();
    await at.page.getByText(/^Latest: (just now|\d+ \w+ ago), .* snapshots\/manual-\w+\.snapshot$/).waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.getByRole('link', { name: 'Project', exact: true }).click();
    await at.page.getByLabel('Name of this project').waitFor();
  });

  test('is there by itself once the server can be reached again', async () => {
    await at.page.route('**/web/in/*/settings', (route) => route.abort(), { times: 1 });
    await at.page.reload();
    await at.page.getByText("Can't reach Knell").waitFor();
    await at.page.getByLabel('Name of this project').waitFor();
    expect(at.complaints.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
  });

  test('says what is wrong with a name', async () => {
    await at.owner.post('/web/projects', { name: 'second' });
    await at.page.reload();
    await at.page.getByLabel('Name of this project').fill('second');
    await button('Rename').click();
    await at.page.getByText('A project named second exists already').waitFor();
  });

  test('makes another one, limited to the free plan, and shows its keys, which work', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    await button('New project').click();
    // Typed at once: a letter without a field is a shortcut, `n` the form of a new check.
    await at.page.keyboard.type('enduring');
    await expect.poll(() => at.page.getByLabel('Name', { exact: true }).inputValue()).toBe('enduring');
    await at.page.getByLabel('Name', { exact: true }).fill('third');
    await at.page.getByLabel(/^Limit it to 20 checks/).check();
    await at.page.getByLabel('Name', { exact: true }).press('Enter');
    await at.page.getByText('third was created').waitFor();
    const key = (await at.page.locator('.shown-once pre').first().textContent()) ?? '';
    expect((await at.knell.request('/api/v3/checks/', { headers: { 'x-api-key': key } })).status).toBe(200);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.getByRole('link', { name: 'Go to third' }).click();
    await at.page.getByText('Set up your first check').waitFor();
    await at.page.getByRole('button', { name: 'More', exact: true }).click();
    await at.page.getByRole('menuitem', { name: 'Settings' }).click();
    await at.page.getByText('0 of the 20 checks of the free plan').waitFor();
    const [third] = (await at.owner.get('/web/state')).json().projects.slice(-1);
    await at.owner.post(`/web/in/${third.id}/delete`, { name: 'third' });
    await at.open('settings');
  });

  test('gives a key a name, by which the list and the audit log call it', async () => {
    const name = at.page.getByLabel('Name of a new key or link');
    await name.fill('terraform');
    await button('Create read-only key').click();
    const line = at.page.locator('li.line', { hasText: 'terraform' });
    await at.page.getByText("Save it, it won't be shown again").waitFor();
    await expect.poll(() => line.textContent()).toMatch(/^terraform read-only, created .+, \d+:\d\d/);
    await name.fill('terraform');
    await button('Create ping key').click();
    await at.page.getByText('this project has a key "terraform" already: choose another name').waitFor();
    const key = (await at.page.locator('.shown-once pre').first().textContent()) ?? '';
    expect((await at.knell.request('/api/v3/checks/', { headers: { 'x-api-key': key } })).status).toBe(200);
    const { entries } = (await at.owner.get('/web/audit?subject=key')).json();
    expect(entries[0]).toMatchObject({ action: 'created', name: 'terraform', detail: 'read-only' });
    expect(await at.findings()).toEqual([]);
    await at.page.getByRole('button', { name: 'Rename terraform, read-only, created' }).press('Enter');
    await at.page.keyboard.press('Escape');
    const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
    await expect.poll(focused).toMatch(/^Rename terraform/);
    await at.page.keyboard.press('Enter');
    await at.page.keyboard.press('Control+a');
    await at.page.keyboard.type('opentofu');
    expect(await at.findings()).toEqual([]);
    await at.page.keyboard.press('Enter');
    await expect.poll(focused).toMatch(/^Rename opentofu, read-only/);
    const renamed = (await at.owner.get('/web/audit?subject=key')).json().entries[0];
    expect(renamed).toMatchObject({ action: 'changed', name: 'opentofu' });
    expect((await at.knell.request('/api/v3/checks/', { headers: { 'x-api-key': key } })).status).toBe(200);
    await at.page.getByRole('button', { name: 'Rename opentofu, read-only, created' }).press('Enter');
    await at.page.keyboard.press('Control+a');
    await at.page.keyboard.type('terraform');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('button', { name: 'Revoke terraform, read-only, created' }).click();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Revoke' }).click();
    await line.waitFor({ state: 'detached' });
  });

  test('creates a read-write key where Enter is pressed, as it says at the field', async () => {
    const name = at.page.getByLabel(/Enter creates a read-write key/);
    await name.fill('typed');
    await name.press('Enter');
    const line = at.page.locator('li.line', { hasText: 'typed' });
    await expect.poll(() => line.textContent()).toMatch(/^typed read-write, created/);
    await expect.poll(() => name.inputValue()).toBe('');
  });

  test('shows a ping key, which its list keeps, on one line with what revokes it', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.page.getByLabel('Name of a new key or link').fill('jobs of the warehouse');
    await button('Create ping key').click();
    const line = at.page.locator('li.line', { hasText: 'jobs of the warehouse' });
    const key = (await line.locator('code').textContent()) ?? '';
    await at.page.locator('.shown-once').getByText('This is the new one:').waitFor();
    await expect.poll(() => at.page.locator('.shown-once pre').textContent()).toBe(key);
    await expect.poll(() => at.page.getByText("won't be shown again").count()).toBe(0);
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 800 });
      const [words, revoke] = await Promise.all([
        line.locator('strong').boundingBox(),
        line.getByRole('button', { name: /^Revoke/ }).boundingBox(),
      ]);
      expect(Math.abs((words?.y ?? 0) - (revoke?.y ?? 99))).toBeLessThan(16);
      expect(words?.x).toBeLessThan(revoke?.x ?? 0);
      // The key is on one line.
      expect((await line.locator('code').boundingBox())?.height).toBeLessThan(24);
    }
    await at.page.setViewportSize({ width: 360, height: 800 });
  });

  test('says once what is wrong with a rule of retention, until it is another', async () => {
    await at.page.getByLabel(/^What is kept/).fill('pings foo');
    await button('Save rules').click();
    await button('What would this drop?').click();
    await expect.poll(() => at.page.getByText('"pings foo" is no rule').count()).toBe(1);
    await at.page.getByLabel(/^What is kept/).fill('pings 9 days');
    await expect.poll(() => at.page.getByText('"pings foo" is no rule').count()).toBe(0);
  });

  test('asks before it revokes a key', async () => {
    const revoke = at.page.getByRole('button', { name: /^Revoke Read-only/ });
    await revoke.click();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Cancel' }).click();
    await revoke.click();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Revoke' }).click();
    await revoke.waitFor({ state: 'detached' });
  });

  test('is left with a word of explanation where somebody else deletes it', async () => {
    const [, second] = (await at.owner.get('/web/state')).json().projects;
    const tab = await at.page.context().newPage();
    await tab.goto(`${at.knell.app.httpUrl}/project/${second.id}/integrations`);
    await tab.getByText('Live', { exact: true }).waitFor();
    expect((await at.owner.post(`/web/in/${second.id}/delete`, { name: 'second' })).status).toBe(200);
    await tab.getByText('This project was deleted or the link is wrong').waitFor();
    expect(await tab.title()).toBe('Project not found – Knell');
    await tab.getByRole('link', { name: evil }).click();
    await tab.locator('.row', { hasText: 'job' }).waitFor();
    await tab.close();
    await at.owner.post('/web/projects', { name: 'second' });
    await at.page.reload();
    await button('Delete the project…').waitFor();
  });

  test('deletes it once its name is typed, by keyboard alone, and goes to one that is left', async () => {
    await button('Delete the project…').focus();
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Its check goes with it').waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.keyboard.press('Escape');
    await expect.poll(() => button('Delete permanently').isVisible()).toBe(false);
    await at.page.keyboard.press('Enter');
    await at.page.getByLabel('to confirm').fill('second');
    await expect.poll(() => button('Delete permanently').isDisabled()).toBe(true);
    await at.page.getByLabel('to confirm').fill(evil);
    await expect.poll(() => button('Delete permanently').isEnabled()).toBe(true);
    await at.page.keyboard.press('Tab');
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Set up your first check').waitFor();
    expect((await at.owner.get('/web/state')).json().projects).toMatchObject([{ name: 'second' }]);
    expect(at.complaints.filter((text) => !/status of 40[09]/.test(text))).toEqual([]);
  });
});
