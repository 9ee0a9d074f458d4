/** What an integration could not deliver, on the integrations page in a real browser. */
import { describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { IntegrationsScene } from '../support/page/integrations-scene.ts';

const unreachable = { kind: 'webhook', name: 'Unreachable', fields: { url_down: 'http://127.0.0.1:9/x' } };

describe.skipIf(browserMissing !== '')('an integration that fails', () => {
  const scene = IntegrationsScene.forFile();

  test('shows what could not be delivered, why, and discards it on request', async () => {
    const { id } = (await scene.at.owner.post(`/web/in/${scene.at.project}/channels`, unreachable)).json();
    const check = await scene.at.knell.create({ name: 'lost job', channels: id });
    await scene.at.open('integrations');
    await scene.line('Unreachable').getByText('No notification yet').waitFor();
    await scene.at.knell.request(`/ping/${check.uuid}/fail`, { method: 'POST' });
    const outbox = async () => (await scene.at.owner.get(`/web/in/${scene.at.project}/outbox`)).json();
    await expect.poll(async () => (await outbox()).deliveries[0]?.state).toBe('dead');
    // By itself it looks every five seconds: `integration-order.test.ts`.
    await scene.at.open('integrations');
    const one = scene.line('Unreachable');
    await one.getByText('Failing since').waitFor();
    await one.getByText('1 failed notification').waitFor();
    await one.getByText('private and blocked').first().waitFor();
    // Open from the start, as all recent ones failed.
    await one.getByRole('button', { name: 'Details of Down: lost job' }).click();
    await one.getByText('Given up. Retry sends it again.').waitFor();
    expect(await scene.at.findings()).toEqual([]);
    expect(await scene.at.overflow()).toBeLessThanOrEqual(0);
    await one.getByRole('button', { name: 'Retry now Down: lost job' }).click();
    await one.getByRole('button', { name: 'Discard Down: lost job' }).click();
    await scene.at.page.locator('dialog[open]').getByRole('button', { name: 'Discard' }).click();
    await one.getByText('1 failed notification').waitFor({ state: 'detached' });
    expect(await outbox()).toEqual({ total: 0, deliveries: [] });
  });

  test('shows the newest notifications to the keyboard, and as a table to screen readers', async () => {
    const columns = scene.at.page.getByRole('img', { name: 'Last 1 notifications of Unreachable: 1 failed' });
    await columns.focus();
    await scene.at.page.keyboard.press('ArrowLeft');
    await scene.line('Unreachable').locator('.tip').getByText('Down: lost job · failed').waitFor();
    const table = scene.line('Unreachable').getByRole('table', { name: 'Last notifications of Unreachable' });
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
  });

  test('sends a test, turns one off and on again, with a way back', async () => {
    await scene.line('Unreachable').getByRole('button', { name: 'Send test to Unreachable' }).click();
    await scene.line('Unreachable').getByRole('alert').getByText('is a private address').waitFor();
    await scene.line('Unreachable').getByRole('button', { name: 'Allow 127.0.0.1 and send again' }).waitFor();
    await scene.fromMenu('Unreachable', 'Turn off');
    await scene.line('Unreachable').getByText('Turned off').waitFor();
    await scene.at.page.getByRole('button', { name: 'Undo' }).click();
    await scene.line('Unreachable').getByText('Failing since').waitFor();
  });

  scene.endsWithoutComplaints();
});
