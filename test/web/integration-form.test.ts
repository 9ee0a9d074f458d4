/** The forms of an integration in a real browser: the ways back to the list, at the top and at the bottom, on a phone too. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the form of an integration', () => {
  let at: OwnerBrowser;
  let id = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const value = {
      kind: 'email',
      name: 'A very long name of the people who are on call',
      value: 'ops@example.org',
    };
    id = (await at.owner.post(`/web/in/${at.project}/channels`, value)).json().id;
  });

  afterAll(() => at?.stop());

  const main = () => at.page.locator('main');
  const list = () => at.page.getByRole('heading', { level: 1, name: 'Integrations' });

  test.each([390, 1440])('has ways back at both ends, by keyboard too, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 844 });
    for (const path of ['integrations/new/webhook', `integrations/${id}`]) {
      await at.open(path);
      await main().locator('form.check-form').waitFor();
      const [back, title] = [main().getByRole('link', { name: 'Integrations' }), main().locator('h1')];
      const [box, beside] = [await back.boundingBox(), await title.boundingBox()];
      // Before the title, on its line, and as high as a thumb.
      expect(box?.height).toBeGreaterThanOrEqual(32);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0);
      expect(box?.y).toBeLessThan((beside?.y ?? 0) + (beside?.height ?? 0));
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      await back.press('Enter');
      await list().waitFor();
      await at.page.goBack();
      await main().getByRole('button', { name: 'Cancel' }).press('Enter');
      await list().waitFor();
    }
    expect(at.complaints).toEqual([]);
  });

  test('is not saved where its ticks and events leave nothing to send', async () => {
    const form = () => main().locator('form.check-form');
    await at.open(`integrations/${id}`);
    await form().getByLabel('Notify when a check recovers').uncheck();
    await form().locator('summary', { hasText: 'Delays, repeats and filters' }).click();
    const up = form().getByLabel('Up again');
    await up.check();
    const save = form().getByRole('button', { name: 'Save' });
    await save.click();
    await form()
      .getByText(
        'Nothing would be sent: “Up again” is sent only after a way of going down that is chosen, too.',
      )
      .waitFor();
    await form().getByLabel('Notify when a check recovers').check();
    await form().getByLabel('Notify when a check goes down').uncheck();
    await up.uncheck();
    await form().getByLabel('Down, for any other reason').check();
    await save.click();
    await form()
      .getByText(
        'Nothing would be sent: it is notified only when a check recovers, and “Up again” is not chosen.',
      )
      .waitFor();
    await form().getByLabel('Notify when a check goes down').check();
    await save.click();
    // The focus is where one left.
    const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
    await expect.poll(focused).toBe('A very long name of the people who are on call');
    expect(at.complaints).toEqual([]);
  });

  test('says in the list of one that was made by the API that it sends nothing', async () => {
    const fields = { url_down: 'http://127.0.0.1:9/' };
    const made = { kind: 'webhook', name: 'Mute', fields, events: 'up' };
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, made)).json();
    await at.open('integrations');
    await main().getByRole('listitem', { name: 'Mute' }).getByText('Sends nothing').waitFor();
    await at.owner.send('DELETE', `/web/in/${at.project}/channels/${id}`);
  });

  test('has a link to the very setting that a kind lacks', async () => {
    await at.open('integrations/new');
    await main().locator('a.unconfigured', { hasText: 'Email' }).click();
    const setting = at.page.locator('#KNELL_MAIL_URL');
    await setting.waitFor();
    // Open, with the focus in it: what one types belongs there.
    const focused = () => at.page.evaluate<string>('document.activeElement.name');
    await expect.poll(focused).toBe('host');
    expect(new URL(at.page.url()).hash).toBe('#KNELL_MAIL_URL');
    await expect
      .poll(async () => (await setting.boundingBox())?.y ?? -1)
      .toBeLessThan(at.page.viewportSize()?.height ?? 0);
    expect(await at.findings('main')).toEqual([]);
  });

  test('has them where the integration was deleted', async () => {
    await at.open('integrations/8f7a3a4e-0000-4000-8000-000000000000');
    await at.page.getByRole('heading', { name: 'Integration not found' }).waitFor();
    expect(await at.findings('main')).toEqual([]);
    await main().getByRole('link', { name: 'Integrations' }).click();
    await list().waitFor();
  });
});
