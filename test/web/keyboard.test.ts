/** Every flow of the page without a mouse, in a real browser: what Tab does not reach, or a key does not do, fails. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { answerYes } from '../support/page/answer-yes.ts';
import { browserMissing } from '../support/page/browser.ts';
import { Keyboard } from '../support/page/keyboard.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { goodPassword } from '../support/page/page-client.ts';

describe.skipIf(browserMissing !== '')('by keyboard alone', () => {
  let at: OwnerBrowser;
  let keys: Keyboard;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1280, height: 900 });
    keys = new Keyboard(at.page);
  });

  afterAll(() => at?.stop());

  const button = (name: string | RegExp) => at.page.getByRole('button', { name, exact: true });
  const link = (name: string | RegExp) => at.page.getByRole('link', { name, exact: true });
  const field = (name: string | RegExp) => at.page.getByLabel(name, { exact: true });

  const heading = (name: string | RegExp) => at.page.getByRole('heading', { name }).first();
  const toast = (text: string) => at.page.locator('.toast', { hasText: text });
  const checks = async (): Promise<readonly Json[]> =>
    (await at.knell.api('GET', '/api/v3/checks/')).json().checks;
  const checkOf = async (name: string): Promise<Json> => (await checks()).find((one) => one.name === name);

  test('one signs out, and in again', async () => {
    await at.page.goto(at.knell.app.httpUrl);
    await at.page.getByText('Live', { exact: true }).waitFor();
    await keys.pick(at.page.getByRole('button', { name: /account of ada/ }), 'Sign out');
    await keys.type(field('Name or email address'), 'ada');
    await keys.type(field('Password'), goodPassword);
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Live', { exact: true }).waitFor();
  });

  test('one makes the first check and pings it', async () => {
    await at.open('new');
    await keys.type(field(/^Name/), 'Backup');
    await at.page.keyboard.press('Enter');
    await keys.press(button('Ping now'));
    await at.page.getByText('2 of 3 done').waitFor();
    await keys.press(link('Backup'));
    await heading('Backup').waitFor();
  });

  test('one edits a check, pauses, resumes and snoozes it', async () => {
    await keys.press(button('Pause'));
    await expect.poll(() => button('Resume').getAttribute('aria-disabled')).toBe('false');
    expect((await checkOf('Backup')).status).toBe('paused');
    await keys.press(button('Resume'));
    await expect.poll(async () => (await checkOf('Backup')).status).toBe('new');
    await keys.pick(button('Snooze'), 'Snooze for 1 hour');
    await at.page
      .getByText(/^Snoozed until/)
      .first()
      .waitFor();
    await keys.press(button('Edit'));
    await field(/^Name/).waitFor();
    // The way back goes from the form to its check.
    await at.page.goBack();
    await keys.press(button('Edit'));
    await keys.press(at.page.locator('summary', { hasText: 'More details' }));
    await keys.type(field(/^Tags/), 'nightly');
    await keys.press(button('Save'));
    await expect.poll(async () => (await checkOf('Backup')).tags).toBe('nightly');
    // The page goes back by itself, which would end another navigation.
    await button('Pause').waitFor();
  });

  test('one adds an integration and tests it', async () => {
    await at.open('integrations');
    await keys.type(field('Search kinds of integrations'), 'webhook');
    await keys.press(at.page.getByRole('link', { name: /^Webhook/ }));
    await keys.type(field(/^Name/), 'Hook');
    await keys.type(field(/^URL/).first(), 'http://127.0.0.1:9/down');
    await keys.press(button('Add and send test'));
    await heading('Hook was added').waitFor();
    expect((await checkOf('Backup')).channels).not.toBe('');
    await at.page.getByText('Nothing was sent: 127.0.0.1 is a private address').waitFor();
    await keys.press(button('Allow 127.0.0.1 and send again'));
    await answerYes(at.page, 'Allow and send again');
    await at.page.getByText('The test was not delivered').waitFor();
    await keys.press(button('Send again'));
    await at.page.getByText('The test was not delivered').waitFor();
    await keys.press(button('Back to integrations'));
  });

  test('one changes which checks notify it, turns it off, and deletes it', async () => {
    await keys.press(button('Who gets notified about what'));
    await keys.press(at.page.getByRole('checkbox', { name: 'Backup notifies Hook' }), ' ');
    await expect.poll(async () => (await checkOf('Backup')).channels).toBe('');
    await keys.press(button('List'));
    await keys.pick(button('More for Hook'), 'Turn off');
    await at.page.getByRole('listitem', { name: 'Hook' }).getByText('Turned off').waitFor();
    await keys.pick(button('More for Hook'), 'Delete');
    await keys.press(at.page.locator('dialog[open]').getByRole('button', { name: 'Delete' }));
    await at.page.getByRole('listitem', { name: 'Hook' }).waitFor({ state: 'detached' });
  });

  test('one searches, sorts and filters the list, and acts on a row', async () => {
    for (let n = 1; n <= 3; n++) await at.knell.create({ name: `job ${n}`, tags: 'old', slug: `job-${n}` });
    await at.knell.request(`/ping/${(await checkOf('job 2')).uuid}/fail`);
    await at.open('checks');
    await keys.type(field('Search checks'), 'job');
    await at.page.getByText('3 of 4 checks').waitFor();
    await keys.press(at.page.locator('.summary button', { hasText: 'Down' }));
    await at.page.getByText('1 of 4 checks').waitFor();
    await keys.pick(field('More for job 2'), 'Acknowledge');
    await keys.press(toast('job 2 acknowledged.').getByRole('button', { name: 'Undo' }));
    await expect
      .poll(async () =>
        (await at.knell.api('GET', `/api/v3/checks/${(await checkOf('job 2')).uuid}/snooze`)).json(),
      )
      .toMatchObject({ acknowledged: null });
    await keys.press(field('Pause job 2'));
    const question = at.page.getByRole('dialog', { name: 'Pause job 2?' });
    // In its first moments a second press would be taken for an answer.
    await question.getByRole('button', { name: 'Pause', disabled: false }).waitFor();
    await at.page.keyboard.press('Enter');
    await expect.poll(async () => (await checkOf('job 2')).status).toBe('paused');
    // The list has nothing that is down by now.
    await keys.press(at.page.locator('.under, .nothing').getByRole('button', { name: 'Clear filters' }));
    await at.page.getByText('4 checks', { exact: true }).waitFor();
    expect(
      await field('Search checks').evaluate((node: Json) => node === node.ownerDocument.activeElement),
    ).toBe(true);
    await keys.pick(field('More for job 3'), 'Edit');
    await at.page.locator('form.check-form').getByRole('button', { name: 'Cancel' }).waitFor();
  });

  test('one selects rows, tags them, takes it back, and deletes one', async () => {
    await at.open('checks');
    await keys.press(field('Select job 1'), ' ');
    await keys.press(field('Select job 3'), ' ');
    await at.page.getByText('2 checks selected').waitFor();
    await keys.press(button('Tags…'));
    await keys.type(field(/^Tags to add/), 'fresh');
    await at.page.keyboard.press('Enter');
    await expect.poll(async () => (await checkOf('job 3')).tags).toBe('old fresh');
    await keys.press(toast('tagged fresh').getByRole('button', { name: 'Undo' }));
    await expect.poll(async () => (await checkOf('job 3')).tags).toBe('old');
    // They are selected still.
    await keys.press(field('Select job 3'), ' ');
    await at.page.getByText('1 check selected').waitFor();
    await keys.press(at.page.locator('.bulk').getByRole('button', { name: 'Delete' }));
    await keys.press(at.page.locator('dialog[open] .danger'));
    await expect.poll(checks).toHaveLength(3);
  });

  test('one makes a status page', async () => {
    await at.open('status-pages');
    await keys.press(button('Create status page'));
    await keys.type(field('Title'), 'Northwind status');
    await keys.type(field('Address'), 'northwind');
    await keys.type(field('Name for readers'), 'Backups');
    await keys.press(at.page.getByRole('checkbox', { name: 'Backup' }), ' ');
    await keys.press(button('Publish'));
    await at.page.getByText('1 service, public').waitFor();
    expect((await at.knell.request('/status/northwind')).text).toContain('Northwind status');
  });

  test('one invites a member, gives a role, and makes a project', async () => {
    await at.open('settings');
    await keys.press(link('Members'));
    await keys.type(field('Name or email address of a new member'), 'grace');
    await keys.choose(field('Role in this project'), 'viewer');
    await keys.press(button('Invite'));
    await keys.choose(field('Role of grace in this project'), 'editor');
    await at.page.keyboard.press('Enter');
    const role = (): unknown =>
      at.knell.app.engine.read.users().find(({ name }) => name === 'grace')?.projects?.[0]?.role;
    await expect.poll(role).toBe('editor');
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    await keys.press(button('New project'));
    await keys.type(field('Name'), 'second');
    await keys.press(button('Create project'));
    await at.page.getByText('second was created').waitFor();
    await keys.press(link('Go to second'));
    // Its keys were not copied.
    await keys.press(button('Leave'));
    await at.page.getByText('Set up your first check').waitFor();
    await keys.choose(field('Project'), 'default');
    await at.page.keyboard.press('Enter');
    await at.page.getByText('3 checks', { exact: true }).waitFor();
  });

  test('one changes a setting of the server, and the account', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/server`);
    const token = at.page.locator('.settings li', { hasText: 'KNELL_TELEGRAM_TOKEN' });
    await keys.type(field('Search settings'), 'telegram');
    await keys.press(token.getByRole('button', { name: 'Change' }));
    await at.page.keyboard.type(`12345:${'x'.repeat(35)}`);
    await at.page.keyboard.press('Enter');
    await token.getByText('Set, not shown').waitFor();
    await at.page.goto(`${at.knell.app.httpUrl}/account`);
    await keys.choose(field('Colours'), 'Dark');
    await keys.press(button('Save'));
    await at.page.getByText('Saved.').waitFor();
    await expect
      .poll(() => at.page.evaluate('document.documentElement.getAttribute("data-theme")'))
      .toBe('dark');
  });

  test('one goes to the last item of a menu by End, to the first by Home, and back by Escape', async () => {
    await at.open('checks');
    const menu = at.page.getByRole('button', { name: /^Sort/ });
    const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
    await menu.press('Enter');
    await at.page.keyboard.press('End');
    expect(await focused()).toBe('Uptime');
    await at.page.keyboard.press('Home');
    expect(await focused()).toBe('Status');
    await at.page.keyboard.press('Escape');
    expect(await focused()).toMatch(/^Sort/);
    expect(await at.page.evaluate('scrollY')).toBe(0);
  });

  test('one goes from the menu to all projects, the wall and the audit log', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    await keys.press(link('Wall view'));
    await at.page.locator('.wall').waitFor();
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    await keys.pick(at.page.getByRole('button', { name: /account of ada/ }), 'Audit log');
    await heading('Audit log').waitFor();
    await keys.press(at.page.getByRole('link', { name: /CSV/ }));
    // The browser reports each refusal itself: of the session that ended, and of the test that failed.
    expect(at.complaints.filter((text) => !/status of [45]\d\d/.test(text))).toEqual([]);
  });
});
