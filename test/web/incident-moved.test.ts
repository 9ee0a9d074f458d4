/** A check is moved to another project while it is down, in a real browser: what both projects say of its incident, also after Undo. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('an incident of a check that is moved while it is down', () => {
  let at: OwnerBrowser;
  let other = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    other = (await at.owner.post('/web/projects', { name: 'Warehouse' })).json().id;
    const { uuid } = await at.knell.create({ name: 'Stock export' });
    await at.knell.request(`/ping/${uuid}/fail`);
    await at.clock.advance(300_000);
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open(`checks/${uuid}`);
  }, 60_000);
  afterAll(() => at?.stop());

  const incidents = async (project: string) => {
    await at.page.goto(`${at.knell.app.httpUrl}/project/${project}/incidents`);
    return at.page.locator('.incidents > li', { hasText: 'Stock export' });
  };
  const timeline = () => at.page.locator('.timeline');

  test('ends in the old project with that reason, and is open in the new one', async () => {
    await at.page.getByRole('button', { name: 'More actions' }).click();
    await at.page.getByRole('menuitem', { name: 'Move…' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await at.page.locator('.toast', { hasText: 'moved to Warehouse' }).waitFor();
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      const past = await incidents(at.project);
      await past.locator('.mark.paused').waitFor();
      await expect
        .poll(() => past.locator('time').textContent())
        .toMatch(/, for\s5\smin, ended by a move to another project$/);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
    }
    await at.page.getByRole('link', { name: 'Stock export was down' }).click();
    await at.page.getByText('Ended by a move to another project after 5 min').waitFor();
    await timeline().getByText('Stock export was moved to another project: resolved').waitFor();
    await (await incidents(other)).getByRole('link', { name: 'Stock export is down' }).click();
    await timeline()
      .getByText('Stock export was moved here while it was down: the incident opened')
      .waitFor();
  });

  test('goes on where it was after the move back', async () => {
    const [row] = (await at.owner.get(`/web/in/${other}/list`)).json().rows;
    await at.owner.post(`/web/in/${other}/checks/${row.id}/move`, { project: at.project, channels: 'all' });
    await (await incidents(at.project)).getByRole('link', { name: 'Stock export is down' }).click();
    await timeline()
      .getByText('Stock export was moved here while it was down: the incident reopened')
      .waitFor();
    await (await incidents(other)).getByText('ended by a move to another project').waitFor();
  });
});
