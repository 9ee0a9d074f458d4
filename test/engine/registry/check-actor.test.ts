/** That a check's actor is a real one: its logic is the statechart, its snapshot the record, its parent the root. */

import { expect, test } from 'vitest';
import type { InspectionEvent } from 'xstate';
import { createRootActor, decide } from '../../../src/engine/registry/check-actor.ts';
import { checkWith, t0 } from '../../support/engine/checks.ts';

const up = checkWith({ timeoutS: 600, graceS: 300 }, { status: 'up', lastPingMs: t0 });
const fail = { type: 'fail', atMs: t0 + 1000, rid: null } as const;

test('an inspector sees the statechart take the event, with the record as context, and then stop', () => {
  const root = createRootActor();
  const seen: InspectionEvent[] = [];
  root.system.inspect((event) => seen.push(event));
  const after = decide(root, up, fail);
  const snapshots = seen.flatMap((event) => (event.type === '@xstate.snapshot' ? [event.snapshot] : []));
  const decided = snapshots.find((snapshot) => 'value' in snapshot && snapshot.value === 'down');
  expect(decided).toMatchObject({ status: 'active' });
  expect(decided).toHaveProperty('context', after);
  expect(snapshots).toContainEqual(expect.objectContaining({ status: 'stopped' }));
});

test('an event that changes nothing leaves the very same record', () => {
  expect(decide(createRootActor(), up, { type: 'timeout', atMs: t0 + 1000 })).toBe(up);
});

test('what the chart throws reaches the sender, and no other actor suffers', () => {
  const root = createRootActor();
  const schedule = 'not a schedule';
  const config = { ...up.config, kind: 'cron', schedule, tz: 'UTC' } as const;
  expect(() => decide(root, up, { type: 'update', atMs: t0, config })).toThrow();
  expect(decide(root, up, fail).state.status).toBe('down');
});
