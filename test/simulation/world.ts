/**
 * A Knell on a simulated clock, disk and network, beside the model of it. Things are asked of it without waiting for
 * their answers; the model takes each in the order of asking once it is answered. After a crash the disk decides how many
 * of the unanswered ones there are: some first ones of them, whole, and no others.
 * Not here: which things happen (`life`). Invariant: everything follows from the seed, so that two runs are alike.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../../src/config.ts';
import { isReminder } from '../../src/domain/deliveries/delivery.ts';
import { NEVER } from '../../src/lib/units.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Audit, type KnownAttempt } from './audit.ts';
import { difference, engineFacts, type Facts, modelFacts } from './compare.ts';
import { type KnellStart, type RunningKnell, startKnell } from './knell-process.ts';
import { Model } from './model.ts';
import { Names } from './names.ts';
import { Random, simulatedIds } from './random.ts';
import { Receivers } from './receivers.ts';
import { SimulatedStorage } from './storage.ts';

const startMs = Date.UTC(2026, 4, 4, 4);
/** The longest that anything due may wait: the ticker's sleep, a retry, a receiver's answer, the next try of a full disk. */
const quietMs = limits.ticker.sleepMsMax + limits.ticker.retryMs + 1250;
/** Turns of the event loop after each timer. */
const turnsEach = 2;
const startTurnsMax = 2000;
/** In which a step is written and a read answered. */
const settleMs = 300;

/**
 * What was asked of Knell. `apply` does it to the model and says what Knell should answer; `certainMs`: it has happened by
 * then for certain, since it was answered, or found after a crash.
 */
export interface Asked {
  readonly label: string;
  readonly apply: (model: Model, certainMs: number) => string;
  answer: string | null;
  answeredMs: number;
  /** The disk was full, or about to be: what it takes and what it refuses is its own matter. */
  readonly maybeRefused: boolean;
}

/** A start that was killed, or is running: what it knew of the one before, and when it began. */
interface Begun {
  readonly aliveMs: number | null;
  readonly nowMs: number;
}

export class World {
  readonly random: Random;
  /** The chance of what concerns runs; null in every second life, which has none. */
  readonly runs: Random | null;
  /** The chance of numbers that jobs report; null in all but every fourth life, one of those with runs. */
  readonly numbers: Random | null;
  readonly clock = new SimulatedClock(startMs);
  readonly storage: SimulatedStorage;
  readonly names = new Names();
  readonly receivers: Receivers;
  readonly outageCredit: boolean;
  readonly trace: string[] = [];
  model = new Model();
  isFull = false;
  isStalled = false;
  readonly #chance: Random;
  readonly #ids: ReturnType<typeof simulatedIds>;
  readonly #audit = new Audit();
  #start: KnellStart | null = null;
  /** When the facts were looked at: what is down now is down for longer a moment later. */
  #shownAtMs = 0;
  #running: RunningKnell | null = null;
  #starts = 0;
  #asked: Asked[] = [];
  #attempts: KnownAttempt[] = [];
  #begun: Begun[] = [];
  #seen = new Map<string, number>();
  /** Kills at the next attempt. */
  killAtAttempt = false;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.runs = seed % 2 === 0 ? null : new Random(seed + 1_000_003);
    this.numbers = seed % 4 === 3 ? new Random(seed + 2_000_003) : null;
    this.storage = new SimulatedStorage(seed ^ 0xd15c, this.clock);
    this.#chance = new Random(seed ^ 0x5eed);
    this.#ids = simulatedIds(new Random(seed ^ 0x1d5));
    this.receivers = new Receivers(new Random(seed ^ 0x4ec));
    this.receivers.came = (attempt) => {
      const delivery = this.knell.notify.admin.get(attempt.key);
      this.note(
        `attempt ${attempt.key} ${attempt.integration} ${attempt.check} ${attempt.status} ${attempt.took}`,
      );
      this.#attempts.push(Object.assign(attempt, { delivery }));
      if (this.killAtAttempt) this.kill('at an attempt');
    };
    this.outageCredit = this.random.chance(0.5);
  }

  get nowMs(): number {
    return this.clock.nowMs();
  }

  get knell(): RunningKnell {
    if (!this.#running) throw new Error('Knell is not running');
    return this.#running;
  }

  get isDead(): boolean {
    return this.#running === null;
  }

  note(line: string): void {
    this.trace.push(`${this.nowMs - startMs} ${line}`);
  }

  /** Time goes by, and the event loop turns. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms, () => turns(turnsEach));
    await turns(turnsEach);
  }

  /** Asks without waiting. `ask` is given what to call with the answer. */
  ask(label: string, apply: Asked['apply'], ask: (answer: (outcome: string) => void) => void): void {
    const asked: Asked = { label, apply, answer: null, answeredMs: 0, maybeRefused: this.isFull };
    this.#take(asked);
    ask(this.#answerOf(asked));
  }

  /** The same for what Knell reads first: it counts from when `taken` is called, which this waits for. No time goes by. */
  async askRead(
    label: string,
    apply: Asked['apply'],
    ask: (taken: () => void, answer: (outcome: string) => void) => void,
  ): Promise<void> {
    let isTaken = false;
    const taken = (): void => {
      isTaken = true;
      this.#take(asked);
    };
    const asked: Asked = { label, apply, answer: null, answeredMs: 0, maybeRefused: this.isFull };
    ask(taken, this.#answerOf(asked));
    while (!isTaken && !this.isDead) await turns(1);
  }

  #take(asked: Asked): void {
    this.note(`ask ${asked.label}`);
    this.#asked.push(asked);
  }

  #answerOf(asked: Asked): (outcome: string) => void {
    const start = this.#starts;
    return (answer) => {
      // It died between deciding and saying so.
      if (this.isDead || this.#starts !== start) return;
      asked.answer = answer;
      asked.answeredMs = this.nowMs;
      this.note(`answer ${asked.label}: ${answer}`);
    };
  }

  /** Reads a check's number of pings as the API does; what was shown must outlive every crash. */
  look(name: string): void {
    const { engine } = this.knell;
    const id = this.names.check(name);
    const nowMs = this.nowMs;
    void engine.read
      .durably(() => engine.read.check(id, nowMs)?.state.nPings ?? null)
      .then((n) => {
        if (n === null) return;
        this.note(`seen ${name}: ${n}`);
        this.#seen.set(name, n);
      });
  }

  /** The process is gone, in the middle of whatever it was doing. */
  kill(why: string): void {
    if (this.isDead && this.#start === null) return;
    this.note(`killed ${why}`);
    this.killAtAttempt = false;
    this.#start?.kill();
    this.#start = null;
    this.#running = null;
    this.storage.crash();
    this.isStalled = false;
  }

  /** Lets Knell come to rest and compares. Not while the disk is full: then it cannot. */
  async quiet(): Promise<void> {
    if (this.isStalled) {
      this.isStalled = false;
      this.storage.resume();
    }
    await this.pass(quietMs);
    if (this.isDead) await this.start();
    if (this.isFull) return;
    this.#takeAnswers();
    const [open] = this.#asked;
    if (open) throw new Error(`never answered: ${open.label}`);
    this.model.applyDueDeadlines(this.nowMs);
    this.#mustHaveNoticed();
    const facts = await this.#facts();
    this.model.applyDueDeadlines(this.nowMs);
    const wrong = difference(facts, modelFacts(this.model, this.#shownAtMs));
    if (wrong !== null) throw new Error(`Knell and model differ:\n${wrong}`);
    this.#look();
    await this.pass(100);
    this.#audit.settled();
  }

  /** What came due is on disk though nobody has asked; a read would take it up by itself. */
  #mustHaveNoticed(): void {
    const { store } = this.knell;
    for (const [name, check] of this.model.checks) {
      const due = check.changes.filter(({ atMs }) => atMs < this.nowMs - settleMs).length;
      const written = store.changes(this.names.check(name), { fromMs: 0, untilMs: NEVER }).length;
      if (written < due) throw new Error(`not noticed: ${name} has ${written} of ${due} changes`);
    }
    const known = [...this.knell.notify.admin.all()].map(({ sinceMs }) => sinceMs);
    for (const { delivery } of this.#attempts) if (delivery) known.push(delivery.sinceMs);
    this.#audit.mustHaveNoticed(this.model, new Set(known), this.nowMs - settleMs);
  }

  #look(): void {
    const outbox = [...this.knell.notify.admin.all()];
    const attempts = this.#attempts;
    this.#attempts = [];
    const { model, names, nowMs } = this;
    this.#audit.look({ model, names, nowMs, attempts, outbox, start: this.#starts });
    for (const check of model.checks.values()) check.forgetSilences();
  }

  /** What a reader of the API would be shown, once it is answered. */
  async #facts(): Promise<Facts> {
    await this.#quietMoment();
    const { engine } = this.knell;
    this.names.learnAll(engine, this.nowMs);
    let shown: Facts | null = null;
    const nowMs = this.nowMs;
    this.#shownAtMs = nowMs;
    void engine.read
      .durably(() => engineFacts(engine, this.names, nowMs))
      .then((facts) => {
        shown = facts;
      });
    for (let tries = 0; tries < 100; tries++) {
      await this.pass(tries);
      if (shown) return shown;
    }
    throw new Error('a read was never answered');
  }

  /** Where nothing comes due, so that what is read of a check and of its past is of one moment. */
  async #quietMoment(): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      const { read } = this.knell.engine;
      const { nowMs } = this;
      const checks = read.projects().flatMap(({ id }) => [...read.checks(id, nowMs)]);
      const dueMs = checks.flatMap(({ state, snooze }) => [
        ...[state.expectedAtMs, state.downAtMs, snooze?.untilMs ?? NEVER],
      ]);
      await this.pass(settleMs);
      if (!dueMs.some((atMs) => atMs > nowMs && atMs <= nowMs + 2 * settleMs)) return;
    }
    throw new Error('something is due all the time');
  }

  /** The model takes what was answered, in the order of asking. */
  #takeAnswers(): void {
    while (this.#asked[0]?.answer) {
      const asked = this.#asked.shift();
      if (!asked || asked.answer === null || asked.answer === 'store-full') {
        if (asked && !asked.maybeRefused)
          throw new Error(`refused though the disk is not full: ${asked.label}`);
        continue;
      }
      if (asked.maybeRefused && asked.answer !== 'ok' && asked.answer !== 'created') continue;
      const expected = asked.apply(this.model, asked.answeredMs);
      if (expected !== asked.answer)
        throw new Error(`${asked.label}: answered ${asked.answer}, the model says ${expected}`);
    }
  }

  /** Starts Knell, again and again where it is killed while it starts, and finds out what the disk has kept. */
  async start(): Promise<void> {
    await turns(turnsEach);
    this.#takeAnswers();
    this.#audit.killed();
    const diedMs = this.nowMs;
    do await this.#startOnce();
    while (this.isDead);
    if (this.isFull) {
      this.isFull = false;
      this.storage.free();
    }
    await this.pass(quietMs);
    if (this.isDead) return this.start();
    this.#resolve(await this.#facts(), diedMs);
    const begun = this.#begun.at(-1);
    this.note(`running, ${begun?.aliveMs}`);
    this.#begun = [];
  }

  async #startOnce(): Promise<void> {
    const start = startKnell(
      {
        openStore: () => this.storage.open(() => this.kill('by a failed sync')),
        clock: this.clock,
        receivers: this.receivers,
        ids: this.#ids,
        chance: this.#chance,
        outageCredit: this.outageCredit,
        number: ++this.#starts,
      },
      (aliveMs) => this.#loaded(aliveMs),
    );
    this.#start = start;
    let failed: unknown = null;
    start.running.then(
      (running) => {
        if (this.#start === start) this.#running = running;
      },
      (error: unknown) => {
        failed = error;
      },
    );
    for (let turn = 0; turn < startTurnsMax && this.#start === start && this.isDead; turn++) {
      await this.pass(turn < 10 ? 0 : 1);
      if (failed !== null && this.#start === start) throw failed;
    }
    if (this.#start === start && this.isDead) throw new Error('Knell does not start');
  }

  /** A start that was killed counts where its first batch is on disk: that holds when it was alive, and its credits. */
  #loaded(aliveMs: number | null): void {
    const before = this.#begun.at(-1);
    if (before && (aliveMs === null || aliveMs < before.nowMs || aliveMs === before.aliveMs))
      this.#begun.pop();
    this.#begun.push({ aliveMs, nowMs: this.nowMs });
    this.note(`loaded, alive at ${aliveMs}`);
  }

  /**
   * Finds the first ones of the unanswered, and the instant, up to which the disk has everything. A snooze may have been ended by
   * somebody or by its time, with the same check afterwards: then the outbox says when, and what was sent meanwhile.
   */
  #resolve(facts: Facts, diedMs: number): void {
    const differences: string[] = [];
    const sent = this.#attempts.map(({ delivery }) => delivery).filter((delivery) => delivery !== null);
    const outbox = [...sent, ...this.knell.notify.admin.all()];
    let best: { readonly model: Model; readonly unexplained: number } | null = null;
    for (const model of this.#candidates(diedMs)) {
      const wrong = difference(facts, modelFacts(model, this.#shownAtMs));
      if (wrong !== null) {
        differences.push(wrong);
        continue;
      }
      const unexplained =
        this.#audit.unexplained(model, outbox, this.names) + this.#audit.silenced(model, this.#attempts);
      if (best === null || unexplained < best.unexplained) best = { model, unexplained };
      if (unexplained === 0) break;
    }
    if (best === null)
      throw new Error(
        `after a crash Knell is like none of the states it may be in:\n${differences.join('\n--\n')}`,
      );
    this.model = best.model;
    this.#asked = [];
    this.#mustHoldSeen();
  }

  #mustHoldSeen(): void {
    for (const [name, n] of this.#seen) {
      const check = this.model.checks.get(name);
      if (check && check.pings.length < n)
        throw new Error(`a crash took back what was shown: ${name} had ${n} pings`);
    }
    this.#seen.clear();
  }

  *#candidates(diedMs: number): Iterable<Model> {
    for (let kept = 0; kept <= this.#asked.length; kept++) {
      const model = this.model.clone();
      for (const { apply, answer, answeredMs } of this.#asked.slice(0, kept))
        if (answer !== 'store-full') apply(model, answer === null ? this.nowMs : answeredMs);
      yield this.#restarted(model.clone());
      if (!this.outageCredit) continue;
      // Timeouts may have been written or not: one that was is put off no more.
      for (let dueMs = firstDueMs(model); dueMs <= diedMs; dueMs = firstDueMs(model)) {
        model.applyDueDeadlines(dueMs);
        yield this.#restarted(model.clone());
      }
    }
  }

  #restarted(model: Model): Model {
    if (this.outageCredit) {
      for (const { aliveMs, nowMs } of this.#begun) {
        if (aliveMs === null) continue;
        for (const check of model.checks.values()) check.credit(aliveMs, nowMs);
      }
    }
    model.applyDueDeadlines(this.nowMs);
    return model;
  }

  /** Every receiver is well again; waits until all has been sent, then compares for the last time. */
  async finish(): Promise<void> {
    for (const integration of this.receivers.modes.keys()) this.receivers.modes.set(integration, 'good');
    if (this.isFull) {
      this.isFull = false;
      this.storage.free();
    }
    await this.quiet();
    const snoozedMs = [...this.model.checks.values()].map(
      ({ snooze }) => (snooze?.untilMs ?? 0) - this.nowMs,
    );
    await this.pass(Math.max(0, ...snoozedMs));
    await this.quiet();
    for (let rounds = 0; rounds < finishRoundsMax; rounds++) {
      const waiting = [...this.knell.notify.admin.all()].filter(
        (one) => one.state === 'waiting' && !isReminder(one),
      );
      if (waiting.length === 0) {
        await this.quiet();
        return;
      }
      const nextMs = Math.min(...waiting.map(({ notBeforeMs }) => notBeforeMs)) - this.nowMs;
      // A timer that was set before the clock jumped sleeps on for an hour at most.
      await this.pass(Math.max(2000 * 2 ** Math.min(rounds, 8), nextMs + 1000));
    }
    const waiting = [...this.knell.notify.admin.all()].filter(({ state }) => state === 'waiting');
    throw new Error(`deliveries wait though every receiver is well: ${JSON.stringify(waiting)}`);
  }

  get running(): boolean {
    return !this.isDead;
  }
}

const finishRoundsMax = 60;

function firstDueMs(model: Model): number {
  return Math.min(...[...model.checks.values()].map((check) => check.dueMs), Number.POSITIVE_INFINITY);
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}
