/** That a check's actor is a real one: its logic is the statechart, its snapshot the record. */

import { expect, test } from 'vitest';
import type { InspectionEvent } from 'xstate';
import { decide, startCheckActor } from '../../../src/engine/registry/check-actor.ts';
import { checkWith, t0 } from '../../support/engine/checks.ts';

const up = checkWith({ timeoutS: 600, graceS: 300 }, { status: 'up', lastPingMs: t0 });
const fail = { type: 'fail', atMs: t0 + 1000, rid: null } as const;

test('an inspector sees the statechart take the event, with the record as context, and then stop', () => {
  const actor = startCheckActor(up);
  const seen: InspectionEvent[] = [];
  actor.system.inspect((event) => seen.push(event));
  actor.send(fail);
  const after = actor.getSnapshot().context;
  actor.stop();
  const snapshots = seen.flatMap((event) => (event.type === '@xstate.snapshot' ? [event.snapshot] : []));
  const decided = snapshots.find((snapshot) => 'value' in snapshot && snapshot.value === 'down');
  expect(decided).toMatchObject({ status: 'active' });
  expect(decided).toHaveProperty('context', after);
  expect(after).toEqual(decide(up, fail));
  expect(snapshots).toContainEqual(expect.objectContaining({ status: 'stopped' }));
});

test('an event that changes nothing leaves the very same record', () => {
  expect(decide(up, { type: 'timeout', atMs: t0 + 1000 })).toBe(up);
});

test('what the chart throws reaches the sender, and no other actor suffers', () => {
  const schedule = 'not a schedule';
  const config = { ...up.config, kind: 'cron', schedule, tz: 'UTC' } as const;
  expect(() => decide(up, { type: 'update', atMs: t0, config })).toThrow();
  expect(decide(up, fail).state.status).toBe('down');
});
