/** The overview of projects and the wall view, in a real browser: a screen in the office, and everybody who has its link. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('all projects', () => {
  let at: OwnerBrowser;
  let link = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.owner.post('/web/projects', { name: 'Website' });
    for (let n = 0; n < 30; n++) {
      const { uuid } = await at.knell.create({ name: `job ${n}` });
      await at.knell.request(`/ping/${uuid}${n < 20 ? '/3' : ''}`);
    }
    await at.clock.advance(600_000);
  });

  afterAll(() => at?.stop());

  const url = (path: string): string => at.knell.app.httpUrl + path;
  const shown = (text: string) => at.page.getByText(text, { exact: true });

  test('are one choice away, each with counts that link to the checks', async () => {
    await at.open('checks');
    await at.page.getByLabel('Project').selectOption('All projects');
    await at.page.getByRole('heading', { name: 'Projects' }).waitFor();
    await at.page.getByRole('link', { name: '20 Down in default' }).waitFor();
    const line = (name: string) => at.page.getByRole('row', { name: new RegExp(name) });
    await line('default')
      .getByText(/^\d+(\.\d+)? %$/)
      .waitFor();
    await line('default').getByRole('link', { name: '30 checks notify nobody in default' }).waitFor();
    await line('Website').getByText('No checks yet').waitFor();
    await expect.poll(() => line('Website').locator('td.works').textContent()).toContain('None, add one');
    const add = line('Website').getByRole('link', { name: 'add one to Website' });
    await expect.poll(() => add.getAttribute('href')).toMatch(/^\/project\/[\w-]+\/integrations\/new$/);
    const create = line('Website').getByRole('link', { name: 'Create a check in Website' });
    await expect.poll(() => create.getAttribute('href')).toMatch(/^\/project\/[\w-]+\/new$/);
    await expect.poll(() => line('Website').locator('.count').count()).toBe(0);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.getByRole('link', { name: '20 Down in default' }).click();
    await shown('20 of 30 checks').waitFor();
    // On a phone the name of the project is the only link to all of them.
    await at.page.setViewportSize({ width: 1280, height: 720 });
    await at.page.goBack();
    await at.page.getByRole('link', { name: '30 checks in default' }).click();
    await at.page.getByRole('heading', { name: 'Checks' }).waitFor();
  });

  test('say when what is shown is old, and go on', async () => {
    await at.page.goto(url('/projects'));
    await at.page.getByRole('link', { name: '20 Down in default' }).waitFor();
    await at.page.route('**/web/overview*', (route) => route.abort());
    await at.page.getByText(/^Data from .*, trying again…$/).waitFor();
    await at.page.getByRole('link', { name: '20 Down in default' }).waitFor();
    await at.page.unrouteAll();
    await at.page.getByText(/^Data from/).waitFor({ state: 'detached' });
  });

  test('are on the wall as many as fit, with how many there are besides, in either scheme', async () => {
    await at.page.setViewportSize({ width: 1280, height: 720 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      await at.page.goto(url('/wall'));
      await at.page.getByRole('heading', { name: 'All projects' }).waitFor();
      await at.page.locator('.wall .name', { hasText: 'job 0' }).waitFor();
      await at.page.locator('.wall').getByText('Exit status 3').first().waitFor();
      await at.page
        .locator('.troubled')
        .getByText(/^and \d+ more$/)
        .waitFor();
      // Each has one check, which is below.
      await at.page
        .locator('.open-incidents')
        .getByText('20 incidents open, none acknowledged', { exact: true })
        .waitFor();
      await expect.poll(() => at.page.locator('.open-incidents li').count()).toBe(0);
      // What is beside the coloured bar of a line does not cut into it.
      const second = at.page.locator('.troubled li').nth(1);
      const widths = await second.evaluate((one: Json) => [
        one.clientTop,
        one.clientHeight - one.offsetHeight,
      ]);
      expect(widths).toEqual([0, 0]);
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(
        await at.page.evaluate('document.documentElement.scrollHeight - innerHeight'),
      ).toBeLessThanOrEqual(0);
    }
  });

  test('have their project below the name on a phone, however long the name is', async () => {
    const name = 'Certificate renewal on the public load balancers of every region';
    const short = 'Certificate renewal on the public load balancers';
    const made = [await at.knell.create({ name }), await at.knell.create({ name: short })];
    for (const { uuid } of made) await at.knell.request(`/ping/${uuid}/fail`);
    await at.page.setViewportSize({ width: 390, height: 3000 });
    await at.page.goto(url('/wall'));
    const line = at.page.locator('.troubled li', { hasText: name });
    await line.waitFor();
    const [box, note] = await Promise.all([line.boundingBox(), line.locator('.name .note').boundingBox()]);
    const bottom = ({ y, height }: { y: number; height: number } = { y: 0, height: 0 }): number => y + height;
    expect(bottom(note ?? undefined)).toBeLessThan(bottom(box ?? undefined));
    // What it is, is below both: beside them, the name would have a column of a few words.
    const state = await line.locator('.state').boundingBox();
    expect(state?.y).toBeGreaterThanOrEqual(bottom(note ?? undefined) - 1);
    // Neither is cut.
    const hidden = ({ scrollHeight, clientHeight }: Json): number => scrollHeight - clientHeight;
    for (const own of [short, name]) expect(await shown(own).evaluate(hidden)).toBeLessThanOrEqual(1);
    await at.page.setViewportSize({ width: 390, height: 844 });
    // The tiles of one row are above those of the next.
    const lefts = await at.page
      .locator('.counts li')
      .evaluateAll((tiles: readonly Json[]) => tiles.map((tile) => tile.getBoundingClientRect().left));
    expect(new Set(lefts).size).toBeLessThanOrEqual(3);
    for (const { uuid } of made) await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
  });

  test('are left with Escape, for the checks or for all projects', async () => {
    for (const [path, to] of [
      ['/wall', '/projects'],
      [`/wall/${at.project}`, `/project/${at.project}/checks`],
    ] as const) {
      await at.page.goto(url(path));
      await at.page.locator('.troubled li').first().waitFor();
      await at.page.keyboard.press('Escape');
      await at.page.waitForURL(url(to));
    }
  });

  test('are left by their logo, too, where there is no keyboard', async () => {
    await at.page.goto(url(`/wall/${at.project}`));
    await at.page.getByRole('link', { name: 'Back to the checks' }).click();
    await at.page.waitForURL(url(`/project/${at.project}/checks`));
  });

  test('give their places on the wall to what nobody handles', async () => {
    const first = at.page.locator('.troubled li').first();
    await at.page.goto(url('/wall'));
    await first.getByText('job 0').waitFor();
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/')).json();
    const { uuid } = checks.find(({ name }: { readonly name: string }) => name === 'job 0');
    await at.knell.api('POST', `/api/v3/checks/${uuid}/snooze`, { for: 3600 });
    await at.page.reload();
    await first.getByText('job 1').waitFor();
    await at.knell.api('POST', `/api/v3/checks/${uuid}/unsnooze`);
    await at.page.reload();
    await first.getByText('job 0').waitFor();
  });

  test('of one project are shown to everybody who has the link, as they change, until it is revoked', async () => {
    await at.open('settings');
    await at.page.getByRole('button', { name: 'Create wall link' }).click();
    link = (await at.page.locator('.shown-once pre').textContent()) ?? '';
    expect(new URL(link).hash).toMatch(/^#wall_/);
    const context = await at.page
      .context()
      .browser()
      ?.newContext({ viewport: { width: 1280, height: 720 } });
    const screen = await context?.newPage();
    if (!screen) throw new Error('no browser');
    await screen.goto(link);
    await screen.getByRole('heading', { name: 'default' }).waitFor();
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/')).json();
    for (const { uuid } of checks) await at.knell.request(`/ping/${uuid}`);
    await screen.getByText('Nothing is down').waitFor();
    await screen.getByText('Live', { exact: true }).waitFor();
    await screen.keyboard.press('Escape');
    expect(screen.url()).toBe(link);
    await expect.poll(() => screen.getByRole('link').count()).toBe(0);
    const { keys } = (await at.owner.get(`/web/in/${at.project}/settings`)).json();
    const { id } = keys.find(({ scope }: { scope: string }) => scope === 'wall');
    await at.owner.send('DELETE', `/web/in/${at.project}/keys/${id}`);
    await screen.reload();
    await screen.getByText('This link was revoked or is wrong').waitFor();
    await context?.close();
  });
});
