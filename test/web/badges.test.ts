/** The page of badges in a real browser: what is drawn, what is given to be copied, and how little is asked for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/domain/check/check.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const evil = '"><img src=x onerror="window.evil=1">](x)';

describe.skipIf(browserMissing !== '')('the badges page', () => {
  let at: OwnerBrowser;
  let backup: Json;
  let pictures = 0;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const { engine } = at.knell.app;
    const [project] = engine.read.projects();
    const many = Array.from({ length: 3000 }, (_, n) => ({ ...defaultConfig, name: `job ${n}` }));
    await Promise.all(
      many.map((config) => project && engine.change.createCheck(project.id, config, at.clock.nowMs())),
    );
    backup = await at.knell.create({ name: 'Nightly backup', tags: 'prod', timeout: 60, grace: 3600 });
    await at.knell.create({ name: evil, slug: 'evil' });
    const paused = await at.knell.create({ name: 'Import', tags: 'prod' });
    await at.knell.api('POST', `/api/v3/checks/${paused.uuid}/pause`);
    await at.knell.request(`/ping/${backup.uuid}`);
    at.page.on('request', (request) => {
      if (/\/(b|badge)\//.test(request.url())) pictures++;
    });
    await at.open('badges');
  });

  afterAll(() => at?.stop());

  const find = (text: string): Promise<void> => at.page.getByRole('searchbox').fill(text);
  const section = () => at.page.locator('section', { hasText: 'A single check' });
  const given = async (): Promise<string> => (await section().locator('.copyable pre').textContent()) ?? '';
  const as = async (form: string): Promise<void> => {
    await at.page.getByLabel('Format').selectOption(form);
  };

  test('finds a check among thousands by typing, and draws no other', async () => {
    await section()
      .getByText(/^3,\d+ checks\. Each has a badge/)
      .waitFor();
    await find('job');
    await section().getByText('2992 more').waitFor();
    // What is wanted most is above all else; tags, of which there may be many, are below, under their name.
    const tags = at.page.locator('section', { has: at.page.getByRole('heading', { name: 'Tags' }) });
    const parts = [at.page.locator('.badges').first(), section(), tags.locator('.badges')];
    const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? -1));
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    await expect.poll(() => parts[0]?.textContent()).toMatch(/^All checks/);
    await expect.poll(() => at.page.locator('img').count(), { message: 'all checks, and the tag' }).toBe(2);
    await find('job 29');
    await expect.poll(() => section().getByRole('button').count()).toBe(8);
    await find('no such thing');
    await section().getByText('No checks match').waitFor();
    await find('job 2999');
    await section().getByRole('button', { name: 'job 2999' }).waitFor();
    await at.page.getByRole('searchbox').press('Enter');
    await section().getByRole('img', { name: 'Status badge of job 2999' }).waitFor();
    await find('nightly');
    await section().getByRole('button', { name: 'Nightly backup' }).focus();
    await at.page.keyboard.press('Enter');
    await section().getByRole('img', { name: 'Status badge of Nightly backup' }).waitFor();
    const width = 'document.querySelector("img[alt$=backup]").naturalWidth';
    await expect.poll(() => at.page.evaluate<number>(width)).toBeGreaterThan(50);
    expect(pictures).toBeLessThanOrEqual(4);
  });

  test('calls the badge of all checks as the project, in its picture too', async () => {
    await at.owner.post(`/web/in/${at.project}/rename`, { name: 'North (wind)' });
    await at.page.reload();
    const row = at.page.locator('.badges li', { hasText: 'All checks' });
    const text = row.locator('pre');
    await expect
      .poll(() => text.textContent())
      .toMatch(/^!\[North \(wind\)]\(.*-2\.svg\?label=North%20%28wind%29\)$/);
    // Its address breaks after a slash: the scheme, the host, the word badge and two ids end with one.
    await expect.poll(() => row.locator('pre wbr').count()).toBe(4);
    // An id, which may have a hyphen, is on one line.
    const linesOf = (all: Json[]): readonly number[] => all.map((part) => part.getClientRects().length);
    const parts = row.locator('pre .part');
    expect(new Set(await parts.evaluateAll(linesOf))).toEqual(new Set([1]));
    const picture = (await row.locator('img').getAttribute('src')) ?? '';
    expect((await at.knell.request(picture)).text).toContain('<title>North (wind): ');
    await at.owner.post(`/web/in/${at.project}/rename`, { name: 'default' });
    await at.page.reload();
  });

  test('leaves it the label that the owner has set', async () => {
    await at.owner.post('/web/server-settings', { variable: 'KNELL_BADGE_LABEL', value: 'All jobs' });
    await at.page.reload();
    const text = at.page.locator('.badges li', { hasText: 'All checks' }).locator('pre');
    await expect.poll(() => text.textContent()).toMatch(/^!\[All jobs]\([^?]*\)$/);
    await at.owner.post('/web/server-settings', { variable: 'KNELL_BADGE_LABEL', value: null });
    await at.page.reload();
  });

  test('lists checks by name, once one of many is looked for', async () => {
    const names = section().getByRole('button');
    await find('');
    await section()
      .getByText(/^3,\d+ checks\. Each has a badge/)
      .waitFor();
    await expect.poll(() => names.filter({ visible: true, hasNotText: 'Copy' }).count()).toBe(0);
    await find('o');
    await expect.poll(() => names.count()).toBe(8);
    await expect.poll(() => names.nth(1).textContent()).toBe('Import');
    expect((await names.allTextContents()).slice(2)).toEqual([0, 1, 2, 3, 4, 5].map((n) => `job ${n}`));
  });

  test('says beside a badge which of its checks are new or paused, which count as up', async () => {
    await at.page.getByText('New and paused checks count as up').waitFor();
    const row = (name: string) =>
      at.page.locator('.badges li', { has: at.page.locator('strong', { hasText: name }) });
    await row('All checks').getByText('counts 3,001 new, 1 paused as up').waitFor();
    await row('prod').getByText('counts 1 paused as up').waitFor();
    await find('import');
    await section().getByRole('button', { name: 'Import' }).click();
    await section().locator('li').getByText('paused', { exact: true }).waitFor();
    await find('nightly');
    await section().getByRole('button', { name: 'Nightly backup' }).click();
    await expect.poll(() => section().locator('li .faint').count()).toBe(0);
  });

  test('gives it as Markdown, HTML and every address, with two states and with three', async () => {
    const base = backup.badge_url.replace('/2/', '/STATES/').replace(/\.svg$/, '');
    const two = base.replace('STATES', '2');
    const three = base.replace('STATES', '3');
    await expect.poll(given).toBe(`![Nightly backup](${two}.svg)`);
    await as('HTML');
    await expect.poll(given).toBe(`<img src="${two}.svg" alt="Nightly backup">`);
    await as('URL');
    await expect.poll(given).toBe(`${two}.svg`);
    await as('JSON URL');
    await expect.poll(given).toBe(`${two}.json`);
    await at.page.getByLabel('Show “late” as a third state').check();
    await expect.poll(given).toBe(`${three}.json`);
    await as('shields.io URL');
    await expect.poll(given).toBe(`${three}.shields`);
  });

  test('gives addresses that answer what they say', async () => {
    await at.clock.advance(120_000);
    for (const [form, late] of [
      ['JSON URL', 'late'],
      ['shields.io URL', 'late'],
    ] as const) {
      await as(form);
      const { pathname } = new URL(await given());
      expect((await at.knell.request(pathname)).text).toContain(late);
    }
  });

  test('shows a hostile name as text, and escapes it in what is copied', async () => {
    await find('onerror');
    await section().getByRole('button', { name: evil }).click();
    await section().locator('strong', { hasText: evil }).waitFor();
    await as('HTML');
    await expect
      .poll(given)
      .toContain('alt="&#34;&#62;&#60;img src=x onerror=&#34;window.evil=1&#34;&#62;](x)"');
    await as('Markdown');
    await expect.poll(given).toContain('onerror="window.evil=1">\\](x)](');
    expect(await at.page.evaluate('window.evil')).toBeUndefined();
  });

  test.each([1440, 390])('has all of what is copied in sight, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 844 });
    const hidden = at.page
      .locator('.badges pre')
      .evaluateAll((all) =>
        all.map((one) => [one.scrollWidth > one.clientWidth, one.scrollHeight > one.clientHeight]),
      );
    expect((await hidden).length).toBeGreaterThan(1);
    expect((await hidden).flat()).not.toContain(true);
  });

  test('is accessible, fits 360 px and had nothing to complain of', async () => {
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(at.complaints).toEqual([]);
  });
});

describe.skipIf(browserMissing !== '')('a badge on a page that is open', () => {
  let at: OwnerBrowser;
  let uuid = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    uuid = (await at.knell.create({ name: 'Backup', tags: 'prod', timeout: 3600 })).uuid;
    await at.knell.create({ name: 'Sync' });
    await at.knell.request(`/ping/${uuid}`);
  });

  afterAll(() => at?.stop());

  /** What the picture is that the browser shows: the width of its text follows from it. */
  const shown = async (name: string): Promise<string> => {
    const picture = at.page.getByRole('img', { name: `Status badge of ${name}`, exact: true });
    const path = (await picture.getAttribute('src')) ?? '';
    const width = await picture.evaluate((one: Json) => one.complete && one.naturalWidth);
    const { text } = await at.knell.request(path);
    return `${/: (\w+)</.exec(text)?.[1]} ${width}`;
  };

  const follows = async (names: readonly string[]): Promise<void> => {
    const wide = async () => (await Promise.all(names.map(shown))).map((text) => text.split(' '));
    await expect.poll(async () => (await wide()).map(([status]) => status)).toEqual(names.map(() => 'up'));
    const before = await wide();
    const changes: number[] = [];
    at.page.on('response', (response) => {
      if (/\/(b|badge)\//.test(response.url())) changes.push(response.status());
    });
    await at.knell.request(`/ping/${uuid}/fail`);
    await expect.poll(() => changes.length).toBe(names.length);
    await expect
      .poll(async () => (await wide()).every(([, width], n) => width !== before[n]?.[1]))
      .toBe(true);
    await at.knell.request(`/ping/${uuid}`);
    await expect.poll(() => changes.length).toBe(2 * names.length);
    await expect.poll(wide).toEqual(before);
    expect(new Set(changes)).toEqual(new Set([200]));
  };

  test('follows the status of its check', async () => {
    await at.open(`checks/${uuid}`);
    await follows(['Backup']);
  });

  test('follows the statuses of a project, a tag and a check', async () => {
    await at.open('badges');
    await at.page.getByRole('button', { name: 'Backup' }).click();
    await follows(['all checks', 'prod', 'Backup']);
  });
});
