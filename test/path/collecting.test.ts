/** What goes wrong together as one message, on a simulated clock, as an integration receives it over a real socket. */
import { describe, expect, test } from 'vitest';
import { Collected } from '../support/page/collected.ts';

const scene = Collected.forFile();

describe('checks that go down within the time', () => {
  test('are one message, once it is over; the others are notified at once, of each', async () => {
    await scene.checks('db', 'web', 'mail');
    await scene.fail('db');
    await scene.timeline.advance(20_000);
    await scene.fail('web', 'mail');
    expect(scene.timeline.sentTo('ops')).toEqual(['db DOWN', 'web DOWN', 'mail DOWN']);
    await scene.timeline.advance(39_999);
    expect(scene.messages()).toEqual([]);
    await scene.timeline.advance(1);
    await scene.untilMessages(1);
    const since = 'since 02:00 UTC, failed';
    expect(scene.messages()).toEqual([
      `db and 2 more are DOWN\n3 checks went down.\nDown 1: db, ${since}\nDown 2: web, ${since}\nDown 3: mail, ${since} DOWN`,
    ]);
    await scene.timeline.later(60);
    expect(scene.messages().length).toBe(1);
  });

  test('one alone is spoken of as ever, only later', async () => {
    await scene.checks('db');
    await scene.fail('db');
    await scene.timeline.later(1);
    await scene.untilMessages(1);
    expect(scene.titles()).toEqual(['db is DOWN. The job reported a failure.']);
    await scene.timeline.ping('db');
    await scene.untilMessages(2);
    expect(scene.titles()[1]).toMatch(/^db is UP\. /);
  });

  test('one that is up again before that is in no message', async () => {
    await scene.checks('db', 'web');
    await scene.fail('db', 'web');
    await scene.timeline.ping('web');
    await scene.timeline.later(1);
    await scene.untilMessages(1);
    expect(scene.titles()).toEqual(['db is DOWN. 1 check went down.']);
    await scene.timeline.ping('db');
    await scene.timeline.later(2);
    expect(scene.titles().slice(1)).toEqual(['db and 1 more are UP. All 2 checks are up, after 1 minute.']);
  });

  test('those that go down later are an incident of their own, and a message', async () => {
    await scene.checks('db', 'web');
    await scene.fail('db');
    await scene.timeline.later(2);
    await scene.fail('web');
    await scene.timeline.later(1);
    await scene.untilMessages(2);
    expect(scene.titles().map((title) => title.split('.')[0])).toEqual(['db is DOWN', 'web is DOWN']);
  });

  test('come up one by one: that is said together, and the end at once', async () => {
    await scene.checks('db', 'web', 'mail');
    await scene.fail('db', 'web', 'mail');
    await scene.timeline.later(1);
    await scene.untilMessages(1);
    await scene.timeline.ping('web');
    await scene.timeline.advance(59_000);
    expect(scene.messages().length).toBe(1);
    await scene.timeline.advance(1000);
    await scene.untilMessages(2);
    expect(scene.titles()[1]).toBe('db and 1 more are DOWN. Up again: web. 2 are still down.');
    expect(scene.messages()[1]).toMatch(/ DOWN$/);
    await scene.timeline.ping('db');
    await scene.timeline.ping('mail');
    await scene.untilMessages(3);
    expect(scene.messages()[2]).toBe('db and 2 more are UP\nAll 3 checks are up, after 2 minutes.\n UP');
    await scene.timeline.later(60);
    expect(scene.messages().length).toBe(3);
  });

  test('one that comes up and goes down again before that was said is down, and its end is said', async () => {
    await scene.checks('db', 'web');
    await scene.fail('db', 'web');
    await scene.timeline.later(1);
    await scene.untilMessages(1);
    await scene.timeline.ping('web');
    await scene.timeline.advance(10_000);
    await scene.fail('web');
    await scene.timeline.advance(10_000);
    await scene.timeline.ping('web');
    await scene.timeline.later(1);
    await scene.untilMessages(2);
    expect(scene.titles()[1]).toBe('db is DOWN. Up again: web. 1 is still down.');
    await scene.timeline.ping('db');
    await scene.untilMessages(3);
    expect(scene.titles()[2]).toMatch(/^db and 1 more are UP/);
  });
});
