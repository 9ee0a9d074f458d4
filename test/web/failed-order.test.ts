/** The failed notifications of an integration in a real browser: newest first, also once one was sent again, apart from what was not sent. */
import { describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { IntegrationsScene } from '../support/page/integrations-scene.ts';

const unreachable = { kind: 'webhook', name: 'Unreachable', fields: { url_down: 'http://127.0.0.1:9/x' } };

describe.skipIf(browserMissing !== '')('failed notifications', () => {
  const scene = IntegrationsScene.forFile();

  test('stay in the order of their times when one of them is sent again', async () => {
    const { at } = scene;
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, unreachable)).json();
    for (const name of ['first', 'second', 'third']) {
      const { uuid } = await at.knell.create({ name, channels: id });
      await at.knell.request(`/ping/${uuid}/fail`, { method: 'POST' });
      await at.clock.advance(600_000);
    }
    const dead = async (): Promise<
      readonly { check: string; id: string; attempts: number; state: string }[]
    > => (await at.owner.get(`/web/in/${at.project}/outbox`)).json().deliveries;
    await expect.poll(async () => (await dead()).filter(({ state }) => state === 'dead').length).toBe(3);
    const shown = async (): Promise<readonly string[]> => {
      await at.open('integrations');
      await scene.line('Unreachable').locator('.troubles .what').nth(2).waitFor();
      return scene.line('Unreachable').locator('.troubles .what').allTextContents();
    };
    const order = ['Down: third', 'Down: second', 'Down: first'];
    expect(await shown()).toEqual(order);
    const first = (await dead()).find(({ check }) => check === 'first');
    await at.owner.post(`/web/in/${at.project}/outbox/${first?.id}/retry`);
    await at.clock.advance(1000);
    await expect
      .poll(async () => (await dead()).find(({ check }) => check === 'first'))
      .toMatchObject({ state: 'dead' });
    expect(await shown()).toEqual(order);
  });

  test('of one check are in the order of the names on its card, which says of which outage they are', async () => {
    const { at } = scene;
    const ids: string[] = [];
    for (const name of ['Zulu', 'Alpha'])
      ids.push((await at.owner.post(`/web/in/${at.project}/channels`, { ...unreachable, name })).json().id);
    const { uuid } = await at.knell.create({ name: 'of two', channels: ids.join(','), timeout: 864_000 });
    await at.knell.request(`/ping/${uuid}/fail`, { method: 'POST' });
    const dead = async (): Promise<number> =>
      (await at.owner.get(`/web/in/${at.project}/outbox`))
        .json()
        .deliveries.filter(
          (one: { check: string; state: string }) => one.check === 'of two' && one.state === 'dead',
        ).length;
    await expect.poll(dead).toBe(2);
    await at.clock.advance(26 * 3_600_000);
    await at.open(`checks/${uuid}`);
    const card = at.page.locator('.now .notified');
    await expect
      .poll(() => card.textContent())
      .toMatch(/^Notifications of the outage since .+: 2 failed.*Alpha.*Zulu/);
  });
});
