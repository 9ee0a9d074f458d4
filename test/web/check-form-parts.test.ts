/** The parts of the form of a check that a newcomer leaves closed, in a real browser: runs, and alerts that are held back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the form of a check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.open('new');
  });

  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');

  test('has the triangles of its closed parts below the titles of those that are open', async () => {
    const left = (one: Json): number => one.getBoundingClientRect().left + one.clientLeft;
    const [title, triangle] = [form().locator('legend').first(), form().locator('details > summary').first()];
    // Further lines of a closed part begin behind the triangle, the first with it.
    const begins = (one: Json): number => {
      const { paddingLeft, textIndent } = one.ownerDocument.defaultView.getComputedStyle(one);
      return Number.parseFloat(paddingLeft) + Number.parseFloat(textIndent);
    };
    expect(await triangle.evaluate(left)).toBe(await title.evaluate(left));
    expect([await title.evaluate(begins), await triangle.evaluate(begins)]).toEqual([0, 0]);
  });

  test('opens the part with a field that the browser refuses', async () => {
    await at.open('new');
    const more = form().locator('details', { hasText: 'More details' });
    const isOpen = () => more.evaluate((one: Json) => one.open);
    await more.locator('summary').click();
    await form().getByLabel(/^Slug/).fill('Not a slug');
    await more.locator('summary').click();
    await expect.poll(isOpen).toBe(false);
    await form().getByRole('button', { name: 'Create check' }).click();
    await expect.poll(isOpen).toBe(true);
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('slug');
  });

  test('refuses what is too long, and numbers that make no sense together', async () => {
    await at.open('new');
    const create = form().getByRole('button', { name: 'Create check' });
    // Nothing that somebody pastes is cut without a word.
    await form().getByLabel(/^Name/).fill('n'.repeat(101));
    await create.click();
    await form().getByRole('alert').getByText('At most 100 characters.').waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('name');
    await form().getByLabel(/^Name/).fill('crossed');
    const field = (name: string) => form().locator(`[name=${name}]`);
    for (const part of ['A run may take at most', 'Among the last'])
      await form().locator('details').filter({ hasText: part }).locator('> summary').click();
    for (const [name, value, right, words] of [
      ['min_runtime', '61', '', 'That is more than the grace time: every run would fail.'],
      ['alert_of_last', '2', '4', 'That is fewer than the failures after which it alerts.'],
    ] as const) {
      if (name === 'alert_of_last') await field('alert_after').fill('3');
      await field(name).fill(value);
      await create.click();
      await form().getByRole('alert').getByText(words).waitFor();
      await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe(name);
      await field(name).fill(right);
    }
    await field('max_runtime').fill('5');
    await field('min_runtime').fill('6');
    await create.click();
    await form().getByText('That is more than what it may take at most: every run would fail.').waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('has what is about runs, and says what is wrong with it', async () => {
    await at.open('new');
    const before = (await at.knell.api('GET', '/api/v3/checks/')).json().checks.length;
    await form().getByLabel(/^Name/).fill('runs');
    const runs = form().locator('details').filter({ hasText: 'A run may take at most' });
    await runs.locator('> summary').click();
    await form().getByLabel('A run may take at most', { exact: true }).fill('45');
    await form().getByLabel('Exit statuses').fill('24=warn');
    await form().getByLabel('Interval').check();
    await form().getByRole('button', { name: 'Create check' }).click();
    await form().getByRole('alert').getByText('Write codes and what they mean').waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('exit_codes');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await form().getByLabel('Exit statuses').fill('24=warning');
    await form().getByLabel('Machines that each have to report').fill('db-1 db-2');
    await form().getByLabel('A run that starts while another is in flight').selectOption('is a warning');
    await form().getByRole('button', { name: 'Create check' }).click();
    await expect
      .poll(async () => (await at.knell.api('GET', '/api/v3/checks/')).json().checks.length)
      .toBe(before + 1);
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/?slug=runs')).json();
    const [check] = checks;
    expect(check).toMatchObject({
      ...{ max_runtime: 2700, min_runtime: 0, start_grace: 0, unusual_runtime: 'off', unusual_factor: 6 },
      ...{ overlap: 'warn', exit_codes: '24=warning', hosts: 'db-1 db-2', expected_runs: 0 },
    });
  });

  test('holds alerts back as it says, where somebody opens that part, and says which field is wrong', async () => {
    await at.open('new');
    await form().getByLabel(/^Name/).fill('rare');
    const alerts = form().locator('details').filter({ hasText: 'at the first failure' });
    await alerts.locator('summary').click();
    await form().getByLabel('Alert after so many failures').fill('21');
    await form()
      .getByLabel(/^No alert while one of these/)
      .fill('db tag:core');
    await form().getByLabel('Wait for one of those to go down', { exact: true }).fill('2');
    await form().getByLabel('Interval').check();
    await form().getByRole('button', { name: 'Create check' }).click();
    await form().getByRole('alert').getByText('From 1 to 20, or empty.').waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('alert_after');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await form().getByLabel('Alert after so many failures').fill('3');
    await form().getByRole('button', { name: 'Create check' }).click();
    await at.page.getByRole('heading', { name: 'rare', exact: true }).waitFor();
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/?slug=rare')).json();
    expect(checks[0]).toMatchObject({
      ...{ alert_after: 3, alert_of_last: 0, recover_after: 1, depends_on: 'db tag:core', hold: 120 },
      ...{ unstable_changes: 0, unstable_window: 1800 },
    });
  });

  test('says beside each folded title how it is set, and follows what is changed there', async () => {
    await at.open('new');
    const part = (title: string) =>
      form()
        .locator('details')
        .filter({ has: at.page.locator('summary', { hasText: title }) });
    const said = (title: string) => part(title).locator('> summary .faint').textContent();
    expect(await said('Runs')).toBe('may take up to the grace time (1 hour)');
    expect(await said('Alerts')).toBe('at the first failure');
    expect(await said('Retention')).toBe('the last 1,000 pings (default)');
    expect(await said('Ping filters')).toBe('none: every ping counts');
    await part('Ping filters').locator('summary').click();
    await form()
      .getByLabel(/^Accept only POST/)
      .check();
    await expect.poll(() => said('Ping filters')).toBe('only POST');
    await form()
      .getByLabel(/^Accept only POST/)
      .uncheck();
    await expect.poll(() => said('Ping filters')).toBe('none: every ping counts');
    await part('Alerts').locator('summary').click();
    await form()
      .getByLabel(/^No alert while one of these/)
      .fill('tag:core');
    await form()
      .getByLabel(/^No alert while one of these/)
      .press('Enter');
    await expect
      .poll(() => said('Alerts'))
      .toBe('at the first failure, not while what it depends on is down');
    await form().getByRole('button', { name: 'Remove Tag core' }).click();
    await expect.poll(() => said('Alerts')).toBe('at the first failure');
    await part('Retention').locator('> summary').click();
    await form()
      .getByLabel(/^What is kept/)
      .fill('pings 90 days');
    await expect.poll(() => said('Retention')).toBe('pings 90 days');
    await part('Runs').locator('> summary').click();
    await form().getByLabel('A run that starts while another is in flight').selectOption('is a warning');
    await expect.poll(() => said('Runs')).toBe('may take up to the grace time (1 hour), overlaps warn');
    await form()
      .getByLabel(/^Grace time/)
      .fill('90');
    await form()
      .getByLabel(/^Unit of: Grace time/)
      .selectOption('minutes');
    await expect
      .poll(() => said('Runs'))
      .toBe('may take up to the grace time (1 hour 30 minutes), overlaps warn');
  });

  test('says when the check is down below both numbers that say so', async () => {
    await at.open('new');
    const sentence = await form().getByText('Down 1 day 1 hour after the last ping.').boundingBox();
    const grace = await form()
      .getByLabel(/^Grace time/)
      .boundingBox();
    expect(sentence?.y).toBeGreaterThan((grace?.y ?? Number.POSITIVE_INFINITY) + (grace?.height ?? 0));
  });
});
