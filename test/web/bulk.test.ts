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
    await at.owner.post('/web/projects', { name: 'A second project with quite a long name for the menus' });
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
  const say = (text: string | RegExp) => at.page.locator('.toast', { hasText: text });
  const undo = async (text: string): Promise<void> => {
    await say(text).getByRole('button', { name: 'Undo' }).click();
  };
  /** They stay selected after what is done to them. */
  const clear = async (): Promise<void> => {
    if ((await at.page.locator('.bulk').count()) > 0) await button('Clear the selection').click();
  };
  const pick = async (): Promise<void> => {
    await clear();
    await at.page.getByLabel('Select job 1').click();
    await at.page.getByLabel('Select job 3').click({ modifiers: ['Shift'] });
    await at.page.getByText('3 checks selected').waitFor();
  };
  const button = (name: string) => at.page.locator('.bulk').getByRole('button', { name });
  const dialog = () => at.page.locator('dialog[open]');

  test('are paused and resumed', async () => {
    await pick();
    expect(await at.findings()).toEqual([]);
    await button('Pause').click();
    await say('3 checks paused. They alert no more until they are resumed and pinged.').waitFor();
    expect(await ofEach('status')).toEqual(['paused', 'paused', 'paused', 'new']);
    // None of them was down: each goes back to what it waited for.
    await undo('3 checks paused');
    await expect.poll(() => ofEach('status')).toEqual(['new', 'new', 'new', 'new']);
    await button('Pause').click();
    await say('3 checks paused. They alert no more until they are resumed and pinged.').waitFor();
    await expect.poll(() => button('Pause').getAttribute('title')).toBe('They are paused already.');
    await button('Resume').click();
    await say('3 checks resumed. Alerts of each start after its next ping.').waitFor();
    expect(await ofEach('status')).toEqual(['new', 'new', 'new', 'new']);
    // What was said of the pause holds no more.
    await expect.poll(() => say('3 checks paused').count()).toBe(0);
    await expect.poll(() => button('Resume').getAttribute('title')).toBe('None of them is paused.');
    await expect.poll(() => button('Resume').getAttribute('aria-disabled')).toBe('true');
    await undo('3 checks resumed.');
    await expect.poll(() => ofEach('status')).toEqual(['paused', 'paused', 'paused', 'new']);
    await button('Resume').click();
    await expect.poll(() => ofEach('status')).toEqual(['new', 'new', 'new', 'new']);
  });

  test('get a tag, and lose it again', async () => {
    await pick();
    await button('Tags').click();
    await dialog().getByLabel('Tags to add').fill('fresh');
    expect(await at.findings('dialog[open]')).toEqual([]);
    await at.page.keyboard.press('Enter');
    await say('3 checks tagged fresh.').waitFor();
    // The tags above the list follow at once, although the pointer is on a row, whose place stays.
    const chips = () => at.page.locator('.tools .chips button').allTextContents();
    await expect.poll(async () => (await chips()).join()).toBe('old4,fresh3');
    expect(await ofEach('tags')).toEqual(['old fresh', 'old fresh', 'old fresh', 'old']);
    await undo('tagged fresh');
    await expect.poll(() => ofEach('tags')).toEqual(['old', 'old', 'old', 'old']);
  });

  test('lose a tag, and get one that only some of them have', async () => {
    await pick();
    await button('Tags').click();
    // While the question is open: what is shown is what they have now.
    await at.knell.api('POST', `/api/v3/checks/${uuids[1]}`, { tags: 'old some' });
    const some = dialog().getByRole('checkbox', { name: /^some/ });
    await expect.poll(() => some.evaluate((box) => 'indeterminate' in box && box.indeterminate)).toBe(true);
    await dialog().getByText('1 of 3').waitFor();
    await some.check();
    await dialog().getByRole('checkbox', { name: 'old' }).uncheck();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await say('3 checks tagged some and no longer tagged old.').waitFor();
    expect(await ofEach('tags')).toEqual(['some', 'some', 'some', 'old']);
    await undo('no longer tagged old');
    await expect.poll(() => ofEach('tags')).toEqual(['old', 'old some', 'old', 'old']);
    await at.knell.api('POST', `/api/v3/checks/${uuids[1]}`, { tags: 'old' });
  });

  test('get another grace time, and each its own again', async () => {
    await at.knell.api('POST', `/api/v3/checks/${uuids[0]}`, { grace: 120 });
    await pick();
    await button('Grace time').click();
    await dialog().getByRole('spinbutton').fill('30');
    await dialog().getByRole('combobox').selectOption('minutes');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await say('3 checks given a grace time of 30 min.').waitFor();
    expect(await ofEach('grace')).toEqual([1800, 1800, 1800, 3600]);
    await undo('grace time of 30 min');
    await expect.poll(() => ofEach('grace')).toEqual([120, 3600, 3600, 3600]);
    // Of one grace time the field begins with it: what is typed replaces it.
    for (const uuid of uuids.slice(1, 3))
      await at.knell.api('POST', `/api/v3/checks/${uuid}`, { grace: 120 });
    await pick();
    await button('Grace time').click();
    await expect.poll(() => dialog().getByRole('spinbutton').inputValue()).toBe('2');
    await at.page.keyboard.type('30');
    await at.page.keyboard.press('Enter');
    // Beside what says that the same was undone.
    await say(/^3 checks given a grace time of 30 min\./).waitFor();
    await expect.poll(() => ofEach('grace')).toEqual([1800, 1800, 1800, 3600]);
    for (const uuid of uuids.slice(1, 3))
      await at.knell.api('POST', `/api/v3/checks/${uuid}`, { grace: 3600 });
    await at.knell.api('POST', `/api/v3/checks/${uuids[0]}`, { grace: 120 });
    await expect.poll(() => ofEach('grace')).toEqual([120, 3600, 3600, 3600]);
  });

  test('get another schedule, which is checked first, and each its own again', async () => {
    await at.knell.api('POST', `/api/v3/checks/${uuids[2]}`, { schedule: '5 5 * * *', tz: 'Asia/Tokyo' });
    await pick();
    await button('Schedule').click();
    await dialog().getByRole('radio', { name: 'Cron' }).check();
    await dialog().getByRole('textbox', { name: 'Schedule' }).fill('61 4 * * *');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('alert').getByText('Invalid minute').waitFor();
    await dialog().getByRole('textbox', { name: 'Schedule' }).fill('0 4 * * *');
    await dialog().getByRole('combobox', { name: 'Time zone' }).fill('UTC');
    expect(await at.findings('dialog[open]')).toEqual([]);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await say('3 checks rescheduled.').waitFor();
    expect(await ofEach('schedule')).toEqual(['0 4 * * *', '0 4 * * *', '0 4 * * *', undefined]);
    // The grace times are as they were.
    expect(await ofEach('grace')).toEqual([120, 3600, 3600, 3600]);
    await undo('rescheduled');
    await expect.poll(() => ofEach('schedule')).toEqual([undefined, undefined, '5 5 * * *', undefined]);
    expect(await ofEach('tz')).toEqual([undefined, undefined, 'Asia/Tokyo', undefined]);
    expect(await ofEach('timeout')).toEqual([86_400, 86_400, undefined, 86_400]);
  });

  test('are snoozed, and each as it was again; and alert again', async () => {
    const until = await at.knell.api('POST', `/api/v3/checks/${uuids[1]}/snooze`, { for: 7200 });
    expect(until.status).toBe(200);
    const snoozed = () =>
      Promise.all(
        uuids.map(async (uuid) =>
          Math.round(
            (Date.parse(
              (await at.knell.api('GET', `/api/v3/checks/${uuid}/snooze`)).json().snoozed?.until ?? '',
            ) -
              at.clock.nowMs()) /
              60_000,
          ),
        ),
      );
    await pick();
    await button('Snooze').click();
    await at.page.getByRole('menuitem', { name: 'Snooze for 1 hour' }).click();
    await say('3 checks snoozed until').waitFor();
    expect(await snoozed()).toEqual([60, 60, 60, Number.NaN]);
    await undo('3 checks snoozed until');
    await expect.poll(snoozed).toEqual([Number.NaN, 120, Number.NaN, Number.NaN]);
    await pick();
    await button('Snooze').click();
    await at.page.getByRole('menuitem', { name: 'End the snooze' }).click();
    await say('job 2 no longer snoozed.').waitFor();
    await expect.poll(snoozed).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  });

  test('are acknowledged where they are down, and it says so where none is', async () => {
    const acknowledged = () =>
      Promise.all(
        uuids.map(
          async (uuid) =>
            (await at.knell.api('GET', `/api/v3/checks/${uuid}/snooze`)).json().acknowledged !== null,
        ),
      );
    await pick();
    const why = () => button('Acknowledge').getAttribute('title');
    await expect.poll(why).toBe('None of them is down and unacknowledged.');
    await expect.poll(() => button('Acknowledge').getAttribute('aria-disabled')).toBe('true');
    expect(await at.findings('.bulk')).toEqual([]);
    for (const uuid of uuids.slice(0, 2)) await at.knell.request(`/ping/${uuid}/fail`);
    await at.page.locator('.row.down').nth(1).waitFor();
    await pick();
    await expect.poll(why).toBeNull();
    await button('Acknowledge').click();
    await say('2 checks acknowledged.').waitFor();
    expect(await acknowledged()).toEqual([true, true, false, false]);
    await undo('2 checks acknowledged.');
    await expect.poll(acknowledged).toEqual([false, false, false, false]);
    for (const uuid of uuids.slice(0, 2)) await at.knell.request(`/ping/${uuid}`);
    await at.page.locator('.row.up').nth(1).waitFor();
  });

  test.each([
    [1440, 'buttons'],
    [1280, 'buttons'],
    [1024, 'menu'],
    [768, 'menu'],
    [390, 'menu'],
  ] as const)('have a bar of one line at %i px, which covers no row for good', async (width, kind) => {
    await at.page.setViewportSize({ width, height: 800 });
    await clear();
    await at.page.getByLabel('Select job 2').click();
    const bar = at.page.locator('.bulk');
    await bar.getByText('1 check selected').waitFor();
    await bar.locator(`.bulk-${kind}`).waitFor();
    const box = await bar.boundingBox();
    expect(box?.height).toBeLessThan(64);
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    const cut = await bar.evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(cut, 'what does not fit into the bar').toBeLessThanOrEqual(0);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      expect(await at.findings()).toEqual([]);
    }
    // Scrolled to its end, the page ends above the bar.
    const isFree = await at.page.evaluate<boolean>(`(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      const rows = [...document.querySelectorAll('.row')];
      return rows.at(-1).getBoundingClientRect().bottom <= document.querySelector('.bulk').getBoundingClientRect().top;
    })()`);
    expect(isFree).toBe(true);
    if (kind === 'menu') {
      await bar.getByRole('button', { name: 'Actions' }).click();
      const menu = await bar.getByRole('menu').boundingBox();
      expect(menu?.x).toBeGreaterThanOrEqual(0);
      expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(width);
      await at.page.getByRole('menuitem', { name: 'Notify…' }).waitFor();
      await at.page.getByRole('menuitem', { name: 'Grace time…' }).click();
      await dialog().getByRole('spinbutton').waitFor();
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
    }
    await bar.getByRole('button', { name: 'Clear the selection' }).click();
    await bar.waitFor({ state: 'detached' });
    await at.page.setViewportSize({ width: 1280, height: 800 });
  });

  test('are assigned an integration', async () => {
    await pick();
    await button('Notify').click();
    await dialog().getByRole('checkbox', { name: 'Hook' }).check();
    expect(await at.findings('dialog[open]')).toEqual([]);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await say('3 checks set to notify Hook.').waitFor();
    expect(await ofEach('channels')).toEqual([channel, channel, channel, '']);
  });

  test('lose an integration that only some of them have, and get it back', async () => {
    await clear();
    await at.page.getByLabel('Select job 4').click();
    await at.page.getByLabel('Select job 1').click();
    await at.page.getByText('2 checks selected').waitFor();
    await button('Notify').click();
    const hook = dialog().getByRole('checkbox', { name: 'Hook' });
    // Beside its name, before why it may not send.
    await dialog().locator('.channel', { hasText: 'Hook' }).getByText('1 of 2', { exact: true }).waitFor();
    // Neither on nor off: the first press says that both get it.
    await hook.check();
    await hook.uncheck();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await say('job 1 set not to notify Hook.').waitFor();
    expect(await ofEach('channels')).toEqual(['', channel, channel, '']);
    await undo('set not to notify Hook');
    await expect.poll(() => ofEach('channels')).toEqual([channel, channel, channel, '']);
  });

  test('move to another project, and come back with their integrations', async () => {
    await pick();
    await button('Move to').click();
    await at.page.getByRole('menuitem', { name: 'Archive' }).click();
    await say('3 checks moved to Archive. All 3 notify nobody there.').waitFor();
    await at.page.getByText('1 check', { exact: true }).waitFor();
    expect((await at.owner.get(`/web/in/${other}/list`)).json().total).toBe(3);
    await undo('moved to Archive');
    await at.page.getByText('4 checks', { exact: true }).waitFor();
    await expect.poll(() => ofEach('channels')).toEqual([channel, channel, channel, '']);
    const value = 'archive@example.org';
    await at.owner.post(`/web/in/${other}/channels`, { kind: 'email', name: 'Mail', value });
    await pick();
    await button('Move to').click();
    await at.page.getByRole('menuitem', { name: 'Archive' }).click();
    const notified = 'They notify the integration of that project now.';
    await say(`3 checks moved to Archive. ${notified}`).waitFor();
    await undo(notified);
    await expect.poll(() => ofEach('channels')).toEqual([channel, channel, channel, '']);
  });

  test('are deleted after a question', async () => {
    await pick();
    await button('Delete').click();
    await at.page.getByRole('heading', { name: 'Delete 3 checks?' }).waitFor();
    expect(await dialog().getByRole('listitem').allTextContents()).toEqual(['job 1', 'job 2', 'job 3']);
    const confirm = dialog().getByLabel('Type 3 to confirm');
    await expect.poll(() => dialog().locator('input:focus').count()).toBe(1);
    await at.page.keyboard.press('Enter');
    expect(await checks()).toHaveLength(4);
    const cut = await dialog().evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(cut, 'pixels of the question that are cut').toBeLessThanOrEqual(0);
    expect(await at.findings('dialog[open]')).toEqual([]);
    await confirm.fill('3');
    await at.page.getByRole('button', { name: 'Delete permanently' }).click();
    await at.page.getByText('1 check', { exact: true }).waitFor();
    expect((await checks()).map(({ name }) => name)).toEqual(['job 4']);
  });

  test('one is snoozed with a key, and alerts again after Undo', async () => {
    await at.page.keyboard.press('j');
    await at.page.keyboard.press('z');
    await at.page
      .getByText(/^Snoozed until/)
      .first()
      .waitFor();
    const snoozed = async (): Promise<unknown> =>
      (await at.knell.api('GET', `/api/v3/checks/${uuids[3]}/snooze`)).json().snoozed;
    expect(await snoozed()).not.toBeNull();
    await undo('job 4 snoozed');
    await expect.poll(snoozed).toBeNull();
    const isSaid = at.page.locator('.row .state', { hasText: 'Snoozed until' });
    await isSaid.waitFor({ state: 'detached' });
    await at.page.keyboard.press('z');
    await say('job 4 snoozed').waitFor();
    await isSaid.waitFor();
    await at.page.keyboard.press('z');
    await say('job 4 alerts again.').waitFor();
    // Two ways back would contradict each other.
    await expect.poll(() => say('job 4 snoozed').count()).toBe(0);
    expect(at.complaints).toEqual([]);
  });
});
