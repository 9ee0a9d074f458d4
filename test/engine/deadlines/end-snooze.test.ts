/** Snoozed checks: what their integrations get during the snooze and at its end. */
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { hour, minute, NEVER } from '../../../src/lib/units.ts';
import { isLong } from '../../support/long.ts';
import { Scene, startMs } from '../../support/page/alert-scene.ts';

let scene = new Scene();
afterEach(async () => {
  await scene.notify.stop();
  scene = new Scene();
});

describe('a snooze', () => {
  test('of a check that goes down: its alert comes at the end, once, with the time of the change', async () => {
    await scene.begin({ hook: {} });
    await scene.snoozeUntil(60);
    await scene.until(10);
    await scene.ping('fail');
    await scene.until(59);
    expect(scene.sent).toEqual([]);
    expect(scene.check).toMatchObject({ state: { status: 'down' }, snooze: { by: 'Ada' } });
    await scene.until(200);
    expect(scene.sent).toEqual(['hook down at 60']);
    expect(scene.check.snooze).toBeUndefined();
    const [sent] = scene.engine.read.notifications(scene.check.id, { fromMs: 0, untilMs: NEVER }, 9);
    expect(sent).toMatchObject({ kind: 'down', changedAtMs: startMs + 10 * minute });
  });

  test('that is over before it begins, by a clock that is behind: is none, and ends the one that there is', async () => {
    await scene.begin({ hook: {} });
    await scene.ping('fail');
    const isOver = { untilMs: startMs, by: 'Ada' };
    const snooze = () => scene.engine.change.snoozeCheck(scene.check.id, isOver, startMs + 1);
    expect((await snooze()).id).toBe(scene.check.id);
    expect(scene.check.snooze).toBeUndefined();
    await scene.until(10);
    expect(scene.sent).toEqual(['hook down at 0']);
    await scene.ping('success');
    await scene.snoozeUntil(60);
    await scene.ping('fail');
    expect((await snooze()).id).toBe(scene.check.id);
    await scene.until(11);
    expect(scene.check.snooze).toBeUndefined();
    expect(scene.sent).toEqual(['hook down at 0', 'hook up at 10', 'hook down at 10']);
  });

  test('of a check that goes down and up: nothing', async () => {
    await scene.begin({ hook: {} });
    await scene.snoozeUntil(60);
    await scene.ping('fail');
    await scene.ping('success');
    await scene.until(200);
    expect(scene.sent).toEqual([]);
  });

  test('of a check that was down before and came up: that comes at the end', async () => {
    await scene.begin({ hook: {}, downOnly: {} });
    await scene.ping('fail');
    await scene.snoozeUntil(60);
    await scene.until(30);
    await scene.ping('success');
    await scene.until(200);
    expect(scene.sent.toSorted()).toEqual([
      ...['downOnly down at 0', 'downOnly up at 60', 'hook down at 0', 'hook up at 60'],
    ]);
  });

  test('of a check that stays down: reminders stop, and go on at the end', async () => {
    await scene.begin({ hook: { repeatS: 600 }, once: {} });
    await scene.ping('fail');
    await scene.until(15);
    await scene.snoozeUntil(60);
    await scene.until(71);
    expect(scene.sent.filter((line) => line.startsWith('hook'))).toEqual([
      ...['hook down at 0', 'hook down at 10', 'hook down at 60', 'hook down at 70'],
    ]);
    expect(scene.sent.filter((line) => line.startsWith('once'))).toEqual([
      'once down at 0',
      'once down at 60',
    ]);
  });

  test('of a check that is acknowledged: at its end only those are notified that were not before', async () => {
    await scene.begin({ hook: { repeatS: 600 }, slow: { delayS: 600 } });
    await scene.ping('fail');
    await scene.until(5);
    await scene.acknowledge();
    await scene.snoozeUntil(60);
    await scene.until(200);
    expect(scene.sent).toEqual(['hook down at 0', 'slow down at 60']);
    await scene.change('unacknowledgeCheck');
    await scene.until(300);
    expect(scene.sent.length).toBeGreaterThan(3);
    expect(scene.sent.filter((line) => line.startsWith('slow'))).toHaveLength(1);
  });

  test('of a check that is acknowledged: who was not notified is at its end, by escalations once nobody has it', async () => {
    await scene.begin({ hook: {}, team: { collectS: 300 }, boss: { escalateS: 600 } });
    scene.failing.add('hook');
    await scene.ping('fail');
    await scene.acknowledge();
    await scene.snoozeUntil(60);
    scene.failing.delete('hook');
    await scene.until(200);
    expect(scene.sent).toEqual(['hook down at 60', 'team down at 60']);
    await scene.change('unacknowledgeCheck');
    await scene.until(210);
    expect(scene.sent.slice(2)).toEqual([expect.stringMatching(/^boss down at 20\d$/)]);
  });

  test('of a late check: that it is late comes at the end, if it still is', async () => {
    await scene.begin({ hook: { late: true }, plain: {} });
    await scene.snoozeUntil(60);
    await scene.update({ timeoutS: 600, graceS: 86_400 });
    await scene.until(30);
    expect(scene.check.state.status).toBe('grace');
    await scene.until(61);
    expect(scene.sent).toEqual(['hook grace at 60']);
  });

  test('a check that was down, came up and is late then: each integration gets what it takes', async () => {
    await scene.begin({ hook: { late: true }, plain: {} });
    await scene.ping('fail');
    await scene.snoozeUntil(60);
    await scene.update({ timeoutS: 600, graceS: 86_400 });
    await scene.ping('success');
    await scene.until(61);
    expect(scene.check.state.status).toBe('grace');
    expect(scene.sent.toSorted()).toEqual([
      ...['hook down at 0', 'hook grace at 60', 'plain down at 0', 'plain up at 60'],
    ]);
  });

  test('a delay counts from the change, and is not over before the snooze is', async () => {
    await scene.begin({ short: { delayS: 600 }, long: { delayS: 3600 } });
    await scene.snoozeUntil(30);
    await scene.until(10);
    await scene.ping('fail');
    await scene.until(200);
    expect(scene.sent).toEqual(['short down at 30', 'long down at 70']);
  });

  test('a delay that is not over when the check comes up after the snooze: neither is sent', async () => {
    await scene.begin({ long: { delayS: 3600 } });
    await scene.snoozeUntil(30);
    await scene.until(10);
    await scene.ping('fail');
    await scene.until(40);
    await scene.ping('success');
    await scene.until(200);
    expect(scene.sent).toEqual([]);
    expect(scene.log().toSorted()).toEqual([
      'down superseded the check was up before this was sent',
      "up superseded the check was down for less than the integration's delay",
    ]);
  });

  test('a notification that waits within its delay is superseded, and nobody is notified of the end of what he did not know', async () => {
    await scene.begin({ slow: { delayS: 600 } });
    await scene.ping('fail');
    await scene.snoozeUntil(60);
    expect(scene.log()).toEqual(['down superseded snoozed until 2026-05-04T05:00:00+00:00']);
    await scene.until(30);
    await scene.ping('success');
    await scene.until(200);
    expect(scene.sent).toEqual([]);
  });

  test('a notification that is being tried again is superseded, and comes at the end', async () => {
    await scene.begin({ hook: {} });
    scene.failing.add('hook');
    await scene.ping('fail');
    await scene.snoozeUntil(60);
    scene.failing.delete('hook');
    await scene.until(200);
    expect(scene.sent).toEqual(['hook down at 60']);
  });

  test('that a check is up waits for the end where it could not be sent before', async () => {
    await scene.begin({ hook: {} });
    await scene.ping('fail');
    scene.failing.add('hook');
    await scene.ping('success');
    await scene.snoozeUntil(60);
    scene.failing.delete('hook');
    await scene.until(59);
    expect(scene.sent).toEqual(['hook down at 0']);
    await scene.until(200);
    expect(scene.sent.slice(1)).toEqual(['hook up at 60']);
  });

  test('and that stays so over a kill, also if the end comes while Knell is away', async () => {
    await scene.begin({ hook: {} });
    await scene.ping('fail');
    scene.failing.add('hook');
    await scene.ping('success');
    await scene.snoozeUntil(60);
    scene.failing.delete('hook');
    await scene.start();
    await scene.until(59);
    expect(scene.sent).toHaveLength(1);
    scene.clock.skip(hour);
    await scene.start();
    await scene.until(200);
    expect(scene.sent.slice(1)).toEqual(['hook up at 119']);
  });

  test('ends early as if its time had come', async () => {
    await scene.begin({ hook: {} });
    await scene.snoozeUntil(60);
    await scene.ping('fail');
    await scene.until(5);
    expect(await scene.change('unsnoozeCheck')).toBe('ok');
    expect(await scene.change('unsnoozeCheck')).toBe('ok');
    await scene.until(200);
    expect(scene.sent).toEqual(['hook down at 5']);
  });

  test('asked for again it has another end, and knows what was before it', async () => {
    await scene.begin({ hook: {} });
    await scene.ping('fail');
    await scene.snoozeUntil(60);
    await scene.ping('success');
    await scene.snoozeUntil(90);
    expect(scene.check.snooze).toMatchObject({ untilMs: startMs + 90 * minute, wasDown: true });
    await scene.until(200);
    expect(scene.sent).toEqual(['hook down at 0', 'hook up at 90']);
  });

  test('knows who was notified though the clock was set back', async () => {
    await scene.begin({ hook: {} });
    scene.failing.add('hook');
    for (let round = 0; round < 8; round++) {
      await scene.ping('fail');
      await scene.ping('success');
    }
    await scene.ping('fail');
    scene.clock.jump(-30 * minute);
    // That it was down waits behind the pause of the integration, and is superseded at an earlier time than its own.
    await scene.ping('success');
    scene.failing.delete('hook');
    await scene.until(200);
    await scene.ping('fail');
    expect(scene.sent.at(-1)).toBe('hook down at 200');
    scene.clock.jump(-5 * hour);
    await scene.snoozeUntil(20);
    await scene.ping('success');
    await scene.until(60);
    expect(scene.sent.at(-1)).toBe('hook up at 20');
  });

  test('goes on while the check is paused and resumed', async () => {
    await scene.begin({ hook: {} });
    await scene.snoozeUntil(60);
    await scene.change('pauseCheck');
    await scene.change('resumeCheck');
    await scene.ping('fail');
    await scene.until(59);
    expect(scene.sent).toEqual([]);
    await scene.until(61);
    expect(scene.sent).toEqual(['hook down at 60']);
  });

  test('ends in time by a deadline that passes in it, in the order of both', async () => {
    await scene.begin({ hook: {} });
    await scene.snoozeUntil(30);
    await scene.update({ timeoutS: 60, graceS: 600 });
    await scene.until(31);
    expect(scene.sent).toEqual(['hook down at 30']);
    expect(scene.engine.read.changes(scene.check.id, { fromMs: 0, untilMs: NEVER })[0]?.atMs).toBe(
      startMs + 11 * minute,
    );
  });

  test.each(['while Knell is away', 'after it is back'])(
    'survives a kill; the end comes %s',
    async (when) => {
      await scene.begin({ hook: {} });
      await scene.snoozeUntil(60);
      await scene.ping('fail');
      if (when === 'while Knell is away') scene.clock.skip(2 * hour);
      await scene.start();
      await scene.settle();
      await scene.until(300);
      await scene.start();
      await scene.until(400);
      expect(scene.sent).toEqual([when === 'while Knell is away' ? 'hook down at 120' : 'hook down at 60']);
    },
  );

  test('a kill between the snooze and the end of what waited: nobody is notified twice', async () => {
    await scene.begin({ hook: {} });
    scene.failing.add('hook');
    await scene.ping('fail');
    // The outbox gathers its writes: the snooze is on disk before them.
    const asked = { untilMs: startMs + 60 * minute, by: 'Ada' };
    await scene.engine.change.snoozeCheck(scene.check.id, asked, scene.clock.nowMs());
    scene.failing.delete('hook');
    scene.clock.skip(2 * hour);
    await scene.start();
    await scene.until(400);
    expect(scene.sent).toEqual(['hook down at 120']);
  });

  test('of a deleted check is gone with it', async () => {
    await scene.begin({ hook: {} });
    await scene.snoozeUntil(60);
    await scene.ping('fail');
    expect(await scene.change('deleteCheck')).toBe('ok');
    await scene.until(100);
    await scene.start();
    await scene.until(200);
    expect(scene.sent).toEqual([]);
  });

  test('whose end a full disk refuses ends when there is space', async () => {
    await scene.begin({ hook: {} });
    await scene.snoozeUntil(10);
    await scene.ping('fail');
    scene.machine.disk.fill();
    await scene.until(20);
    expect(scene.sent).toEqual([]);
    scene.machine.disk.free();
    await scene.until(21);
    expect(scene.sent).toHaveLength(1);
  });

  test('that a full disk refuses never was', async () => {
    await scene.begin({ hook: {} });
    scene.machine.disk.fill();
    const asked = { untilMs: startMs + hour, by: 'Ada' };
    const { id } = scene.check;
    const refused = scene.engine.change.snoozeCheck(id, asked, scene.clock.nowMs());
    await expect(refused).rejects.toMatchObject({ code: 'store-full' });
    expect(scene.check.snooze).toBeUndefined();
    scene.machine.disk.free();
    await scene.pass(minute);
    await scene.ping('fail');
    expect(scene.sent).toEqual(['hook down at 1']);
  });
});

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('success', 'fail') },
  { weight: 2, arbitrary: fc.constantFrom('snooze 5', 'snooze 25', 'unsnooze') },
  { weight: 1, arbitrary: fc.constantFrom('acknowledge', 'unacknowledge', 'kill', 'away 30') },
);

test('whatever happens: silence while it is snoozed, then the right last word, and no word twice but down', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      scene = new Scene();
      await scene.begin({ hook: {} });
      for (const name of steps) {
        await scene.pass(minute);
        const isQuiet = scene.check.snooze !== undefined;
        const sentBefore = scene.sent.length;
        const [verb, count] = name.split(' ');
        const { id } = scene.check;
        if (verb === 'success' || verb === 'fail') await scene.ping(verb);
        else if (verb === 'snooze') await scene.snoozeUntil(scene.atMinute + Number(count));
        else if (verb === 'unsnooze') await scene.change('unsnoozeCheck');
        else if (verb === 'acknowledge') await scene.acknowledge();
        else if (verb === 'unacknowledge') await scene.change('unacknowledgeCheck');
        else {
          if (verb === 'away') scene.clock.skip(Number(count) * minute);
          await scene.start();
          await scene.settle();
        }
        if (isQuiet && scene.check.snooze && scene.check.id === id)
          expect(scene.sent.slice(sentBefore)).toEqual([]);
      }
      await scene.pass(2 * hour);
      expect(scene.check.snooze).toBeUndefined();
      const said = scene.sent.map((line) => line.split(' ')[1]);
      expect(said.at(-1) ?? 'up').toBe(scene.check.state.status);
      expect(said.some((word, at) => word === 'up' && (said[at - 1] ?? 'up') === 'up')).toBe(false);
      await scene.notify.stop();
    }),
    { numRuns: isLong ? 200 : 25 },
  );
});
