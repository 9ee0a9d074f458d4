/** The matrix on a phone, in a real browser: its filter, names, and checks that notify nobody. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const names = ['east', 'west'].map(
  (side) => `Nightly database backup of the ${side}, with all of its attachments`,
);

describe.skipIf(browserMissing !== '')('the matrix on a phone', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (const [n, name] of ['Chat', 'Team', 'On call', 'Number 3', 'Number 4'].entries()) {
      const chat = { kind: 'telegram', name, value: `{"id":${n + 5}}` };
      await at.owner.post(`/web/in/${at.project}/channels`, chat);
    }
    for (const name of names) await at.knell.create({ name, tags: 'backup', channels: '*' });
    await at.knell.create({ name: 'Report', channels: '' });
    await at.page.setViewportSize({ width: 390, height: 844 });
  }, 60_000);
  afterAll(() => at?.stop());

  beforeEach(async () => {
    await at.open('integrations?view=matrix');
    await row('Report').waitFor();
  });

  const row = (name: string) => at.page.locator('.matrix-row', { hasText: name });

  test('is filtered by tags behind a button, as the list is', async () => {
    const chip = at.page.locator('.chips').getByRole('button', { name: /^backup/ });
    await expect.poll(() => chip.isVisible()).toBe(false);
    await at.page.getByRole('button', { name: 'Filter by tag' }).click();
    await chip.click();
    await at.page.getByText('2 of 3 checks').waitFor();
    // What is chosen shows while the tags are closed.
    await at.page.getByRole('button', { name: 'Filter by tag 1' }).click();
    await chip.waitFor({ state: 'hidden' });
    await expect.poll(() => row('Report').count()).toBe(0);
    expect(await at.findings('.matrix-page')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('has names whole beside the ticks for their rows, wherever the ticks are scrolled to', async () => {
    const placed = async (name: string) => {
      const words = row(name).locator('.name > span');
      const [text_, first] = [
        await words.boundingBox(),
        await row(name)
          .getByRole('checkbox', { name: /^All integrations/ })
          .boundingBox(),
      ];
      if (!text_ || !first) throw new Error('both are in sight');
      expect(await words.evaluate((one: Json) => one.scrollHeight - one.clientHeight)).toBe(0);
      expect(text_.x + text_.width).toBeLessThanOrEqual(first.x);
      return [text_.x, first.x];
    };
    const before = await Promise.all(names.map(placed));
    await at.page.evaluate("document.querySelector('.matrix').scrollTo(9999, 0)");
    const tick = at.page.getByRole('checkbox', { name: /^Report notifies Number 4$/ });
    await expect.poll(async () => ((await tick.boundingBox())?.x ?? 999) < 350).toBe(true);
    expect(await Promise.all(names.map(placed))).toEqual(before);
    expect(await at.findings('.matrix-page')).toEqual([]);
  });

  test('has the names of integrations whole in its head, and what has the focus below it', async () => {
    const name = 'Operations mailing list of the night shift in the east, with its deputies';
    const chat = { kind: 'telegram', name, value: '{"id":77}' };
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, chat)).json();
    await at.open('integrations?view=matrix');
    await row('Report').waitFor();
    const title = at.page.locator('.matrix .title', { hasText: name });
    await at.page.evaluate("document.querySelector('.matrix').scrollTo(9999, 0)");
    await title.waitFor();
    const cut = (): Promise<number> => title.evaluate((one: Json) => one.scrollHeight - one.clientHeight);
    await expect.poll(cut).toBe(0);
    await expect.poll(() => title.evaluate((one: Json) => one.scrollWidth - one.clientWidth)).toBe(0);
    await at.page.evaluate('scrollTo(0, 9999)');
    const tick = at.page.getByRole('checkbox', { name: `Report notifies ${name}` });
    await tick.focus();
    const head = await at.page.locator('.matrix-head').boundingBox();
    expect((await tick.boundingBox())?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0));
    expect(await at.findings('.matrix-page')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.owner.send('DELETE', `/web/in/${at.project}/channels/${id}`);
  });

  test('has the same space above and below a name of two lines', async () => {
    for (const name of names) {
      const place = await row(name).boundingBox();
      const words = await row(name).locator('.name > span').boundingBox();
      const tick = await row(name)
        .getByRole('checkbox', { name: / notifies / })
        .first()
        .boundingBox();
      if (!place || !words || !tick) throw new Error('all are in sight');
      expect(words.height).toBe(32);
      expect(words.y - place.y).toBeGreaterThanOrEqual(6);
      expect(tick.y - words.y - words.height).toBeGreaterThanOrEqual(6);
    }
  });

  test('asks above a column whether all checks notify it or none, and may be left', async () => {
    const tick = at.page.getByRole('checkbox', { name: 'Report notifies Chat' });
    const above = at.page.getByRole('button', { name: 'Set all… checks that are shown, for Chat' });
    const answered = async (name: string): Promise<void> => {
      await above.click();
      await at.page.getByText(/^Is Chat to be notified about the \d checks that are shown\?$/).waitFor();
      expect(await at.findings('dialog')).toEqual([]);
      await at.page.getByRole('button', { name, exact: true }).click();
      await at.page.locator('dialog[open]').waitFor({ state: 'detached' });
    };
    await answered('Notify about all');
    await expect.poll(() => tick.isChecked()).toBe(true);
    await answered('Cancel');
    await expect.poll(() => tick.isChecked()).toBe(true);
    await answered('Notify about none');
    await expect.poll(() => tick.isChecked()).toBe(false);
    for (const name of names) await at.page.getByRole('checkbox', { name: `${name} notifies Chat` }).check();
  });

  test('says of a check that it notifies nobody, and moves nothing when that changes', async () => {
    const mark = row('Report').getByRole('img', { name: 'Notifies nobody' });
    await mark.waitFor();
    await expect.poll(() => row('Nightly').getByRole('img').count()).toBe(0);
    // It is where the name ends.
    const [end, sign] = [
      await row('Report').locator('.name > span').evaluate(textRight),
      await mark.boundingBox(),
    ];
    expect((sign?.x ?? 0) - end).toBeGreaterThanOrEqual(4);
    expect((sign?.x ?? 0) - end).toBeLessThanOrEqual(12);
    const boxes = () => row('Report').locator('.name > span, input').evaluateAll(placesOf);
    const tick = at.page.getByRole('checkbox', { name: 'Report notifies Chat' });
    // To press it may scroll it into sight.
    await tick.hover();
    const before = await boxes();
    await tick.click();
    await mark.waitFor({ state: 'detached' });
    await at.page.getByRole('button', { name: '0 notify nobody' }).waitFor();
    expect(await boxes()).toEqual(before);
  });
});

function textRight(one: Json): number {
  const range = one.ownerDocument.createRange();
  range.selectNode(one.firstChild);
  return range.getBoundingClientRect().right;
}

function placesOf(all: Json): readonly number[] {
  return all.flatMap((one: Json) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    // On the page: to be pressed, it may be scrolled from behind a message.
    return [left, top + one.ownerDocument.defaultView.scrollY, width, height];
  });
}
