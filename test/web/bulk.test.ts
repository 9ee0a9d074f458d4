/** Several checks at once, in a real browser: each action, and its way back for ten seconds. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('selected checks', () => {
  let at: OwnerBrowser;
  let channel = '';
  let other = '';
  const uuids: string[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1280, height: 800 });
    other = (await at.owner.post('/web/projects', { name: 'Archive' })).json().id;
    const hook = { kind: 'webhook', name: 'Hook', fields: { url_down: 'https://example.org' } };
    channel = (await at.owner.post(`/web/in/${at.project}/channels`, hook)).json().id;
    for (let n = 1; n <= 4; n++) uuids.push((await at.knell.create({ name: `job ${n}`, tags: 'old' })).uuid);
    await at.open('checks');
  });

  afterAll(() => at?.stop());

  const checks = async (): Promise<readonly Json[]> =>
    (await at.knell.api('GET', '/api/v3/checks/')).json().checks;
  const ofEach = async (name: string): Promise<readonly unknown[]> => {
    const found = await checks();
    return uuids.map((uuid) => found.find((check) => check.uuid === uuid)?.[name]);
  };
  const say = (text: string) => at.page.locator('.toast', { hasText: text });
  const undo = async (text: string): Promise<void> => {
    await say(text).getByRole('button', { name: 'Undo' }).click();
  };
  const pick = async (): Promise<void> => {
    await at.page.getByLabel('Select job 1').click();
    await at.page.getByLabel('Select job 3').click({ modifiers: ['Shift'] });
    await at.page.getByText('3 checks selected').waitFor();
  };
  const button = (name: string) => at.page.locator('.bulk').getByRole('button', { name });

  test('are paused and resumed', async () => {
    await pick();
    expect(await at.findings()).toEqual([]);
    await button('Pause').click();
    await say('3 checks paused.').waitFor();
    expect(await ofEach('status')).toEqual(['paused', 'paused', 'paused', 'new']);
    await undo('3 checks paused.');
    await expect.poll(() => ofEach('status')).toEqual(['new', 'new', 'new', 'new']);
  });

  test('get a tag, and lose it again', async () => {
    await pick();
    await at.page.getByLabel('Tag to add').fill('fresh');
    await at.page.keyboard.press('Enter');
    await say('3 checks tagged fresh.').waitFor();
    expect(await ofEach('tags')).toEqual(['old fresh', 'old fresh', 'old fresh', 'old']);
    await undo('tagged fresh');
    await expect.poll(() => ofEach('tags')).toEqual(['old', 'old', 'old', 'old']);
  });

  test('are assigned an integration', async () => {
    await pick();
    await button('Notify').click();
    await at.page.getByRole('menuitem', { name: 'Hook' }).click();
    await say('3 checks now notify Hook.').waitFor();
    expect(await ofEach('channels')).toEqual([channel, channel, channel, '']);
  });

  test('move to another project, and come back with their integrations', async () => {
    await pick();
    await button('Move to').click();
    await at.page.getByRole('menuitem', { name: 'Archive' }).click();
    await say('3 checks moved to Archive.').waitFor();
    await at.page.getByText('1 check', { exact: true }).waitFor();
    expect((await at.owner.get(`/web/in/${other}/list`)).json().total).toBe(3);
    await undo('moved to Archive');
    await at.page.getByText('4 checks', { exact: true }).waitFor();
    await expect.poll(() => ofEach('channels')).toEqual([channel, channel, channel, '']);
  });

  test('are deleted after a question', async () => {
    await pick();
    await button('Delete').click();
    await at.page.getByRole('heading', { name: 'Delete 3 checks?' }).waitFor();
    expect(await at.findings('dialog[open]')).toEqual([]);
    await at.page.getByRole('button', { name: 'Delete permanently' }).click();
    await at.page.getByText('1 check', { exact: true }).waitFor();
    expect((await checks()).map(({ name }) => name)).toEqual(['job 4']);
  });

  test('one is snoozed with a key, and alerts again after Undo', async () => {
    await at.page.keyboard.press('j');
    await at.page.keyboard.press('z');
    await at.page.getByText(/^Snoozed until/).waitFor();
    const snoozed = async (): Promise<unknown> =>
      (await at.knell.api('GET', `/api/v3/checks/${uuids[3]}/snooze`)).json().snoozed;
    expect(await snoozed()).not.toBeNull();
    await undo('job 4 snoozed');
    await expect.poll(snoozed).toBeNull();
    expect(at.complaints).toEqual([]);
  });
});
