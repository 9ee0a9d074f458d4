/** The keys of a project on its settings page, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the keys of a project', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.knell.create({ name: 'job' });
    await at.open('settings');
  });

  afterAll(() => at?.stop());

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });

  test('gives a key a name, by which the list and the audit log call it', async () => {
    const name = at.page.getByLabel('Name of a new key or link');
    await name.fill('terraform');
    await button('Create read-only key').click();
    const line = at.page.locator('li.line', { hasText: 'terraform' });
    await at.page.getByText("Save it, it won't be shown again").waitFor();
    await expect.poll(() => line.textContent()).toMatch(/^terraform Read-only, created .+, \d+:\d\d/);
    await name.fill('terraform');
    await button('Create ping key').click();
    await at.page
      .locator('#key_name-error', {
        hasText: 'This project has a key "terraform" already: choose another name.',
      })
      .waitFor();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    const key = (await at.page.locator('.shown-once pre').first().textContent()) ?? '';
    expect((await at.knell.request('/api/v3/checks/', { headers: { 'x-api-key': key } })).status).toBe(200);
    await expect.poll(() => line.locator('code').textContent()).toBe(`${key.slice(0, 8)}…`);
    const command = at.page.locator('.shown-once pre').nth(1);
    await expect
      .poll(() => command.textContent())
      .toBe(`curl -fsS -H 'X-Api-Key: ${key}' http://knell.test/api/v3/checks/`);
    await at.page.locator('.shown-once').getByRole('button', { name: 'Copy the command' }).waitFor();
    const purposes = at.page.locator('.purposes', { hasText: 'in the header X-Api-Key' });
    await purposes.locator('a[href="/docs/api"]').waitFor();
    await name.focus();
    await at.page.keyboard.press('Tab');
    await expect
      .poll(() => at.page.evaluate('document.activeElement.textContent'))
      .toBe('Create read-only key');
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
    await at.page.getByText('Read-only key terraform was created.').waitFor();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Revoke' }).click();
    await line.waitFor({ state: 'detached' });
    await expect.poll(() => at.page.locator('.shown-once').count()).toBe(0);
  });

  test('shows a new one until it is hidden, also while another one is revoked', async () => {
    const box = at.page.locator('.shown-once');
    await at.page.getByLabel('Name of a new key or link').fill('');
    await button('Create read-only key').click();
    await box.getByText("New read-only key was created. Save it, it won't be shown again:").waitFor();
    const name = at.page.getByLabel('Name of a new key or link');
    await name.fill('router');
    await button('Create ping key').click();
    await box.getByText('Ping key router was created.').waitFor();
    // The one before was not copied yet, and is nowhere else.
    await box.getByText('New read-only key was created.').waitFor();
    await at.page
      .getByRole('navigation')
      .getByRole('link', { name: /^(?:Checks|Badges)$/ })
      .first()
      .click();
    await at.page.getByText('You have not copied this key. It is not shown again, and stays valid').waitFor();
    await at.page.getByRole('button', { name: 'Stay' }).click();
    await at.page
      .getByRole('button', { name: /^Revoke Read-only, created/ })
      .last()
      .click();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Revoke' }).click();
    await at.page.locator('dialog[open]').waitFor({ state: 'detached' });
    await box.getByText('Ping key router was created.').waitFor();
    expect(await at.findings()).toEqual([]);
    await box.getByRole('button', { name: 'Hide the ping key router' }).click();
    await expect.poll(() => box.count()).toBe(0);
    await expect.poll(() => at.page.evaluate<string>('document.activeElement.name')).toBe('key_name');
    await at.page.getByRole('button', { name: /^Revoke router/ }).click();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Revoke' }).click();
    await at.page.locator('li.line', { hasText: 'router' }).waitFor({ state: 'detached' });
  });

  test('refuses a name that is too long, rather than to cut it', async () => {
    const long = 'k'.repeat(101);
    await at.open('settings/keys');
    const name = at.page.getByLabel('Name of a new key or link');
    await name.fill('renamed');
    await button('Create read-only key').click();
    await at.page.getByRole('button', { name: /^Rename renamed/ }).click();
    const renamed = at.page.getByLabel('Name of the key');
    for (const [field, id, save] of [
      [renamed, 'new_key_name', 'Save'],
      [name, 'key_name', 'Create read-only key'],
    ] as const) {
      // Typed, since a program may fill in more than one can type.
      await field.fill('');
      await field.pressSequentially(long);
      await button(save).click();
      await at.page.locator(`#${id}-error`, { hasText: 'Use at most 100 characters.' }).waitFor();
      await expect.poll(() => field.inputValue()).toBe(long);
    }
    const { keys } = (await at.owner.get(`/web/in/${at.project}/settings`)).json();
    expect(keys.some((key: { name?: string }) => key.name?.startsWith('kk') ?? false)).toBe(false);
  });

  test('shows how a key begins, by which the audit log calls it, and its name once it has one', async () => {
    const create = { scope: 'read-write' };
    const { id, key } = (await at.owner.post(`/web/in/${at.project}/keys`, create)).json();
    const begins = `${key.slice(0, 8)}…`;
    await at.page.getByText('A key or link that ends in “…” was shown whole only once').waitFor();
    const headers = { 'x-api-key': key };
    const made = await at.knell.request('/api/v3/checks/', {
      method: 'POST',
      headers,
      body: '{"name": "by key"}',
    });
    expect(made.status).toBe(201);
    await at.open('settings');
    await at.page.locator('li.line', { hasText: begins }).waitFor();
    const html = await at.page.content();
    expect([html.includes(begins), html.includes(key.slice(0, 9))]).toEqual([true, false]);
    const top = at.page.locator('.audit > li');
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    await expect
      .poll(() => top.nth(0).textContent())
      .toContain(`Read-write key ${begins} created the check by key`);
    await expect.poll(() => top.nth(1).textContent()).toContain(`created the API key ${begins}`);
    await at.owner.post(`/web/in/${at.project}/keys/${id}`, { name: 'deploy' });
    await at.page.reload();
    await expect
      .poll(() => top.nth(1).textContent())
      .toContain(`API key deploy (${begins}) created the check`);
    await at.open('settings');
  });

  test('says on which day a key was used last, and of a new one that it was not yet', async () => {
    const { key } = (
      await at.owner.post(`/web/in/${at.project}/keys`, { scope: 'read-only', name: 'rotated' })
    ).json();
    const line = (text: string) => at.page.locator('li.key', { hasText: text });
    const used = line('rotated').locator('.key-text .faint');
    await at.open('settings');
    await expect.poll(() => used.textContent()).toBe('Not used yet');
    // Of a ping key nobody notes it, which is said once for all of them.
    await expect.poll(() => line(at.knell.keys.ping).locator('.key-text .faint').count()).toBe(0);
    await at.page.getByText('When it is used is not recorded.').waitFor();
    await at.knell.api('GET', '/api/v3/checks/', undefined, key);
    await at.open('settings');
    await expect.poll(() => used.textContent()).toBe('Last used today');
    const usedMs = at.clock.nowMs();
    at.clock.skip(3 * day);
    await at.open('settings');
    const date = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    await expect.poll(() => used.textContent()).toContain(`Last used ${date.format(usedMs)}`);
    for (const width of [1440, 1024, 390]) {
      await at.page.setViewportSize({ width, height: 800 });
      expect([width, await at.overflow()]).toEqual([width, 0]);
      // The word of the last button ends where the line does.
      const spare = `[...document.querySelectorAll('li.key')].map((row) => {
        const words = document.createRange();
        words.selectNodeContents([...row.children].findLast(({ tagName }) => tagName === 'BUTTON').firstChild);
        return Math.round(row.getBoundingClientRect().right - words.getBoundingClientRect().right);
      })`;
      expect(new Set(await at.page.evaluate<number[]>(spare))).toEqual(new Set([0]));
      // On the line of a ping key's button: no row is higher for it.
      const [of, copy] = await Promise.all([
        line('rotated').boundingBox(),
        line(at.knell.keys.ping).boundingBox(),
      ]);
      expect(Math.abs((of?.height ?? 0) - (copy?.height ?? 99))).toBeLessThan(2);
    }
    expect(await at.findings()).toEqual([]);
  });

  test('leaves the kind to the buttons where Enter is pressed, and prefers none by its look', async () => {
    const name = at.page.getByLabel(/^Name of a new key or link/);
    const looks = () =>
      at.page
        .locator('form .actions button', { hasText: /^Create/ })
        .evaluateAll((all: Json) =>
          all.map((one: Json) => one.ownerDocument.defaultView.getComputedStyle(one).backgroundColor),
        );
    await expect.poll(async () => [(await looks()).length, new Set(await looks()).size]).toEqual([4, 1]);
    await name.fill('typed');
    await name.press('Enter');
    await expect
      .poll(() => at.page.evaluate('document.activeElement.textContent'))
      .toBe('Create read-only key');
    await at.page.keyboard.press('Enter');
    await at.page.locator('.shown-once').getByRole('button', { name: 'Copy', exact: true }).click();
    const line = at.page.locator('li.line', { hasText: 'typed' });
    await expect.poll(() => line.textContent()).toMatch(/^typed Read-only, created/);
    await expect.poll(() => name.inputValue()).toBe('');
    // The keys are in a column, however long their names are.
    const lefts = await at.page
      .locator('li.key code')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(lefts.length).toBeGreaterThan(3);
    expect(new Set(lefts).size).toBe(1);
  });

  test('shows a ping key, which its list keeps, on one line with what revokes it', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.page.getByLabel('Name of a new key or link').fill('jobs of the warehouse');
    await button('Create ping key').click();
    const line = at.page.locator('li.line', { hasText: 'jobs of the warehouse' });
    const key = (await line.locator('code').textContent()) ?? '';
    await at.page.locator('.shown-once').getByText('was created.').waitFor();
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
      // It is copied from here, without a higher row or a column that moves.
      const codes = await at.page
        .locator('li.key code')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
      expect(new Set(codes).size).toBe(1);
      const heights = await at.page
        .locator('li.key')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(2);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await line.getByRole('button', { name: 'Copy', exact: true }).click();
    await line.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await at.page.evaluate<string>('navigator.clipboard.readText()')).toBe(key);
    await at.page.setViewportSize({ width: 360, height: 800 });
  });

  test('asks before it revokes a key', async () => {
    const revoke = at.page.getByRole('button', { name: /^Revoke Read-only/ });
    await revoke.click();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Cancel' }).click();
    await revoke.click();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Revoke' }).click();
    await revoke.waitFor({ state: 'detached' });
  });
});
