/** The words of the audit log in a real browser: from what to what something was changed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const evil = '<img src=x onerror="window.evil=1">';

describe.skipIf(browserMissing !== '')('the audit log', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.owner.post(`/web/in/${at.project}/api/checks/`, { name: evil });
    await at.open('checks');
  });

  afterAll(() => at?.stop());

  const lines = () => at.page.locator('.audit li');

  test('says from what to what a value was changed', async () => {
    const [check] = (await at.owner.get(`/web/in/${at.project}/api/checks/`)).json().checks;
    await at.owner.post(`/web/in/${at.project}/api/checks/${check.uuid}`, { grace: 600, tags: 'prod' });
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const changes = lines().first().locator('.changes li');
    await expect
      .poll(() => changes.allTextContents())
      .toEqual(['Tags: was empty →\u00a0 to prod', 'Grace time: 1 h →\u00a0 to 10 min']);
    await expect.poll(() => lines().first().textContent()).not.toContain('(');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('says another kind of schedule as one change, and what was turned off as that', async () => {
    const { uuid } = await at.knell.create({ name: 'nightly', timeout: 90_000 });
    const path = `/web/in/${at.project}/api/checks/${uuid}`;
    await at.owner.post(path, { schedule: '0 3 * * *', tz: 'Europe/Riga' });
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const said = () => lines().first().locator('.changes li').allTextContents();
    await expect.poll(said).toEqual(['Interval 1 d 1 h →\u00a0 to Cron 0 3 * * * (Europe/Riga)']);
    await at.owner.post(path, { timeout: 3600 });
    await at.page.reload();
    await expect.poll(said).toEqual(['Cron 0 3 * * * →\u00a0 to Interval 1 h']);
    await at.owner.post(path, { schedule: '*-*-* 4:00', tz: 'Europe/Oslo' });
    await at.page.reload();
    await expect.poll(said).toEqual(['Interval 1 h →\u00a0 to OnCalendar *-*-* 4:00 (Europe/Oslo)']);
    const mail = { kind: 'email', name: 'Ops', fields: { value: 'ops@example.org', down: 'yes', up: 'yes' } };
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, mail)).json();
    for (const [disabled, words] of [
      [true, 'Turned off'],
      [false, 'Turned on'],
    ] as const) {
      await at.owner.post(`/web/in/${at.project}/channels/${id}`, { disabled });
      await at.page.reload();
      await expect.poll(said).toEqual([words]);
    }
    await at.owner.send('DELETE', `/web/in/${at.project}/channels/${id}`);
    await at.owner.send('DELETE', path);
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
  });

  test('says which notice of a status page was posted, and its stage', async () => {
    const page = { title: 'Shop', slug: 'shop', services: [{ id: '', name: 'All', tag: 'all' }] };
    const { id } = (await at.owner.post(`/web/in/${at.project}/status-pages`, page)).json();
    const path = `/web/in/${at.project}/status-pages/${id}/notices`;
    const said = () => lines().first().locator('.changes li').allTextContents();
    const first = { title: 'Slow orders', services: [], stage: 'investigating', text: 'We look at it.' };
    const made = await at.owner.post(path, first);
    expect(made.status).toBeLessThan(300);
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    await expect.poll(said).toEqual(['Posted a notice: Slow orders (investigating)']);
    await at.owner.post(`${path}/${made.json().notices[0].id}`, { stage: 'resolved', text: 'It is over.' });
    await at.page.reload();
    const now = 'Notice: Slow orders (investigating) →\u00a0 to Slow orders (resolved)';
    await expect.poll(said).toEqual([now]);
  });

  test('has no arrow without something behind it: before several lines, and of what is new', async () => {
    const path = `/web/in/${at.project}/api/checks/`;
    const [check] = (await at.owner.get(path)).json().checks;
    for (const desc of ['one\ntwo', 'three\nfour', 'five']) await at.owner.post(path + check.uuid, { desc });
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const said = (nth: number) => lines().locator('.changes').nth(nth).textContent();
    await expect.poll(() => said(0)).toBe('Description: three\nfour →\u00a0 to five');
    expect(await said(1)).toBe('Description: one\ntwoNow:three\nfour');
    expect(await said(2)).toBe('Description: was empty, now:one\ntwo');
    expect(await at.findings()).toEqual([]);
  });

  test('names the checks on which one depends, with a link, and says of a deleted one that it is', async () => {
    const checks = `/web/in/${at.project}/api/checks/`;
    const change = (uuid: string, spec: object) => at.owner.post(checks + uuid, spec);
    const [one, parent, gone] = await Promise.all(
      ['front', evil, 'gone'].map(async (name) => (await at.knell.create({ name })).uuid as string),
    );
    const never = '00000000-0000-4000-8000-000000000000';
    await change(`${one}`, { depends_on: `${parent} ${gone} ${never} tag:core` });
    await change(`${one}`, { desc: `${parent}` });
    await at.owner.send('DELETE', checks + gone);
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const top = at.page.locator('.audit > li');
    // A value that is nothing but a UUID is shown as what it is.
    await expect.poll(() => top.nth(1).textContent()).toContain(`Description: was empty →\u00a0 to ${evil}`);
    const line = top.nth(2).locator('.changes li');
    await expect
      .poll(() => line.textContent())
      .toBe(
        `No alert while one of these is down: was empty →\u00a0 to ${evil}, gone (deleted), ${never}, tag:core`,
      );
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await line.getByRole('link', { name: evil }).click();
    await at.page.getByRole('heading', { level: 1, name: evil }).waitFor();
  });

  test('says of a list what was added and removed, and of many checks which fields', async () => {
    const channel = async (name: string): Promise<string> =>
      (
        await at.owner.post(`/web/in/${at.project}/channels`, {
          kind: 'email',
          name,
          value: `${name}@example.org`,
        })
      ).json().id;
    const [ops, team, night] = [await channel('ops'), await channel('team'), await channel('night')];
    const checks = [];
    for (const name of ['a', 'b', 'c'])
      checks.push((await at.knell.create({ name, channels: `${ops},${team}` })).uuid);
    for (const uuid of checks)
      await at.owner.post(`/web/in/${at.project}/api/checks/${uuid}`, {
        channels: `${night},${ops}`,
        tags: 'x',
      });
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const summary = at.page.getByText('ada changed 3 checks').first();
    await expect
      .poll(() => summary.textContent())
      .toMatch(/^ada changed 3 checks (Tags, Notifications|Notifications, Tags)$/);
    // One line, like the others.
    expect((await summary.boundingBox())?.height).toBeLessThan(48);
    await summary.press('Enter');
    await expect
      .poll(() => at.page.locator('.audit-fold[open] .changes li').first().textContent())
      .toMatch(/^(Tags: was empty|Notifications: removed team, added night$)/);
    await expect
      .poll(() => at.page.locator('.audit-fold[open] .changes').first().textContent())
      .toContain('Notifications: removed team, added night');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('has links to what is still there, and only the name of what is deleted', async () => {
    const { uuid } = await at.knell.create({ name: 'kept' });
    const { uuid: gone } = await at.knell.create({ name: 'lost' });
    await at.owner.send('DELETE', `/web/in/${at.project}/api/checks/${gone}`);
    await at.owner.post(`/web/in/${at.project}/members`, { name: 'nora', role: 'viewer' });
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const top = at.page.locator('.audit > li');
    await top.first().getByText('created the member nora').waitFor();
    const links = (nth: number) =>
      top
        .nth(nth)
        .locator('strong a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(await links(0)).toEqual([`/project/${at.project}/settings/members`]);
    // Deleted: neither this line nor that of its creation.
    expect([await links(1), await links(2)]).toEqual([[], []]);
    expect(await links(3)).toEqual([`/project/${at.project}/checks/${uuid}`]);
    expect(await at.findings()).toEqual([]);
    await top.nth(3).getByRole('link', { name: 'kept' }).click();
    await at.page.getByRole('heading', { level: 1, name: 'kept' }).waitFor();
  });

  test('calls a wall link what the settings call it', async () => {
    await at.owner.post(`/web/in/${at.project}/keys`, { scope: 'wall', name: 'office' });
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    await expect
      .poll(() => lines().first().locator('strong').nth(0).locator('..').textContent())
      .toMatch(/created the wall link office\s*$/);
  });

  test('says when a maintenance window is in words, on the clock of the reader, and names a ping key', async () => {
    const of = (path: string, body: object) => at.knell.api('POST', `/api/v3/${path}`, body);
    await of('maintenance/', { name: 'Weekly', schedule: '0 2 * * 0', tz: 'Europe/Riga', duration: '2h' });
    const once = { from: '2030-05-04T22:00:00Z', until: '2030-05-06T01:30:00Z' };
    await of('maintenance/', { name: 'Once', ...once });
    const { key } = (await at.owner.post(`/web/in/${at.project}/keys`, { scope: 'ping' })).json();
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const top = at.page.locator('.audit > li');
    await expect.poll(() => top.nth(0).textContent()).toContain(`created the ping key ${key.slice(0, 8)}…`);
    const said = await Promise.all([1, 2].map((n) => top.nth(n).textContent()));
    // No line ends within a time.
    expect(said[0]).toMatch(
      / Once Sat,\u00a0May\u00a04,\u00a02030,\u00a010:00\u00a0PM until Mon,\u00a0May\u00a06,\u00a02030,\u00a01:30\u00a0AM/,
    );
    // It follows the name like its next words, whether all of it fits beside it or not.
    const looks = () =>
      top
        .locator('.detail')
        .evaluateAll((all: Json) =>
          all.map((one: Json) => one.ownerDocument.defaultView.getComputedStyle(one).display),
        );
    await expect.poll(async () => new Set(await looks())).toEqual(new Set(['inline']));
    expect(said[1]).toContain('Weekly Sundays at 2:00\u00a0AM (Europe/Riga) for 2 hours');
  });

  test('says so of a member, a setting and an integration too, and of a secret its name', async () => {
    const channels = `/web/in/${at.project}/channels`;
    const fields = { topic: 'hidden-one', url: 'https://ntfy.example.org', priority: '3' };
    const made = await at.owner.post(channels, { kind: 'ntfy', name: 'phone', fields, checks: 'none' });
    await at.owner.post(`/web/in/${at.project}/members`, { name: 'emil', role: 'editor' });
    const set = (variable: string, value: string) =>
      at.owner.post('/web/server-settings', { variable, value });
    await set('KNELL_BADGE_LABEL', 'ours');
    await set('KNELL_GITHUB_TOKEN', 'hidden-two');
    const edited = { ...fields, topic: 'hidden-three', priority: '5' };
    await at.owner.post(`${channels}/${made.json().id}`, { fields: edited });
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const top = at.page.locator('.audit > li');
    await expect.poll(() => top.first().textContent()).toContain('changed the integration phone Topic');
    await expect.poll(() => top.nth(0).textContent()).toContain('Priority when down: 3 →\u00a0 to 5');
    await expect
      .poll(() => top.nth(1).textContent())
      .toContain('changed the setting of the server KNELL_GITHUB_TOKEN');
    await expect
      .poll(() => top.nth(2).locator('.changes').textContent())
      .toMatch(/^Value: .* →\u00a0 to ours$/);
    await expect.poll(() => top.nth(3).textContent()).toContain('Role in "default": editor');
    expect(await at.page.content()).not.toContain('hidden-');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('names the role that a member was given: in one project, in all others, in all', async () => {
    await at.owner.post(`/web/in/${at.project}/members`, { name: 'margaret', role: 'editor' });
    const idOf = (name: string) => at.knell.app.engine.read.users().find((user) => user.name === name)?.id;
    const lastOf = () => at.page.locator('.audit > li').first().locator('.changes li').allTextContents();
    await at.owner.post(`/web/users/${idOf('margaret')}`, { role: 'viewer' });
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    await expect.poll(lastOf).toEqual(['Role in all other projects: none →\u00a0 to viewer']);
    await at.owner.post(`/web/in/${at.project}/members/${idOf('margaret')}`, { role: 'viewer' });
    await at.page.reload();
    await expect.poll(lastOf).toEqual(['Role in "default": editor →\u00a0 to viewer']);
    await at.owner.post('/web/users', { name: 'otto', role: 'viewer' });
    await at.page.reload();
    await expect.poll(lastOf).toEqual(['Role in all projects: viewer']);
  });

  test('calls an integration without a name by its kind, and has spans for seconds', async () => {
    const channels = `/web/in/${at.project}/channels`;
    const made = await at.owner.post(channels, {
      ...{ kind: 'pd', name: '', checks: 'none' },
      ...{ fields: { value: 'a'.repeat(32) }, delayS: 1200, escalateS: 900 },
    });
    await at.owner.post(`${channels}/${made.json().id}`, { delayS: 0, escalateS: 60 });
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const top = at.page.locator('.audit > li').first();
    await expect.poll(() => top.textContent()).toContain('changed the integration PagerDuty');
    await expect
      .poll(() => top.locator('.changes li').allTextContents())
      .toEqual([
        'Notify only if down for more than: 20 min →\u00a0 to none',
        'Only if nobody has acknowledged it after: 15 min →\u00a0 to 1 min',
      ]);
  });

  test('says of a wrong password on the account page what it was: nobody has tried to sign in', async () => {
    const wrong = { present: 'wrong horse battery', password: 'long enough for this' };
    await at.owner.post('/web/account/password', wrong);
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const entry = at.page.locator('.audit > li').first();
    await expect.poll(() => entry.textContent()).toMatch(/ada gave a wrong password\s+on the account page/);
    await expect.poll(() => entry.textContent()).not.toContain('sign in');
  });
});
