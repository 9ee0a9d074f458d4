/** Sessions that are signed out of: at once, on disk, within bounds, and taken back where the disk is full. */
import { beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/config.ts';
import type { EndedSession, User } from '../../src/domain/user.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { asUserId, systemIds } from '../../src/lib/ids.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { createMemoryDisk, type MemoryDisk } from '../../src/store/memory-disk.ts';
import { MemoryFaults } from '../../src/store/memory-faults.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { uuidOf } from '../support/store-facts.ts';

const startMs = Date.UTC(2026, 4, 4, 4);
const day = 86_400_000;

let disk: MemoryDisk;
let clock: SimulatedClock;
let faults: MemoryFaults;
let engine: Engine;

async function open(): Promise<void> {
  faults = new MemoryFaults();
  ({ engine } = await createEngine({
    store: createMemoryStore({ disk, faults, schedule: queueMicrotask, nowMs: () => clock.nowMs() }),
    clock,
    logger: silentLogger,
    outageCredit: false,
    ids: systemIds,
    awakeMax: 100,
    aliveEveryMs: limits.aliveEveryMs,
    ticker: limits.ticker,
    changed: () => {},
    touched: () => {},
    outbox: { delivery() {}, deliveryEnded() {} },
    projectGone: () => {},
    progress: () => {},
  }));
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
  disk = createMemoryDisk();
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

describe('a session that is signed out of', () => {
  test('is over at once, and answered when it is on disk, the second time too', async () => {
    faults.hold();
    const answers: string[] = [];
    const first = endSession(session('a')).then(() => answers.push('first'));
    const second = endSession(session('a')).then(() => answers.push('second'));
    expect(isEnded('a')).toBe(true);
    await clock.advance(1000);
    expect(answers).toEqual([]);
    faults.release();
    await Promise.all([first, second]);
    expect(disk.endedSessions.size).toBe(1);
    expect([isEnded('b'), isEnded('a', grace)]).toEqual([false, false]);
  });

  test('goes on where the disk is full, and whoever asked is told', async () => {
    faults.fail(1);
    await expect(endSession(session('a'))).rejects.toMatchObject({ code: 'store-full' });
    expect(isEnded('a')).toBe(false);
    faults.heal();
    await endSession(session('a'));
    expect(isEnded('a')).toBe(true);
  });

  test('is forgotten with a new password and with its user, not where that could not be written', async () => {
    await endSession(session('a'));
    await endSession(session('g', { userId: grace.id }));
    faults.fail(2);
    await expect(engine.change.putUser({ ...ada, passwordHash: 'second' })).rejects.toThrow('full');
    await expect(engine.change.deleteUser(grace.id)).rejects.toThrow('full');
    expect([isEnded('a'), isEnded('g', grace)]).toEqual([true, true]);
    faults.heal();
    await engine.change.putUser({ ...ada, role: 'owner', name: 'Ada' });
    expect(isEnded('a')).toBe(true);
    await engine.change.putUser({ ...ada, passwordHash: 'second' });
    await engine.change.deleteUser(grace.id);
    expect([isEnded('a'), isEnded('g', grace)]).toEqual([false, false]);
    expect(disk.endedSessions.size).toBe(0);
  });

  test('is refused beyond ten thousand of one user that have not run out, and then taken again', async () => {
    const all = Array.from({ length: 10_000 }, (_, n) =>
      session(`s${n}`, { untilMs: startMs + (n < 5000 ? 1 : 2) * day }),
    );
    await Promise.all(all.map(endSession));
    await expect(endSession(session('more'))).rejects.toMatchObject({ code: 'conflict' });
    expect([isEnded('more'), isEnded('s0'), isEnded('s9999')]).toEqual([false, true, true]);
    await endSession(session('of grace', { userId: grace.id }));
    await clock.advance(day + 1000);
    await endSession(session('more'));
    expect([isEnded('more'), isEnded('s0'), isEnded('s9999')]).toEqual([true, false, true]);
    // What has run out is gone from the disk as well: left are five thousand, and the newest of each user.
    expect(disk.endedSessions.size).toBe(5000 + 2);
  });
});
