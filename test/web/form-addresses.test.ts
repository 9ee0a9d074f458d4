/** The forms of maintenance windows and status pages have addresses of their own: for links, for loading anew, for the way back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the form', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1280, height: 900 });
    const window = { name: 'Sundays', schedule: '0 2 * * 0', duration: '2h' };
    await at.knell.api('POST', '/api/v3/maintenance/', window);
    const page = { title: 'Sundays', slug: 'status', services: [{ name: 'One', tag: 'db' }] };
    await at.owner.post(`/web/in/${at.project}/status-pages`, page);
  });
  afterAll(() => at?.stop());

  const path = () => new URL(at.page.url()).pathname.replace(`/project/${at.project}/`, '');
  const button = (name: string) => at.page.getByRole('button', { name });
  const form = () => at.page.locator('form.check-form:has(legend.hidden)');

  describe.each([
    ['settings/maintenance', 'Create maintenance window', 'Maintenance', 'Create', 'window'],
    ['status-pages', 'Create status page', 'Status pages', 'Publish', 'page'],
  ] as const)('at %s', (list, create, listName, save, noun) => {
    test('has its address, from which the way back is to the list', async () => {
      await at.open('badges');
      await at.open(list);
      await button(create).click();
      await expect.poll(path).toBe(`${list}/new`);
      await form().waitFor();
      await at.page.goBack();
      await expect.poll(path).toBe(list);
      await form().waitFor({ state: 'detached' });
      await button('Edit Sundays').click();
      await form().waitFor();
      const edited = path();
      expect(edited).toMatch(new RegExp(`^${list}/[\\w-]{8,}$`));
      await at.page.reload();
      await form().waitFor();
      expect(await at.findings()).toEqual([]);
      await at.page.getByRole('button', { name: 'Cancel' }).click();
      await button('Edit Sundays').waitFor();
      expect(path()).toBe(list);
    });

    test('goes back to where one was once it is closed', async () => {
      await at.open('badges');
      await at.open(list);
      await button('Edit Sundays').click();
      await form().getByRole('button', { name: 'Cancel' }).click();
      await expect.poll(() => at.page.evaluate('document.activeElement.textContent')).toBe('Edit Sundays');
      await at.page.goBack();
      await expect.poll(path).toBe('badges');
    });

    test('is named by a link, and one that is gone is said to be', async () => {
      await at.open(`${list}/new`);
      await form().getByRole('button', { name: save, exact: true }).waitFor();
      await at.page.getByRole('main').getByRole('link', { name: listName, exact: true }).last().click();
      await expect.poll(path).toBe(list);
      await at.open(`${list}/8f7a3a4e-0000-4000-8000-000000000000`);
      await at.page.getByText(new RegExp(`This .*${noun} was deleted or the link is wrong`)).waitFor();
      expect(await at.findings()).toEqual([]);
      expect(at.complaints).toEqual([]);
    });
  });
});
