/** The row of an integration in a real browser: what it says of one that cannot send, and the search for another kind. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

describe.skipIf(browserMissing !== '')('the row of an integration', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const made = { kind: 'telegram', name: 'Chat', value: '{"id":1}' };
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, made)).json();
    const { uuid } = await at.knell.create({ name: 'Backup', channels: id });
    await at.knell.request(`/ping/${uuid}/fail`);
    await eventually(async () => {
      await at.clock.advance(5);
      const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
      expect(integrations[0].failed).toBe(1);
    });
    await at.open('integrations');
  });

  afterAll(() => at?.stop());

  test.each([390, 1024, 1280, 1440])('breaks no name of a variable, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 800 });
    const note = at.page.getByRole('link', { name: 'Set KNELL_TELEGRAM_TOKEN' });
    await expect.poll(async () => (await note.boundingBox())?.height).toBeLessThan(36);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('says what it lacks, offers it to an owner once, and no attempt that would fail again', async () => {
    const cure = at.page.locator('.troubles').getByRole('link', { name: 'Set KNELL_TELEGRAM_TOKEN' });
    await expect.poll(() => cure.getAttribute('href')).toMatch(/#KNELL_TELEGRAM_TOKEN$/);
    // The table for screen readers has the error as it was.
    const said = await at.page
      .getByText('KNELL_TELEGRAM_TOKEN')
      .evaluateAll((all) => all.map((one) => one.tagName));
    expect(said.sort()).toEqual(['A', 'SPAN', 'TD']);
    await expect.poll(() => at.page.getByText('Retry all now').count()).toBe(0);
  });

  test('is sent no test, and says why, here and in its form', async () => {
    const send = at.page.getByRole('button', { name: 'Send test to Chat' });
    await expect.poll(() => send.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => send.getAttribute('title')).toBe('Telegram needs KNELL_TELEGRAM_TOKEN');
    await at.page.getByRole('link', { name: 'Chat', exact: true }).click();
    await at.page.getByText('No test can be sent: Telegram needs KNELL_TELEGRAM_TOKEN.').waitFor();
    const again = at.page.getByRole('button', { name: 'Send test', exact: true });
    await expect.poll(() => again.getAttribute('aria-disabled')).toBe('true');
    // Above the form is what the row says.
    const facts = at.page.locator('.facts');
    await facts.getByText('Cannot send').waitFor();
    await facts.getByText(/^Last notification .* · Down: Backup$/).waitFor();
    await facts.getByRole('link', { name: 'Set KNELL_TELEGRAM_TOKEN' }).waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.open('integrations');
  });

  test('links to the matrix, in which one chooses the checks, and back', async () => {
    await at.page.getByRole('link', { name: '1 of 1 check (choose those for Chat)' }).click();
    await at.page.getByRole('checkbox', { name: 'Backup notifies Chat' }).waitFor();
    await at.page.goBack();
    await at.page.getByRole('link', { name: 'Chat', exact: true }).waitFor();
  });

  test('says so above the matrix, which does not', async () => {
    await at.page.getByRole('button', { name: 'Who gets notified about what' }).click();
    await at.page.locator('.notice.unable').filter({ visible: true }).waitFor();
    await at.page.getByRole('button', { name: 'List', exact: true }).click();
    await at.page.locator('.banners .notice').waitFor({ state: 'detached' });
  });

  test.each([390, 800, 1024, 1440])('says which checks it is used for, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 800 });
    await at.page.locator('.integration .used').getByText('1 of').waitFor();
    const last = at.page.locator('.integration .last', { hasText: /Last notification: .*Down: Backup/ });
    await last.waitFor();
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('has the target of one without a name, as far as it is no secret', async () => {
    const ntfy = { topic: 'hidden-topic', url: 'https://ntfy.example.org', priority: '3' };
    const made: readonly object[] = [
      { kind: 'email', fields: { value: 'ops@example.org', down: 'yes' } },
      { kind: 'ntfy', fields: ntfy },
      { kind: 'slack', fields: { value: 'https://hooks.slack.com/services/hidden' } },
      { kind: 'pd', fields: { value: 'a'.repeat(32) } },
    ];
    for (const one of made) {
      const body = { name: '', checks: 'none', ...one };
      await at.owner.post(`/web/in/${at.project}/channels`, body);
    }
    await at.open('integrations');
    const said = (title: string) =>
      at.page.getByRole('listitem', { name: title, exact: true }).locator('.channel-name').textContent();
    await expect.poll(() => said('Email')).toBe('Emailops@example.org');
    expect(await said('ntfy')).toBe('ntfyntfy.example.org');
    expect(await said('Slack')).toBe('Slackhooks.slack.com');
    expect(await said('PagerDuty')).toBe('PagerDuty');
    expect(await said('Chat')).toBe('ChatTelegram');
    expect(await at.findings()).toEqual([]);
  });

  test('a search that leaves one kind opens its form with Enter, and no other does', async () => {
    const search = at.page.getByLabel('Search kinds of integrations');
    await search.fill('message to');
    await search.press('Enter');
    await search.fill('telegram');
    await search.press('Enter');
    await search.fill('slack');
    await expect.poll(() => at.page.locator('a.kind').count()).toBe(1);
    expect(new URL(at.page.url()).pathname).toMatch(/integrations$/);
    await search.press('Enter');
    await at.page.getByRole('heading', { name: 'Add integration: Slack' }).waitFor();
    expect(at.complaints).toEqual([]);
  });
});
