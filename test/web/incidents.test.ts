/**
 * Incidents in a real browser: those that are open and those that are over, one with all that happened, what one does about it, by
 * keyboard and on a phone; and where else the pages say that one is open.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { goodPassword, linkIn, PageClient } from '../support/page/page-client.ts';

const past = 27;

describe.skipIf(browserMissing !== '')('incidents', () => {
  let at: OwnerBrowser;
  let db: Json;
  let app: Json;
  let id = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const value = '{"topic":"x","url":"https://ntfy.invalid","priority":3}';
    const ntfy = { project: 'default', kind: 'ntfy', name: 'phone', value };
    await at.knell.app.admin({ command: 'channel create', args: ntfy }, () => {});
    const once = async (name: string): Promise<void> => {
      const { uuid } = await at.knell.create({ name });
      await at.knell.request(`/ping/${uuid}/fail`);
      await at.clock.advance(1000);
      await at.knell.request(`/ping/${uuid}`);
    };
    for (let n = 0; n < past; n++) await once(`old job ${n}`);
    db = await at.knell.create({ name: 'db-1', slug: 'db-1', channels: '' });
    app = await at.knell.create({ name: 'app', channels: '*', depends_on: 'db-1' });
    const lines = Array.from({ length: 12 }, (_, n) => `step ${n}`);
    const body = ['fatal: no space left on device', ...lines].join('\n');
    await at.knell.request(`/ping/${db.uuid}/3`, { method: 'POST', body });
    await at.knell.request(`/ping/${app.uuid}/fail`);
    id = (await shown('?state=open'))[0].id;
  });
  afterAll(() => at?.stop());

  const shown = async (query: string): Promise<Json> =>
    (await at.knell.api('GET', `/api/v3/incidents/${query}`)).json().incidents;
  const incident = async (): Promise<Json> => (await at.knell.api('GET', `/api/v3/incidents/${id}`)).json();
  /** The checks that are acknowledged or snoozed. */
  const held = async (): Promise<Json> => (await at.knell.api('GET', '/api/v3/snoozes/')).json().snoozes;
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const text = (words: string | RegExp) => at.page.getByText(words).first();
  const openIncident = async (): Promise<void> => {
    await at.open(`incidents/${id}`);
    await at.page.locator('.timeline').waitFor();
  };
  /** Of a page as it is shown: what axe-core finds, and by how much it is too wide. */
  const faults = async (): Promise<unknown> => {
    const found: unknown[] = [];
    for (const width of [1440, 1024, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      if ((await at.overflow()) > 0) found.push(`too wide at ${width}`);
    }
    return [...found, ...(await at.findings())];
  };

  test('that are open are in a line above the list, with a link to the only one', async () => {
    await at.open('checks');
    const line = at.page.locator('.banner', { hasText: 'incident' });
    await expect.poll(() => line.textContent()).toMatch(/1 incident open: 2 checks down\./);
    await line.getByRole('link').press('Enter');
    await at.page.getByRole('heading', { level: 1, name: 'db-1 is down and 1 depends on it' }).waitFor();
    expect(new URL(at.page.url()).pathname).toBe(`/project/${at.project}/incidents/${id}`);
  });

  test('say what is down and why, with the last lines of its output, and what happened', async () => {
    const checks = at.page.locator('.incident-checks > li');
    await expect.poll(() => checks.first().textContent()).toMatch(/^db-1Down for .*Exit status 3/);
    await checks.first().getByText('fatal: no space left on device').waitFor();
    await expect.poll(() => checks.nth(1).textContent()).toContain('app depends on what is down');
    await text('db-1 went down: the incident opened').waitFor();
    await text('app went down, and depends on what is down').waitFor();
    await text('Nobody was notified of app').waitFor();
    await text('It depends on what is down: db-1').waitFor();
    expect(await faults()).toEqual([]);
    await checks.first().getByRole('button', { name: 'Show all' }).click();
    await at.page.getByRole('heading', { level: 1, name: 'db-1' }).waitFor();
    await at.page.locator('.log .body', { hasText: 'step 11' }).waitFor();
    await at.page.getByRole('link', { name: 'db-1 is down and 1 depends on it' }).click();
    await at.page.locator('.timeline').waitFor();
  });

  const places = async (): Promise<unknown> => {
    const names = ['Acknowledge', 'Withdraw acknowledgement', 'Snooze', 'Maintenance', 'Add note'];
    const boxes = await Promise.all(names.map((name) => button(name).boundingBox()));
    const top = await at.page.locator('.incident .now').boundingBox();
    return boxes.map((box) => [box?.x, (box?.y ?? 0) - (top?.y ?? 0)]);
  };

  test('are acknowledged with a note, which is withdrawn, with buttons that stay where they are', async () => {
    const before = await places();
    await at.page.getByLabel('Note for the others').fill('on it:\nthe disk is full');
    await button('Acknowledge').focus();
    await at.page.keyboard.press('Enter');
    await text('Acknowledged by ada,').waitFor();
    await at.page.locator('.said', { hasText: 'the disk is full' }).waitFor();
    expect(await places()).toEqual(before);
    await expect.poll(() => at.page.getByLabel('Note for the others').inputValue()).toBe('');
    expect(await incident()).toMatchObject({ state: 'acknowledged', acknowledged_by: 'ada' });
    expect(await held()).toMatchObject([{ acknowledged: { by: 'ada' } }, { acknowledged: { by: 'ada' } }]);
    // The button that is off now still has the focus.
    expect(await at.page.evaluate('document.activeElement.textContent')).toContain('Acknowledge');
    await button('Withdraw acknowledgement').press('Enter');
    await text('ada withdrew the acknowledgement').waitFor();
    await text('Nobody has acknowledged it').waitFor();
    expect(await places()).toEqual(before);
  });

  test.each([360, 320])('keep their buttons in their places in a wide font, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 800 });
    await at.page.evaluate(
      `document.documentElement.style.cssText = '--font: "DejaVu Sans"; letter-spacing: 1px'`,
    );
    const before = await places();
    await button('Acknowledge').click();
    await text('Acknowledged by ada,').waitFor();
    expect(await places()).toEqual(before);
    await button('Withdraw acknowledgement').click();
    await text('Nobody has acknowledged it').waitFor();
    expect(await places()).toEqual(before);
    expect(await faults()).toEqual([]);
    await at.page.evaluate(`document.documentElement.style.cssText = ''`);
    await at.page.setViewportSize({ width: 360, height: 800 });
  });

  test('are current while somebody looks, and an empty note is refused at its field', async () => {
    await at.owner.post(`/web/in/${at.project}/api/incidents/${id}/notes`, { note: 'seen from elsewhere' });
    await at.page.locator('.said', { hasText: 'seen from elsewhere' }).waitFor();
    await button('Add note').click();
    await at.page.locator('.incident-actions [role=alert]', { hasText: 'Write a note first.' }).waitFor();
    const field = at.page.getByLabel('Note for the others');
    expect(await at.page.evaluate('document.activeElement.name')).toBe('note');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    const said = at.page.locator(`#${await field.getAttribute('aria-describedby')}`);
    await said.getByText('Write a note first.').waitFor();
    await field.fill('and from here');
    await said.waitFor({ state: 'detached' });
    await button('Add note').click();
    await at.page.locator('.said', { hasText: 'and from here' }).waitFor();
    await expect.poll(() => at.page.locator('.incident-actions [role=alert]').count()).toBe(0);
  });

  test('have all of their checks snoozed, and put into maintenance', async () => {
    await button('Snooze').press('Enter');
    await at.page.getByRole('menuitem', { name: 'Snooze for 1 hour' }).click();
    await text(/^2 checks snoozed until/).waitFor();
    expect(await held()).toMatchObject([{ snoozed: { by: 'ada' } }, { snoozed: { by: 'ada' } }]);
    await at.page.locator('.toast', { hasText: '2 checks snoozed' }).getByRole('button').click();
    await expect.poll(held).toEqual([]);
    await button('Maintenance').click();
    await at.page.getByRole('menuitem', { name: 'Maintenance for 2 hours' }).click();
    await text(/^Maintenance of 2 checks until/).waitFor();
    const { maintenance } = (await at.knell.api('GET', '/api/v3/maintenance/')).json();
    expect(maintenance).toMatchObject([
      { name: 'Incident: db-1 and 1 more', checks: [db.uuid, app.uuid], active: true, by: 'ada' },
    ]);
    const { from, until } = maintenance[0];
    expect(Date.parse(until) - Date.parse(from)).toBe(2 * 3_600_000);
  });

  test('say beside the buttons what could not be done', async () => {
    await at.page.route('**/acknowledge', (route) => route.abort());
    await button('Acknowledge').click();
    await at.page.locator('.incident-actions [role=alert]', { hasText: "Can't reach Knell" }).waitFor();
    await at.page.unrouteAll();
    await button('Acknowledge').click();
    await text('Acknowledged by ada,').waitFor();
  });

  test('are on the wall and on the page of all, with who takes care', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/wall`);
    const wall = at.page.locator('.open-incidents');
    await expect.poll(() => wall.textContent()).toMatch(/1 incident open, acknowledged.*Acknowledged by ada/);
    await at.open('checks');
    await expect
      .poll(() => at.page.locator('.banner', { hasText: 'incident' }).textContent())
      .toContain('1 incident open, acknowledged: 2 checks down.');
    await at.page.locator('.top nav').getByRole('link', { name: 'Incidents' }).click();
    const open = at.page.locator('.incidents > .acknowledged');
    await expect.poll(() => open.textContent()).toMatch(/2 checks down · .*Acknowledged by ada/);
    expect(await faults()).toEqual([]);
  });

  test('that are over are listed a page at a time, and found by a check or a note', async () => {
    const lines = at.page.locator('.incidents .resolved');
    await expect.poll(() => lines.count()).toBe(25);
    await button('Load more').click();
    await expect.poll(() => lines.count()).toBe(past);
    await expect.poll(() => button('Load more').count()).toBe(0);
    await at.page.getByLabel('Search past incidents').fill('job 26');
    await expect.poll(() => lines.allTextContents()).toMatchObject([/old job 26 was down/]);
    expect(new URL(at.page.url()).search).toBe('?q=job+26');
    await at.page.getByLabel('Search past incidents').fill('nowhere');
    await text('No past incident has this').waitFor();
  });

  test('end while somebody looks: what is done then is a note', async () => {
    await openIncident();
    for (const { uuid } of [db, app]) await at.knell.request(`/ping/${uuid}`);
    await text(/^Resolved after/).waitFor();
    await at.page.getByRole('heading', { name: 'No longer down' }).waitFor();
    await expect.poll(() => button('Snooze').getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => button('Acknowledge').getAttribute('title')).toBe('The incident is resolved');
    await at.page.getByLabel('Note for the others').fill('a larger disk is ordered');
    await button('Add note').click();
    await at.page.locator('.said', { hasText: 'a larger disk' }).waitFor();
  });

  test('that are gone are an answer with a way on, and the palette knows the page', async () => {
    at.complaints.length = 0;
    await at.open('incidents/8f7a3a4e-0000-4000-8000-000000000000');
    await at.page.getByRole('heading', { name: 'Incident not found' }).waitFor();
    await at.page.getByRole('link', { name: 'All incidents' }).click();
    await at.page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    await at.open('checks');
    await at.page.keyboard.press('Control+k');
    await at.page.keyboard.type('incid');
    await at.page.getByRole('option', { name: 'Incidents' }).waitFor();
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    expect(at.complaints.filter((line) => !line.includes('status of 404'))).toEqual([]);
  });

  test('of a check that goes down again and again are one line, which shows them', async () => {
    const { uuid } = await at.knell.create({ name: 'flapping' });
    // After those before, whose clock has not moved since.
    await at.clock.advance(1000);
    for (let n = 0; n < 4; n++) {
      await at.knell.request(`/ping/${uuid}/fail`);
      await at.clock.advance(60_000);
      await at.knell.request(`/ping/${uuid}`);
      // So long that it is another incident.
      await at.clock.advance(3_600_000);
    }
    await at.open('incidents');
    const fold = at.page.locator('.incidents .fold');
    await expect
      .poll(() => fold.textContent())
      .toMatch(/^flapping was down4 times · from .+ until .+, down for 4.min together/);
    await fold.getByRole('button', { name: 'Show 4' }).press('Enter');
    await expect.poll(() => at.page.getByRole('link', { name: 'flapping was down' }).count()).toBe(4);
    expect(await faults()).toEqual([]);
    await fold.getByRole('button', { name: 'Hide' }).click();
    await expect.poll(() => at.page.getByRole('link', { name: 'flapping was down' }).count()).toBe(0);
  });

  test('have no buttons for viewers, and in a project without any a calm page', async () => {
    const { id: empty } = (await at.owner.post('/web/projects', { name: 'Website' })).json();
    await at.page.goto(`${at.knell.app.httpUrl}/project/${empty}/incidents`);
    await text('When a check goes down, an incident opens by itself.').waitFor();
    const { link } = (await at.owner.post('/web/users', { name: 'vera', role: 'viewer' })).json();
    const viewer = new PageClient(at.knell);
    await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    const [name = '', value = ''] = viewer.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url: at.knell.app.httpUrl }]);
    await openIncident();
    await text('ada left a note').waitFor();
    await at.page.getByRole('link', { name: 'app', exact: true }).waitFor();
    await expect.poll(() => at.page.locator('main button').count()).toBe(0);
  });
});
