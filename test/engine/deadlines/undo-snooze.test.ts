/** A snooze that is undone: what integrations get is what they would have got without it. */
import { afterEach, describe, expect, test } from 'vitest';
import { NEVER } from '../../../src/lib/units.ts';
import { Scene } from '../../support/page/alert-scene.ts';

let scene = new Scene();
afterEach(async () => {
  await scene.notify.stop();
  scene = new Scene();
});

describe('a snooze', () => {
  test('that is undone leaves what was given up before it as it is; one that ends has it sent', async () => {
    await scene.begin({ hook: {} });
    scene.failing.add('hook');
    await scene.ping('fail');
    await scene.until(25 * 60);
    const log = () => scene.engine.read.notifications(scene.check.id, { fromMs: 0, untilMs: NEVER }, 9);
    expect(log()).toMatchObject([{ outcome: 'failed' }]);
    scene.failing.delete('hook');
    await scene.snoozeUntil(26 * 60);
    await scene.engine.change.unsnoozeCheck(scene.check.id, scene.clock.nowMs(), true);
    await scene.until(27 * 60);
    expect(scene.sent).toEqual([]);
    expect(log()).toMatchObject([{ outcome: 'failed' }]);
    await scene.snoozeUntil(28 * 60);
    await scene.until(29 * 60);
    expect(scene.sent).toEqual([`hook down at ${28 * 60}`]);
  });

  test('that is undone while an alert is tried again has it tried again', async () => {
    await scene.begin({ hook: {} });
    scene.failing.add('hook');
    await scene.ping('fail');
    await scene.snoozeUntil(60);
    await scene.until(1);
    scene.failing.delete('hook');
    await scene.engine.change.unsnoozeCheck(scene.check.id, scene.clock.nowMs(), true);
    await scene.until(200);
    expect(scene.sent).toEqual(['hook down at 1']);
  });
});
