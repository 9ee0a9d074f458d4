/**
 * One start of Knell inside the simulation: engine, outbox and mail client over a store, with everything that waits on a
 * clock of its own, so that `kill` ends it as SIGKILL does: at once, in the middle of whatever it was doing.
 * Invariant: after `kill` nothing of it has an effect any more.
 */

import { notifyReads } from '../../src/assemble/notify-reads.ts';
import { limits } from '../../src/config.ts';
import type { Engine } from '../../src/engine/contract/engine.ts';
import { createEngine } from '../../src/engine/start/create-engine.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Ids } from '../../src/lib/ids.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { createMeter } from '../../src/lib/meter.ts';
import type { NotifyReads } from '../../src/notify/contract/notify.ts';
import { createNotify, type Notify } from '../../src/notify/create-notify.ts';
import { createMailEndpoint } from '../../src/smtp/mail-to-ping.ts';
import type { ReceivedMail, SmtpReply } from '../../src/smtp/message.ts';
import { readMail } from '../../src/smtp/read-mail.ts';
import type { LoadSink, Store } from '../../src/store/store.ts';
import { testSettings } from '../support/engine/notices.ts';
import type { Random } from './random.ts';
import type { Receivers } from './receivers.ts';

export const mailDomain = 'knell.test';

export interface StartOptions {
  readonly openStore: () => Promise<Store>;
  readonly clock: Clock;
  readonly receivers: Receivers;
  readonly ids: Ids;
  readonly chance: Random;
  readonly outageCredit: boolean;
  /** Which start this is, from 1. */
  readonly number: number;
}

export interface RunningKnell {
  readonly engine: Engine;
  readonly notify: Notify;
  /** `taken`: the mail has been read, and its pings are handed to the engine. */
  deliverMail(mail: ReceivedMail, taken: () => void, answer: (reply: SmtpReply) => void): void;
  readonly store: Store;
}

/** A start; killed before it is done, `running` never resolves. */
export interface KnellStart {
  readonly running: Promise<RunningKnell>;
  kill(): void;
}

/** `loaded` is given the latest instant at which the Knell before is known to have been alive. */
export function startKnell(options: StartOptions, loaded: (aliveMs: number | null) => void): KnellStart {
  const clock = new MortalClock(options.clock);
  return { running: start(options, clock, loaded), kill: () => clock.end() };
}

async function start(
  options: StartOptions,
  clock: MortalClock,
  loaded: (aliveMs: number | null) => void,
): Promise<RunningKnell> {
  const { receivers, ids, number } = options;
  const store = watched(await options.openStore(), loaded);
  const { engine, deliveries, snoozed } = await createEngine({
    store,
    clock,
    logger: silentLogger,
    meter: createMeter(),
    ids,
    outageCredit: options.outageCredit,
    aliveEveryMs: limits.aliveEveryMs,
    ticker: limits.ticker,
    bounds: limits.engine,
    progress: () => {},
  });
  const notify = createNotify({
    pushAuthorization: () => '',
    store,
    clock,
    logger: silentLogger,
    meter: createMeter(),
    reads: readsOf(engine, clock),
    deliveries: [],
    settings: testSettings,
    limits: limits.notify,
    baseUrl: () => 'https://knell.test',
    chance: () => options.chance.next(),
    ids,
    http: {
      send: (request) => (clock.isDead ? new Promise(() => {}) : receivers.take(request, clock, number)),
      refusal: async () => null,
      close() {},
    },
  });
  engine.events.deliveriesDurable.subscribe(notify.deliver);
  engine.events.snoozeChanged.subscribe(notify.snoozeChanged);
  engine.events.projectDeleted.subscribe(notify.dropOrphans);
  notify.recovered(deliveries, snoozed);
  engine.start();
  notify.start();
  return { engine, notify, store, deliverMail: mailEndpointOf(engine) };
}

export function readsOf(engine: Engine, clock: Clock): NotifyReads {
  const reads = notifyReads(engine, {
    ...{ clock, baseUrl: () => '' },
    alertUrl: () => '',
    unsubscribeUrl: () => '',
    stopReportsUrl: () => 'https://knell.test/stop',
    readMail: async () => ({ subject: '', texts: [] }),
  });
  return {
    ...reads,
    checkJson: () => '{}',
    // The model does not know of integrations that Knell disables: a 410 ends one delivery here, as on a full disk.
    editChannel: async (id, edit) => {
      if (edit.settings?.disabled) throw new Error('not disabled');
      return engine.change.editChannel(id, edit);
    },
  };
}

/** The mail client, which says when a mail's ping is handed on; its body is the mail's own memory, by which it is known. */
function mailEndpointOf(engine: Engine): RunningKnell['deliverMail'] {
  const unread = new Map<ArrayBufferLike, () => void>();
  const take = (buffer: ArrayBufferLike): void => {
    unread.get(buffer)?.();
    unread.delete(buffer);
  };
  const client = createMailEndpoint({
    engine: {
      acceptPing(request, answer, who) {
        take(request.body.buffer);
        engine.acceptPing(request, answer, who);
      },
      read: engine.read,
    },
    domain: mailDomain,
    readMail,
    pingBodyBytesMax: limits.pingBodyBytesMax,
    mailBytesMax: limits.smtp.mailBytesMax,
    userAgentCharsMax: limits.userAgentCharsMax,
    logger: silentLogger,
  });
  return (mail, taken, answer) => {
    unread.set(mail.bytes.buffer, taken);
    client.deliver(mail, (reply) => {
      take(mail.bytes.buffer);
      answer(reply);
    });
  };
}

/** The store, which also reports to `loaded` when the Knell before was last alive. */
function watched(store: Store, loaded: (aliveMs: number | null) => void): Store {
  return {
    async load(sink) {
      let latestMs: number | null = null;
      const alive = (atMs: number): void => {
        latestMs = Math.max(atMs, latestMs ?? atMs);
        sink.alive(atMs);
      };
      await store.load(withAlive(sink, alive));
      loaded(latestMs);
    },
    append: (record, waiter) => store.append(record, waiter),
    appendPing: (entry, waiter) => store.appendPing(entry, waiter),
    barrier: (waiter) => store.barrier(waiter),
    beginGroup: () => store.beginGroup(),
    endGroup: () => store.endGroup(),
    get mayAct() {
      return store.mayAct;
    },
    get full() {
      return store.full;
    },
    get isLogSilent() {
      return store.isLogSilent;
    },
    get historyVersion() {
      return store.historyVersion;
    },
    pings: (id, limit) => store.pings(id, limit),
    body: (id, n) => store.body(id, n),
    lookAtBody: (id, n, look) => store.lookAtBody(id, n, look),
    prefetchBodies: (wanted) => store.prefetchBodies(wanted),
    outputs: (id, below, limit) => store.outputs(id, below, limit),
    changes: (id, range) => store.changes(id, range),
    lastChange: (id) => store.lastChange(id),
    statistics: (id, edges, nowMs) => store.statistics(id, edges, nowMs),
    uptimes: (id, ranges, nowMs) => store.uptimes(id, ranges, nowMs),
    countAhead: (id, nowMs) => store.countAhead(id, nowMs),
    latestRuns: (id, count) => store.latestRuns(id, count),
    runEndings: (id, range, limit) => store.runEndings(id, range, limit),
    notifications: (id, range, limit) => store.notifications(id, range, limit),
    audit: (before, limit) => store.audit(before, limit),
    snoozeAudit: (id, range, limit) => store.snoozeAudit(id, range, limit),
    events: (after, wanted) => store.events(after, wanted),
    eventsFrom: (wanted) => store.eventsFrom(wanted),
    get eventsUntil() {
      return store.eventsUntil;
    },
    get eventsEpoch() {
      return store.eventsEpoch;
    },
    deletedCheck: (id) => store.deletedCheck(id),
    folded: () => store.folded(),
    writeSnapshot: (file, progress) => store.writeSnapshot(file, progress),
    close: () => store.close(),
  };
}

function withAlive(sink: LoadSink, alive: (atMs: number) => void): LoadSink {
  return new Proxy(sink, {
    get(target, name) {
      if (name === 'alive') return alive;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A clock that can be stopped for good: nothing that waits for it runs any more. */
class MortalClock implements Clock {
  readonly #clock: Clock;
  readonly #cancels = new Set<() => void>();
  isDead = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  elapsedMs(): number {
    return this.#clock.elapsedMs();
  }

  after(delayMs: number, run: () => void): () => void {
    if (this.isDead) return () => {};
    const cancel = this.#clock.after(delayMs, () => {
      this.#cancels.delete(cancel);
      run();
    });
    this.#cancels.add(cancel);
    return () => {
      this.#cancels.delete(cancel);
      cancel();
    };
  }

  end(): void {
    this.isDead = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}
