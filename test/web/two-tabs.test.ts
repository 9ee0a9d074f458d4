/** A form that is open while somebody else saves the same thing: it saves what its own person has changed, and nothing else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('what another tab has saved meanwhile', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1280, height: 900 });
  });
  afterAll(() => at?.stop());

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const name = () =>
    at.page
      .locator('form')
      .getByLabel(/^(Name|Title)/)
      .first();
  const of = (path: string) => `/web/in/${at.project}/${path}`;

  test('stays in a check that is renamed', async () => {
    const { uuid } = await at.knell.create({ name: 'Backup', grace: 3600, timeout: 3600 });
    const check = async (): Promise<Json> => (await at.knell.api('GET', `/api/v3/checks/${uuid}`)).json();
    await at.open(`checks/${uuid}?edit`);
    await name().waitFor();
    await at.knell.api('POST', `/api/v3/checks/${uuid}`, { grace: 18_000, tags: 'nightly', desc: 'By Ada' });
    await name().fill('Restore');
    await button('Save').click();
    await at.page.getByRole('heading', { level: 1, name: 'Restore' }).waitFor();
    expect(await check()).toMatchObject({ name: 'Restore', grace: 18_000, tags: 'nightly', desc: 'By Ada' });
  });

  test('is not overwritten in the same field without a word', async () => {
    const { uuid } = await at.knell.create({ name: 'Export', grace: 3600, timeout: 3600 });
    const check = async (): Promise<Json> => (await at.knell.api('GET', `/api/v3/checks/${uuid}`)).json();
    await at.open(`checks/${uuid}?edit`);
    await name().waitFor();
    await at.knell.api('POST', `/api/v3/checks/${uuid}`, { name: 'Export of the night', grace: 7200 });
    await name().fill('Export B');
    await at.page.getByRole('spinbutton', { name: /^Grace time/ }).fill('2');
    await button('Save').click();
    const said = 'Somebody has changed “Name” to “Export of the night” since this form was opened.';
    await at.page.getByRole('alert').getByText(said).waitFor();
    expect(await check()).toMatchObject({ name: 'Export of the night' });
    await button('Save').click();
    await at.page.getByRole('heading', { level: 1, name: 'Export B' }).waitFor();
    expect(await check()).toMatchObject({ name: 'Export B', grace: 7200 });
  });

  test('stays beside another schedule, which is sent whole', async () => {
    const { uuid } = await at.knell.create({ name: 'Export', schedule: '0 3 * * *', tz: 'Europe/Riga' });
    await at.open(`checks/${uuid}`);
    await at.page.getByRole('button', { name: 'Edit schedule' }).click();
    await at.page.getByLabel('Time zone').waitFor();
    await at.knell.api('POST', `/api/v3/checks/${uuid}`, { timeout: 7200, grace: 18_000 });
    await at.page.getByLabel('Time zone').fill('Europe/Berlin');
    await button('Save').click();
    await button('Edit schedule').waitFor();
    const { schedule, tz, grace } = (await at.knell.api('GET', `/api/v3/checks/${uuid}`)).json();
    expect({ schedule, tz, grace }).toEqual({ schedule: '0 3 * * *', tz: 'Europe/Berlin', grace: 18_000 });
  });

  test('stays in an integration', async () => {
    const value = JSON.stringify({ url_down: 'https://example.org/down', body_down: 'before' });
    const created = await at.owner.post(of('channels'), { kind: 'webhook', name: 'Hook', value });
    const { id } = created.json();
    await at.open(`integrations/${id}`);
    await name().waitFor();
    await at.owner.post(of(`channels/${id}`), { fields: { body_down: 'after' }, delayS: 600 });
    await name().fill('Tickets');
    await button('Save').click();
    await at.page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
    const { integrations } = (await at.owner.get(of('integrations'))).json();
    expect(integrations[0]).toMatchObject({ name: 'Tickets', delayS: 600 });
    const [project] = at.knell.app.engine.read.projects();
    const [kept] = project ? at.knell.app.engine.read.channels(project.id) : [];
    expect(JSON.parse(kept?.value ?? '{}')).toMatchObject({ body_down: 'after' });
  });

  test('stays in a maintenance window', async () => {
    const window = { name: 'Sundays', schedule: '0 2 * * 0', duration: '2h' };
    const { uuid } = (await at.knell.api('POST', '/api/v3/maintenance/', window)).json();
    await at.open('settings/maintenance');
    await at.page.getByRole('button', { name: 'Edit Sundays' }).click();
    await name().waitFor();
    await at.owner.post(of(`maintenance/${uuid}`), { tags: ['db'], counts_as_downtime: true });
    await name().fill('All Sundays');
    await button('Save').click();
    await at.page.getByRole('button', { name: 'Edit All Sundays' }).waitFor();
    const { maintenance } = (await at.owner.get(of('maintenance'))).json();
    expect(maintenance[0]).toMatchObject({ name: 'All Sundays', tags: ['db'], counts_as_downtime: true });
  });

  test('stays in a status page', async () => {
    const services = [{ name: 'One', tag: 'db' }];
    await at.owner.post(of('status-pages'), { title: 'Status', slug: 'status', services });
    await at.open('status-pages');
    await at.page.getByRole('button', { name: 'Edit Status' }).click();
    await name().waitFor();
    const [{ id }] = (await at.owner.get(of('status-pages'))).json().pages;
    const saved = { description: 'By Ada', services: [...services, { name: 'Two', tag: 'db' }] };
    await at.owner.post(of(`status-pages/${id}`), saved);
    await name().fill('Our status');
    await button('Publish changes').click();
    await at.page.getByRole('button', { name: 'Edit Our status' }).waitFor();
    const [page] = (await at.owner.get(of('status-pages'))).json().pages;
    expect(page).toMatchObject({ title: 'Our status', description: 'By Ada', slug: 'status' });
    expect(page.services.map((service: Json) => service.name)).toEqual(['One', 'Two']);
    expect(at.complaints).toEqual([]);
  });
});
