/** A project's settings in a real browser: its name, and how much of its log is kept. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const evil = '<img src=x onerror="window.evil=1">';

describe.skipIf(browserMissing !== '')('the settings page', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.knell.create({ name: 'job' });
    await at.open('settings');
  });

  afterAll(() => at?.stop());

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });

  test('does not offer to delete the only project, and says why', async () => {
    await at.page.getByText("You can't delete your only project").waitFor();
    // Nothing limits it.
    await at.page.getByText('1 check.', { exact: true }).waitFor();
    await expect.poll(() => button('Delete the project…').count()).toBe(0);
  });

  test('renames it, here and in the header, to the text that was typed', async () => {
    await expect.poll(() => button('Rename').isDisabled()).toBe(true);
    await at.page.getByLabel('Name of this project').fill(evil);
    await expect.poll(() => button('Rename').isEnabled()).toBe(true);
    await at.page.keyboard.press('Tab');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: evil }).waitFor();
    await at.page.getByText('Renamed.').waitFor();
    expect((await at.owner.get('/web/state')).json().projects).toMatchObject([{ name: evil }]);
    expect(await at.page.evaluate('window.evil')).toBeUndefined();
  });

  test('says what is wrong with a name', async () => {
    await at.owner.post('/web/projects', { name: 'second' });
    await at.page.reload();
    await at.page.getByLabel('Name of this project').fill('second');
    await button('Rename').click();
    await at.page.getByText('A project named second exists already').waitFor();
  });

  test('says once what is wrong with a rule of retention, until it is another', async () => {
    await at.page.getByLabel(/^What is kept/).fill('pings foo');
    await button('Save rules').click();
    await button('What would these rules drop?').click();
    await expect.poll(() => at.page.getByText('"pings foo" is no rule').count()).toBe(1);
    await at.page.getByLabel(/^What is kept/).fill('pings 9 days');
    await expect.poll(() => at.page.getByText('"pings foo" is no rule').count()).toBe(0);
  });

  test('begins each card at one height, and on a phone its button is as wide as the card', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    // Between the middle of a card's title and that of its first words.
    const gapsPx = `[...document.querySelectorAll('.panel:not(.danger)')].flatMap((card) => {
      const first = card.querySelector('.panel-body > p:has(+ ul), .panel-body > ul strong, .panel-body label')?.firstChild;
      if (!first) return [];
      const words = document.createRange();
      words.selectNode(first);
      const [title, text] = [card.querySelector('h2'), words].map((one) => one.getBoundingClientRect());
      return [Math.abs((title.top + title.bottom - text.top - text.bottom) / 2)];
    })`;
    await expect
      .poll(async () => {
        const gaps = await at.page.evaluate<number[]>(gapsPx);
        return [gaps.length > 3, Math.max(...gaps) <= 3];
      })
      .toEqual([true, true]);
    await at.page.setViewportSize({ width: 390, height: 844 });
    const sparePx = (name: string): Promise<number> =>
      button(name).evaluate((one: Json) => {
        const body = one.closest('.panel-body').getBoundingClientRect();
        return Math.round(body.width - one.getBoundingClientRect().width);
      });
    for (const name of ['Rename', 'Offer']) await expect.poll(() => sparePx(name), { message: name }).toBe(0);
    // Those that create a key are in two columns.
    const columns = () =>
      at.page
        .getByRole('button', { name: /^Create/ })
        .evaluateAll((all: Json) => all.map((one: Json) => one.getBoundingClientRect().left));
    await expect.poll(async () => [(await columns()).length, new Set(await columns()).size]).toEqual([4, 2]);
    await expect.poll(() => button('Offer').isDisabled()).toBe(true);
    await button('Offer').press('Enter');
    await at.page.getByText('Enter the name of a member.').waitFor();
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings()).toEqual([]);
  });

  test.each([
    ['new', '', ['Create check', 'Create and add another', 'Cancel']],
    ['new/crontab', '', ['Create checks', 'Cancel']],
    ['settings/maintenance', 'Create maintenance window', ['Create', 'Cancel']],
    ['status-pages', 'Create status page', ['Publish', 'Cancel']],
  ])(
    'has forms elsewhere, as on %s, whose buttons share the lines of a phone',
    async (path, opener, names) => {
      await at.page.setViewportSize({ width: 430, height: 844 });
      await at.open(path);
      if (opener !== '') await button(opener).first().click();
      const places = () =>
        Promise.all(
          names.map((name) =>
            at.page.getByRole('button', { name, exact: true }).evaluate((one: Json) => {
              const [own, line] = [one, one.parentElement].map((box: Json) => box.getBoundingClientRect());
              return [own.left - line.left, line.right - own.right].map(Math.round);
            }),
          ),
        );
      await expect.poll(async () => (await places()).at(0)?.[0]).toBe(0);
      await expect.poll(async () => (await places()).at(-1)?.[1]).toBe(0);
    },
  );
});
