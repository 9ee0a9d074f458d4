/** Which integrations are notified of what, as their receivers see it, and what is said of that before it happens. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { AlertTimeline } from '../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
});
afterEach(() => timeline.stop());

describe('who would be notified', () => {
  test('is said of each integration, and what holds the alert back, before and after it goes down', async () => {
    await timeline.integration('later', { delayS: 600 });
    await timeline.integration('dba', { tags: 'db' });
    await timeline.integration('hung', { events: 'hung missed' });
    await timeline.integration('off', {});
    await timeline.check('job', { depends_on: 'net' });
    await timeline.check('net', { channels: '' });
    expect(await timeline.alerting('net')).toMatchObject({
      text: 'If it went down now, nobody would be notified.',
      recipients: [],
    });
    const before = await timeline.alerting('job');
    expect(before).toMatchObject({
      held: null,
      text: 'If it went down now, 3 of 5 integrations would be notified.',
    });
    const texts = before.recipients as { name: string; notified: boolean; after: number; text: string }[];
    expect(Object.fromEntries(texts.map(({ name, text }) => [name, text]))).toEqual({
      ops: 'Notified at once.',
      later: 'Notified after 10 minutes, if the check is still down.',
      dba: 'Not notified: only of checks tagged db.',
      hung: 'Not notified of a ping that does not come: only of hung, missed.',
      off: 'Notified at once.',
    });
    await timeline.ping('net', '/fail');
    expect(await timeline.alerting('job')).toMatchObject({
      held: { reason: 'parent-down', until: null },
      text: 'If it went down now, the alert would be held back: it depends on what is down: net.',
    });
    await timeline.ping('job', '/fail');
    expect(await timeline.alerting('job')).toMatchObject({
      held: { reason: 'parent-down' },
      text: expect.stringMatching(
        /^It is down, and its alert is held back: it depends on what is down: net\./,
      ),
    });
    await timeline.snooze('job', 10);
    expect(await timeline.alerting('job')).toMatchObject({
      held: { reason: 'snooze', text: expect.stringMatching(/^snoozed, until /) },
    });
    await timeline.ping('job');
    await timeline.maintenance(5);
    await timeline.act('job', 'unsnooze');
    expect(await timeline.alerting('job')).toMatchObject({ held: { reason: 'maintenance' } });
  });

  test('of a check that went down before maintenance: its alert is past, reminders wait', async () => {
    await timeline.integration('again', { repeatS: 120 });
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    await timeline.until(2);
    await timeline.maintenance(10);
    expect(await timeline.alerting('job')).toMatchObject({
      held: null,
      text: 'It is down. Its alert goes to 2 integrations; the log says what became of it. It is in maintenance: moving, until 2026-03-02 02:10 UTC. No reminders until then.',
      recipients: [1, 2].map(() => ({
        text: 'Its alert was due before the maintenance began; no reminders until its end.',
      })),
    });
    await timeline.later(9);
    expect(timeline.sent).toEqual(['job DOWN', 'job DOWN']);
    await timeline.endMaintenance();
    const { recipients } = (await timeline.alerting('job')) as Json;
    // Their order is that of their ids.
    expect(recipients.map(({ text }: Json) => text).sort()).toEqual([
      'Notified at 2026-03-02 02:00 UTC. No reminders: its settings ask for none.',
      'Notified at 2026-03-02 02:00 UTC. Reminders every 2 minutes.',
    ]);
  });

  test('of a check that is down: an integration that was added since gets only the end', async () => {
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    await timeline.until(1);
    await timeline.later(1);
    await timeline.integration('late', {});
    await timeline.integration('downs', { events: 'down' });
    const { text, recipients } = (await timeline.alerting('job')) as Json;
    expect(text).toMatch(/^It is down\. Its alert goes to 1 of 3 integrations;/);
    const texts = recipients.map((one: Json) => [one.name, one.text, one.notified]);
    expect(texts.toSorted()).toEqual([
      ['downs', 'Not notified of this outage: it was added after the outage began.', false],
      ['late', 'Not notified of this outage, only of its end: it was added after the outage began.', false],
      ['ops', expect.stringMatching(/^Notified at 2026-03-02 02:00 UTC/), true],
    ]);
    await timeline.ping('job');
    await timeline.until(3);
    expect(timeline.sentTo('late')).toEqual(['job UP']);
    expect(timeline.sentTo('downs')).toEqual([]);
  });

  test('agrees with what happens: too few failures', async () => {
    await timeline.check('job', { alert_after: 2 });
    expect(await timeline.alerting('job')).toMatchObject({ held: { reason: 'alert-after' } });
    await timeline.ping('job', '/fail');
    await timeline.ping('job', '/fail');
    await timeline.until(1);
    expect(await timeline.alerting('job')).toMatchObject({
      held: null,
      text: 'It is down. Its alert goes to one integration; the log says what became of it.',
    });
  });
});

describe('routing', () => {
  test('by tag: only checks that have one of them', async () => {
    await timeline.integration('dba', { tags: 'db core' });
    await timeline.check('app', {});
    await timeline.check('dump', { tags: 'nightly db' });
    await timeline.ping('app', '/fail');
    await timeline.ping('dump', '/fail');
    await timeline.until(3);
    expect(timeline.sentTo('dba')).toEqual(['dump DOWN']);
    expect(timeline.sentTo('ops').toSorted()).toEqual(['app DOWN', 'dump DOWN']);
  });

  test('by event: what it has chosen, and the end of that alone', async () => {
    await timeline.integration('hung', { events: 'hung up' });
    await timeline.integration('downs', { events: 'down' });
    await timeline.check('job', { max_runtime: 60 });
    await timeline.ping('job', '/fail');
    await timeline.ping('job');
    await timeline.ping('job', '/start');
    await timeline.later(1);
    await timeline.ping('job');
    await timeline.until(7);
    expect(timeline.sentTo('ops')).toEqual(['job DOWN', 'job UP', 'job DOWN', 'job UP']);
    expect(timeline.sentTo('hung')).toEqual(['job DOWN', 'job UP']);
    expect(timeline.sentTo('downs')).toEqual(['job DOWN']);
  });

  test('not for new checks: those that a ping creates are not assigned to it', async () => {
    await timeline.integration('quiet', { notForNew: true });
    await timeline.knell.request(`/ping/${timeline.knell.keys.ping}/fresh/fail?create=1`);
    await timeline.until(1);
    expect(timeline.sentTo('ops')).toEqual(['fresh DOWN']);
    expect(timeline.sentTo('quiet')).toEqual([]);
  });

  test('what is no event is refused', async () => {
    const integration = timeline.integration('typo', { events: 'down oops' });
    await expect(integration).rejects.toThrow('the events must be some of down, hung, missed, up');
  });
});
