/** The list of incidents in a real browser: those that are over, by search, and those of one check. */
import { beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { DiskOutage } from '../support/page/disk-outage.ts';

const past = 27;

describe.skipIf(browserMissing !== '')('incidents', () => {
  const scene = DiskOutage.forFile({ past });
  beforeAll(() => scene.at.open('incidents'));

  test('that are over are listed a page at a time, and found by a check or a note', async () => {
    const lines = scene.at.page.locator('.incidents .resolved');
    await expect.poll(() => lines.count()).toBe(25);
    await scene.button('Load more').click();
    await expect.poll(() => lines.count()).toBe(past);
    await expect.poll(() => scene.button('Load more').count()).toBe(0);
    await scene.at.page.getByLabel('Search incidents').fill('job 26');
    await expect.poll(() => lines.allTextContents()).toMatchObject([/old job 26 was down/]);
    expect(new URL(scene.at.page.url()).search).toBe('?q=job+26');
    await scene.at.page.getByLabel('Search incidents').fill('nowhere');
    await scene.text('No past incident has this').waitFor();
  });

  test('of a check that goes down again and again are one line, which shows them', async () => {
    const { uuid } = await scene.at.knell.create({ name: 'flapping' });
    // After those before, whose clock has not moved since.
    await scene.at.clock.advance(1000);
    for (let n = 0; n < 4; n++) {
      await scene.at.knell.request(`/ping/${uuid}/fail`);
      await scene.at.clock.advance(60_000);
      await scene.at.knell.request(`/ping/${uuid}`);
      // So long that it is another incident.
      await scene.at.clock.advance(3_600_000);
    }
    await scene.at.open('incidents');
    const fold = scene.at.page.locator('.incidents .fold');
    await expect
      .poll(() => fold.textContent())
      .toMatch(/^flapping was down4 times · from .+ until .+, down for 4.min together/);
    await fold.getByRole('button', { name: 'Show 4' }).press('Enter');
    await expect.poll(() => scene.at.page.getByRole('link', { name: 'flapping was down' }).count()).toBe(4);
    expect(await scene.faults()).toEqual([]);
    await fold.getByRole('button', { name: 'Hide' }).click();
    await expect.poll(() => scene.at.page.getByRole('link', { name: 'flapping was down' }).count()).toBe(0);
  });

  test('say how long they last in days and hours, as the list of checks does', async () => {
    const { uuid } = await scene.at.knell.create({ name: 'slow' });
    await scene.at.knell.request(`/ping/${uuid}/fail`);
    await scene.at.clock.advance((3 * 24 + 21) * 3_600_000);
    await scene.at.open('incidents');
    const when = scene.at.page.locator('.incidents li', { hasText: 'slow' }).locator('.when');
    await expect
      .poll(() => when.textContent())
      .toMatch(/^The job failed · since .+ for.3.d.21.h · Nobody was notified$/);
    await scene.at.knell.request(`/ping/${uuid}`);
    await expect
      .poll(() => when.textContent())
      .toMatch(/^The job failed · from .+ until .+ for.3.d.21.h · Nobody was notified$/);
    // On a phone the cause shares its line with who acknowledged it: no row is higher for it.
    const line = scene.at.page.locator('.incidents li', { hasText: 'slow' });
    const tops = await Promise.all(
      ['.why', '.who', 'time'].map(async (part) => (await line.locator(part).boundingBox())?.y ?? 0),
    );
    expect(Math.abs((tops[0] ?? 0) - (tops[1] ?? 99))).toBeLessThan(6);
    expect(tops[2]).toBeGreaterThan((tops[0] ?? 0) + 12);
    await line.locator('.until').waitFor({ state: 'hidden' });
    // What became of its alerts has a line of its own.
    expect((await line.locator('.undelivered').boundingBox())?.y).toBeGreaterThan((tops[2] ?? 0) + 12);
    expect((await line.boundingBox())?.height).toBeLessThan(112);
    expect(await scene.faults()).toEqual([]);
    await scene.at.page.getByRole('link', { name: 'slow was down' }).click();
    await scene.text('Resolved after 3 d 21 h').waitFor();
  });

  test('are acknowledged from the list, where none moves below a button that is pressed twice', async () => {
    for (const name of ['first of two', 'second of two']) {
      const { uuid } = await scene.at.knell.create({ name });
      await scene.at.knell.request(`/ping/${uuid}/fail`);
      await scene.at.clock.advance(60_000);
    }
    await scene.at.open('incidents');
    const open = scene.at.page.locator('.incidents li', { hasText: ' of two is down' });
    await expect.poll(() => open.count()).toBe(2);
    const before = await open.locator('a').allTextContents();
    const button = scene.button('Acknowledge second of two is down');
    const place = await button.boundingBox();
    if (!place) throw new Error('it is in sight');
    const press = () => scene.at.page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
    await press();
    await open.filter({ hasText: 'second' }).getByText('Acknowledged by').waitFor();
    await press();
    await expect.poll(() => open.locator('a').allTextContents()).toEqual(before);
    // What the button does need not be said beside it.
    await expect
      .poll(() => open.locator('.who').allInnerTexts())
      .toEqual([expect.stringMatching(/^(?:Acknowledge first|Acknowledged by)/), expect.anything()]);
    expect(await scene.faults()).toEqual([]);
  });
});
