/** Alerts of checks that depend on others, on a simulated clock, as an integration receives them over a real socket. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertTimeline } from '../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
});
afterEach(() => timeline.stop());

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
