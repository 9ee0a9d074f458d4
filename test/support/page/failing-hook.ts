/** A project of fifteen checks with a webhook that fails and a chat that lacks its token: every page has two lines that say so. */
import { expect } from 'vitest';
import type { Json } from '../knell.ts';
import { eventually } from '../patience.ts';
import type { OwnerBrowser } from './owner-browser.ts';

/** Returns the id of the webhook. */
export async function failingHook({ knell, owner, project, clock }: OwnerBrowser): Promise<string> {
  for (let n = 0; n < 15; n++) await knell.create({ name: `job ${n}`, tags: n % 2 === 0 ? 'prod' : '' });
  for (const [kind, name, value] of [
    ['webhook', 'Hook', JSON.stringify({ url_down: 'http://127.0.0.1:9/down' })],
    ['telegram', 'Chat', JSON.stringify({ id: 5 })],
  ]) {
    const args = { project: 'default', kind, name, value };
    await knell.app.admin({ command: 'channel create', args }, () => {});
  }
  const { integrations } = (await owner.get(`/web/in/${project}/integrations`)).json();
  const [id, chat] = ['Hook', 'Chat'].map((name) => integrations.find((one: Json) => one.name === name).id);
  // Refused, since the address is private: after two minutes every page says so. The chat cannot send, and is not failing.
  const { uuid } = await knell.create({ name: 'failing job', channels: `${id},${chat}` });
  await knell.request(`/ping/${uuid}/fail`);
  await eventually(async () => {
    await clock.advance(5);
    const { failing } = (await owner.get('/web/state')).json();
    expect(failing[project]).toHaveLength(1);
  });
  await clock.advance(120_000);
  return id;
}
