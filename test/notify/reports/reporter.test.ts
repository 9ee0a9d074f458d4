/** When reports are sent, on a simulated clock and disk: each once, whatever the settings, crashes and refusals meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../src/config.ts';
import { withConfirmed, withoutReports, withReports } from '../../../src/domain/accounts/report-settings.ts';
import type { User } from '../../../src/domain/accounts/user.ts';
import type { Engine } from '../../../src/engine/contract/engine.ts';
import { reportReads } from '../../../src/engine/reads/build-report.ts';
import { asUserId, systemIds } from '../../../src/lib/ids.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { createMeter } from '../../../src/lib/meter.ts';
import { day, hour, minute } from '../../../src/lib/units.ts';
import type { Outcome } from '../../../src/notify/contract/channel.ts';
import { createNotify, type Notify } from '../../../src/notify/create-notify.ts';
import type { OutgoingMail } from '../../../src/notify/wire/send-mail.ts';
import { readsOf } from '../../simulation/knell-process.ts';
import { testSettings } from '../../support/engine/notices.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { recoverEngine } from '../../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';

/** A Wednesday. */
const startMs = Date.UTC(2026, 10, 18, 12);
const ada = asUserId('00000000-0000-4000-8000-00000000000a');

/** One Knell after the other on one disk, and the mails that they sent. */
class World {
  readonly machine = new SimulatedMachine();
  readonly clock = new SimulatedClock(startMs);
  readonly mails: OutgoingMail[] = [];
  /** What the mail server answers; `silent`: the process is killed before it does. */
  answer: () => Outcome | 'silent' = () => ({ kind: 'delivered' });
  /** What happens while a report is read. */
  read: () => Promise<void> = async () => {};
  engine = {} as Engine;
  notify = {} as Notify;
  #lives = 0;

  /** Kills the one before. */
  async start(): Promise<void> {
    this.machine.disk.kill();
    const life = ++this.#lives;
    const { clock, machine } = this;
    const store = await openSimulatedStore({ machine, scheduler: clock, nowMs: () => clock.nowMs() });
    const ticker = { ...limits.ticker, sleepMsMax: hour };
    const { engine } = await recoverEngine({ store, clock, aliveEveryMs: hour, ticker });
    const notify = createNotify({
      pushAuthorization: () => '',
      ...{ store, clock, logger: silentLogger, meter: createMeter(), deliveries: [] },
      reads: {
        ...readsOf(engine, clock),
        reports: {
          ...reportReads(engine, clock),
          report: (...asked) => this.read().then(() => reportReads(engine, clock).report(...asked)),
          stopUrl: () => 'https://knell.test/stop',
        },
      },
      ...{ settings: testSettings, ids: systemIds, limits: limits.notify },
      ...{ baseUrl: () => 'https://knell.test', chance: () => 0.5 },
      mail: {
        send: async (mail) => {
          if (life !== this.#lives) return new Promise(() => {});
          const outcome = this.answer();
          if (outcome !== 'silent' && outcome.kind !== 'delivered') return outcome;
          this.mails.push(mail);
          return outcome === 'silent' ? new Promise(() => {}) : outcome;
        },
        close() {},
      },
    });
    engine.start();
    notify.start();
    this.engine = engine;
    this.notify = notify;
    await this.pass(0);
  }

  async pass(ms: number): Promise<void> {
    const turn = async () => {
      for (let turns = 0; turns < 8; turns++) await nextTurn();
    };
    await this.clock.advance(ms, turn);
    for (let turns = 0; turns < 4; turns++) await turn();
  }

  get user(): User {
    const [user] = this.engine.read.users();
    if (!user) throw new Error('no user');
    return user;
  }

  async choose(
    frequency: 'off' | 'daily' | 'weekly' | 'monthly',
    address = 'ada@example.org',
  ): Promise<void> {
    const done = this.engine.change.updateUser(ada, (user) =>
      withReports(user, { frequency, address }, 'UTC', this.clock.nowMs()),
    );
    await this.pass(0);
    await done;
  }

  async confirm(): Promise<void> {
    const done = this.engine.change.updateUser(ada, (user) => withConfirmed(user, 'UTC', this.clock.nowMs()));
    await this.pass(0);
    await done;
  }

  get subjects(): readonly string[] {
    return this.mails.map(({ subject }) => subject);
  }
}

let world: World;

beforeEach(async () => {
  world = new World();
  await world.start();
  const { change } = world.engine;
  const owner: User = { id: ada, name: 'ada', role: 'owner', passwordHash: '', createdAtMs: startMs };
  const made = change.putUser(owner);
  const project = change.createProject('Acme', 'paid', startMs);
  await world.pass(0);
  await Promise.all([made, project]);
});

describe('a report', () => {
  test('is sent at 08:00 after each day, once, with an identifier of its own', async () => {
    await world.choose('daily');
    await world.confirm();
    await world.pass(19 * hour + 58 * minute);
    expect(world.mails).toEqual([]);
    await world.pass(4 * minute);
    expect(world.subjects).toEqual(['Daily report | no check was watched']);
    expect(world.mails[0]).toMatchObject({
      to: 'ada@example.org',
      id: `report.${ada}.daily.${Date.UTC(2026, 10, 19)}`,
      list: { unsubscribeUrl: 'https://knell.test/stop' },
    });
    await world.pass(2 * day);
    expect(new Set(world.mails.map(({ id }) => id)).size).toBe(3);
    expect(world.mails).toHaveLength(3);
  });

  test('goes nowhere before the address has agreed, nor once it is off, nor to another address', async () => {
    await world.choose('daily');
    await world.pass(2 * day);
    await world.confirm();
    await world.choose('off');
    await world.pass(2 * day);
    await world.choose('daily', 'eve@example.org');
    await world.pass(2 * day);
    expect(world.mails).toEqual([]);
  });

  test('is about time after it was asked for: to have it more often sends nothing at once', async () => {
    await world.choose('monthly');
    await world.confirm();
    await world.choose('daily');
    await world.pass(hour);
    expect(world.mails).toEqual([]);
    await world.pass(day);
    expect(world.mails).toHaveLength(1);
  });

  test('that was due while Knell was away is sent when it is back, of several the latest', async () => {
    await world.choose('weekly');
    await world.confirm();
    world.clock.skip(20 * day);
    await world.start();
    expect(world.mails.map(({ id }) => id)).toEqual([`report.${ada}.weekly.${Date.UTC(2026, 11, 7)}`]);
    await world.start();
    await world.pass(day);
    expect(world.mails).toHaveLength(1);
  });

  test('that a crash sent without noting it is sent again under the same identifier, and then no more', async () => {
    await world.choose('daily');
    await world.confirm();
    world.answer = () => 'silent';
    await world.pass(20 * hour + 2 * minute);
    expect(world.mails).toHaveLength(1);
    world.answer = () => ({ kind: 'delivered' });
    await world.start();
    await world.pass(hour);
    expect(world.mails).toHaveLength(2);
    expect(world.mails[1]?.id).toBe(world.mails[0]?.id);
    await world.start();
    await world.pass(hour);
    expect(world.mails).toHaveLength(2);
  });

  test('that its member stops while it is read is not sent', async () => {
    await world.choose('daily');
    await world.confirm();
    world.read = async () => {
      world.read = async () => {};
      await world.engine.change.updateUser(ada, withoutReports);
    };
    await world.pass(2 * day);
    expect(world.user.reports?.frequency).toBe('off');
    expect(world.mails).toEqual([]);
  });

  test('is tried again until the mail server takes it', async () => {
    await world.choose('daily');
    await world.confirm();
    world.answer = () => ({ kind: 'failed', error: 'not now' });
    await world.pass(20 * hour + 10 * minute);
    expect(world.mails).toEqual([]);
    world.answer = () => ({ kind: 'delivered' });
    await world.pass(hour);
    expect(world.mails).toHaveLength(1);
    expect(world.user.reports?.lastError).toBe('');
  });

  test('that the mail server refuses for good is given up with the reason; the next one is sent', async () => {
    await world.choose('daily');
    await world.confirm();
    world.answer = () => ({ kind: 'refused', error: 'the mail server replied 550 5.1.1' });
    await world.pass(21 * hour);
    expect(world.user.reports?.lastError).toBe('the mail server replied 550 5.1.1');
    world.answer = () => ({ kind: 'delivered' });
    await world.pass(hour);
    expect(world.mails).toEqual([]);
    await world.pass(day);
    expect(world.mails).toHaveLength(1);
    expect(world.user.reports?.lastError).toBe('');
  });
});
