/** What goes wrong together as one message, on a simulated clock, as an integration receives it over a real socket. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

describe('checks that go down within the time', () => {
  test('are one message, once it is over; the others are notified at once, of each', async () => {
    await checks('db', 'web', 'mail');
    await fail('db');
    await timeline.advance(20_000);
    await fail('web', 'mail');
    expect(timeline.sentTo('ops')).toEqual(['db DOWN', 'web DOWN', 'mail DOWN']);
    await timeline.advance(39_999);
    expect(messages()).toEqual([]);
    await timeline.advance(1);
    await untilMessages(1);
    const since = 'since 02:00 UTC, failed';
    expect(messages()).toEqual([
      `db and 2 more are DOWN\n3 checks went down.\nDown 1: db, ${since}\nDown 2: web, ${since}\nDown 3: mail, ${since} DOWN`,
    ]);
    await timeline.later(60);
    expect(messages().length).toBe(1);
  });

  test('one alone is spoken of as ever, only later', async () => {
    await checks('db');
    await fail('db');
    await timeline.later(1);
    await untilMessages(1);
    expect(titles()).toEqual(['db is DOWN. The job reported a failure.']);
    await timeline.ping('db');
    await untilMessages(2);
    expect(titles()[1]).toMatch(/^db is UP\. /);
  });

  test('one that is up again before that is in no message', async () => {
    await checks('db', 'web');
    await fail('db', 'web');
    await timeline.ping('web');
    await timeline.later(1);
    await untilMessages(1);
    expect(titles()).toEqual(['db is DOWN. 1 check went down.']);
    await timeline.ping('db');
    await timeline.later(2);
    expect(titles().slice(1)).toEqual(['db and 1 more are UP. All 2 checks are up, after 1 minute.']);
  });

  test('those that go down later are an incident of their own, and a message', async () => {
    await checks('db', 'web');
    await fail('db');
    await timeline.later(2);
    await fail('web');
    await timeline.later(1);
    await untilMessages(2);
    expect(titles().map((title) => title.split('.')[0])).toEqual(['db is DOWN', 'web is DOWN']);
  });

  test('come up one by one: that is said together, and the end at once', async () => {
    await checks('db', 'web', 'mail');
    await fail('db', 'web', 'mail');
    await timeline.later(1);
    await untilMessages(1);
    await timeline.ping('web');
    await timeline.advance(59_000);
    expect(messages().length).toBe(1);
    await timeline.advance(1000);
    await untilMessages(2);
    expect(titles()[1]).toBe('db and 1 more are DOWN. Up again: web. 2 are still down.');
    expect(messages()[1]).toMatch(/ DOWN$/);
    await timeline.ping('db');
    await timeline.ping('mail');
    await untilMessages(3);
    expect(messages()[2]).toBe('db and 2 more are UP\nAll 3 checks are up, after 2 minutes.\n UP');
    await timeline.later(60);
    expect(messages().length).toBe(3);
  });

  test('one that comes up and goes down again before that was said is down, and its end is said', async () => {
    await checks('db', 'web');
    await fail('db', 'web');
    await timeline.later(1);
    await untilMessages(1);
    await timeline.ping('web');
    await timeline.advance(10_000);
    await fail('web');
    await timeline.advance(10_000);
    await timeline.ping('web');
    await timeline.later(1);
    await untilMessages(2);
    expect(titles()[1]).toBe('db is DOWN. Up again: web. 1 is still down.');
    await timeline.ping('db');
    await untilMessages(3);
    expect(titles()[2]).toMatch(/^db and 1 more are UP/);
  });
});
