/** Edits of a form are not lost without a question, however one leaves it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserName } from '../support/page/browser.ts';
import { browserMissing, firefoxMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const missing: Readonly<Record<BrowserName, string>> = { chromium: browserMissing, firefox: firefoxMissing };

describe.each(['chromium', 'firefox'] as const)('unsaved changes in %s', (browser) => {
  describe.skipIf(missing[browser] !== '')('are not lost', () => {
    let at: OwnerBrowser;
    let uuid = '';

    beforeAll(async () => {
      at = await OwnerBrowser.start({}, browser);
      await at.page.setViewportSize({ width: 1280, height: 800 });
      uuid = (await at.knell.create({ name: 'Backup' })).uuid;
    });
    afterAll(() => at?.stop());

    const dialog = () => at.page.getByRole('dialog', { name: 'Leave without saving?' });
    const stay = async (): Promise<void> => {
      await dialog().waitFor();
      // It is what Enter does.
      await expect.poll(() => at.page.evaluate('document.activeElement.textContent')).toBe('Stay');
      await at.page.keyboard.press('Enter');
      await dialog().waitFor({ state: 'hidden' });
    };
    const discard = () => dialog().getByRole('button', { name: 'Discard changes' }).click();
    const link = (name: string) => at.page.getByRole('link', { name, exact: true }).first();
    const name = () => at.page.getByLabel(/^Name/);
    const path = () => new URL(at.page.url()).pathname + new URL(at.page.url()).search;
    const own = () => `/project/${at.project}`;

    /** From the list to the check and to its form, as one does. */
    async function edit(): Promise<void> {
      await at.open('checks');
      await at.page.locator('.row a', { hasText: 'Backup' }).first().click();
      await at.page.getByRole('button', { name: 'Edit', exact: true }).click();
      await name().fill('Another name');
    }
    const formPath = () => `${own()}/checks/${uuid}?edit=`;

    test('by a link', async () => {
      await edit();
      await link('Badges').click();
      expect(await at.findings()).toEqual([]);
      await stay();
      await expect.poll(() => name().inputValue()).toBe('Another name');
      expect(path()).toBe(formPath());
      await link('Badges').click();
      await discard();
      await expect.poll(path).toBe(`${own()}/badges`);
      // What is given up is not asked about again.
      await link('Checks').click();
      await expect.poll(path).toBe(`${own()}/checks`);
    });

    test('by the way back, which leaves as before afterwards', async () => {
      await edit();
      // Nobody goes back before the browser has said that it scrolled.
      await at.page.evaluate(
        'new Promise((done) => { addEventListener("scroll", done, { once: true }); scrollTo(0, 200); })',
      );
      await at.page.goBack();
      await stay();
      await expect.poll(() => name().inputValue()).toBe('Another name');
      expect(path()).toBe(formPath());
      await expect.poll(() => at.page.evaluate('scrollY')).toBe(200);
      await at.page.goBack();
      await discard();
      await expect.poll(path).toBe(`${own()}/checks/${uuid}`);
      await at.page.getByRole('heading', { level: 1, name: 'Backup' }).waitFor();
      await at.page.goBack();
      await expect.poll(path).toBe(`${own()}/checks`);
    });

    test('by the palette', async () => {
      await edit();
      await at.page.keyboard.press('Control+k');
      await at.page.locator('.palette input').fill('badges');
      await at.page.keyboard.press('Enter');
      await stay();
      expect(path()).toBe(formPath());
    });

    test('by loading the document anew', async () => {
      await edit();
      const asked: string[] = [];
      const answer = (question: { type(): string; dismiss(): Promise<void> }): void => {
        asked.push(question.type());
        void question.dismiss();
      };
      at.page.on('dialog', answer);
      await at.page.evaluate('location.reload()');
      await expect.poll(() => asked).toEqual(['beforeunload']);
      at.page.off('dialog', answer);
      await expect.poll(() => name().inputValue()).toBe('Another name');
    });

    test('unless one cancels, saves, or has changed nothing', async () => {
      await edit();
      await at.page.getByRole('button', { name: 'Cancel' }).click();
      await expect.poll(path).toBe(`${own()}/checks/${uuid}`);
      await edit();
      await name().fill('Backup');
      await link('Badges').click();
      await expect.poll(path).toBe(`${own()}/badges`);
      await edit();
      await at.page.getByRole('button', { name: 'Save' }).click();
      await at.page.getByRole('heading', { level: 1, name: 'Another name' }).waitFor();
      await link('Badges').click();
      await expect.poll(path).toBe(`${own()}/badges`);
      await at.open('new');
      await name().fill('Restore');
      await at.page.getByRole('button', { name: 'Create check', exact: true }).click();
      await at.page.getByRole('heading', { level: 1, name: 'Restore' }).waitFor();
    });

    test.each([
      ['new', () => name().fill('x')],
      ['new/crontab', () => at.page.locator('form.crontab textarea').first().fill('* * * * * job')],
      ['integrations/new/webhook', () => name().fill('x')],
      ['settings/maintenance', () => opened('Create maintenance window', 'Name')],
      ['status-pages', () => opened('Create status page', 'Title')],
    ] as const)('in the form at %s', async (address, change) => {
      await at.open(address);
      await change();
      await link('Badges').click();
      await stay();
      await link('Badges').click();
      await discard();
      await expect.poll(path).toBe(`${own()}/badges`);
      // And so does the way back.
      await at.page.evaluate(
        `{ const a = Object.assign(document.createElement('a'), { href: '${own()}/${address}' });
           document.body.append(a); a.click(); a.remove(); }`,
      );
      await change();
      const form = path();
      await at.page.goBack();
      await stay();
      await expect.poll(path).toBe(form);
      await at.page.goBack();
      await discard();
      await expect.poll(path).not.toBe(form);
    });

    test('in the choice of reports', async () => {
      await at.page.goto(`${at.knell.app.httpUrl}/reports`);
      await at.page.getByLabel('How often').selectOption('weekly');
      await link('Badges').click();
      await stay();
      await link('Badges').click();
      await discard();
      await expect.poll(path).toMatch(/\/badges$/);
    });

    async function opened(button: string, field: string): Promise<void> {
      await at.page.getByRole('button', { name: button }).click();
      await at.page.getByLabel(field, { exact: true }).fill('x');
    }

    test('in a note about an incident, which is there when one comes back', async () => {
      await at.knell.request(`/ping/${uuid}/fail`);
      await at.open('incidents');
      await at.page.locator('main a', { hasText: 'Another name' }).first().click();
      const note = () => at.page.getByLabel('Note for the others');
      await note().fill('The disk is full');
      await link('Badges').click();
      await expect.poll(path).toBe(`${own()}/badges`);
      await at.page.goBack();
      await expect.poll(() => note().inputValue()).toBe('The disk is full');
      await at.page.getByRole('button', { name: 'Add note' }).click();
      await at.page.locator('.timeline', { hasText: 'The disk is full' }).waitFor();
      await at.page.reload();
      await expect.poll(() => note().inputValue()).toBe('');
      expect(at.complaints).toEqual([]);
    });
  });
});
