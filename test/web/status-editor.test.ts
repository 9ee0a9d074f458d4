/** The services in the form of a status page: tags of the project and others, and their order, which goes both ways. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the services of a status page', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (const [name, tags] of [
      ['Backup', 'db nightly'],
      ['Export', 'billing nightly'],
    ])
      await at.knell.create({ name, tags });
    const services = ['One', 'Two', 'Three'].map((name) => ({ name, tag: 'db' }));
    await at.owner.post(`/web/in/${at.project}/status-pages`, { title: 'Status', slug: 'status', services });
    await at.open('status-pages');
    await at.page.getByRole('button', { name: 'Edit Status' }).click();
  });

  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const button = (name: string) => form().getByRole('button', { name, exact: true });
  const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
  const names = () => form().locator('.service-rows > li > strong').allInnerTexts();
  /** The words below the address. */
  const hint = () =>
    form()
      .locator('p.hint', { has: at.page.locator('.url') })
      .textContent();
  const service = (name: string) => form().getByRole('group', { name, exact: true });

  test('moves a service down and up, and keeps the focus where one is', async () => {
    await button('Move down One').focus();
    for (const moved of [
      ['Two', 'One', 'Three'],
      ['Two', 'Three', 'One'],
      // It is the last, and nothing moves.
      ['Two', 'Three', 'One'],
    ]) {
      await at.page.keyboard.press('Enter');
      await expect.poll(names).toEqual(moved);
      expect(await focused()).toBe('Move down One');
    }
    await expect.poll(() => button('Move down One').getAttribute('aria-disabled')).toBe('true');
    await button('Move up One').press('Enter');
    await expect.poll(names).toEqual(['Two', 'One', 'Three']);
  });

  test('has a grey button where a service cannot move any further', async () => {
    const color = (name: string) =>
      button(name).evaluate((one: Json) => one.ownerDocument.defaultView.getComputedStyle(one).color);
    const [first = '', , last = ''] = (await names()) as string[];
    const live = await color(`Move down ${first}`);
    await expect.poll(() => color(`Move up ${first}`)).not.toBe(live);
    await expect.poll(() => color(`Move down ${last}`)).not.toBe(live);
    await expect.poll(() => color(`Move up ${last}`)).toBe(live);
  });

  test('has the focus in the name of a service that is added', async () => {
    await button('Add service').press('Enter');
    // The name that it begins with is replaced.
    await at.page.keyboard.type('Four');
    await expect.poll(names).toEqual(['Two', 'One', 'Three', 'Four']);
    await button('Remove Four').press('Enter');
    await expect.poll(names).toEqual(['Two', 'One', 'Three']);
    // A key that is held removes no other one.
    await expect.poll(focused).toBe('Edit Three');
  });

  test('says the whole URL as it will be, and opens the page as it is', async () => {
    const start = 'http://knell.test/status/';
    const address = form().getByLabel('Address');
    await address.fill('our-status');
    await expect.poll(hint).toBe(`${start}our-status Links to the old address will no longer work.`);
    const open = at.page.getByRole('link', { name: 'Open the page in a new tab' });
    await expect.poll(() => open.getAttribute('href')).toBe('/status/status');
    await expect.poll(() => open.getAttribute('target')).toBe('_blank');
    await address.fill('Our status/');
    await form().getByText('An address has only a-z, 0-9 and hyphens between them.').waitFor();
    await address.fill('status');
    await expect.poll(hint).toBe(`${start}status`);
  });

  test('says in a closed line what is set in it, and takes a time zone however it is spelled', async () => {
    const line = form().locator('summary', { hasText: 'More settings' });
    const said = () => line.locator('.faint').textContent();
    await expect.poll(said).toBe('UTC, all outages listed, no logo, no password');
    await line.press('Enter');
    const zone = form().getByLabel('Time zone');
    await zone.fill('europe/berlin');
    await expect.poll(() => zone.inputValue()).toBe('Europe/Berlin');
    await form().getByLabel('Outages that are listed').selectOption('Outages of 5 minutes or longer');
    await form().getByLabel('Password for readers').fill('correct horse battery');
    await expect.poll(said).toBe('Europe/Berlin, outages of 5 minutes or longer listed, no logo, a password');
    await form().getByLabel('Password for readers').fill('');
    await line.press('Enter');
    await expect.poll(() => zone.isVisible()).toBe(false);
  });

  test('has one service open at a time, and says in each row what is chosen, on a phone too', async () => {
    await at.page.setViewportSize({ width: 390, height: 800 });
    const row = (name: string) => form().locator('.service-rows > li', { hasText: name });
    await button('Edit One').press('Enter');
    await service('One').waitFor();
    await button('Edit Two').press('Enter');
    await service('One').waitFor({ state: 'detached' });
    await service('Two').getByLabel('Chosen checks').check();
    await row('Two').getByText('No check chosen').waitFor();
    await service('Two').getByLabel('Export').check();
    await button('Done Two').press('Enter');
    await service('Two').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Edit Two');
    await expect.poll(() => row('Two').locator('.of').textContent()).toBe('Export');
    await expect.poll(() => row('One').locator('.of').textContent()).toMatch(/^db\s*1 check with this tag$/);
    await button('Edit Two').press('Enter');
    await service('Two').getByLabel('All checks with a tag').check();
    await button('Done Two').press('Enter');
    await at.page.setViewportSize({ width: 1280, height: 900 });
  });

  test('has the checks that are chosen at the top of their list', async () => {
    await button('Add service').press('Enter');
    const last = service('Service 4');
    const listed = () => last.locator('.choices label').allInnerTexts();
    await expect.poll(listed).toEqual(['Backup', 'Export']);
    await last.getByLabel('Export').check();
    // Nothing jumps below the pointer.
    await expect.poll(listed).toEqual(['Backup', 'Export']);
    await last.getByLabel('All checks with a tag').check();
    await last.getByLabel('Chosen checks').check();
    await expect.poll(listed).toEqual(['Export', 'Backup']);
    await button('Remove Service 4').click();
  });

  test('shows the whole of a long description, which has no line breaks', async () => {
    const text = form().getByLabel('Description');
    const height = async () => (await text.boundingBox())?.height ?? 0;
    const before = await height();
    await text.fill(`One\n  two ${'three '.repeat(70)}`.trim());
    await expect.poll(() => text.inputValue()).toMatch(/^One two three/);
    await expect.poll(height).toBeGreaterThan(before);
    await text.fill('');
    await form().getByText('A service shows the status of its checks.').waitFor();
  });

  test('opens the service for which a page is refused', async () => {
    await button('Add service').press('Enter');
    await button('Done Service 4').press('Enter');
    await service('Service 4').waitFor({ state: 'detached' });
    await button('Publish changes').press('Enter');
    await service('Service 4').getByText('Choose at least one check').waitFor();
    // What it lacks is a check.
    const first = service('Service 4').getByRole('checkbox').first();
    await expect
      .poll(() => first.evaluate((one: Json) => one === one.ownerDocument.activeElement))
      .toBe(true);
    await button('Remove Service 4').press('Enter');
    await expect.poll(() => form().getByRole('alert').count()).toBe(0);
  });

  test('offers the tags of the project, and takes one that no check has yet', async () => {
    await button('Edit Two').click();
    const first = service('Two');
    await first.getByText('1 check now.').waitFor();
    const chips = first.getByRole('group', { name: 'Tags of this project' });
    await expect
      .poll(() => chips.getByRole('button').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^nightly\s*2$/),
        expect.stringMatching(/^billing\s*1$/),
        expect.stringMatching(/^db\s*1$/),
      ]);
    await chips.getByRole('button', { name: 'nightly' }).click();
    await first.getByText('2 checks now.').waitFor();
    const tag = first.getByLabel('Tag', { exact: true });
    await expect.poll(() => tag.inputValue()).toBe('nightly');
    await tag.fill('later');
    await first.getByText('No check has this tag yet.').waitFor();
    for (const width of [390, 1024]) {
      await at.page.setViewportSize({ width, height: 800 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings('main')).toEqual([]);
    }
    await button('Publish changes').click();
    await expect
      .poll(async () => {
        const { pages } = (await at.owner.get(`/web/in/${at.project}/status-pages`)).json();
        return pages[0].services.map(({ name, tag: of }: Json) => `${name} ${of}`);
      })
      .toEqual(['Two later', 'One db', 'Three db']);
  });

  test('takes the place of what the page is, until it is closed', async () => {
    const page = at.page.locator('.card.status-page');
    const remove = page.getByRole('button', { name: 'Delete Status' });
    await page.getByRole('button', { name: 'Edit Status' }).click();
    await expect.poll(() => page.getByRole('heading').count()).toBe(0);
    await expect.poll(() => remove.count()).toBe(0);
    await button('Cancel').press('Enter');
    await remove.waitFor();
    await expect.poll(() => page.getByRole('heading').textContent()).toBe('Status');
    await expect.poll(focused).toBe('Edit Status');
  });

  test('gives the focus back to the button that opened the form of a new page', async () => {
    const opener = at.page.getByRole('button', { name: 'Create status page' });
    await opener.click();
    await at.page.getByRole('heading', { level: 1, name: 'Create status page' }).waitFor();
    await form().first().getByRole('button', { name: 'Cancel' }).press('Enter');
    await expect.poll(focused).toBe('Create status page');
    await opener.click();
    await at.page.locator('main').getByRole('link', { name: 'Status pages' }).press('Enter');
    await at.page.getByRole('heading', { level: 1, name: 'Status pages' }).waitFor();
    await expect.poll(focused).toBe('Create status page');
  });

  test('says the whole URL of a new page, which follows from its title', async () => {
    await at.page.getByRole('button', { name: 'Create status page' }).click();
    await form().first().getByLabel('Title', { exact: true }).fill('Shop & more');
    await expect.poll(hint).toBe('http://knell.test/status/shop-more');
    for (const width of [390, 1280]) {
      await at.page.setViewportSize({ width, height: 900 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings('main')).toEqual([]);
    }
    await button('Cancel').click();
  });

  test('is alone with the title of its page and the way back while that page is edited', async () => {
    const services = [{ name: 'Other', tag: 'db' }];
    const other = { title: 'Other status', slug: 'other', services };
    await at.owner.post(`/web/in/${at.project}/status-pages`, other);
    await at.open('status-pages');
    const main = at.page.locator('main');
    const card = main.getByRole('heading', { name: 'Other status', exact: true });
    await card.waitFor();
    await main.getByRole('button', { name: 'Edit Status' }).click();
    await main.getByRole('heading', { level: 1, name: 'Status', exact: true }).waitFor();
    await expect.poll(() => card.isVisible()).toBe(false);
    await expect.poll(() => main.getByRole('button', { name: 'Create status page' }).count()).toBe(0);
    for (const width of [390, 1280]) {
      await at.page.setViewportSize({ width, height: 900 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings('main')).toEqual([]);
    }
    await main.getByRole('link', { name: 'Status pages' }).press('Enter');
    await card.waitFor();
    await expect.poll(focused).toBe('Edit Status');
    await main.getByRole('button', { name: 'Delete Other status' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await card.waitFor({ state: 'detached' });
  });

  test('says in a project without checks what to do first, and takes a tag until then', async () => {
    const { id } = (await at.owner.post('/web/projects', { name: 'Website' })).json();
    await at.page.goto(`${at.knell.app.httpUrl}/project/${id}/status-pages`);
    const first = at.page.getByRole('main').getByRole('link', { name: 'Create a check' });
    await expect.poll(() => first.getAttribute('href')).toBe(`/project/${id}/new`);
    await at.page
      .getByText('a service shows the status of its checks. Create a check first, or a page with a tag')
      .waitFor();
    await at.page.getByRole('button', { name: 'Create status page' }).click();
    const create = form().getByRole('link', { name: 'Create a check' });
    await expect.poll(() => create.getAttribute('href')).toBe(`/project/${id}/new`);
    await expect.poll(() => service('Service 1').getByLabel('All checks with a tag').isChecked()).toBe(true);
    // There is nothing to move it past, and nothing else to open.
    for (const name of [/^Move up/, /^Done/])
      await expect.poll(() => form().getByRole('button', { name }).count()).toBe(0);
    const some = service('Service 1').getByLabel('Chosen checks this project has no check yet');
    await expect.poll(() => some.isDisabled()).toBe(true);
    // What browsers draw looks as if it was chosen in dark colours.
    const looks = 'getComputedStyle(document.querySelector("[type=radio]:disabled")).appearance';
    expect(await at.page.evaluate<string>(looks)).toBe('none');
    await service('Service 1').getByLabel('Tag', { exact: true }).fill('web');
    await form().getByLabel('Title').fill('Website');
    // No stand-in for its name is published.
    await button('Publish').press('Enter');
    await form().getByRole('alert').waitFor();
    await service('Service 1').getByLabel('Name for readers').fill('Shop');
    await button('Publish').click();
    await at.page.getByText('1 service, public').waitFor();
    expect(await at.findings()).toEqual([]);
  });
});
