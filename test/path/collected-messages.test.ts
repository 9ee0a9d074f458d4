/** What becomes of a message of several checks: a restart, a reminder, another attempt, more checks than it lists. Simulated clock, real socket. */
import { expect, test } from 'vitest';
import { Collected } from '../support/page/collected.ts';

const scene = Collected.forFile();

test('survives a restart: what was collected is sent at its time, together', async () => {
  await scene.checks('db', 'web');
  await scene.fail('db', 'web');
  await scene.timeline.advance(20_000);
  await scene.timeline.restart();
  await scene.timeline.advance(39_000);
  expect(scene.messages()).toEqual([]);
  await scene.timeline.advance(1000);
  await scene.untilMessages(1);
  expect(scene.titles()).toEqual(['db and 1 more are DOWN. 2 checks went down.']);
  await scene.timeline.restart();
  await scene.timeline.ping('db');
  await scene.timeline.ping('web');
  await scene.untilMessages(2);
  expect(scene.titles()[1]).toMatch(/^db and 1 more are UP/);
});

test('a reminder is one for the whole incident, and none once that is acknowledged', async () => {
  await scene.timeline.integration('nag', { collectS: 60, repeatS: 600 }, '$INCIDENT_TITLE. $INCIDENT_TEXT');
  await scene.checks('db', 'web');
  await scene.fail('db', 'web');
  await scene.timeline.later(1);
  await scene.untilMessages(1, 'nag');
  await scene.timeline.later(10);
  await scene.untilMessages(2, 'nag');
  expect(scene.timeline.sentTo('nag')[1]).toMatch(
    /^db and 1 more are DOWN\. Of 2 checks, 2 are still down\./,
  );
  await scene.timeline.acknowledgeIncident();
  await scene.timeline.later(30);
  expect(scene.timeline.sentTo('nag').length).toBe(2);
  await scene.timeline.ping('db');
  await scene.timeline.ping('web');
  await scene.untilMessages(3, 'nag');
});

test('only checks that the integration is assigned to are named, and counted', async () => {
  await scene.checks('db', 'web');
  await scene.timeline.check('secret', { channels: 'ops' });
  await scene.fail('secret', 'db', 'web');
  await scene.timeline.later(1);
  await scene.untilMessages(1);
  expect(scene.titles()).toEqual(['db and 1 more are DOWN. 2 checks went down.']);
  expect(scene.messages()[0]).not.toContain('secret');
});

test('what could not be sent is sent again together', async () => {
  await scene.checks('db', 'web');
  scene.timeline.receiver.answering = (_, response) => response.writeHead(500).end();
  await scene.fail('db', 'web');
  await scene.timeline.later(1);
  await expect.poll(() => scene.timeline.sentTo('team').length).toBeGreaterThan(0);
  await scene.timeline.advance(0);
  scene.timeline.receiver.answering = (_, response) => response.end('ok');
  const failed = scene.messages().length;
  await scene.timeline.later(60);
  await scene.untilMessages(failed + 1);
  expect(scene.titles().at(-1)).toBe('db and 1 more are DOWN. 2 checks went down.');
});

test('more than an incident lists are one message, counted, and over once all are up', async () => {
  const names = Array.from({ length: 130 }, (_, number) => `job-${number}`);
  await Promise.all(names.map((name) => scene.timeline.check(name, { channels: 'team' })));
  await scene.timeline.ping('job-0', '/fail');
  await scene.timeline.pingAll(names.slice(1), '/fail');
  await scene.timeline.later(1);
  await scene.untilMessages(1);
  expect(scene.titles()).toEqual(['job-0 and 129 more are DOWN. 130 checks went down.']);
  expect(scene.messages()[0]).toContain('\nAnd: 118 more');
  await scene.timeline.restart();
  await scene.timeline.pingAll(names.slice(1));
  await scene.timeline.later(1);
  await scene.untilMessages(2);
  expect(scene.titles()[1]).toMatch(/^job-0 is DOWN\. Up again: .* and 117 more\. 1 is still down\.$/);
  await scene.timeline.ping('job-0');
  await scene.untilMessages(3);
  expect(scene.titles()[2]).toMatch(/^job-0 and 129 more are UP\. All 130 checks are up/);
});
