/** Who is notified only of what nobody has acknowledged, on a simulated clock, over a real socket. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AlertTimeline } from '../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
  await timeline.integration('boss', { escalateS: 900 }, '$INCIDENT_TITLE. $INCIDENT_TEXT');
});
afterEach(() => timeline.stop());

const toBoss = (): readonly string[] => timeline.sentTo('boss').map((text) => text.split('\n')[0] ?? '');

async function untilBoss(count: number): Promise<void> {
  await expect.poll(() => toBoss().length).toBe(count);
  await timeline.advance(0);
}

test('what nobody acknowledges within the time gets to the next one, and so does its end', async () => {
  await timeline.check('db', {});
  await timeline.ping('db', '/fail');
  expect(timeline.sentTo('ops')).toEqual(['db DOWN']);
  await timeline.advance(899_999);
  expect(toBoss()).toEqual([]);
  await timeline.advance(1);
  await untilBoss(1);
  expect(toBoss()).toEqual([
    'db is DOWN. The job reported a failure. Nobody has acknowledged it for 15 minutes.',
  ]);
  await timeline.ping('db');
  await untilBoss(2);
  expect(toBoss()[1]).toMatch(/^db is UP/);
});

test('what was acknowledged, or came up, before that does not, nor does its end', async () => {
  await timeline.check('db', {});
  await timeline.check('web', {});
  await timeline.ping('db', '/fail');
  await timeline.ping('web', '/fail');
  await timeline.later(5);
  await timeline.act('db', 'acknowledge');
  await timeline.ping('web');
  await timeline.later(60);
  await timeline.ping('db');
  await timeline.later(60);
  expect(toBoss()).toEqual([]);
});

test('an acknowledgement that is withdrawn lets it go on, after a restart too', async () => {
  await timeline.check('db', {});
  await timeline.ping('db', '/fail');
  await timeline.act('db', 'acknowledge');
  await timeline.later(30);
  expect(toBoss()).toEqual([]);
  await timeline.restart();
  await timeline.act('db', 'unacknowledge');
  await timeline.later(1);
  await untilBoss(1);
});

test('of an incident it is one message', async () => {
  await timeline.integration('team', { collectS: 60 }, '$INCIDENT_TITLE');
  await timeline.check('db', {});
  await timeline.check('web', {});
  await timeline.ping('db', '/fail');
  await timeline.advance(30_000);
  await timeline.ping('web', '/fail');
  await timeline.later(15);
  await untilBoss(1);
  expect(toBoss()).toEqual([
    'db and 1 more are DOWN. Nobody has acknowledged it for 15 minutes. 2 are down.',
  ]);
});

test('it is said beforehand', async () => {
  await timeline.check('db', {});
  const { recipients } = await timeline.alerting('db');
  expect(JSON.stringify(recipients)).toContain(
    'Notified after 15 minutes, if the check is still down and nobody has acknowledged it by then.',
  );
});
