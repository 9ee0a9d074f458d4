/** The matrix on a phone, in a real browser: its filter, long names, and checks that notify nobody. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const names = ['east', 'west'].map((side) => `Nightly database backup of the ${side}`);

describe.skipIf(browserMissing !== '')('the matrix on a phone', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (const [n, name] of ['Chat', 'Team', 'On call'].entries()) {
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

  test('shows the ends of long names, and the whole of one at a press', async () => {
    const boxOf = async (name: string) => {
      const box = await row(name).getByRole('button', { name, exact: true }).boundingBox();
      if (!box) throw new Error('it is in sight');
      return box;
    };
    for (const name of names) {
      const end = row(name).locator('.name button > :last-child');
      await expect.poll(() => end.textContent()).toBe(name.slice(-'of the east'.length));
      const hidden = await end.evaluate((one: Json) => one.scrollWidth - one.clientWidth);
      expect(hidden).toBe(0);
    }
    const [name = ''] = names;
    const cut = await boxOf(name);
    const button = row(name).getByRole('button', { name, exact: true });
    await button.click();
    // All of it is above whatever is around it.
    const whole = await boxOf(name);
    expect(whole.width).toBeGreaterThan(cut.width);
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true');
    const isSeen = await button.evaluate((one: Json) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const seen = [left + 6, right - 6].flatMap((x) =>
        [top + 6, (top + bottom) / 2, bottom - 6].map((y) => one.ownerDocument.elementFromPoint(x, y)),
      );
      return seen.every((other: Json) => one.contains(other));
    });
    expect(isSeen).toBe(true);
    expect(await at.findings('.matrix-page')).toEqual([]);
    await button.click();
    await expect.poll(() => boxOf(name)).toEqual(cut);
  });

  test('says of a check that it notifies nobody, and moves nothing when that changes', async () => {
    const mark = row('Report').getByRole('img', { name: 'Notifies nobody' });
    await mark.waitFor();
    await expect.poll(() => row('Nightly').getByRole('img').count()).toBe(0);
    const boxes = () => row('Report').locator('.name > span, button').evaluateAll(placesOf);
    const before = await boxes();
    await at.page.getByRole('checkbox', { name: 'Report notifies Chat' }).click();
    await mark.waitFor({ state: 'detached' });
    expect(await boxes()).toEqual(before);
  });
});

function placesOf(all: Json): readonly number[] {
  return all.flatMap((one: Json) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left, top, width, height];
  });
}
