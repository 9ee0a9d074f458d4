/** A group, ticks in the matrix, and an integration that is deleted, in a real browser. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { IntegrationsScene } from '../support/page/integrations-scene.ts';

describe.skipIf(browserMissing !== '')('integrations', () => {
  const scene = IntegrationsScene.forFile(async (at) => {
    for (const one of [
      { kind: 'email', name: 'On call', value: 'ops@example.org' },
      { kind: 'webhook', name: 'Hook', fields: { url_down: 'https://example.org/' } },
    ])
      await at.owner.post(`/web/in/${at.project}/channels`, one);
  });

  test('makes a group of those that are there', async () => {
    await scene.kind('group');
    await scene.form().getByLabel(/^Name/).fill('Everyone');
    await scene
      .form()
      .getByRole('checkbox', { name: /^On call/ })
      .check();
    await scene.form().getByRole('checkbox', { name: /^Hook/ }).check();
    await scene.add();
    await scene.at.page.getByRole('heading', { name: 'Everyone was added' }).waitFor();
    expect(scene.keptOf('Everyone').split(',')).toHaveLength(2);
  });

  test('saves every tick, however quickly they follow each other', async () => {
    const { uuid } = await scene.at.knell.create({ name: 'job' });
    await scene.at.open('integrations?view=matrix');
    const tick = (who: string) =>
      scene.at.page.getByRole('checkbox', { name: `job notifies ${who}`, exact: true });
    const kept = async () =>
      (await scene.at.owner.get(`/web/in/${scene.at.project}/api/checks/${uuid}`)).json().channels.split(',');
    await tick('Everyone').waitFor();
    await scene.at.page.evaluate(`for (const who of ['On call', 'Hook', 'Everyone'])
      document.querySelector('[aria-label="job notifies ' + who + '"]').click()`);
    await expect.poll(async () => (await kept()).length).toBe(3);
    // One message is for all of them, and so is the way back, by its key, too.
    await scene.at.page.getByText('3 ticks changed, of 1 check.').waitFor();
    await scene.at.page.keyboard.press('u');
    await expect.poll(async () => (await kept()).filter(Boolean).length).toBe(0);
    await expect.poll(() => scene.at.page.locator('.toast', { hasText: 'ticks changed' }).count()).toBe(1);
    // The focus is in the box then, which takes no letters.
    await tick('On call').press('Space');
    await scene.at.page.getByText('job now notifies On call.').waitFor();
    await scene.at.page.keyboard.press('u');
    await expect.poll(async () => (await kept()).filter(Boolean).length).toBe(0);
    await tick('Hook').check();
    await scene.at.page.getByText('job now notifies Hook.').waitFor();
    await scene.at.page
      .locator('.toast', { hasText: 'now notifies' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect.poll(() => tick('Hook').isChecked()).toBe(false);
    await scene.at.page.evaluate(`for (const who of ['On call', 'Hook', 'Everyone'])
      document.querySelector('[aria-label="job notifies ' + who + '"]').click()`);
    await expect.poll(async () => (await kept()).length).toBe(3);
    for (const who of ['On call', 'Hook', 'Everyone'])
      await expect.poll(() => tick(who).isChecked(), { message: who }).toBe(true);
    await tick('Hook').uncheck();
    await expect.poll(async () => (await kept()).length).toBe(2);
    // What somebody else does is seen too.
    await scene.at.owner.post(`/web/in/${scene.at.project}/api/checks/${uuid}`, { channels: '' });
    await expect.poll(() => tick('On call').isChecked()).toBe(false);
  });

  test('says what the buttons of a whole row changed, and takes it back', async () => {
    const { uuid } = await scene.at.knell.create({ name: 'whole row', channels: '*' });
    const path = `/web/in/${scene.at.project}/api/checks/${uuid}`;
    const kept = async (): Promise<readonly string[]> =>
      (await scene.at.owner.get(path)).json().channels.split(',').filter(Boolean);
    const [first = '', second = '', third = ''] = await kept();
    expect(third).not.toBe('');
    await scene.at.open('integrations?view=matrix');
    const all = scene.at.page.getByRole('checkbox', { name: 'All integrations for whole row', exact: true });
    const state = () =>
      all.evaluate((box: Json) => (box.indeterminate ? 'some' : box.checked ? 'all' : 'none'));
    const ticked = scene.at.page.locator('[aria-label^="whole row notifies"]:checked');
    await expect.poll(() => ticked.count()).toBe(3);
    const toasts = scene.at.page.locator('.toast');
    const undone = async (text: string): Promise<void> => {
      await toasts.filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click();
      await toasts.filter({ hasText: 'Undone: ' }).last().waitFor();
    };
    await expect.poll(state).toBe('all');
    await all.press('Space');
    await expect.poll(kept).toEqual([]);
    await expect.poll(state).toBe('none');
    await undone('whole row set to notify nobody.');
    expect(await kept()).toHaveLength(3);
    await scene.at.owner.post(path, { channels: first });
    await expect.poll(() => ticked.count()).toBe(1);
    await expect.poll(state).toBe('some');
    await all.press('Space');
    await undone('whole row set to notify all integrations.');
    expect(await kept()).toEqual([first]);
    // Where only one changes, what changed is seen.
    await scene.at.owner.post(path, { channels: `${first},${second}` });
    await expect.poll(() => ticked.count()).toBe(2);
    await all.press('Space');
    await expect.poll(async () => (await kept()).length).toBe(3);
    expect(await toasts.allTextContents()).not.toContainEqual(expect.stringContaining('whole row notifies'));
  });

  test('asks before it deletes one, and gives the focus back', async () => {
    await scene.at.open('integrations');
    const more = scene.at.page.getByRole('button', { name: 'More for Everyone' });
    await more.focus();
    await scene.at.page.keyboard.press('Enter');
    // The menu takes the focus a little after it opens.
    await scene.at.page.locator('[role=menuitem]:focus').waitFor();
    await scene.at.page.getByRole('menuitem', { name: 'Delete' }).focus();
    await scene.at.page.keyboard.press('Enter');
    await scene.at.page.getByText('Everyone will not be notified about any check').waitFor();
    expect(await scene.at.findings()).toEqual([]);
    await scene.at.page.keyboard.press('Escape');
    await expect
      .poll(() => scene.at.page.evaluate("document.activeElement.getAttribute('aria-label')"))
      .toBe('More for Everyone');
    await scene.remove('Everyone');
    await expect
      .poll(() => scene.at.page.evaluate("document.activeElement.closest('#main') !== null"))
      .toBe(true);
  });

  scene.endsWithoutComplaints();
});
