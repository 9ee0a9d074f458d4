/** The gallery of kinds of integrations in a real browser. */
import { describe, expect, test } from 'vitest';
import { channelKinds } from '../../src/domain/accounts/project.ts';
import { browserMissing } from '../support/page/browser.ts';
import { IntegrationsScene } from '../support/page/integrations-scene.ts';

describe.skipIf(browserMissing !== '')('the gallery', () => {
  const scene = IntegrationsScene.forFile();

  test('finds a kind by words and by category, those without their setting last, with a link to it', async () => {
    // Without what was just said at its lower edge, which is over the gallery for ten seconds.
    await scene.at.open('integrations');
    const gallery = scene.at.page.getByRole('region', { name: 'Add an integration' });
    await gallery.getByRole('button', { name: `Show all ${channelKinds.length} kinds` }).click();
    await expect.poll(() => gallery.locator('.kind').count()).toBe(channelKinds.length);
    const order = await gallery
      .locator('.kind')
      .evaluateAll((all) => all.map((one) => one.classList.contains('unconfigured')));
    expect(order.indexOf(true)).toBe(order.lastIndexOf(false) + 1);
    const telegram = gallery.getByRole('link', { name: 'Telegram' });
    await expect.poll(() => telegram.getAttribute('href')).toMatch(/#KNELL_TELEGRAM_TOKEN$/);
    await expect.poll(() => telegram.getAttribute('title')).toBe('Needs KNELL_TELEGRAM_TOKEN');
    await gallery.getByRole('button', { name: 'Incidents' }).click();
    await gallery.getByRole('link', { name: 'PagerDuty' }).waitFor();
    await expect.poll(() => gallery.getByRole('link', { name: 'Slack' }).count()).toBe(0);
    await gallery.getByRole('button', { name: 'All', exact: true }).click();
    await gallery.getByRole('searchbox').fill('team');
    await expect.poll(() => gallery.getByRole('link').count()).toBe(1);
    expect(await scene.at.findings()).toEqual([]);
    await gallery.getByRole('link', { name: 'Microsoft Teams' }).click();
    await scene.at.page.getByRole('heading', { name: 'Add integration: Microsoft Teams' }).waitFor();
  });

  test('gives the focus to the first kind that was hidden', async () => {
    await scene.at.open('integrations');
    const links = scene.at.page.locator('a.kind:not(.unconfigured)');
    await links.first().waitFor();
    const before = await links.count();
    await scene.at.page.getByRole('button', { name: `Show all ${channelKinds.length} kinds` }).press('Enter');
    await expect.poll(() => links.count()).toBeGreaterThan(before);
    await links.nth(before).and(scene.at.page.locator(':focus')).waitFor();
    await scene.at.page.keyboard.press('Tab');
    await links
      .nth(before + 1)
      .and(scene.at.page.locator(':focus'))
      .waitFor();
  });

  scene.endsWithoutComplaints();
});
