/** An event subscription on the page: it is about the project, and not about its checks. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

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
    for (const words of ['When to notify', 'Use for'])
      await form.getByText(words).first().waitFor({ state: 'detached' });
    await form.getByRole('button', { name: 'Add without a test' }).click();
    await at.page.getByText('It gets what happens in this project from now on.').waitFor();
    await at.open('integrations');
    const line = at.page.getByRole('listitem', { name: 'Event subscription', exact: true });
    await line.getByText('Events of the project').waitFor();
    await line.getByRole('link', { name: 'Event subscription' }).click();
    await form.getByText('Only these checks').waitFor();
    await form.getByText('When to notify').waitFor({ state: 'detached' });
  });
});
