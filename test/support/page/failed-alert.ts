/** An alert of a check that one integration could not deliver and gave up. */
import { expect } from 'vitest';
import type { Json } from '../knell.ts';
import { eventually } from '../patience.ts';
import type { OwnerBrowser } from './owner-browser.ts';

export interface FailedAlert {
  readonly check: string;
  readonly incident: string;
}

/** `channel`: as the page sends it. Resolves once the alert has failed for good. */
export async function failedAlert(at: OwnerBrowser, channel: Json): Promise<FailedAlert> {
  await at.owner.post(`/web/in/${at.project}/channels`, channel);
  const { uuid: check } = await at.knell.create({ name: 'db', channels: '*' });
  await at.knell.request(`/ping/${check}`);
  await at.knell.request(`/ping/${check}/fail`);
  const incident = (await at.knell.api('GET', '/api/v3/incidents/')).json().incidents[0].id;
  await eventually(async () => {
    await at.clock.advance(200);
    const { notifications } = (await at.knell.api('GET', `/api/v3/incidents/${incident}`)).json();
    expect(notifications).toMatchObject([{ outcome: 'failed' }]);
  });
  return { check, incident };
}
