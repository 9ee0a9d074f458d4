/** A tick in the matrix whose answer comes after what somebody else has changed, in a real browser. */
import { describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { IntegrationsScene } from '../support/page/integrations-scene.ts';

describe.skipIf(browserMissing !== '')('the matrix', () => {
  const scene = IntegrationsScene.forFile(async (at) => {
    const hook = { kind: 'webhook', name: 'Hook', fields: { url_down: 'https://example.org/' } };
    await at.owner.post(`/web/in/${at.project}/channels`, hook);
  });

  test('shows what somebody else has changed before a tick was answered', async () => {
    const { page, owner, project, knell } = scene.at;
    const api = `/web/in/${project}/api/checks/`;
    const { uuid } = await knell.create({ name: 'answered late' });
    const others = [await knell.create({ name: 'second' }), await knell.create({ name: 'third' })];
    await scene.at.open('integrations?view=matrix');
    const nobody = page.getByRole('button', { name: /^\d+ notif(?:y|ies) nobody/ });
    const count = Number.parseInt((await nobody.textContent()) ?? '', 10);
    await page.route(`**${api}${uuid}`, async (route) => {
      const response = await route.fetch();
      await owner.post(api + uuid, { channels: '' });
      for (const other of others) await owner.post(api + other.uuid, { channels: '*' });
      // What comes later is there.
      await expect.poll(() => nobody.textContent()).toMatch(new RegExp(`^\\s*${count - 2} `));
      await route.fulfill({ response });
    });
    const tick = page.getByRole('checkbox', { name: 'answered late notifies Hook', exact: true });
    await tick.click();
    await page.getByText('answered late now notifies Hook.').waitFor();
    await expect.poll(() => tick.isChecked()).toBe(false);
    await page.unroute(`**${api}${uuid}`);
  });
});
