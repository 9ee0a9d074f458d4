/** Another check with the same slug, as the form of a check says it in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a slug that is in use', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.open('new');
  });

  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const slug = () => form().getByLabel(/^Slug/);

  test('says before it is saved that another check has the slug, and saves it all the same', async () => {
    const said = () => form().locator('#slug-twins').textContent();
    await at.knell.create({ name: 'Dump of db-1', slug: 'dump' });
    await at.open('new');
    const more = form().locator('details', { hasText: 'More details' });
    await expect.poll(() => more.getAttribute('open')).toBe(null);
    await form().getByLabel(/^Name/).fill('Dump');
    // One that follows from the name takes a free one; one that somebody types stays as it is.
    await expect.poll(() => slug().inputValue()).toBe('dump-2');
    await more.locator('summary', { hasText: 'slug dump-2' }).waitFor();
    await more.locator('summary').click();
    await slug().fill('dump');
    await expect
      .poll(said)
      .toBe(
        'Another check, “Dump of db-1”, has the slug “dump”. Pings by this slug would be refused as ambiguous: choose another slug, or ping each check by its UUID.',
      );
    await form().locator('#slug-twins').getByText('Another check').waitFor();
    await more.locator('summary').click();
    await expect.poll(() => more.getAttribute('open')).toBe(null);
    await more.locator('summary').getByText('Another check has this slug').waitFor();
    // It can be saved so.
    await expect.poll(() => more.locator('summary').getByText('not right yet').count()).toBe(0);
    await more.locator('summary').click();
    await expect.poll(() => slug().getAttribute('aria-describedby')).toBe('slug-hint slug-twins');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await slug().fill('dump-2');
    await expect.poll(said).toBe('');
    await slug().fill('dump');
    await expect.poll(said).not.toBe('');
    await form().getByLabel('Interval').check();
    await form().getByRole('button', { name: 'Create check' }).click();
    await form()
      .getByText('Pings to …/dump would be refused for both checks. Use dump-2, or save again to keep it.')
      .waitFor();
    await form().getByRole('button', { name: 'Create check' }).click();
    await at.page.getByRole('heading', { name: 'Dump', exact: true }).waitFor();
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/?slug=dump')).json();
    expect(checks.map(({ name }: Json) => name)).toEqual(['Dump of db-1', 'Dump']);
  });

  test('gives a check that had no name its slug with the name', async () => {
    const { uuid } = await at.knell.create({});
    await at.page.setViewportSize({ width: 1024, height: 768 });
    await at.open(`checks/${uuid}`);
    await at.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await form().getByLabel(/^Name/).fill('Dump');
    await form().locator('summary', { hasText: 'slug dump-2' }).waitFor();
    await form().getByRole('button', { name: 'Save' }).click();
    await at.page.getByRole('heading', { name: 'Dump', exact: true }).waitFor();
    expect((await at.knell.api('GET', `/api/v3/checks/${uuid}`)).json()).toMatchObject({ slug: 'dump-2' });
    await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
  });

  test('says it of a check that is edited, though not of its own slug', async () => {
    await at.knell.create({ name: 'Third dump', slug: 'dump' });
    const own = await at.knell.create({ name: 'Sync', slug: 'sync' });
    await at.page.setViewportSize({ width: 1024, height: 768 });
    await at.open(`checks/${own.uuid}`);
    await at.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await form().locator('summary', { hasText: 'slug sync' }).click();
    await slug().fill('dump');
    await form().getByText('3 other checks have the slug “dump”. Pings by this slug').waitFor();
    await slug().fill('sync');
    const asked = at.page.waitForResponse(/slug=sync/);
    await (await asked).finished();
    await expect.poll(() => form().locator('#slug-twins').textContent()).toBe('');
  });

  test('says beside the ping URL by slug that such pings are refused', async () => {
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/?slug=dump')).json();
    for (const { uuid } of checks.slice(2)) await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
    await at.page.setViewportSize({ width: 360, height: 800 });
    await at.open(`checks/${checks[1].uuid}`);
    const card = at.page.locator('.ping-card');
    const said = () => card.locator('#ping-slug-twins').textContent();
    await card.getByRole('button', { name: 'Slug' }).click();
    await expect
      .poll(said)
      .toBe(
        'Another check, “Dump of db-1”, has the slug “dump”. Pings by this slug are refused as ambiguous: choose another slug, or ping each check by its UUID.',
      );
    const { pathname } = new URL((await card.locator('pre').first().textContent()) ?? '');
    expect((await at.knell.request(pathname)).status).toBe(409);
    expect(await at.findings('.ping-card')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await card.getByRole('button', { name: 'UUID' }).click();
    await expect.poll(said).toBe('');
  });
});
