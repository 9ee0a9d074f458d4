/** Notifications of an incident that an integration does not take: pings and requests over a real socket, a simulated clock. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limits } from '../../../../src/config.ts';
import { incidentLateOutcomeMs } from '../../../../src/http/limits.ts';
import { second } from '../../../../src/lib/units.ts';
import { pauseMs } from '../../../../src/notify/contract/retry.ts';
import type { Json } from '../../../support/knell.ts';
import { AlertTimeline, minute } from '../../../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
let id = '';
beforeEach(async () => {
  timeline = await AlertTimeline.start();
  timeline.receiver.answering = (_, response) => {
    response.statusCode = 500;
    response.end();
  };
  await timeline.check('db', {});
  await timeline.ping('db');
  await timeline.ping('db', '/fail');
  id = (await timeline.knell.api('GET', '/api/v3/incidents/')).json().incidents[0].id;
});
afterEach(() => timeline.stop());

const shown = async (key?: string): Promise<Json> =>
  (await timeline.knell.api('GET', `/api/v3/incidents/${id}`, undefined, key)).json();

/** From attempt to attempt: hours must not pass while the outcome of one is still on its way. */
async function untilGivenUp(): Promise<void> {
  for (let [next] = (await shown()).waiting ?? []; next; [next] = (await shown()).waiting ?? []) {
    const { attempts, next_attempt } = next;
    await timeline.clock.advance(Math.max(0, Date.parse(next_attempt ?? 0) - timeline.clock.nowMs()));
    const isOver = async () => {
      // Its integration may be paused for longer than it is, and its timer may be set after it is shown.
      await timeline.clock.advance(second);
      return ((await shown()).waiting?.[0].attempts ?? Number.POSITIVE_INFINITY) > attempts;
    };
    await expect.poll(isOver).toBe(true);
  }
}

test('one that fails is shown with its error and its next attempt, and not to a read-only key', async () => {
  await expect
    .poll(async () => (await shown()).waiting)
    .toMatchObject([
      {
        check: 'db',
        event: 'down',
        channel_name: 'ops',
        channel_kind: 'webhook',
        attempts: 1,
        error: 'status 500',
      },
    ]);
  const [{ next_attempt }] = (await shown()).waiting;
  expect(Date.parse(next_attempt)).toBeGreaterThan(timeline.clock.nowMs());
  expect((await shown(timeline.knell.keys.readOnly)).waiting).toBeUndefined();
});

test('one that was delivered at last does not wait any more', async () => {
  await expect.poll(async () => (await shown()).waiting?.[0].attempts).toBe(1);
  timeline.receiver.answering = (_, response) => response.end('ok');
  // The next attempt is due only once the failure of the one before is on disk.
  const later = async (): Promise<Json> => {
    await timeline.clock.advance(minute);
    return (await shown()).notifications;
  };
  await expect.poll(later).toMatchObject([{ check: 'db', event: 'down', outcome: 'delivered' }]);
  expect((await shown()).waiting).toBeUndefined();
});

test('one that is given up a day after the end of its incident is in it, and none of the next incident', async () => {
  // It gets no notice of an end, which would take the place of the alert.
  const value = JSON.stringify({ url_down: timeline.receiver.url('/tickets') });
  const args = { project: 'default', kind: 'webhook', name: 'tickets', value };
  const { id: channels } = (await timeline.knell.app.admin(
    { command: 'channel create', args },
    () => {},
  )) as Json;
  const { uuid } = await timeline.check('sync', { channels });
  const ping = (rest = '') => timeline.knell.request(`/ping/${uuid}${rest}`);
  await ping();
  await ping('/fail');
  [{ id }] = (await timeline.knell.api('GET', '/api/v3/incidents/?q=sync')).json().incidents;
  const attempts = async (): Promise<number> => {
    await timeline.clock.advance(minute);
    return (await shown()).waiting?.[0].attempts;
  };
  await expect.poll(attempts).toBeGreaterThan(1);
  await ping();
  await untilGivenUp();
  // Outcomes are written together, a moment later.
  const outcomes = async () => {
    // One that was in flight when that was asked waits again.
    await untilGivenUp();
    await timeline.clock.advance(second);
    return (await shown()).notifications.map(({ event, outcome, error }: Json) => [event, outcome, error]);
  };
  await expect.poll(outcomes).toEqual([['down', 'failed', 'status 500']]);
  expect(await shown()).toMatchObject({
    state: 'resolved',
    notifications: [{ attempts: expect.any(Number) }],
  });
  // The alert of the next outage belongs to the next incident.
  await ping('/fail');
  const [next] = (await timeline.knell.api('GET', '/api/v3/incidents/?q=sync')).json().incidents;
  const nextWaiting = async () =>
    (await timeline.knell.api('GET', `/api/v3/incidents/${next.id}`)).json().waiting;
  await expect.poll(nextWaiting).toHaveLength(1);
  expect((await shown()).waiting).toBeUndefined();
  expect((await shown()).notifications).toHaveLength(1);
});

test('a last attempt after the longest pause is still looked for', () => {
  const { retry } = limits.notify.dispatch;
  expect(incidentLateOutcomeMs).toBeGreaterThan(
    retry.giveUpAfterMs + pauseMs(retry.attemptsMin * 2, retry, 1),
  );
});
