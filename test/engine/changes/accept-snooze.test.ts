/** Acknowledged checks: what their integrations get. */
import { afterEach, describe, expect, test } from 'vitest';
import { minute } from '../../../src/lib/units.ts';
import { Scene, startMs } from '../../support/page/alert-scene.ts';

let scene = new Scene();
afterEach(async () => {
  await scene.notify.stop();
  scene = new Scene();
});

describe('an acknowledgement', () => {
  test('stops reminders until the check is up, and the next outage has its own', async () => {
    await scene.begin({ hook: { repeatS: 600 } });
    await scene.ping('fail');
    await scene.until(11);
    expect(await scene.acknowledge()).toBe('ok');
    expect(scene.check.acknowledgement).toEqual({ atMs: startMs + 11 * minute, by: 'Ada' });
    await scene.until(100);
    await scene.ping('success');
    expect(scene.check.acknowledgement).toBeUndefined();
    await scene.ping('fail');
    await scene.until(111);
    expect(scene.sent).toEqual([
      ...['hook down at 0', 'hook down at 10', 'hook up at 100'],
      ...['hook down at 100', 'hook down at 110'],
    ]);
  });

  test('can be undone: reminders go on', async () => {
    await scene.begin({ hook: { repeatS: 600 } });
    await scene.ping('fail');
    await scene.acknowledge();
    await scene.until(95);
    expect(await scene.change('unacknowledgeCheck')).toBe('ok');
    expect(await scene.change('unacknowledgeCheck')).toBe('ok');
    await scene.until(111);
    expect(scene.sent[0]).toBe('hook down at 0');
    expect(scene.sent.length).toBeGreaterThan(1);
  });

  test('is only of a check that is down, and keeps its first author', async () => {
    await scene.begin({});
    expect(await scene.acknowledge()).toBe('conflict');
    await scene.ping('fail');
    await scene.acknowledge();
    const { id } = scene.check;
    await scene.engine.change.acknowledgeCheck(id, 'Grace', scene.clock.nowMs() + 1);
    expect(scene.check.acknowledgement?.by).toBe('Ada');
  });

  test('stops a reminder that failed and is being tried again, also over a kill', async () => {
    await scene.begin({ hook: { repeatS: 600 } });
    await scene.ping('fail');
    await scene.until(9);
    scene.failing.add('hook');
    await scene.until(11);
    await scene.acknowledge();
    scene.failing.delete('hook');
    await scene.start();
    await scene.until(60);
    expect(scene.sent).toEqual(['hook down at 0']);
    await scene.change('unacknowledgeCheck');
    await scene.until(120);
    expect(scene.sent.length).toBeGreaterThan(1);
  });

  test('lets the first notification through that is still being tried', async () => {
    await scene.begin({ hook: { repeatS: 600 } });
    scene.failing.add('hook');
    await scene.ping('fail');
    await scene.acknowledge();
    scene.failing.delete('hook');
    await scene.until(60);
    expect(scene.sent).toEqual([expect.stringMatching(/^hook down at/)]);
  });

  test('is over when the check is paused, and does not come back', async () => {
    await scene.begin({ hook: {} });
    await scene.ping('fail');
    await scene.acknowledge();
    await scene.change('pauseCheck');
    expect(scene.check.acknowledgement).toBeUndefined();
    await scene.start();
    expect(scene.check.state.status).toBe('paused');
    expect(scene.check.acknowledgement).toBeUndefined();
  });

  test('survives a kill, and so does its end', async () => {
    await scene.begin({ hook: { repeatS: 600 } });
    await scene.ping('fail');
    await scene.acknowledge();
    await scene.start();
    expect(scene.check.acknowledgement?.by).toBe('Ada');
    await scene.until(60);
    expect(scene.sent).toEqual(['hook down at 0']);
    await scene.ping('success');
    await scene.start();
    expect(scene.check.state).toMatchObject({ status: 'up', nPings: 3 });
    expect(scene.check.acknowledgement).toBeUndefined();
  });

  test('is not ended by a success that a full disk refuses', async () => {
    await scene.begin({});
    await scene.ping('fail');
    await scene.acknowledge();
    scene.machine.disk.fill();
    expect(await scene.tryPing('success')).toBe('store-full');
    expect(scene.check).toMatchObject({ acknowledgement: { by: 'Ada' }, state: { status: 'down' } });
    scene.machine.disk.free();
  });
});
