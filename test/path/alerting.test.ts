/** What keeps alerts back, on a simulated clock, as an integration receives them over a real socket. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertTimeline, minute } from '../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
});
afterEach(() => timeline.stop());

describe('alert_after', () => {
  test('so many failures in a row alert, with the latest, and the first ones are in the log', async () => {
    await timeline.check('job', { alert_after: 3 });
    await timeline.ping('job');
    for (let failure = 0; failure < 2; failure++) await timeline.ping('job', '/fail');
    await timeline.later(10);
    expect(timeline.sent).toEqual([]);
    expect(await timeline.status('job')).toBe('down');
    expect(await timeline.held('job')).toEqual(['1 of 3 failures', '2 of 3 failures']);
    await timeline.ping('job', '/fail');
    expect(await timeline.until(1)).toEqual(['job DOWN']);
    await timeline.ping('job', '/fail');
    await timeline.ping('job');
    expect(await timeline.until(2)).toEqual(['job DOWN', 'job UP']);
  });

  test('a success before that: nobody is notified', async () => {
    await timeline.check('job', { alert_after: 2 });
    await timeline.ping('job', '/fail');
    await timeline.ping('job');
    await timeline.ping('job', '/fail');
    await timeline.ping('job');
    await timeline.later(30);
    expect(timeline.sent).toEqual([]);
    expect(await timeline.status('job')).toBe('up');
  });

  test('pings that do not come count, each at its own time', async () => {
    await timeline.check('job', { alert_after: 3, timeout: 600, grace: 120 });
    await timeline.ping('job');
    await timeline.later(12);
    expect(await timeline.status('job')).toBe('down');
    await timeline.later(19);
    expect(timeline.sent).toEqual([]);
    await timeline.later(1);
    expect(await timeline.until(1)).toEqual(['job DOWN']);
  });

  test('a failure after one that did not come counts as the second', async () => {
    await timeline.check('job', { alert_after: 3, timeout: 600, grace: 60 });
    await timeline.ping('job');
    await timeline.later(11);
    await timeline.ping('job', '/fail');
    expect(timeline.sent).toEqual([]);
    await timeline.later(10);
    expect(timeline.sent).toEqual([]);
    await timeline.later(1);
    expect(await timeline.until(1)).toEqual(['job DOWN']);
  });

  test('of the last: successes between do not matter', async () => {
    await timeline.check('job', { alert_after: 3, alert_of_last: 5 });
    for (const end of ['/fail', '', '/fail', '']) await timeline.ping('job', end);
    expect(timeline.sent).toEqual([]);
    await timeline.ping('job', '/fail');
    expect(await timeline.until(1)).toEqual(['job DOWN']);
    await timeline.ping('job');
    expect(await timeline.until(2)).toEqual(['job DOWN', 'job UP']);
  });

  test('survives a restart', async () => {
    await timeline.check('job', { alert_after: 3, timeout: 600, grace: 60 });
    await timeline.ping('job', '/fail');
    await timeline.ping('job', '/fail');
    await timeline.restart();
    expect(await timeline.held('job')).toEqual(['1 of 3 failures', '2 of 3 failures']);
    await timeline.ping('job', '/fail');
    expect(await timeline.until(1)).toEqual(['job DOWN']);
  });

  test('raised or dropped while it is down: what follows from it then', async () => {
    await timeline.check('job', { alert_after: 3 });
    await timeline.ping('job', '/fail');
    await timeline.edit('job', { alert_after: 1 });
    expect(await timeline.until(1)).toEqual(['job DOWN']);
  });
});

describe('recover_after', () => {
  test('sends an integration no end whose delay was over only while the check recovered', async () => {
    await timeline.integration('slow', { delayS: 300 });
    await timeline.check('job', { recover_after: 2 });
    await timeline.ping('job', '/fail');
    await timeline.later(1);
    await timeline.ping('job');
    await timeline.later(5);
    await timeline.later(1);
    await timeline.ping('job');
    await timeline.until(2);
    await timeline.later(10);
    expect(timeline.sent).toEqual(['job DOWN', 'job UP']);
    expect(timeline.sentTo('slow')).toEqual([]);
  });

  test('so many successes in a row before it is up for those who were notified', async () => {
    await timeline.check('job', { recover_after: 2 });
    await timeline.ping('job', '/fail');
    await timeline.until(1);
    await timeline.ping('job');
    await timeline.ping('job', '/fail');
    await timeline.ping('job');
    await timeline.later(10);
    expect(timeline.sent).toEqual(['job DOWN']);
    expect(await timeline.status('job')).toBe('up');
    await timeline.ping('job');
    expect(await timeline.until(2)).toEqual(['job DOWN', 'job UP']);
  });
});

test('who could not be notified that it went down is notified when what holds that back is over', async () => {
  await timeline.check('job', { unstable_changes: 3, unstable_window: 600 });
  timeline.receiver.answering = (_, response) => void response.writeHead(503).end();
  for (const action of ['/fail', '', '/fail', '']) await timeline.ping('job', action);
  await timeline.snooze('job', 1);
  await timeline.ping('job', '/fail');
  await timeline.later(1);
  timeline.receiver.answering = (_, response) => void response.end();
  const before = timeline.sent.length;
  await timeline.later(15);
  expect((await timeline.held('job')).length).toBeGreaterThan(0);
  expect((await timeline.until(before + 1)).slice(before)).toEqual(['job DOWN']);
});

test('what goes down after a pause in a snooze is another outage, also where too few failures hold it back at first', async () => {
  await timeline.check('job', { alert_after: 2 });
  for (let n = 0; n < 2; n++) await timeline.ping('job', '/fail');
  expect(await timeline.until(1)).toEqual(['job DOWN']);
  await timeline.snooze('job', 10);
  await timeline.act('job', 'pause');
  for (const end of ['', '/fail']) await timeline.ping('job', end);
  await timeline.later(11);
  await timeline.ping('job', '/fail');
  expect(await timeline.until(2)).toEqual(['job DOWN', 'job DOWN']);
});

describe('unstable_changes', () => {
  test('more changes than that are one alert, and the end when it is steady', async () => {
    await timeline.check('job', { unstable_changes: 4, unstable_window: 600 });
    for (let turn = 0; turn < 5; turn++) {
      await timeline.ping('job', '/fail');
      await timeline.ping('job');
      await timeline.later(1);
    }
    expect(timeline.sent).toEqual(['job DOWN', 'job UP', 'job DOWN', 'job UP', 'job DOWN']);
    expect(await timeline.held('job')).toContainEqual(
      expect.stringMatching(/^unstable: more than 4 changes in 10 min, until .* UTC$/),
    );
    await timeline.later(10);
    expect(await timeline.until(6)).toEqual([...timeline.sent.slice(0, 5), 'job UP']);
  });
});

describe('what is held back', () => {
  test('a snooze takes it over, and gives it back', async () => {
    await timeline.check('db', {});
    await timeline.check('app', { depends_on: 'db' });
    await timeline.ping('db', '/fail');
    await timeline.ping('app', '/fail');
    await timeline.until(1);
    await timeline.snooze('app', 10);
    await timeline.later(11);
    expect(timeline.sent).toEqual(['db DOWN']);
    await timeline.ping('app');
    await timeline.ping('db');
    await timeline.later(60);
    expect(timeline.sent).toEqual(['db DOWN', 'db UP']);
  });

  test('a deadline is as exact as without', async () => {
    await timeline.check('job', { alert_after: 2, timeout: 60, grace: 60 });
    await timeline.ping('job');
    await timeline.advance(3 * minute - 1);
    expect(timeline.sent).toEqual([]);
    await timeline.advance(1);
    expect(await timeline.until(1)).toEqual(['job DOWN']);
  });
});
