/** An incident that ends while somebody looks, and one that a viewer sees, in a real browser. */
import { describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { DiskOutage } from '../support/page/disk-outage.ts';
import { goodPassword, linkIn, PageClient } from '../support/page/page-client.ts';

describe.skipIf(browserMissing !== '')('incidents', () => {
  const scene = DiskOutage.forFile();

  test('end while somebody looks: what is done then is a note', async () => {
    await scene.openIncident();
    for (const { uuid } of [scene.db, scene.app]) await scene.at.knell.request(`/ping/${uuid}`);
    await scene.text(/^Resolved after/).waitFor();
    await scene.at.page.getByRole('heading', { name: 'No longer down' }).waitFor();
    await expect.poll(() => scene.button('Snooze').getAttribute('aria-disabled')).toBe('true');
    await expect
      .poll(() => scene.button('Acknowledge').getAttribute('title'))
      .toBe('The incident is resolved');
    await scene.at.page.getByLabel('Note for the others').fill('a larger disk is ordered');
    await scene.button('Add note').click();
    await scene.at.page.locator('.said', { hasText: 'a larger disk' }).waitFor();
  });

  test('have no buttons for viewers, and in a project without any a calm page', async () => {
    const { id: empty } = (await scene.at.owner.post('/web/projects', { name: 'Website' })).json();
    await scene.at.page.goto(`${scene.at.knell.app.httpUrl}/project/${empty}/incidents`);
    await scene.text('Nothing is monitored yet').waitFor();
    const { link } = (await scene.at.owner.post('/web/users', { name: 'vera', role: 'viewer' })).json();
    const viewer = new PageClient(scene.at.knell);
    await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    const [name = '', value = ''] = viewer.cookie.split('=');
    await scene.at.page.context().addCookies([{ name, value, url: scene.at.knell.app.httpUrl }]);
    await scene.openIncident();
    await scene.text('ada left a note').waitFor();
    await scene.at.page.getByRole('link', { name: 'app', exact: true }).waitFor();
    await expect.poll(() => scene.at.page.locator('main button').count()).toBe(0);
  });
});
