/** The dialog that moves a check, in a real browser: it says whom the check notifies in the project that is chosen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a check that is moved', () => {
  let at: OwnerBrowser;
  let uuid = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    ({ uuid } = await at.knell.create({ name: 'Backup' }));
    await at.owner.post('/web/projects', { name: 'Archive' });
    const { id } = (await at.owner.post('/web/projects', { name: 'Website' })).json();
    const value = { to: 'ops@example.org', up: true, down: true };
    await at.knell.app.engine.change.createChannel(
      id,
      { kind: 'email', name: 'Ops', value: JSON.stringify(value) },
      at.clock.nowMs(),
    );
  }, 60_000);

  afterAll(() => at?.stop());

  test('notifies nobody in a project without integrations, which is said before', async () => {
    for (const width of [360, 1440]) {
      await at.page.setViewportSize({ width, height: 800 });
      await at.open(`checks/${uuid}?ask=move`);
      const dialog = at.page.getByRole('dialog', { name: 'Move to another project' });
      const top = async () => (await dialog.getByRole('button', { name: 'Cancel' }).boundingBox())?.y;
      await dialog.getByLabel('Project').selectOption('Website');
      await dialog.getByText('It notifies all integrations there.').waitFor();
      const before = await top();
      await dialog.getByLabel('Project').selectOption('Archive');
      await dialog.getByText('It notifies nobody there: that project has no integration.').waitFor();
      expect(await top()).toBe(before);
      expect(await at.findings('dialog[open]')).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    }
    await at.open(`checks/${uuid}?ask=move`);
    const dialog = at.page.getByRole('dialog', { name: 'Move to another project' });
    await dialog.getByLabel('Project').selectOption('Archive');
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await at.page.getByText('Backup moved to Archive. It notifies nobody there.').waitFor();
    expect(at.complaints).toEqual([]);
  });
});
