/** What the command palette does to checks that are named behind a verb, and in which order it finds things, in a real browser. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the command palette', () => {
  let at: OwnerBrowser;
  let nightly: Json;
  let invoices: Json;
  let otherKey = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    nightly = await at.knell.create({ name: 'Nightly backup', tags: 'prod' });
    await at.knell.create({ name: 'Weekly backup' });
    await at.owner.post(`/web/in/${at.project}/rename`, { name: 'Northwind' });
    const other = (await at.owner.post('/web/projects', { name: 'Lab' })).json();
    otherKey = other.keys['read-write'];
    invoices = (await at.knell.api('POST', '/api/v3/checks/', { name: 'Invoices' }, otherKey)).json();
    const window = { name: 'Move of the racks', duration: '2h' };
    await at.owner.post(`/web/in/${at.project}/maintenance`, window);
    await at.open('checks');
  });

  afterEach(() => at.page.evaluate("document.querySelector('dialog[open]')?.close()"));
  afterAll(() => at?.stop());

  const palette = () => at.page.getByRole('dialog', { name: 'Command palette' });
  const opened = async (text: string): Promise<void> => {
    await at.page.keyboard.press('Control+k');
    await palette().getByRole('combobox').waitFor();
    await at.page.keyboard.type(text);
  };
  const active = (): Promise<string> =>
    at.page.evaluate(
      "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent ?? ''",
    );
  const toast = (words: string) => at.page.locator('.toast').getByText(words);
  const stateOf = async ({ uuid }: Json, key?: string): Promise<string> =>
    (await at.knell.api('GET', `/api/v3/checks/${uuid}`, undefined, key)).json().status;

  test('does what a verb says to the check that is named behind it', async () => {
    await opened('pause nightly');
    await expect.poll(active).toBe('Pause Nightly backupNorthwind');
    await at.page.keyboard.press('Enter');
    await toast('Nightly backup paused').waitFor();
    expect(await stateOf(nightly)).toBe('paused');
    // It is paused now: what cannot be done is not offered.
    await opened('resume backup');
    await expect.poll(active).toBe('Resume Nightly backupNorthwind');
    await expect
      .poll(() =>
        palette()
          .getByRole('option', { name: /Weekly/ })
          .count(),
      )
      .toBe(0);
    await at.page.keyboard.press('Enter');
    await expect.poll(() => stateOf(nightly)).not.toBe('paused');
  });

  test('does it in another project, and says what does not hold', async () => {
    await opened('snooze invoi');
    await expect.poll(active).toBe('Snooze Invoices for 1 hourLab');
    await at.page.keyboard.press('Enter');
    await toast('Invoices snoozed until').waitFor();
    await opened('unsnooze weekly');
    await expect.poll(active).toBe('Unsnooze Weekly backupNorthwind');
    await at.page.keyboard.press('Enter');
    await toast('Weekly backup is not snoozed.').waitFor();
  });

  test('waits for the check whose name is typed together with Enter', async () => {
    await opened('pause invoices');
    await at.page.keyboard.press('Enter');
    await toast('Invoices paused').waitFor();
    await expect.poll(() => stateOf(invoices, otherKey)).toBe('paused');
  });

  test('goes on from a verb with a name', async () => {
    await opened('ack');
    await palette().getByRole('option', { name: 'Acknowledge a check' }).click();
    await expect.poll(() => palette().getByRole('combobox').inputValue()).toBe('acknowledge ');
    await at.knell.request(`/ping/${nightly.uuid}/fail`);
    await at.page.keyboard.type('nightly');
    await expect.poll(active).toBe('Acknowledge Nightly backupNorthwind');
    await at.page.keyboard.press('Enter');
    await toast('Nightly backup acknowledged.').waitFor();
  });

  test('has what is called exactly so first, and the project whose checks are shown', async () => {
    await opened('mail server');
    await expect.poll(active).toContain('Mail server');
    await at.page.keyboard.press('Escape');
    await opened('northwind');
    await expect.poll(active).toBe('Northwind');
    await at.page.keyboard.press('Escape');
    await opened('racks');
    await expect.poll(active).toBe('Move of the rackson now');
    await at.page.keyboard.press('Enter');
    await expect.poll(() => new URL(at.page.url()).pathname).toContain('/settings/maintenance');
    expect(at.complaints).toEqual([]);
  });

  test('says in which project it has searched outputs', async () => {
    await opened('no such words anywhere');
    await palette().getByText('Nothing matches. Outputs were searched in Northwind only.').waitFor();
    await at.page.keyboard.press('Escape');
    await at.knell.request(`/ping/${nightly.uuid}`, { method: 'POST', body: 'rows of turnips: 12' });
    await opened('turnips');
    await palette().getByRole('group', { name: 'Outputs in Northwind' }).waitFor();
  });
});
