/** The address of a check that asks whether to snooze it, followed by somebody who is not signed in: nothing happens before they say so. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asCheckId, uniqueKeyOf } from '../../src/lib/ids.ts';
import { hour } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { goodPassword } from '../support/page/page-client.ts';

describe.skipIf(browserMissing !== '')('the address that asks to snooze', () => {
  let at: OwnerBrowser;
  let check: Json;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    check = await at.knell.create({ name: 'Nightly backup' });
    await at.knell.request(`/ping/${check.uuid}/fail`);
    await at.page.context().clearCookies();
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
  });

  const snoozedUntil = async (): Promise<number | null> => {
    const { rows } = (await at.owner.get(`/web/in/${at.project}/rows?ids=${check.uuid}`)).json();
    return rows[0].snoozedUntilMs;
  };

  test('asks first, after the sign-in, with one hour chosen', async () => {
    const path = `/project/${at.project}/checks/${uniqueKeyOf(asCheckId(check.uuid))}?snooze=1h`;
    await at.page.goto(at.knell.app.httpUrl + path);
    await at.page.getByLabel('Name').fill('ada');
    await at.page.getByLabel('Password').fill(goodPassword);
    await at.page.keyboard.press('Enter');
    const dialog = at.page.getByRole('dialog', { name: 'Snooze Nightly backup?' });
    await dialog.waitFor();
    await expect.poll(() => dialog.locator('option:checked').textContent()).toBe('Snooze for 1 hour');
    expect(await at.findings('dialog[open]')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await snoozedUntil()).toBeNull();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => new URL(at.page.url()).search).toBe('');
    expect(await snoozedUntil()).toBeNull();
  });

  test('snoozes for an hour once that is confirmed, and does not ask again', async () => {
    await at.page.goto(`${at.page.url()}?snooze=1h`);
    const dialog = at.page.getByRole('dialog', { name: 'Snooze Nightly backup?' });
    await dialog.getByRole('button', { name: 'Snooze' }).press('Enter');
    const nowMs = at.clock.nowMs();
    await expect.poll(snoozedUntil).toBeGreaterThanOrEqual(nowMs + hour - 1000);
    expect(await snoozedUntil()).toBeLessThanOrEqual(at.clock.nowMs() + hour);
    await at.page.reload();
    await at.page.locator('.now').getByText('Snoozed until').waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
  });
});
