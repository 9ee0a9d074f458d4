/** The members of a project in a real browser: invited, given roles, as its owner sees them, and a member without a project. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { goodPassword, linkIn, PageClient } from '../support/page/page-client.ts';

describe.skipIf(browserMissing !== '')('the members', () => {
  let at: OwnerBrowser;
  let link = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.owner.post('/web/projects', { name: 'second' });
    await at.open('settings');
    await at.page.getByRole('link', { name: 'Members', exact: true }).click();
    await at.page.waitForURL('**/settings/members');
  });

  afterAll(() => at?.stop());

  const row = (name: string) => at.page.getByRole('row', { name: new RegExp(`^${name}`) });
  const userNamed = (name: string): Json =>
    at.knell.app.engine.read.users().find((user) => user.name === name);

  const giveOwner = (where: string) =>
    at.page
      .getByRole('dialog', { name: `Is grace to be an owner of ${where}?` })
      .getByRole('button', { name: 'Give the role' })
      .click();

  test('are invited to this project alone, with a link', async () => {
    const name = at.page.getByLabel('Name or email address of a new member');
    await at.page.getByRole('button', { name: 'Invite' }).press('Enter');
    await at.page.getByText('Enter a name or an email address.').waitFor();
    await expect.poll(() => name.evaluate((one: Json) => one.matches(':focus'))).toBe(true);
    expect(await at.findings()).toEqual([]);
    await name.fill('bad@');
    await name.press('Enter');
    await at.page
      .getByText('This email address is not complete: enter one such as ada@example.org')
      .waitFor();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => name.evaluate((one: Json) => one.matches(':focus'))).toBe(true);
    expect(at.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await name.fill('grace');
    await expect.poll(() => name.getAttribute('aria-invalid')).toBeNull();
    await at.page.getByLabel('Role in this project', { exact: true }).selectOption('viewer');
    await at.page.getByRole('button', { name: 'Invite' }).click();
    await row('grace').waitFor();
    await row('ada').getByText('you', { exact: true }).waitFor();
    await row('grace').getByText('not signed in yet').waitFor();
    await expect.poll(() => at.page.getByText('not signed in yet').count()).toBe(1);
    // The server keeps the last owner as one.
    await row('ada').getByText('Owner of all projects, and the only owner').waitFor();
    await expect.poll(() => row('ada').getByRole('combobox').count()).toBe(0);
    await at.page.getByText('A role is saved once it is chosen').waitFor();
    await at.page.getByText('For a new member, you get a link to pass on.').waitFor();
    link = linkIn(await at.page.locator('.shown-once pre').first().textContent());
    const copy = at.page.locator('.shown-once').getByRole('button', { name: 'Copy' }).first();
    await expect.poll(() => copy.evaluate((one: Json) => one.matches(':focus'))).toBe(true);
    await expect.poll(async () => (await copy.boundingBox())?.y).toBeGreaterThan(60);
    expect((await copy.boundingBox())?.y).toBeLessThan(760);
    expect(userNamed('grace')).toMatchObject({
      role: 'none',
      projects: [{ projectId: at.project, role: 'viewer' }],
    });
  });

  test('are sent a link for a password; one uses the own one', async () => {
    const said = () => at.page.locator('.shown-once').textContent();
    await expect.poll(said).toMatch(/^Send \S+ this link to set a password \(one use/);
    await at.page.getByRole('button', { name: 'Reset password for ada' }).click();
    await expect.poll(said).toContain('Use this link to set a password (one use');
  });

  test('are invited anew while they have no password, and not twice', async () => {
    // That of another member, who was sent one before.
    const old = linkIn(await at.page.locator('.shown-once pre').first().textContent());
    await at.page.getByRole('button', { name: 'New invitation link for grace' }).click();
    await expect
      .poll(async () => linkIn(await at.page.locator('.shown-once pre').first().textContent()))
      .not.toBe(old);
    link = linkIn(await at.page.locator('.shown-once pre').first().textContent());
    await at.page.getByLabel('Name or email address of a new member').fill('grace');
    await at.page.getByRole('button', { name: 'Invite' }).click();
    const field = at.page.getByLabel('Name or email address of a new member');
    await at.page.locator('#new-member-error').getByText('This project has a member grace already').waitFor();
    await expect.poll(() => field.evaluate((one: Json) => one.matches(':focus'))).toBe(true);
    expect(at.complaints.splice(0)).toEqual([expect.stringContaining('409')]);
    await at.page.getByRole('button', { name: 'New invitation link for grace' }).click();
    await expect.poll(() => at.page.locator('#new-member-error').count()).toBe(0);
    link = linkIn(await at.page.locator('.shown-once pre').first().textContent());
  });

  test('are invited one after the other, with the link of each, until one is deleted', async () => {
    const links = () => at.page.locator('.shown-once > p:not(.faint)').allTextContents();
    const before = (await links()).length;
    await at.page.getByLabel('Name or email address of a new member').fill('linus');
    const ofAll = at.page.getByLabel('Role in all other projects', { exact: true });
    await ofAll.selectOption('owner');
    await at.page.getByRole('button', { name: 'Invite' }).click();
    // The question is in the middle of the window.
    const question = at.page.getByRole('dialog', { name: 'Is linus to be an owner of all projects?' });
    const middle = async (): Promise<number> => {
      const { y = 0, height = 0 } = (await question.boundingBox()) ?? {};
      return Math.round(y + height / 2);
    };
    await expect.poll(middle).toBe(400);
    await question.getByRole('button', { name: 'Give the role' }).click();
    await expect.poll(links).toHaveLength(before + 1);
    // The next person is not given it, too.
    await expect.poll(() => ofAll.inputValue()).toBe('none');
    await expect
      .poll(links)
      .toEqual([
        expect.stringContaining('Send linus this link'),
        expect.stringContaining('Send grace this link'),
        expect.stringContaining('Use this link'),
      ]);
    await at.page.setViewportSize({ width: 1280, height: 800 });
    await at.page.getByRole('button', { name: 'Delete account linus' }).click();
    const dialog = at.page.getByRole('dialog', { name: 'Delete account linus' });
    const heading = dialog.getByRole('heading', { name: 'Delete the account of linus?' });
    await heading.waitFor();
    const aligned = "getComputedStyle(document.querySelector('dialog[open] p')).textAlign";
    expect(await at.page.evaluate<string>(aligned)).toBe('start');
    expect(await at.findings()).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(links).toHaveLength(before);
    await at.page.setViewportSize({ width: 360, height: 800 });
  });

  test('have a role here and one elsewhere, each changed by keyboard', async () => {
    const here = at.page.getByLabel('Role of grace in this project');
    await expect.poll(() => here.inputValue()).toBe('viewer');
    await here.focus();
    await at.page.keyboard.press('o');
    await expect.poll(() => here.inputValue()).toBe('owner');
    await at.page.keyboard.press('Enter');
    await giveOwner('this project');
    await expect.poll(() => userNamed('grace').projects[0].role).toBe('owner');
    await at.page.getByText('grace is an owner of this project now.').waitFor();
    await at.page.getByLabel('Role of grace in all other projects').selectOption('viewer');
    await expect.poll(() => userNamed('grace').role).toBe('viewer');
    // With another owner, each may become something else.
    const everywhere = at.page.getByLabel('Role of grace in all other projects');
    await everywhere.selectOption('owner');
    await giveOwner('all projects');
    await at.page.getByLabel('Role of ada in all other projects').waitFor();
    await row('ada').getByText('owner, as in other projects').waitFor();
    await everywhere.selectOption('viewer');
    await row('ada').getByText('the only owner').waitFor();
    await here.selectOption({ label: 'viewer, as in other projects' });
    await expect.poll(() => userNamed('grace').projects).toBeUndefined();
    await at.page.getByLabel('Role of grace in all other projects').selectOption('none');
    await expect.poll(() => userNamed('grace').role).toBe('none');
    await here.selectOption('owner');
    await giveOwner('this project');
    await expect.poll(() => userNamed('grace').projects).toMatchObject([{ role: 'owner' }]);
    await at.page.getByText('Owner of all projects').waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    // On a phone all fields are equally wide.
    const widths = `[...new Set([...document.querySelectorAll('.members select, .members + .inline select')]
      .map((field) => Math.round(field.getBoundingClientRect().width)))]`;
    expect(await at.page.evaluate(widths)).toHaveLength(1);
    // What can be done with an account begins where the name does.
    const starts = `[...document.querySelectorAll('.members tbody tr')].map((row) => {
      const button = row.querySelector('td:last-child > button');
      const { paddingLeft, borderLeftWidth } = getComputedStyle(button);
      const inset = parseFloat(paddingLeft) + parseFloat(borderLeftWidth);
      return Math.round(button.getBoundingClientRect().left + inset - row.getBoundingClientRect().left);
    })`;
    expect(await at.page.evaluate(starts)).toEqual([0, 0]);
    await at.page.setViewportSize({ width: 1280, height: 800 });
    expect(await at.findings()).toEqual([]);
    // The words of the last button end where the row does.
    const ends = `[...document.querySelectorAll('.members tbody tr')].map((row) => {
      const button = row.querySelector('td:last-child > button:last-of-type');
      const { paddingRight, borderRightWidth } = getComputedStyle(button);
      const inset = parseFloat(paddingRight) + parseFloat(borderRightWidth);
      return Math.round(row.getBoundingClientRect().right - button.getBoundingClientRect().right + inset);
    })`;
    expect(await at.page.evaluate(ends)).toEqual([0, 0]);
    await at.page.setViewportSize({ width: 360, height: 800 });
  });

  test('get no role that the keys only pass over, and owners are asked about', async () => {
    const everywhere = at.page.getByLabel('Role of grace in all other projects');
    const focused = () => everywhere.evaluate((one: Json) => one.matches(':focus'));
    await everywhere.selectOption('editor');
    await at.page.getByText('grace is an editor of all other projects now.').waitFor();
    await everywhere.focus();
    await at.page.keyboard.press('ArrowUp');
    await expect.poll(() => everywhere.inputValue()).toBe('owner');
    await expect.poll(() => at.page.getByRole('dialog').count()).toBe(0);
    await at.page.keyboard.press('Escape');
    await expect.poll(() => everywhere.inputValue()).toBe('editor');
    await at.page.keyboard.press('ArrowUp');
    await at.page.keyboard.press('ArrowDown');
    await at.page.keyboard.press('ArrowDown');
    await expect.poll(() => everywhere.inputValue()).toBe('viewer');
    expect(userNamed('grace').role).toBe('editor');
    expect(await focused()).toBe(true);
    await at.page.keyboard.press('Tab');
    await expect.poll(() => userNamed('grace').role).toBe('viewer');
    const toast = at.page.locator('.toast', { hasText: 'grace is a viewer of all other projects now.' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => userNamed('grace').role).toBe('editor');
    await expect.poll(() => everywhere.inputValue()).toBe('editor');
    await everywhere.selectOption('owner');
    const dialog = at.page.getByRole('dialog');
    await dialog.getByText('everything in every project').waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => everywhere.inputValue()).toBe('editor');
    expect(userNamed('grace').role).toBe('editor');
    await everywhere.selectOption('none');
    await at.page.getByText('grace has no role in all other projects now.').waitFor();
    await expect.poll(() => userNamed('grace').role).toBe('none');
  });

  test('have the role of the other projects here, too, where they have none of their own', async () => {
    const here = at.page.getByLabel('Role of grace in this project');
    const everywhere = at.page.getByLabel('Role of grace in all other projects');
    await here.selectOption('default');
    await expect.poll(() => userNamed('grace').projects).toBeUndefined();
    await at.page.reload();
    await everywhere.selectOption('viewer');
    await at.page.getByText('grace is a viewer of all projects now.').waitFor();
    await here.selectOption('owner');
    await giveOwner('this project');
    await expect.poll(() => userNamed('grace').projects).toMatchObject([{ role: 'owner' }]);
    await everywhere.selectOption('none');
    await expect.poll(() => userNamed('grace').role).toBe('none');
  });

  test('as the owner of one project sees them: its own, without accounts and other projects', async () => {
    const grace = new PageClient(at.knell);
    await grace.post('/web/set-password', { link, password: goodPassword });
    const context = await at.page
      .context()
      .browser()
      ?.newContext({ viewport: { width: 360, height: 800 } });
    if (!context) throw new Error('no browser');
    const [name = '', value = ''] = grace.cookie.split('=');
    await context.addCookies([{ name, value, url: at.knell.app.httpUrl }]);
    const page = await context.newPage();
    await page.goto(at.knell.app.httpUrl);
    await page.waitForURL(`**/project/${at.project}/checks`);
    await expect.poll(() => page.getByLabel('Project').count()).toBe(0);
    await page.goto(`${at.knell.app.httpUrl}/project/${at.project}/settings/members`);
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    await page.getByLabel('Role of grace in this project').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: /Reset password|Delete account|Create project/ }).count())
      .toBe(0);
    await expect.poll(() => page.getByLabel(/all other/).count()).toBe(0);
    await expect.poll(() => page.getByRole('link', { name: 'Server', exact: true }).count()).toBe(0);
    // Taken away while the page is open.
    await at.page.reload();
    await row('grace').waitFor();
    await expect.poll(() => at.page.getByText('not signed in yet').count()).toBe(0);
    await at.page
      .getByLabel('Role of grace in this project')
      .selectOption({ label: 'none, as in other projects' });
    await page.getByRole('heading', { name: 'No projects' }).waitFor();
    await page.getByText('have no access to any project yet').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    await context.close();
  });

  test('whom nothing went wrong for', () => {
    expect(at.complaints).toEqual([]);
  });
});
