/** The key that undoes what was done last, in a real browser: it is for the newest change, and reaches past none. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the key that undoes', () => {
  let at: OwnerBrowser;
  const uuids: string[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ['alpha', 'beta']) {
      const { uuid } = await at.knell.create({ name, timeout: 86_400, grace: 3600 });
      uuids.push(uuid);
      await at.knell.request(`/ping/${uuid}`);
    }
  }, 60_000);
  afterAll(() => at?.stop());

  const { toast, bulk, form } = {
    toast: (words: string) => at.page.locator('.toast', { hasText: words }),
    bulk: (name: string) => at.page.locator('.bulk').getByRole('button', { name, exact: true }),
    form: () => at.page.locator('dialog[open] form'),
  };
  const alpha = async () => (await at.knell.api('GET', `/api/v3/checks/${uuids[0]}`)).json();
  const tag = async (name: string): Promise<void> => {
    await bulk('Tags…').click();
    await form().getByLabel('Tags to add').fill(name);
    await form().getByRole('button', { name: 'Save' }).click();
    await toast(`2 checks tagged ${name}.`).waitFor();
  };
  const set = async (button: string, number: string): Promise<void> => {
    await bulk(button).click();
    await form().getByRole('spinbutton').fill(number);
    await form().getByLabel('Unit of').selectOption('3600');
    await form().getByRole('button', { name: 'Save' }).click();
  };

  test('is for a schedule and a grace time, too, and says what it undid', async () => {
    await at.open('checks');
    for (const name of ['alpha', 'beta']) await at.page.getByLabel(`Select ${name}`).check();
    await tag('first');
    await set('Grace time…', '5');
    await toast('2 checks given a grace time of 5 h.').locator('kbd').getByText('u').waitFor();
    await at.page.keyboard.press('u');
    await toast('Undone: “2 checks given a grace time of 5 h.”').waitFor();
    expect(await alpha()).toMatchObject({ grace: 3600, tags: 'first' });
    await set('Schedule…', '48');
    await toast('2 checks rescheduled.').locator('kbd').getByText('u').waitFor();
    await at.page.keyboard.press('u');
    await toast('Undone: “2 checks rescheduled.”').waitFor();
    expect(await alpha()).toMatchObject({ timeout: 86_400, tags: 'first' });
  });

  test('undoes and resumes a pause, and reaches past no newer message to an older change', async () => {
    await at.open('checks');
    for (const name of ['alpha', 'beta']) await at.page.getByLabel(`Select ${name}`).check();
    await tag('second');
    await bulk('Pause').click();
    await toast('2 checks paused.').getByRole('button', { name: 'Undo' }).locator('kbd').waitFor();
    await expect.poll(() => at.page.locator('.toast kbd').count()).toBe(1);
    await at.page.keyboard.press('u');
    await toast('Undone: “2 checks paused.”').waitFor();
    expect(await alpha()).toMatchObject({ status: 'up', tags: 'first second' });
    await bulk('Pause').click();
    await toast('2 checks paused.').locator('kbd').waitFor();
    await bulk('Resume').click();
    await toast('2 checks resumed.').locator('kbd').waitFor();
    expect(await alpha()).toMatchObject({ status: 'new', tags: 'first second' });
    await at.page.keyboard.press('u');
    // When alerts start again is no part of what was undone.
    await expect.poll(() => toast('Undone: ').textContent()).toBe('Undone: “2 checks resumed.”');
    expect(await alpha()).toMatchObject({ status: 'paused', tags: 'first second' });
    expect(at.complaints).toEqual([]);
  });
});
