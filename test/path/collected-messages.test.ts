/** What becomes of a message of several checks: a restart, a reminder, another attempt, more checks than it lists. Simulated clock, real socket. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AlertTimeline } from '../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
  await timeline.integration('team', { collectS: 60 }, '$INCIDENT_TITLE\n$INCIDENT_TEXT\n');
});
afterEach(() => timeline.stop());

const messages = (): readonly string[] =>
  timeline.sentTo('team').map((text) => text.replace(/\nIncident began.*\n/, ''));
const titles = (): readonly string[] => messages().map((text) => text.split('\n').slice(0, 2).join('. '));

/** Once so many have come, and Knell knows. */
async function untilMessages(count: number, integration = 'team'): Promise<void> {
  await expect.poll(() => timeline.sentTo(integration).length).toBe(count);
  await timeline.advance(0);
}

async function fail(...names: readonly string[]): Promise<void> {
  for (const name of names) await timeline.ping(name, '/fail');
}

async function checks(...names: readonly string[]): Promise<void> {
  for (const name of names) await timeline.check(name, { timeout: 86_400, grace: 3600 });
}

test('survives a restart: what was collected is sent at its time, together', async () => {
  await checks('db', 'web');
  await fail('db', 'web');
  await timeline.advance(20_000);
  await timeline.restart();
  await timeline.advance(39_000);
  expect(messages()).toEqual([]);
  await timeline.advance(1000);
  await untilMessages(1);
  expect(titles()).toEqual(['db and 1 more are DOWN. 2 checks went down.']);
  await timeline.restart();
  await timeline.ping('db');
  await timeline.ping('web');
  await untilMessages(2);
  expect(titles()[1]).toMatch(/^db and 1 more are UP/);
});

test('a reminder is one for the whole incident, and none once that is acknowledged', async () => {
  await timeline.integration('nag', { collectS: 60, repeatS: 600 }, '$INCIDENT_TITLE. $INCIDENT_TEXT');
  await checks('db', 'web');
  await fail('db', 'web');
  await timeline.later(1);
  await untilMessages(1, 'nag');
  await timeline.later(10);
  await untilMessages(2, 'nag');
  expect(timeline.sentTo('nag')[1]).toMatch(/^db and 1 more are DOWN\. Of 2 checks, 2 are still down\./);
  await timeline.acknowledgeIncident();
  await timeline.later(30);
  expect(timeline.sentTo('nag').length).toBe(2);
  await timeline.ping('db');
  await timeline.ping('web');
  await untilMessages(3, 'nag');
});

test('only checks that the integration is assigned to are named, and counted', async () => {
  await checks('db', 'web');
  await timeline.check('secret', { channels: 'ops' });
  await fail('secret', 'db', 'web');
  await timeline.later(1);
  await untilMessages(1);
  expect(titles()).toEqual(['db and 1 more are DOWN. 2 checks went down.']);
  expect(messages()[0]).not.toContain('secret');
});

test('what could not be sent is sent again together', async () => {
  await checks('db', 'web');
  timeline.receiver.answering = (_, response) => response.writeHead(500).end();
  await fail('db', 'web');
  await timeline.later(1);
  await expect.poll(() => timeline.sentTo('team').length).toBeGreaterThan(0);
  await timeline.advance(0);
  timeline.receiver.answering = (_, response) => response.end('ok');
  const failed = messages().length;
  await timeline.later(60);
  await untilMessages(failed + 1);
  expect(titles().at(-1)).toBe('db and 1 more are DOWN. 2 checks went down.');
});

test('more than an incident lists are one message, counted, and over once all are up', async () => {
  const names = Array.from({ length: 130 }, (_, number) => `job-${number}`);
  await Promise.all(names.map((name) => timeline.check(name, { channels: 'team' })));
  await timeline.ping('job-0', '/fail');
  await timeline.pingAll(names.slice(1), '/fail');
  await timeline.later(1);
  await untilMessages(1);
  expect(titles()).toEqual(['job-0 and 129 more are DOWN. 130 checks went down.']);
  expect(messages()[0]).toContain('\nAnd: 118 more');
  await timeline.restart();
  await timeline.pingAll(names.slice(1));
  await timeline.later(1);
  await untilMessages(2);
  expect(titles()[1]).toMatch(/^job-0 is DOWN\. Up again: .* and 117 more\. 1 is still down\.$/);
  await timeline.ping('job-0');
  await untilMessages(3);
  expect(titles()[2]).toMatch(/^job-0 and 129 more are UP\. All 130 checks are up/);
});
