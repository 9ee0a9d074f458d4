/**
 * A page looks the same whether it was opened first or after all others: parts of the style come with the pages that need them, and
 * none may change what another one has arranged.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the order in which pages are opened', () => {
  let at: OwnerBrowser;
  let paths: readonly (readonly [path: string, settled: string])[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const { owner, project, knell } = at;
    const of = (path: string) => `/project/${project}/${path}`;
    const channel = { kind: 'webhook', name: 'Tickets', fields: { url_down: 'http://127.0.0.1:9/' } };
    const { id } = (await owner.post(`/web/in/${project}/channels`, channel)).json();
    const check = await knell.create({ name: 'Nightly backup', tags: 'prod db', channels: '*' });
    await knell.request(`/ping/${check.uuid}`, { method: 'POST', body: 'files=12\ndone\n' });
    await knell.request(`/ping/${check.uuid}/fail`, { method: 'POST', body: 'no space left\n' });
    const [incident] = (await knell.api('GET', '/api/v3/incidents/')).json().incidents;
    paths = [
      [of('checks'), '.row'],
      [of(`checks/${check.uuid}`), '.log li'],
      [of('incidents'), '.incidents li'],
      [of(`incidents/${incident.id}`), '.last-output'],
      [of('new'), 'form.check-form'],
      [of('new/crontab'), 'form.crontab'],
      [of('integrations'), '.integrations li'],
      [of('integrations?view=matrix'), '.matrix'],
      [of('integrations/new/webhook'), 'form.check-form'],
      [of(`integrations/${id}`), 'form.check-form'],
      [of('status-pages'), 'main button'],
      [of('settings/maintenance'), 'main button'],
      [of('badges'), 'img'],
      [of('settings'), '.line'],
      [of('settings/members'), '.members td'],
      ['/server', '.settings li'],
      ['/account', '.line'],
      ['/audit', '.audit li'],
      ['/reports', '.report-head'],
      ['/projects', '.overview td'],
    ];
    await owner.post('/web/projects', { name: 'Website' });
    // Words with an age must not change meanwhile.
    await at.page.clock.setFixedTime(at.clock.nowMs());
  }, 60_000);
  afterAll(() => at?.stop());

  /** Where everything of the page is, as lines. */
  const places = (): Promise<readonly string[]> =>
    at.page.evaluate<string[]>(`
      [...document.querySelectorAll('main *:not(svg *)')].filter((one) => one.checkVisibility()).map((one) => {
        const { x, width } = one.getBoundingClientRect();
        const { padding, gap, fontSize, color, display } = getComputedStyle(one);
        const words = (one.textContent ?? '').slice(0, 30).replace(/[0-9]+/g, '0');
        return [one.tagName + '.' + one.className, words, Math.round(x), Math.round(width), padding, gap, fontSize, color, display].join(' | ');
      })
    `);

  async function settle(settled: string): Promise<readonly string[]> {
    await at.page.locator(settled).first().waitFor();
    let now: readonly string[] = [];
    // What a page asks for after its first parts moves them once more.
    const isStill = async (): Promise<boolean> => {
      const before = now.join('\n');
      now = await places();
      return before === now.join('\n');
    };
    await expect.poll(isStill, { interval: 250 }).toBe(true);
    return now;
  }

  test.each([1440, 390])('changes nothing, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 900 });
    const first = new Map<string, readonly string[]>();
    for (const [path, settled] of paths) {
      await at.page.goto(at.knell.app.httpUrl + path);
      first.set(path, await settle(settled));
    }
    const differing: string[] = [];
    for (let round = 0; round < 2; round++)
      for (const [path, settled] of paths) {
        await at.page.evaluate(
          `{ const link = document.createElement('a'); link.href = ${JSON.stringify(path)}; document.body.append(link); link.click(); link.remove(); }`,
        );
        const now = await settle(settled);
        if (round === 0) continue;
        const before = new Set(first.get(path));
        for (const line of now) if (!before.has(line)) differing.push(`${path}: ${line}`);
      }
    expect(differing).toEqual([]);
  });
});
