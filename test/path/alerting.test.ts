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

describe('depends_on', () => {
  test('while the other is down nobody is notified of this one; back up, this one has time for its own ping', async () => {
    await timeline.check('db', {});
    await timeline.check('app', { depends_on: 'db', timeout: 600, grace: 60 });
    await timeline.ping('db');
    await timeline.ping('app');
    await timeline.ping('db', '/fail');
    expect(await timeline.until(1)).toEqual(['db DOWN']);
    await timeline.later(11);
    expect(await timeline.status('app')).toBe('down');
    expect(await timeline.held('app')).toEqual(['it depends on what is down: db']);
    await timeline.ping('db');
    expect(await timeline.until(2)).toEqual(['db DOWN', 'db UP']);
    await timeline.later(10);
    expect(timeline.sent).toEqual(['db DOWN', 'db UP']);
    await timeline.later(1);
    expect(await timeline.until(3)).toEqual(['db DOWN', 'db UP', 'app DOWN']);
  });

  test('it comes up with the other: nothing is due', async () => {
    await timeline.check('db', {});
    await timeline.check('app', { depends_on: 'db', timeout: 600, grace: 60 });
    await timeline.ping('app');
    await timeline.ping('db', '/fail');
    await timeline.later(11);
    await timeline.ping('db');
    await timeline.ping('app');
    await timeline.later(10);
    expect(timeline.sent.filter((line) => line.startsWith('app'))).toEqual([]);
  });

  test('what was sent before gets its end, whatever is down', async () => {
    await timeline.check('db', {});
    await timeline.check('app', { depends_on: 'db' });
    await timeline.ping('app', '/fail');
    await timeline.until(1);
    await timeline.ping('db', '/fail');
    await timeline.until(2);
    await timeline.ping('app');
    expect(await timeline.until(3)).toEqual(['app DOWN', 'db DOWN', 'app UP']);
  });

  test('hold: a check that fails first waits for the other', async () => {
    await timeline.check('db', {});
    await timeline.check('app', { depends_on: 'db', hold: 120 });
    await timeline.ping('app', '/fail');
    await timeline.later(1);
    await timeline.ping('db', '/fail');
    expect(await timeline.until(1)).toEqual(['db DOWN']);
    await timeline.later(10);
    expect(timeline.sent).toEqual(['db DOWN']);
    expect(await timeline.held('app')).toEqual([
      'it depends on what is down: db',
      expect.stringMatching(/^what it depends on may be down, too: db, until .* UTC$/),
    ]);
  });

  test('hold: what is given by its UUID is called by its name', async () => {
    const { uuid } = await timeline.check('db', {});
    await timeline.check('net', {});
    await timeline.check('app', { depends_on: `net ${uuid}`, hold: 120 });
    await timeline.ping('app', '/fail');
    await timeline.later(1);
    expect(await timeline.held('app')).toEqual([
      expect.stringMatching(/^what it depends on may be down, too: net, db, until .* UTC$/),
    ]);
  });

  test('hold: and is sent when that is over', async () => {
    await timeline.check('db', {});
    await timeline.check('app', { depends_on: 'db', hold: 120 });
    await timeline.ping('app', '/fail');
    await timeline.later(1);
    expect(timeline.sent).toEqual([]);
    await timeline.later(1);
    expect(await timeline.until(1)).toEqual(['app DOWN']);
  });

  test('by a tag, by a UUID, over two levels', async () => {
    const { uuid } = await timeline.check('net', { tags: 'core' });
    await timeline.check('db', { depends_on: uuid });
    await timeline.check('app', { depends_on: 'tag:core db' });
    await timeline.check('page', { depends_on: 'db' });
    await timeline.ping('net', '/fail');
    for (const name of ['db', 'app', 'page']) await timeline.ping(name, '/fail');
    await timeline.later(5);
    expect(timeline.sent).toEqual(['net DOWN']);
    expect(await timeline.held('page')).toEqual(['it depends on what is down: db']);
  });

  test('in a circle: the first one alerts, and no alert is lost', async () => {
    await timeline.check('a', { depends_on: 'b' });
    await timeline.check('b', { depends_on: 'a' });
    await timeline.ping('a', '/fail');
    await timeline.ping('b', '/fail');
    expect(await timeline.until(1)).toEqual(['a DOWN']);
    await timeline.ping('a');
    await timeline.until(2);
    await timeline.later(2 * 24 * 60);
    expect(timeline.sent).toContain('b DOWN');
  });

  test.each([
    ['deleted', (): Promise<unknown> => timeline.remove('db')],
    ['paused', () => timeline.act('db', 'pause')],
    ['given another slug', () => timeline.edit('db', { slug: 'other' })],
  ])('of one that is %s: nothing holds it back any more', async (_, change) => {
    await timeline.check('db', {});
    await timeline.check('app', { depends_on: 'db', timeout: 600, grace: 60 });
    await timeline.ping('db', '/fail');
    await timeline.ping('app', '/fail');
    await timeline.until(1);
    await change();
    await timeline.later(11);
    expect(timeline.sent).toContain('app DOWN');
  });

  test('survives a restart, and the other that came up meanwhile', async () => {
    await timeline.check('db', {});
    await timeline.check('app', { depends_on: 'db', timeout: 600, grace: 60 });
    await timeline.ping('db', '/fail');
    await timeline.ping('app', '/fail');
    await timeline.until(1);
    await timeline.restart();
    await timeline.later(60);
    expect(timeline.sent).toEqual(['db DOWN']);
    await timeline.ping('db');
    await timeline.until(2);
    await timeline.restart();
    await timeline.later(11);
    expect(timeline.sent).toEqual(['db DOWN', 'db UP', 'app DOWN']);
  });
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

describe('maintenance', () => {
  test('nobody is notified of what goes down in it, and of what is still down at its end once', async () => {
    await timeline.check('short', {});
    await timeline.check('long', {});
    await timeline.maintenance(60);
    await timeline.ping('short', '/fail');
    await timeline.ping('long', '/fail');
    await timeline.ping('short');
    await timeline.later(59);
    expect(timeline.sent).toEqual([]);
    expect(await timeline.status('long')).toBe('down');
    expect(await timeline.held('long')).toEqual(['in maintenance: moving, until 2026-03-02 03:00 UTC']);
    await timeline.later(1);
    expect(await timeline.until(1)).toEqual(['long DOWN']);
    await timeline.later(60);
    expect(timeline.sent).toEqual(['long DOWN']);
  });

  test('the end of what was sent before goes out in it; reminders do not', async () => {
    await timeline.integration('pager', { repeatS: 600 });
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    await timeline.until(2);
    await timeline.maintenance(60);
    await timeline.later(30);
    expect(timeline.sent).toHaveLength(2);
    await timeline.ping('job');
    await timeline.until(4);
    expect(timeline.sentTo('pager')).toEqual(['job DOWN', 'job UP']);
  });

  test('that is prolonged, ended early, deleted: what is held back follows it', async () => {
    await timeline.check('job', {});
    await timeline.maintenance(10);
    await timeline.ping('job', '/fail');
    await timeline.maintenance(30);
    await timeline.later(11);
    expect(timeline.sent).toEqual([]);
    await timeline.endMaintenance();
    await timeline.advance(0);
    expect(await timeline.until(1)).toEqual(['job DOWN']);
  });

  test('survives a restart; what ended meanwhile is due at the start', async () => {
    await timeline.check('job', {});
    await timeline.maintenance(10);
    await timeline.ping('job', '/fail');
    await timeline.restart();
    await timeline.later(9);
    expect(timeline.sent).toEqual([]);
    await timeline.knell.restart(() => timeline.clock.advance(5 * minute));
    await timeline.advance(1);
    expect(await timeline.until(1)).toEqual(['job DOWN']);
  });

  test('into which a snooze ends: that is over only when the maintenance is', async () => {
    await timeline.check('job', {});
    await timeline.maintenance(30);
    await timeline.snooze('job', 10);
    await timeline.ping('job', '/fail');
    await timeline.later(29);
    expect(timeline.sent).toEqual([]);
    await timeline.later(1);
    expect(await timeline.until(1)).toEqual(['job DOWN']);
  });

  test('no incident opens in it, and a warning is not sent later', async () => {
    await timeline.integration('warned', { warnings: true });
    await timeline.check('job', { exit_codes: '24=warning' });
    await timeline.maintenance(10);
    await timeline.ping('job', '/24');
    await timeline.ping('job', '/fail');
    const { read } = timeline.knell.app.engine;
    const opened = () => read.projects().flatMap(({ id }) => read.incidents(id, 9e15, 9)).length;
    expect(opened()).toBe(0);
    await timeline.later(10);
    await timeline.until(2);
    expect(opened()).toBe(1);
    expect(timeline.sentTo('warned')).toEqual(['job DOWN']);
    expect(await timeline.held('job')).toHaveLength(2);
  });
});
