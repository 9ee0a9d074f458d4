/** That a check's actor is a real one: its logic is the statechart, its snapshot the record, its parent the root. */

import { expect, test } from 'vitest';
import type { InspectionEvent } from 'xstate';
import { CheckActor, createRootActor } from '../../src/engine/check-actor.ts';
import { checkWith, t0 } from '../support/checks.ts';

const up = checkWith({ timeoutS: 600, graceS: 300 }, { status: 'up', lastPingMs: t0 });
const fail = { type: 'fail', atMs: t0 + 1000, rid: null } as const;

test('an inspector sees the statechart take the event, with the record as context', () => {
  const root = createRootActor();
  const seen: InspectionEvent[] = [];
  root.system.inspect((event) => seen.push(event));
  const actor = new CheckActor(7, up);
  actor.activate(root);
  actor.send(fail);
  const snapshots = seen.flatMap((event) => (event.type === '@xstate.snapshot' ? [event.snapshot] : []));
  expect(snapshots.at(-1)).toMatchObject({ status: 'active', value: 'down' });
  expect(snapshots.at(-1)).toHaveProperty('context', actor.check);
});

test('an event that changes nothing leaves the very same record', () => {
  const root = createRootActor();
  const actor = new CheckActor(7, up);
  actor.activate(root);
  actor.send({ type: 'timeout', atMs: t0 + 1000 });
  expect(actor.check).toBe(up);
});

test('a passivated actor has left the actor system, and its check is what it was', () => {
  const root = createRootActor();
  const seen: InspectionEvent[] = [];
  const actor = new CheckActor(7, up);
  actor.activate(root);
  actor.send(fail);
  const { check } = actor;
  root.system.inspect((event) => seen.push(event));
  actor.passivate(root);
  expect(seen).toContainEqual(
    expect.objectContaining({
      type: '@xstate.snapshot',
      snapshot: expect.objectContaining({ status: 'stopped' }),
    }),
  );
  expect([actor.isActive, actor.check]).toEqual([false, check]);
  expect(() => actor.send(fail)).toThrow('without an active actor');
});

test('what the chart throws reaches the sender, and neither the record nor other actors suffer', () => {
  const root = createRootActor();
  const [broken, other] = [new CheckActor(1, up), new CheckActor(2, up)];
  broken.activate(root);
  other.activate(root);
  const schedule = 'not a schedule';
  const config = { ...up.config, kind: 'cron', schedule, tz: 'UTC' } as const;
  expect(() => broken.send({ type: 'update', atMs: t0, config })).toThrow();
  expect([broken.check, broken.isActive]).toEqual([up, false]);
  other.send(fail);
  expect(other.check.state.status).toBe('down');
  broken.activate(root);
  broken.send(fail);
  expect(broken.check.state.status).toBe('down');
});
