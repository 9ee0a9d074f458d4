/** Several wrong fields in the form of a check, in a real browser: each says at once what is wrong with it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the form of a check with several wrong fields', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
  });

  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const field = (name: string) => form().locator(`[name=${name}]`);
  const create = () => form().getByRole('button', { name: 'Create check' }).click();
  const focused = () => at.page.evaluate('document.activeElement.name');
  const said = async (errors: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, words] of Object.entries(errors))
      await expect.poll(() => form().locator(`#${name}-error`).textContent()).toBe(words);
    await expect.poll(() => form().locator('.problem').count()).toBe(Object.keys(errors).length);
  };
  const checks = async () => (await at.knell.api('GET', '/api/v3/checks/')).json().checks;
  const tooLong = 'Use at most 100 characters.';
  const graceTooLong = 'The grace time must be at most 365 days.';

  test('shows what the server refuses of each, with the focus on the first', async () => {
    await at.open('new');
    await field('name').fill('n'.repeat(101));
    await field('timeout').fill('0');
    await field('grace').fill('400');
    await field('grace_unit').selectOption('days');
    await form().locator('summary', { hasText: 'Ping filters' }).click();
    await field('failure_kw').fill('k'.repeat(201));
    await form().locator('summary', { hasText: 'Ping filters' }).click();
    const requests: string[] = [];
    at.page.on('request', (one) => one.method() === 'POST' && requests.push(new URL(one.url()).pathname));
    // The name gives a slug that is as long as it may be.
    await create();
    await said({
      name: tooLong,
      timeout: 'The interval must be at least one minute.',
      grace: graceTooLong,
      failure_kw: 'Use at most 200 characters.',
    });
    // No schedule in words follows from what is refused.
    await expect
      .poll(() =>
        form()
          .getByText(/after the last ping/)
          .all(),
      )
      .toEqual([]);
    await expect.poll(focused).toBe('name');
    expect(requests).toHaveLength(2);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('takes away the error of the field that is changed, and keeps the others and the focus', async () => {
    await field('name').fill('nightly');
    await said({
      timeout: 'The interval must be at least one minute.',
      grace: graceTooLong,
      failure_kw: 'Use at most 200 characters.',
    });
    await expect.poll(focused).toBe('name');
    await field('timeout').fill('1');
    await field('failure_kw').fill('failed');
    await said({ grace: graceTooLong });
    await field('grace_unit').selectOption('hours');
    await said({});
  });

  test('shows what it sees by itself beside what the server says', async () => {
    await at.open('new');
    await field('name').fill('n'.repeat(101));
    await form().getByLabel('Cron', { exact: true }).check();
    await field('schedule').fill('61 3 * * *');
    await field('grace').fill('400');
    await field('grace_unit').selectOption('days');
    await form().locator('summary', { hasText: 'More details' }).click();
    await field('slug').fill('Capital');
    await form().locator('summary', { hasText: /^Runs/ }).click();
    await field('max_runtime').fill('5');
    await field('min_runtime').fill('6');
    await create();
    await expect.poll(() => form().locator('#schedule-error').textContent()).toMatch(/minute/i);
    await expect.poll(focused).toBe('name');
    for (const [name, words] of [
      ['name', tooLong],
      ['grace', graceTooLong],
      ['slug', 'Only lower-case letters, digits, - and _.'],
      ['min_runtime', 'That is more than what it may take at most: every run would fail.'],
    ] as const)
      await expect.poll(() => form().locator(`#${name}-error`).textContent()).toBe(words);
    expect(await checks()).toEqual([]);
  });

  test('refuses a check that depends on itself', async () => {
    await at.open('new');
    await field('name').fill('alone');
    await form()
      .locator('summary', { hasText: /^Alerts/ })
      .click();
    await form()
      .getByLabel(/^No alert while one of these/)
      .fill('db alone');
    await create();
    await said({ depends_on: 'A check cannot hold back its own alerts.' });
    expect(await checks()).toEqual([]);
    await form()
      .getByLabel(/^No alert while one of these/)
      .fill('db');
    await said({});
    await create();
    await at.page.getByRole('heading', { name: 'alone', exact: true }).waitFor();
    expect(await checks()).toMatchObject([{ name: 'alone', depends_on: 'db' }]);
  });

  test('refuses tags that are too long in the card of a check, at their field', async () => {
    const { uuid } = await at.knell.create({ name: 'tagged', tags: 'prod' });
    await at.open(`checks/${uuid}`);
    await at.page.getByRole('button', { name: 'Edit description' }).click();
    const tags = at.page.locator('form.in-place [name=tags]');
    await tags.fill('');
    await at.page.keyboard.insertText('t'.repeat(501));
    await at.page.locator('form.in-place').getByRole('button', { name: 'Save' }).click();
    await at.page.locator('#tags-error', { hasText: 'Use at most 500 characters.' }).waitFor();
    await expect.poll(focused).toBe('tags');
  });

  test('shows both errors of the schedule in the card of a check', async () => {
    const { uuid } = await at.knell.create({ name: 'card', timeout: 3600 });
    await at.open(`checks/${uuid}`);
    await at.page.getByRole('button', { name: 'Edit schedule' }).click();
    const card = at.page.locator('form.in-place');
    for (const name of ['timeout', 'grace']) await card.locator(`[name=${name}]`).fill('0');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.locator('#timeout-error', { hasText: 'The interval must be at least one minute.' }).waitFor();
    await card.locator('#grace-error', { hasText: 'The grace time must be at least one minute.' }).waitFor();
    await expect.poll(focused).toBe('timeout');
  });
});
