/** What holds the alerts of a check back, in the form of the check: by name, found by name, slug or tag, kept as it was written. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the field of what a check depends on', () => {
  let at: OwnerBrowser;
  let bare = '';
  let check = '';
  const gone = '8f7a3a4e-0000-4000-8000-000000000000';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1024, height: 800 });
    await at.knell.create({ name: 'Core database', slug: 'db', tags: 'core' });
    bare = (await at.knell.create({ name: 'Uplink', tags: 'core net' })).uuid;
    await at.knell.create({ name: 'Disk check', slug: 'disk' });
    const depends = `db ${bare} tag:net ${gone}`;
    check = (await at.knell.create({ name: 'Backup', slug: 'backup', depends_on: depends })).uuid;
  });

  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const chosen = () => form().locator('ul.chosen > li');
  const field = () => form().getByLabel(/^No alert while one of these/);
  const edit = async () => {
    await at.open(`checks/${check}`);
    await at.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await field().waitFor();
  };
  const save = async () => {
    await form().getByRole('button', { name: 'Save' }).click();
    await at.page.getByRole('heading', { level: 1, name: 'Backup', exact: true }).waitFor();
    return (await at.knell.api('GET', `/api/v3/checks/${check}`)).json().depends_on;
  };

  test('says of a check that depends on this one, too, what follows, and takes it', async () => {
    const { uuid } = await at.knell.create({ name: 'Mirror', slug: 'mirror', depends_on: 'backup' });
    await edit();
    await field().fill('Mirror');
    await form().getByRole('option', { name: 'Mirror' }).click();
    await form()
      .getByText('Mirror depends on this check, too: if all of them go down, at least one still alerts.')
      .waitFor();
    await form().getByRole('button', { name: 'Remove Mirror' }).click();
    await expect.poll(() => form().getByText('depends on this check, too').count()).toBe(0);
    await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
  });

  test('has names in place of UUIDs and slugs, and keeps what was written', async () => {
    await edit();
    const names = ['Core database', 'Uplink', 'Tag net', `Deleted check (${gone})`];
    for (const name of names) await chosen().getByText(name, { exact: true }).waitFor();
    expect(await at.findings()).toEqual([]);
    for (const width of [390, 1024]) {
      await at.page.setViewportSize({ width, height: 800 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    await form().locator('summary', { hasText: 'More details' }).click();
    await form().getByLabel(/^Tags/).fill('nightly');
    expect(await save()).toBe(`db ${bare} tag:net ${gone}`);
  });

  test('removes one by keyboard, and adds one by its name', async () => {
    await edit();
    await form().getByRole('button', { name: 'Remove Deleted check' }).press('Enter');
    await expect.poll(() => chosen().count()).toBe(3);
    await field().pressSequentially('disk check');
    await form().getByRole('option', { name: 'Disk check', exact: true }).waitFor();
    await field().press('Enter');
    await chosen().getByText('Disk check', { exact: true }).waitFor();
    await expect.poll(() => field().inputValue()).toBe('');
    expect(await save()).toBe(`db ${bare} tag:net disk`);
  });

  test('says that a check does not hold back its own alerts', async () => {
    await edit();
    await field().pressSequentially('backup');
    await form().getByText('A check cannot hold back its own alerts').waitFor();
    for (const own of ['backup', 'Backup', check]) {
      const before = await chosen().count();
      await field().fill(own);
      await field().press('Enter');
      await form()
        .locator('#depends_on-error', { hasText: /^A check cannot hold back its own alerts\.$/ })
        .waitFor();
      await expect
        .poll(async () => [await chosen().count(), await field().inputValue()])
        .toEqual([before, own]);
      expect(await at.findings()).toEqual([]);
    }
    await field().fill('');
    await expect.poll(() => form().getByText('A check cannot hold back').count()).toBe(0);
    await form().getByRole('button', { name: 'Cancel' }).click();
  });

  test('refuses a text that is neither the name of a check nor a slug, as one, and says why', async () => {
    await edit();
    await chosen().getByText('Core database', { exact: true }).waitFor();
    const before = await chosen().count();
    await field().fill('Invoice import');
    await field().press('Enter');
    await form()
      .locator('#depends_on-error', {
        hasText:
          'No check has the name “Invoice import”, and a slug has no capitals, only a to z, digits, “-” and “_”.',
      })
      .waitFor();
    await expect
      .poll(async () => [await chosen().count(), await field().inputValue()])
      .toEqual([before, 'Invoice import']);
    await expect.poll(() => form().getByText('No check has the slug').count()).toBe(0);
    expect(await at.findings()).toEqual([]);
    await field().fill('');
    await expect.poll(() => form().locator('#depends_on-error').count()).toBe(0);
    await form().getByRole('button', { name: 'Cancel' }).click();
  });

  test('names a slug that no check has', async () => {
    await edit();
    await chosen().getByText('Core database', { exact: true }).waitFor();
    await field().pressSequentially('databse');
    const said = form().getByText(
      'No check has the slug “databse” yet: until one has, it holds nothing back.',
    );
    await said.waitFor();
    await field().press('Enter');
    await expect.poll(() => field().inputValue()).toBe('');
    await said.waitFor();
    expect(await at.findings()).toEqual([]);
    await form().getByRole('button', { name: 'Remove databse' }).click();
    await expect.poll(() => form().getByText('No check has the name').count()).toBe(0);
    await form().getByRole('button', { name: 'Cancel' }).click();
  });

  test('adds what is chosen below the field at once, and does not offer the check itself', async () => {
    await edit();
    const found = form().getByRole('listbox', { name: 'Found checks and tags' });
    await expect.poll(() => found.count()).toBe(0);
    await field().fill('backup');
    await field().fill('d');
    await expect.poll(() => found.getByRole('option').allInnerTexts()).not.toContain('Backup');
    await expect.poll(() => found.getByRole('option').allInnerTexts()).not.toContain('Disk check');
    await field().fill('core');
    await expect.poll(() => found.getByRole('option').allInnerTexts()).toEqual(['tag:core']);
    expect(await at.findings()).toEqual([]);
    await found.getByRole('option', { name: 'tag:core' }).click();
    await chosen().getByText('Tag core', { exact: true }).waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.id')).toBe('depends-on');
    expect(await save()).toBe(`db ${bare} tag:net disk tag:core`);
  });

  test('takes the first that is found by Enter, at once too, or another by the arrow keys', async () => {
    for (const name of ['DNS cache', 'DNS resolver', 'DNS zone transfer']) await at.knell.create({ name });
    await edit();
    const active = () => form().locator('[role=option][aria-selected=true]').allInnerTexts();
    const listed = async () => (await chosen().allInnerTexts()).join();
    // Before the answer is there.
    await field().pressSequentially('dns');
    await field().press('Enter');
    await expect.poll(listed).toContain('DNS cache');
    await field().fill('dn');
    await expect.poll(active).toEqual(['DNS resolver']);
    expect(await at.findings()).toEqual([]);
    await field().press('ArrowDown');
    await expect.poll(active).toEqual(['DNS zone transfer']);
    await field().press('Enter');
    await expect.poll(listed).toContain('DNS zone transfer');
    expect(await listed()).not.toContain('DNS resolver');
    await form().getByRole('button', { name: 'Cancel' }).click();
  });

  test('sends what is typed and was not added, and says what to do where that is no check', async () => {
    await edit();
    await field().fill('mail tag:infra');
    expect(await save()).toBe(`db ${bare} tag:net disk tag:core mail tag:infra`);
    await edit();
    await field().fill('No Such Check');
    await form().getByRole('button', { name: 'Save' }).click();
    await form()
      .getByText(/^No check has the name “No Such Check”/)
      .waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.id')).toBe('depends-on');
    expect(await at.findings()).toEqual([]);
  });

  test('offers what begins with the words first, and is not saved with a text that only finds something', async () => {
    for (const name of ['Certificate renewal', 'WAL archive check']) await at.knell.create({ name });
    await edit();
    const offered = () => form().locator('#depends-found').getByRole('option').allInnerTexts();
    await field().fill('wal');
    await expect.poll(offered).toEqual(['WAL archive check', 'Certificate renewal']);
    await field().fill('archive');
    await expect.poll(offered).toEqual(['WAL archive check']);
    await field().press('Control+Enter');
    const said = form().locator('#depends_on-error', {
      hasText: 'Choose one of what was found, or clear the field.',
    });
    await said.waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.id')).toBe('depends-on');
    expect(await at.findings()).toEqual([]);
    await field().press('Enter');
    await chosen().getByText('WAL archive check', { exact: true }).waitFor();
    await expect.poll(() => said.count()).toBe(0);
    await form().getByRole('button', { name: 'Remove WAL archive check' }).click();
    await form().getByRole('button', { name: 'Cancel' }).click();
  });
});
