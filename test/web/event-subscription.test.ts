/** An event subscription on the page: it is about the project, and not about its checks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { patienceMs } from '../support/patience.ts';

describe.skipIf(browserMissing !== '')('an event subscription', () => {
  let at: OwnerBrowser;
  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.knell.create({ name: 'first job' });
  });
  afterAll(() => at?.stop());

  test('has nothing about checks in its forms, and says what it gets', async () => {
    await at.open('integrations/new/events');
    const form = at.page.locator('form.check-form');
    await form.getByLabel(/^URL/).fill('https://events.example.org/');
    for (const words of ['Delays, repeats and filters', 'Use for'])
      await form.getByText(words).first().waitFor({ state: 'detached' });
    await form.getByRole('button', { name: 'Add without a test' }).click();
    await at.page.getByText('It gets what happens in this project from now on.').waitFor();
    await at.open('integrations');
    const line = at.page.getByRole('listitem', { name: 'Event subscription', exact: true });
    await line.getByText('Events of the project').waitFor();
    await line.getByRole('link', { name: 'Event subscription' }).click();
    await form.getByText('Only these checks').waitFor();
    await form.getByText('Delays, repeats and filters').waitFor({ state: 'detached' });
  });

  test('shows what it has given up, with the reason, and sends it again or drops it', async () => {
    const { engine } = at.knell.app;
    const [channel] = engine.read.projects().flatMap(({ id }) => engine.read.channels(id));
    // An address that nothing may be sent to is a refusal, of the change that is on its way as of those after it.
    const value = JSON.stringify({ url: 'http://localhost:9/' });
    await at.knell.app.admin({ command: 'channel edit', args: { channel: channel?.id, value } }, () => {});
    await expect
      .poll(() => at.knell.app.admin({ command: 'outbox list', args: {} }, () => {}), { timeout: patienceMs })
      .not.toEqual([]);
    await at.open('integrations');
    const line = at.page.getByRole('listitem', { name: 'Event subscription', exact: true });
    const fold = line.getByRole('button', { name: /^\d+ failed notification/ });
    if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
    await line.getByText('configuration').first().waitFor();
    await line.getByText('localhost has a private address, which is blocked').first().waitFor();
    expect(await at.findings()).toEqual([]);
    await line.getByRole('button', { name: /^Retry all now/ }).click();
    await fold.waitFor();
    await line.getByRole('button', { name: /^Discard/ }).click();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Discard' }).click();
    await line.getByText('failed notification').waitFor({ state: 'detached' });
    expect(await at.knell.app.admin({ command: 'outbox list', args: {} }, () => {})).toEqual([]);
  });
});
