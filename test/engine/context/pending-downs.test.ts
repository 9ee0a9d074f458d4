/** Snoozes that end before the disk or the outbox has what came before them. */
import { afterEach, describe, expect, test } from 'vitest';
import { hour, NEVER } from '../../../src/lib/units.ts';
import { Scene } from '../../support/page/alert-scene.ts';

let scene = new Scene();
afterEach(async () => {
  await scene.notify.stop();
  scene = new Scene();
});

describe('a snooze', () => {
  test.each([
    ['a failure', (at: Scene) => at.tryPing('fail')],
    [
      'a change of its schedule',
      (at: Scene) => {
        const { id, config } = at.check;
        return at.engine.change.updateCheck(id, { ...config, timeoutS: 60, graceS: 60 }, at.clock.nowMs());
      },
    ],
  ])(
    'of a check that has just gone down again by %s, before that is on disk: its alert is of that change',
    async (_, goDown) => {
      await scene.begin({ hook: {} });
      await scene.ping('fail');
      await scene.until(5);
      await scene.ping('success');
      await scene.until(10);
      const { id } = scene.check;
      const nowMs = scene.clock.nowMs();
      const { change } = scene.engine;
      const down = goDown(scene);
      const snoozed = change.snoozeCheck(id, { untilMs: nowMs + hour, by: 'Ada' }, nowMs);
      const ended = change.unsnoozeCheck(id, nowMs);
      await Promise.all([down, snoozed, ended]);
      await scene.until(20);
      const sent = scene.engine.read.notifications(id, { fromMs: nowMs, untilMs: NEVER }, 9);
      const times = sent.map(({ kind, changedAtMs }) => [kind, changedAtMs]);
      expect(times).toEqual(times.map(() => ['down', nowMs]));
      expect(scene.sent).toEqual(['hook down at 0', 'hook up at 5', 'hook down at 10']);
    },
  );

  test('that ends before it is known whom it kept from being notified: they are notified, acknowledged or not', async () => {
    await scene.begin({ slow: { delayS: 600, repeatS: 600 } });
    await scene.ping('fail');
    await scene.until(5);
    await scene.acknowledge();
    const { id } = scene.check;
    const nowMs = scene.clock.nowMs();
    const { change } = scene.engine;
    const snoozed = change.snoozeCheck(id, { untilMs: nowMs + hour, by: 'Ada' }, nowMs);
    await Promise.all([snoozed, change.unsnoozeCheck(id, nowMs)]);
    await scene.until(200);
    expect(scene.sent).toEqual(['slow down at 10']);
  });
});
