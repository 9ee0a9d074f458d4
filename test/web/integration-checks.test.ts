/** The checks that notify an integration, chosen in its form in a real browser. */
import { describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { IntegrationsScene } from '../support/page/integrations-scene.ts';

describe.skipIf(browserMissing !== '')('an integration', () => {
  const scene = IntegrationsScene.forFile();

  test('is used for all checks, unless none or some are chosen, with the settings that are typed', async () => {
    const { read } = scene.at.knell.app.engine;
    await scene.at.knell.create({ name: 'second job', channels: '' });
    await scene.kind('webhook');
    const url = scene.form().getByLabel(/^URL/).first();
    await scene.form().getByLabel(/^Name/).fill('For some');
    await url.fill('https://example.org/');
    await scene.form().getByRole('radio', { name: 'Chosen checks' }).check();
    const counted = (count: number) => scene.form().getByRole('radio', { name: `Chosen checks (${count})` });
    await counted(0).waitFor();
    await scene.form().getByRole('checkbox', { name: 'second job' }).check();
    await counted(1).waitFor();
    await expect
      .poll(() => scene.form().getByLabel('Include checks that are created later').isChecked())
      .toBe(false);
    await scene.form().getByLabel('Notify only if down').waitFor({ state: 'hidden' });
    await scene.form().getByText('none: every alert is sent at once').click();
    const zone = scene.form().getByLabel('Time zone of its messages');
    const summary = scene.form().locator('summary', { hasText: 'Delays, repeats and filters' });
    await zone.fill('Asia/Tokyo');
    await expect
      .poll(() => summary.textContent())
      .toContain('none: every alert is sent at once; times in Asia/Tokyo');
    // That of the server goes without saying.
    await zone.fill(Intl.DateTimeFormat().resolvedOptions().timeZone);
    await expect.poll(() => summary.textContent()).not.toContain('times in');
    await scene.form().getByLabel('Notify only if down').fill('5');
    await zone.fill('Europe/Nowhere');
    expect(await scene.at.findings('form')).toEqual([]);
    expect(await scene.at.overflow()).toBeLessThanOrEqual(0);
    await scene.add();
    await scene.form().getByText('Unknown time zone.').waitFor();
    await zone.fill('Europe/Riga');
    await scene.add();
    await scene.at.page.getByText('1 of 2 checks notify it.').waitFor();
    expect(await scene.assigned('For some')).toEqual(['second job']);
    const [settings] = read
      .projects()
      .flatMap(({ id }) => read.channels(id))
      .filter(({ name }) => name === 'For some')
      .map((one) => one.settings);
    expect(settings).toMatchObject({ delayS: 300, timeZone: 'Europe/Riga', notForNew: true });
    await scene.kind('webhook');
    await scene.form().getByLabel(/^Name/).fill('For none');
    await url.fill('https://example.org/');
    await scene.form().getByRole('radio', { name: 'None' }).check();
    await scene.add();
    await scene.at.page.getByText('No check notifies it yet.').waitFor();
    expect(await scene.assigned('For none')).toEqual([]);
    await scene.at.open('integrations');
    for (const name of ['For some', 'For none']) await scene.remove(name);
  });

  test('is used for the checks with a tag, and offers a test once it is there', async () => {
    for (const n of [1, 2]) await scene.at.knell.create({ name: `tagged ${n}`, tags: 'night', channels: '' });
    await scene.kind('webhook');
    await scene.form().getByLabel(/^Name/).fill('Nights');
    await scene.form().getByLabel(/^URL/).first().fill('http://127.0.0.1:9/');
    const later = scene.form().getByLabel('Include checks that are created later');
    await expect.poll(() => later.isChecked()).toBe(true);
    await scene.form().getByRole('radio', { name: 'Checks with a tag' }).check();
    await expect.poll(() => later.isChecked()).toBe(false);
    await scene
      .form()
      .getByRole('radio', { name: /^All checks/ })
      .check();
    await expect.poll(() => later.isChecked()).toBe(true);
    await scene.form().getByRole('radio', { name: 'Checks with a tag' }).check();
    await expect.poll(() => later.isChecked()).toBe(false);
    await scene.form().getByRole('combobox', { name: 'Tag' }).selectOption('night');
    await scene
      .form()
      .getByText('The 2 that have it now; checks that get the tag later are not added.')
      .waitFor();
    await scene.add();
    await scene.at.page.getByText(/^2 of \d checks notify it/).waitFor();
    await scene.at.page.getByRole('button', { name: 'Allow 127.0.0.1 and send a test' }).waitFor();
    await scene.at.page.getByRole('alert').getByText('is a private address').waitFor();
    expect(await scene.at.findings()).toEqual([]);
  });

  test('lists all of sixty checks to choose from, and finds one', async () => {
    for (let n = 1; n <= 60; n++) await scene.at.knell.create({ name: `job no. ${n}`, channels: '' });
    await scene.at.open('integrations');
    await scene.at.page.getByRole('link', { name: 'Nights', exact: true }).click();
    await scene
      .form()
      .getByRole('radio', { name: /^Chosen checks/ })
      .check();
    const listed = scene
      .form()
      .locator('.choices.names')
      .getByRole('checkbox', { name: /^job no/ });
    await expect.poll(() => listed.count()).toBe(60);
    await scene.form().getByLabel('Find checks by name, slug or tag').fill('no. 59');
    await expect.poll(() => listed.count()).toBe(1);
  });

  scene.endsWithoutComplaints();
});
