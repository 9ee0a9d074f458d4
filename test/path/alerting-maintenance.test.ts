/** Alerts in a maintenance, on a simulated clock, as an integration receives them over a real socket. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertTimeline, minute } from '../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
});
afterEach(() => timeline.stop());

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

/** Windows that begin while the integration `slow` waits for its delay of ten minutes. */
describe('maintenance that begins within the delay of an integration', () => {
  const slow = (): readonly string[] => timeline.sentTo('slow');

  beforeEach(async () => {
    await timeline.integration('slow', { delayS: 600 });
    await timeline.check('job', {});
    await timeline.ping('job', '/fail');
    await timeline.until(1);
    await timeline.later(5);
  });

  test('holds the alert until its end, says so in the log, and sends it once', async () => {
    await timeline.maintenance(60);
    await timeline.later(6);
    await timeline.later(1);
    expect(await timeline.held('job')).toEqual(['in maintenance: moving, until 2026-03-02 03:05 UTC']);
    await timeline.later(52);
    expect(slow()).toEqual([]);
    await timeline.later(1);
    await expect.poll(slow).toEqual(['job DOWN']);
    await timeline.later(60);
    expect(slow()).toEqual(['job DOWN']);
    expect(await timeline.held('job')).toHaveLength(1);
  });

  test('sends nothing of what is over by its end, nor that it is up again', async () => {
    await timeline.maintenance(60);
    await timeline.later(30);
    await timeline.ping('job');
    await timeline.until(2);
    await timeline.later(60);
    expect(timeline.sent).toEqual(['job DOWN', 'job UP']);
    expect(slow()).toEqual([]);
  });

  test('and is over before that is, holds nothing', async () => {
    await timeline.maintenance(3);
    await timeline.later(4);
    expect(slow()).toEqual([]);
    await timeline.later(1);
    await expect.poll(slow).toEqual(['job DOWN']);
    expect(await timeline.held('job')).toEqual([]);
  });

  test('survives a restart, and what it holds goes out when somebody ends it', async () => {
    await timeline.maintenance(60);
    await timeline.later(10);
    await timeline.restart();
    await timeline.later(10);
    expect(slow()).toEqual([]);
    await timeline.endMaintenance();
    await timeline.later(1);
    await expect.poll(slow).toEqual(['job DOWN']);
  });

  test('of what goes down anew in it, sends that at its end', async () => {
    await timeline.maintenance(60);
    await timeline.later(20);
    await timeline.ping('job');
    await timeline.ping('job', '/fail');
    await timeline.later(39);
    expect(slow()).toEqual([]);
    await timeline.later(1);
    await expect.poll(slow).toEqual(['job DOWN']);
  });
});
