/** Sessions that are signed out of: at once, on disk, within bounds, and rolled back where the disk is full. */

import { beforeEach, describe, expect, test } from 'vitest';
import type { EndedSession, User } from '../../../src/domain/accounts/user.ts';
import type { Engine } from '../../../src/engine/contract/engine.ts';
import { asUserId } from '../../../src/lib/ids.ts';
import { defaultLimits, type StoreLimits } from '../../../src/store/disk/limits.ts';
import { eventLoop } from '../../../src/store/disk/scheduler.ts';
import type { ConfigFacts, ConfigKind } from '../../../src/store/kinds.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { startEngine } from '../../support/engine/start-engine.ts';
import { isLong } from '../../support/long.ts';
import { loadDurable, openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { Loaded, uuidOf } from '../../support/store/store-facts.ts';

const startMs = Date.UTC(2026, 4, 4, 4);
const day = 86_400_000;

let machine: SimulatedMachine;
let clock: SimulatedClock;
let engine: Engine;

/** Starts anew on what the machine has; what ran before is dead. */
async function open(limits: Partial<StoreLimits> = {}): Promise<void> {
  machine.disk.kill();
  const nowMs = () => clock.nowMs();
  const store = await openSimulatedStore({ machine, scheduler: clock, limits, nowMs });
  engine = await startEngine({ store, clock });
}

const ada: User = {
  id: asUserId(uuidOf(0xf0, 1)),
  name: 'ada',
  role: 'owner',
  passwordHash: 'first',
  createdAtMs: startMs,
};
const grace: User = { ...ada, id: asUserId(uuidOf(0xf0, 2)), name: 'grace' };

beforeEach(async () => {
  machine = new SimulatedMachine();
  clock = new SimulatedClock(startMs);
  await open();
  await engine.change.putUser(ada);
  await engine.change.putUser(grace);
});

function session(id: string, { userId = ada.id, untilMs = startMs + 30 * day } = {}): EndedSession {
  return { userId, id, untilMs, endedAtMs: clock.nowMs() };
}

const isEnded = (id: string, { id: userId } = ada): boolean => engine.read.sessionEnded(userId, id);
const endSession = (ended: EndedSession) => engine.change.endSession(ended);

/** While the disk is full the store pauses between its attempts. */
async function refused(attempt: Promise<unknown>): Promise<void> {
  const isRefused = expect(attempt).rejects.toMatchObject({ code: 'store-full' });
  await clock.advance(defaultLimits.fullPauseMs);
  await isRefused;
}

/** There is space again, and the store has noticed. */
async function free(): Promise<void> {
  machine.disk.free();
  await clock.advance(defaultLimits.fullProbeMs);
}

/** Counts what it is given, and forgets nothing by itself. */
class SessionCount extends Loaded {
  count = 0;

  override put<Kind extends ConfigKind>(kind: Kind, fact: ConfigFacts[Kind]): void {
    if (kind === 'ended-session') this.count++;
    else super.put(kind, fact);
  }
}

/** How many sessions are on the disk, once all is folded. */
async function sessionsOnDisk(): Promise<number> {
  const copy = machine.afterPowerCut();
  const nowMs = () => clock.nowMs();
  const store = await openSimulatedStore({ machine: copy, scheduler: eventLoop, nowMs });
  await store.load(new SessionCount());
  await store.folded();
  await store.close();
  return (await loadDurable(copy, new SessionCount())).count;
}

describe('a session that is signed out of', () => {
  test('is over at once, and answered when it is on disk, the second time too', async () => {
    // A disk that is slow: each commit goes to a thread, and can stall there.
    await open({ slowCommitMs: -1 });
    machine.disk.stall();
    const answers: string[] = [];
    const first = endSession(session('a')).then(() => answers.push('first'));
    const second = endSession(session('a')).then(() => answers.push('second'));
    expect(isEnded('a')).toBe(true);
    await clock.advance(1000);
    expect(answers).toEqual([]);
    machine.disk.resume();
    await Promise.all([first, second]);
    expect(await sessionsOnDisk()).toBe(1);
    expect([isEnded('b'), isEnded('a', grace)]).toEqual([false, false]);
  });

  test('goes on where the disk is full, and the caller gets an error', async () => {
    machine.disk.fill();
    await refused(endSession(session('a')));
    expect(isEnded('a')).toBe(false);
    await free();
    await endSession(session('a'));
    expect(isEnded('a')).toBe(true);
  });

  test('is forgotten with a new password and with its user, not where that could not be written', async () => {
    await endSession(session('a'));
    await endSession(session('g', { userId: grace.id }));
    machine.disk.fill();
    await refused(engine.change.putUser({ ...ada, passwordHash: 'second' }));
    await refused(engine.change.deleteUser(grace.id));
    expect([isEnded('a'), isEnded('g', grace)]).toEqual([true, true]);
    await free();
    await engine.change.putUser({ ...ada, role: 'owner', name: 'Ada' });
    expect(isEnded('a')).toBe(true);
    await engine.change.putUser({ ...ada, passwordHash: 'second' });
    await engine.change.deleteUser(grace.id);
    expect([isEnded('a'), isEnded('g', grace)]).toEqual([false, false]);
    expect(await sessionsOnDisk()).toBe(0);
  });

  test.runIf(isLong)(
    'is refused beyond ten thousand of one user that have not run out, and then taken again',
    async () => {
      const all = Array.from({ length: 10_000 }, (_, n) =>
        session(`s${n}`, { untilMs: startMs + (n < 5000 ? 1 : 2) * day }),
      );
      await Promise.all(all.map(endSession));
      await expect(endSession(session('more'))).rejects.toMatchObject({ code: 'conflict' });
      expect([isEnded('more'), isEnded('s0'), isEnded('s9999')]).toEqual([false, true, true]);
      await endSession(session('of grace', { userId: grace.id }));
      clock.jump(day + 1000);
      await endSession(session('more'));
      expect([isEnded('more'), isEnded('s0'), isEnded('s9999')]).toEqual([true, false, true]);
      // What has run out is gone from the disk as well: left are five thousand, and the newest of each user.
      expect(await sessionsOnDisk()).toBe(5000 + 2);
    },
  );
});

test('a changed user is an event, once that is on disk', async () => {
  const changed: string[] = [];
  engine.events.userChanged.subscribe((id) => changed.push(id));
  await engine.change.putUser({ ...ada, id: asUserId(uuidOf(0xf0, 3)), name: 'new' });
  machine.disk.fill();
  await refused(engine.change.putUser({ ...grace, role: 'viewer' }));
  await refused(engine.change.deleteUser(ada.id));
  expect(changed).toEqual([]);
  await free();
  await engine.change.putUser({ ...grace, role: 'viewer' });
  await engine.change.deleteUser(ada.id);
  expect(changed).toEqual([grace.id, ada.id]);
});
