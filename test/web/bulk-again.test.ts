/** Checks that stay selected, and the dialogs about several of them, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('checks that are selected', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    for (const [name, tags, timeout, grace] of [
      ['job 1', 'prod', 3600, 60],
      ['job 2', 'prod nightly', 7200, 120],
      ['job 3', 'prod', 7200, 120],
      ['other', 'backup', 3600, 60],
    ])
      await at.knell.create({ name, tags, timeout, grace });
  }, 60_000);

  afterAll(() => at?.stop());

  const bulk = (name: string) => at.page.locator('.bulk').getByRole('button', { name });
  const dialog = () => at.page.locator('dialog[open]');
  const focused = (): Promise<Json> =>
    at.page.evaluate(
      `(() => { const one = document.activeElement; return one.getAttribute('aria-label') ?? one.textContent; })()`,
    );
  const select = async (...names: readonly string[]): Promise<void> => {
    await at.open('checks');
    for (const name of names) await at.page.getByLabel(`Select ${name}`).click();
  };
  const toast = (words: string) => at.page.locator('.toast', { hasText: words });

  test('stay so after one action and the next, also after one that did nothing', async () => {
    await select('job 1', 'job 2');
    await expect.poll(() => bulk('Resume').getAttribute('title')).toBe('None of them is paused.');
    await bulk('Snooze').click();
    await at.page.getByRole('menuitem', { name: 'End the snooze' }).click();
    await toast('None of them is snoozed.').waitFor();
    await bulk('Pause').click();
    await toast('2 checks paused.').waitFor();
    await bulk('Resume').click();
    await toast('2 checks resumed.').getByRole('button', { name: 'Undo' }).click();
    await toast('Undone: “2 checks resumed.”').waitFor();
    await at.page.getByText('2 checks selected').waitFor();
    // Where the focus was before Undo.
    expect(await focused()).toBe('Resume');
    await at.page.keyboard.press('Escape');
    await at.page.locator('.bulk').waitFor({ state: 'detached' });
    // In the row where one was before the bar.
    expect(await focused()).toBe('job 2');
  });

  test('are reached by a key from a row, which the keys say', async () => {
    await select('job 1', 'job 2');
    await at.page.keyboard.press('j');
    await at.page.keyboard.press('b');
    // None of them is down, so there is nothing to acknowledge.
    expect(await focused()).toBe('Snooze');
    await at.page.keyboard.press('?');
    await dialog().getByText('Actions on the selected checks').waitFor();
    await at.page.keyboard.press('Escape');
    // Where there is space for one menu only, that begins with what can be done, too.
    await at.page.setViewportSize({ width: 390, height: 844 });
    await bulk('Actions').click();
    expect(await focused()).toMatch(/^Snooze/);
    await at.page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('Acknowledge');
    await at.page.keyboard.press('Escape');
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });

  test('have empty fields in a dialog where theirs differ, and are counted in its words', async () => {
    await select('job 1', 'job 2');
    await bulk('Schedule…').click();
    await dialog().getByRole('heading', { name: 'Schedule of 2 checks' }).waitFor();
    await dialog().getByText('They differ: the 2 checks have several schedules.').waitFor();
    await expect.poll(() => dialog().getByRole('spinbutton').inputValue()).toBe('');
    await expect.poll(() => dialog().locator('[aria-pressed=true]').count()).toBe(0);
    await dialog().getByRole('radio', { name: 'Cron' }).check();
    await expect.poll(() => dialog().getByRole('textbox', { name: 'Schedule' }).inputValue()).toBe('');
    await expect.poll(() => dialog().getByRole('alert').count()).toBe(0);
    expect(await at.findings('dialog[open]')).toEqual([]);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(await focused()).toBe('Schedule…');
    await bulk('Grace time…').click();
    await dialog().getByText('They differ: the 2 checks have several grace times.').waitFor();
    await expect.poll(() => dialog().getByRole('spinbutton').inputValue()).toBe('');
    await at.page.keyboard.press('Escape');
    await bulk('Snooze').click();
    await at.page.getByRole('menuitem', { name: 'Snooze until a date…' }).click();
    await dialog().getByRole('heading', { name: 'Snooze 2 checks until' }).waitFor();
    await dialog().getByText('Alerts of those that are down').waitFor();
    await at.page.keyboard.press('Escape');
    await select('job 2', 'job 3');
    await bulk('Schedule…').click();
    await expect.poll(() => dialog().getByRole('spinbutton').inputValue()).toBe('2');
    await at.page.keyboard.press('Escape');
  });

  test('have a box that goes back to what some of them have, and tags that are completed', async () => {
    await select('job 1', 'job 2');
    await bulk('Tags…').click();
    const box = dialog().getByRole('checkbox', { name: /^nightly/ });
    const state = (): Promise<Json> => box.evaluate((one: Json) => [one.checked, one.indeterminate]);
    const states: Json[] = [await state()];
    for (let n = 0; n < 3; n++) {
      await box.click();
      states.push(await state());
    }
    expect(states).toEqual([
      [false, true],
      [true, false],
      [false, false],
      [false, true],
    ]);
    const field = dialog().getByLabel('Tags to add');
    await field.fill('fresh ba');
    const offered = await at.page
      .locator('#bulk-tag-names option')
      .evaluateAll((all: Json) => all.map((one: Json) => one.value));
    expect(offered).toContain('fresh backup');
    await at.page.keyboard.press('Escape');
  });

  test('get tags that commas separate', async () => {
    await select('job 3');
    await bulk('Tags…').click();
    await dialog().getByLabel('Tags to add').fill('red, green,blue');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await toast('job 3 tagged red, green, blue.').waitFor();
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/?tag=green')).json();
    expect(checks.map(({ tags }: Json) => tags)).toEqual(['prod red green blue']);
  });

  test('take earlier ways back with them when they are deleted', async () => {
    await select('job 3');
    await bulk('Snooze').click();
    await at.page.getByRole('menuitem', { name: 'Snooze for 1 hour' }).click();
    await toast('job 3 snoozed').getByRole('button', { name: 'Undo' }).waitFor();
    await bulk('Delete…').click();
    await dialog().getByRole('button', { name: 'Delete permanently' }).click();
    await toast('job 3 deleted.').waitFor();
    // Each message goes by itself, later.
    await expect.poll(() => at.page.locator('.toast button').count(), { timeout: 4000 }).toBe(0);
  });

  test('are fewer once some are gone', async () => {
    await select('job 1', 'job 2');
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/')).json();
    const { uuid } = checks.find(({ name }: Json) => name === 'job 2');
    await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
    await bulk('Resume').click();
    await at.page.getByText('1 check selected').waitFor();
    await bulk('Delete…').click();
    await dialog().getByRole('heading', { name: 'Delete 1 check?' }).waitFor();
    await dialog().getByText('It never had a ping.').waitFor();
    await dialog().getByRole('button', { name: 'Delete permanently' }).click();
    await at.page.locator('.bulk').waitFor({ state: 'detached' });
    expect(await at.page.evaluate('document.activeElement !== document.body')).toBe(true);
    expect(at.complaints).toEqual([]);
  });
});
