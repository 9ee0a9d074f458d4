/** Integrations that want their quiet at some hours, on a simulated clock, over a real socket. It begins on a Monday at 02:00 UTC. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AlertTimeline } from '../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
let sleeper: string;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
  sleeper = await timeline.integration('sleeper', {});
  await window({ schedule: '0 22 * * *', duration: '9h', integrations: [sleeper] });
});
afterEach(() => timeline.stop());

async function window(spec: Readonly<Record<string, unknown>>): Promise<void> {
  const reply = await timeline.knell.api('POST', '/api/v3/maintenance/', { name: 'at night', ...spec });
  expect(reply.status).toBe(201);
}

const sent = (): readonly string[] => timeline.sentTo('sleeper');

test('what is down is sent at their end, once, and the log says so; the others are notified at once', async () => {
  await timeline.check('db', {});
  await timeline.ping('db', '/fail');
  await expect.poll(() => timeline.sentTo('ops')).toEqual(['db DOWN']);
  await timeline.later(1);
  expect(await timeline.held('db')).toEqual(['quiet hours “at night”, until 2026-03-02 07:00 UTC']);
  await timeline.later(298);
  expect(sent()).toEqual([]);
  await timeline.later(1);
  await expect.poll(sent).toEqual(['db DOWN']);
  await timeline.later(120);
  expect(sent().length).toBe(1);
});

test('what is over by then is not sent at all', async () => {
  await timeline.check('db', {});
  await timeline.ping('db', '/fail');
  await timeline.later(60);
  await timeline.ping('db');
  await timeline.later(600);
  expect(sent()).toEqual([]);
});

test('that a check is up gets through, where somebody was notified that it is down', async () => {
  await timeline.check('db', { timeout: 31_536_000 });
  await timeline.later(360);
  await timeline.ping('db', '/fail');
  await expect.poll(sent).toEqual(['db DOWN']);
  await timeline.later(16 * 60);
  await timeline.ping('db');
  await expect.poll(sent).toEqual(['db DOWN', 'db UP']);
});

test('survives a restart, and ends early when somebody ends it', async () => {
  await timeline.check('db', {});
  await timeline.ping('db', '/fail');
  await timeline.later(10);
  await timeline.restart();
  await timeline.later(10);
  expect(sent()).toEqual([]);
  await timeline.endMaintenance();
  await timeline.later(1);
  await expect.poll(sent).toEqual(['db DOWN']);
  expect((await timeline.held('db')).length).toBe(1);
});

test('is no maintenance: the checks are not in it', async () => {
  await timeline.check('db', {});
  await timeline.ping('db');
  const { held, recipients } = await timeline.alerting('db');
  expect(held).toBe(null);
  expect(JSON.stringify(recipients)).toContain(
    'Quiet hours “at night”: notified at their end, 2026-03-02 07:00 UTC',
  );
});

test('of some checks only, by their tags', async () => {
  const other = await timeline.integration('other', {});
  await window({ schedule: '0 22 * * *', duration: '9h', tags: ['minor'], integrations: [other] });
  await timeline.check('db', {});
  await timeline.check('rss', { tags: 'minor' });
  await timeline.ping('db', '/fail');
  await timeline.ping('rss', '/fail');
  await expect.poll(() => timeline.sentTo('other')).toEqual(['db DOWN']);
});

test('a snooze takes over what they keep back, and of what was never sent no end is sent', async () => {
  await timeline.check('db', {});
  await timeline.ping('db', '/fail');
  await timeline.later(5);
  await timeline.snooze('db', 30);
  await timeline.later(1);
  await timeline.ping('db');
  await timeline.later(28);
  await timeline.later(600);
  expect(sent()).toEqual([]);
});

test('an integration of another project is refused, with the name of the field', async () => {
  const integrations = ['00000000-0000-4000-8000-000000000000'];
  const reply = await timeline.knell.api('POST', '/api/v3/maintenance/', {
    schedule: '0 22 * * *',
    duration: '9h',
    integrations,
  });
  expect(reply.status).toBe(400);
  expect(reply.text).toContain(
    'integrations has 00000000-0000-4000-8000-000000000000, which is no integration',
  );
});
