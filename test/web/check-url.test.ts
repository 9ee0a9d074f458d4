/** The ping URL of a check on its page, with its snippets, and the state of its integrations, in a real browser. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { NightlyBackup } from '../support/page/nightly-backup.ts';

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  const scene = NightlyBackup.forFile();
  beforeAll(() => scene.open());

  test('changes the URL and all snippets together, by UUID or slug', async () => {
    const shown = () => scene.at.page.locator('.ping-card pre').allTextContents();
    const base = 'http://knell.test/ping';
    const byUuid = `${base}/${scene.backup.uuid}`;
    await expect.poll(async () => (await shown())[0]).toBe(byUuid);
    // The crontab line comes second where cron cannot say the schedule.
    expect((await shown())[1]).toContain(byUuid);
    await scene.button('crontab').click();
    await expect.poll(async () => (await shown())[1]).toContain(`${byUuid}/start`);
    await scene.button('Slug').click();
    const bySlug = `${base}/${scene.at.knell.keys.ping}/nightly`;
    await expect.poll(async () => (await shown())[0]).toBe(bySlug);
    expect((await shown())[1]).toContain(`${bySlug}/start`);
    await scene.button('More').click();
    await scene.at.page.getByRole('menuitemradio', { name: 'Kubernetes' }).click();
    await expect.poll(async () => (await shown())[1]).toContain('kind: CronJob');
    expect((await shown())[1]).toContain(`${bySlug}/start`);
    await scene.button('Kubernetes').click();
    await scene.at.page.getByRole('menuitemradio', { name: 'Email' }).click();
    await expect
      .poll(async () => (await shown())[1])
      .toBe(`${scene.at.knell.keys.ping}+nightly@ping.example.org`);
  });

  test('links the guides of the manual', async () => {
    const links = scene.at.page.locator('.ping-card p a');
    const targets = await links.evaluateAll((all: Json[]) => all.map(({ href }) => new URL(href).pathname));
    expect(targets).toHaveLength(4);
    for (const target of targets) expect((await scene.at.knell.request(target)).status, target).toBe(200);
  });

  test('names the state of an integration as its page does', async () => {
    const inCard = scene.at.page.locator('.integrations-list .channel-state');
    await inCard.getByText('Failing since').waitFor();
    const words = (await inCard.textContent())?.trim();
    const color = () =>
      scene.at.page
        .locator('.channel-state, .health strong')
        .evaluate((node: Json) => node.ownerDocument.defaultView.getComputedStyle(node).color);
    const inCheck = await color();
    await scene.at.open('integrations');
    await scene.at.page.locator('.health strong', { hasText: words ?? '' }).waitFor();
    expect(await color()).toBe(inCheck);
    await scene.open();
  });

  scene.endsWithoutComplaints();
});
