/** What is typed into settings is not lost without a question, in a real browser. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('what is typed into settings', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.knell.create({ name: 'backup', channels: '' });
  });
  afterAll(() => at?.stop());

  const dialog = () => at.page.getByRole('dialog', { name: 'Leave without saving?' });
  /** Also from a page whose header has no links to the pages of a project. */
  const toBadges = () =>
    at.page.evaluate(
      `{ const a = Object.assign(document.createElement('a'), { href: '/project/${at.project}/badges' });
         document.body.append(a); a.click(); a.remove(); }`,
    );
  const path = () => new URL(at.page.url()).pathname;

  const open = async (address: string): Promise<void> => {
    await at.page.goto(at.knell.app.httpUrl + address.replace('PROJECT', `/project/${at.project}`));
    await at.page.getByText('Live', { exact: true }).waitFor();
  };

  const field = (label: string | RegExp) => () => at.page.getByLabel(label).first();
  const inPanel = (id: string, label: string | RegExp) => () => at.page.locator(`#${id}`).getByLabel(label);
  const pressed = (name: string | RegExp, then: () => Locator) => async () => {
    await at.page.locator('main').getByRole('button', { name }).first().click();
    return then();
  };

  test.each([
    ['PROJECT/settings', 'pings 90 days', field(/^What is kept/)],
    ['PROJECT/settings', 'Another', inPanel('name', /name/i)],
    ['PROJECT/settings', 'grafana', field(/^Name of a new key/)],
    ['PROJECT/settings', 'Another', pressed(/^Rename .*created/, field('Name of the key'))],
    ['PROJECT/settings', 'someone', field(/^Name or email address of the member/)],
    ['PROJECT/settings/members', 'someone', field(/^Name or email address of a new member/)],
    ['/account', 'Another', inPanel('profile', 'Name')],
    ['/account', 'a long enough password', field('New password')],
    ['/projects', 'Another', pressed('New project', field('Name'))],
  ] as const)('at %s is asked about: %s', async (address, text, find) => {
    await open(address);
    const box = await find();
    await box.fill(text);
    await toBadges();
    await dialog().getByRole('button', { name: 'Stay' }).click();
    await expect.poll(() => box.inputValue()).toBe(text);
    await toBadges();
    await dialog().getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(path).toBe(`/project/${at.project}/badges`);
  });

  test('is not asked about once it is saved, however late the page is asked for again', async () => {
    await open('PROJECT/settings');
    const late = '**/web/in/*/settings';
    await at.page.route(late, () => {});
    await field(/^What is kept/)().fill('pings 90 days');
    await at.page.getByRole('button', { name: 'Save rules' }).click();
    await at.page.getByText('Saved. What the rules drop').waitFor();
    await inPanel('name', /name/i)().fill('Renamed');
    await at.page.getByRole('button', { name: 'Rename', exact: true }).click();
    await at.page.getByText('Renamed.', { exact: true }).waitFor();
    await toBadges();
    await expect.poll(path).toBe(`/project/${at.project}/badges`);
    await at.page.unroute(late);
    expect(at.complaints).toEqual([]);
  });
});
