/** Group commit, with a log that does as the test says and a clock that the test moves. */

import { describe, expect, test } from 'vitest';
import { createMeter } from '../../../src/lib/meter.ts';
import { defaultLimits } from '../../../src/store/disk/limits.ts';
import { eventLoop, type Scheduler } from '../../../src/store/disk/scheduler.ts';
import type { AppendOutcome, BatchLog, NumberedBatch } from '../../../src/store/journal/batch-log.ts';
import { CommitTimes } from '../../../src/store/journal/commit-times.ts';
import { GroupCommit, type GroupCommitOptions } from '../../../src/store/journal/group-commit.ts';
import { createJournalMetrics } from '../../../src/store/journal/metrics.ts';
import type { Waiter } from '../../../src/store/store.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { checkOf, countRecords, pingOf } from '../../support/store/store-facts.ts';

/** Lets everything that is ready to happen, happen. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

/** A journal whose commits are recorded; `outcome` and `failWith` are what the next ones come to. */
class Bench implements BatchLog {
  readonly written: { seq: number; records: number; bytes: number }[] = [];
  readonly inThread: (() => void)[] = [];
  readonly outcomes: string[] = [];
  readonly broken: unknown[] = [];
  outcome: AppendOutcome = 'written';
  failWith: Error | null = null;
  /** So much simulated time a commit takes. */
  commitMs = 0;
  commits = 0;
  capacity: 'yes' | 'wait' | 'full' = 'yes';
  restMs = 0;
  /** What the log says when it is asked, or that it does not answer. */
  lastSeq: number | Error = 7;
  readonly times = new CommitTimes();
  readonly clock = new SimulatedClock(0);
  #committingMs = 0;
  /** Turns are those of the event loop; time is the clock's, and what commits have taken. */
  readonly scheduler: Scheduler = {
    elapsedMs: () => this.clock.elapsedMs() + this.#committingMs,
    soon: (run) => eventLoop.soon(run),
    after: (delayMs, run) => this.clock.after(delayMs, run),
  };
  readonly meter = createMeter();
  readonly journal: GroupCommit;

  constructor(options: Partial<GroupCommitOptions> = {}) {
    this.journal = new GroupCommit({
      log: this,
      lastSeq: 7,
      relaxed: false,
      limits: { ...defaultLimits, fullPauseMs: 20, fullProbeMs: 30, unknownRetryMs: 5, ...options.limits },
      scheduler: this.scheduler,
      times: this.times,
      metrics: createJournalMetrics(this.meter),
      capacity: () => this.capacity,
      restMs: () => this.restMs,
      onDurable: () => {},
      onBroken: (error) => this.broken.push(error),
      nowMs: () => 1,
      ...options,
    });
  }

  append(batch: NumberedBatch): AppendOutcome | Promise<AppendOutcome> {
    if (this.times.medianMs <= defaultLimits.slowCommitMs) return this.#commit(batch);
    return new Promise<void>((resolve) => {
      this.inThread.push(resolve);
    }).then(() => this.#commit(batch));
  }

  lastNumber(): number {
    if (typeof this.lastSeq !== 'number') throw this.lastSeq;
    return this.lastSeq;
  }

  release(): void {}

  async close(): Promise<void> {}

  #commit(batch: NumberedBatch): AppendOutcome {
    this.commits++;
    this.#committingMs += this.commitMs;
    if (this.failWith) throw this.failWith;
    if (this.outcome === 'written')
      this.written.push({ seq: batch.seq, records: countRecords(batch.bytes), bytes: batch.bytes.length });
    return this.outcome;
  }

  /** Lets time pass, and all that follows happen. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms, settle);
    await settle();
  }

  waiter(name: string): Waiter {
    return { durable: () => this.outcomes.push(name), rolledBack: () => this.outcomes.push(`not ${name}`) };
  }

  /** Appends a ping; resolves when its waiter was called. */
  ping(n: number, body = ''): Promise<string> {
    return new Promise((resolve) => {
      const settle = (outcome: string) => {
        this.outcomes.push(outcome);
        resolve(outcome);
      };
      this.journal.append(pingOf(checkOf(1), n, { body }), {
        durable: () => settle(`${n}`),
        rolledBack: () => settle(`not ${n}`),
      });
    });
  }
}

describe('the journal', () => {
  test('writes all records of one turn as one batch, numbered on from the last', async () => {
    const bench = new Bench();
    await Promise.all([bench.ping(1), bench.ping(2), bench.ping(3)]);
    expect(bench.written).toEqual([expect.objectContaining({ seq: 8, records: 3 })]);
    await bench.ping(4);
    expect(bench.written.map((batch) => batch.seq)).toEqual([8, 9]);
    expect(bench.outcomes).toEqual(['1', '2', '3', '4']);
  });

  test('rests after a commit where it is asked to, and not to be closed', async () => {
    const bench = new Bench();
    bench.restMs = 60;
    await bench.ping(1);
    const both = Promise.all([bench.ping(2), bench.ping(3)]);
    await bench.pass(59);
    expect(bench.written.map(({ records }) => records)).toEqual([1]);
    await bench.pass(1);
    await both;
    expect(bench.written.map(({ records }) => records)).toEqual([1, 2]);
    bench.restMs = 60_000;
    await bench.pass(60);
    await bench.ping(4);
    const last = bench.ping(5);
    await bench.journal.close();
    expect(await last).toBe('5');
  });

  test('gathers, where records come in crowds, until as many are there or a commit could have been done', async () => {
    const bench = new Bench({ limits: { ...defaultLimits, gatherMsMin: 0.4, gatherMsMax: 0.8 } });
    bench.commitMs = 0.5;
    for (let n = 1; n <= 80; n += 4)
      await Promise.all([bench.ping(n), bench.ping(n + 1), bench.ping(n + 2), bench.ping(n + 3)]);
    const alone = bench.ping(81);
    await bench.pass(0.4);
    expect(bench.commits).toBe(20);
    const others = [82, 83, 84].map((n) => bench.ping(n));
    await Promise.all([alone, ...others]);
    const last = bench.ping(85);
    await bench.pass(0.5);
    await last;
    expect(bench.written.slice(20).map(({ records }) => records)).toEqual([4, 1]);
  });

  test('no waiter is called before the commit', () => {
    const bench = new Bench();
    bench.journal.append(pingOf(checkOf(1), 1), bench.waiter('1'));
    bench.journal.barrier(bench.waiter('barrier'));
    expect([bench.outcomes, bench.written]).toEqual([[], []]);
  });

  test('cuts a large batch into pieces', async () => {
    const bench = new Bench();
    const body = 'x'.repeat(100_000);
    await Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => bench.ping(n, body)));
    expect(bench.written.length).toBe(3);
    expect(Math.max(...bench.written.map((batch) => batch.bytes))).toBeLessThan(400_000);
    expect(bench.outcomes).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  });

  test('a waiter may append and ask for a barrier while it is called', async () => {
    const bench = new Bench();
    const second = new Promise<string>((resolve) => {
      bench.journal.append(pingOf(checkOf(1), 1), {
        durable: () => {
          bench.journal.barrier(bench.waiter('at once'));
          void bench.ping(2).then(resolve);
          bench.journal.barrier(bench.waiter('later'));
          bench.outcomes.push('1');
        },
        rolledBack: () => {},
      });
    });
    await second;
    await settle();
    expect(bench.outcomes).toEqual(['at once', '1', '2', 'later']);
  });

  test('rolls back everything that waits, newest first, when there is no space, and goes on when there is', async () => {
    const bench = new Bench();
    bench.outcome = 'disk-full';
    bench.journal.append(pingOf(checkOf(1), 1), bench.waiter('1'));
    bench.journal.barrier(bench.waiter('barrier'));
    await bench.ping(2);
    expect(bench.outcomes).toEqual(['not 2', 'not barrier', 'not 1']);
    expect(bench.journal.full).toBe(true);
    const again = bench.ping(2);
    await bench.pass(20);
    expect(await again).toBe('not 2');
    bench.outcome = 'written';
    const last = bench.ping(2);
    await bench.pass(20);
    expect(await last).toBe('2');
    expect(bench.journal.full).toBe(false);
    expect(bench.written.map((batch) => batch.seq)).toEqual([8]);
    expect(bench.broken).toEqual([]);
  });

  test('does not hammer a full disk, however much is appended', async () => {
    const bench = new Bench({ limits: { ...defaultLimits, fullPauseMs: 50, fullProbeMs: 10_000 } });
    bench.outcome = 'disk-full';
    for (let n = 1; n <= 230; n++) {
      void bench.ping(n);
      await bench.pass(1);
    }
    expect(bench.commits).toBe(5);
    expect(bench.outcomes).toHaveLength(201);
    await bench.journal.close();
  });

  test('notices without traffic that there is space again', async () => {
    const bench = new Bench();
    bench.outcome = 'disk-full';
    await bench.ping(1);
    bench.outcome = 'written';
    await bench.pass(29);
    expect(bench.journal.full).toBe(true);
    await bench.pass(1);
    expect(bench.journal.full).toBe(false);
    await bench.journal.close();
  });

  test('after any other error it reports it once and calls no waiter', async () => {
    const bench = new Bench();
    const error = new Error('Input/output error');
    bench.failWith = error;
    bench.journal.append(pingOf(checkOf(1), 1), bench.waiter('1'));
    await settle();
    expect(bench.broken).toEqual([error]);
    bench.journal.append(pingOf(checkOf(1), 2), bench.waiter('2'));
    bench.journal.barrier(bench.waiter('barrier'));
    await bench.journal.close();
    expect([bench.outcomes, bench.broken, bench.commits]).toEqual([[], [error], 1]);
  });

  test('hands commits over while the disk is slow, one batch at a time, and takes them back when it is fast', async () => {
    const bench = new Bench();
    bench.commitMs = 3;
    for (let n = 1; n <= 15; n++) await bench.ping(n);
    expect(bench.inThread.length).toBe(0);
    const first = bench.ping(16);
    await settle();
    expect(bench.inThread.length).toBe(1);
    const gathered = [17, 18, 19].map((n) => bench.ping(n));
    await new Promise(setImmediate);
    expect(bench.inThread.length).toBe(1);
    bench.commitMs = 0;
    bench.inThread[0]?.();
    await first;
    await settle();
    expect(bench.inThread.length).toBe(2);
    bench.inThread[1]?.();
    await Promise.all(gathered);
    expect(bench.written.at(-1)).toMatchObject({ records: 3, seq: 24 });
    for (let n = 20; n < 60; n++) {
      const pinged = bench.ping(n);
      await new Promise(setImmediate);
      bench.inThread.at(-1)?.();
      await pinged;
    }
    const handedOver = bench.inThread.length;
    await bench.ping(60);
    expect(bench.inThread.length).toBe(handedOver);
  });

  test('a full disk found by a thread rolls back what is in flight and what gathered meanwhile', async () => {
    const bench = new Bench();
    bench.commitMs = 3;
    for (let n = 1; n <= 15; n++) await bench.ping(n);
    bench.outcomes.length = 0;
    const first = bench.ping(16);
    await settle();
    expect(bench.inThread.length).toBe(1);
    const second = bench.ping(17);
    bench.outcome = 'disk-full';
    bench.inThread[0]?.();
    await Promise.all([first, second]);
    expect(bench.outcomes).toEqual(['not 17', 'not 16']);
  });

  test('waits while the fold is behind, and takes back when the fold has no space either', async () => {
    const bench = new Bench();
    bench.capacity = 'wait';
    const first = bench.ping(1);
    await settle();
    expect(bench.outcomes).toEqual([]);
    bench.capacity = 'yes';
    bench.journal.resume();
    expect(await first).toBe('1');
    bench.capacity = 'full';
    expect(await bench.ping(2)).toBe('not 2');
    bench.capacity = 'yes';
    const again = bench.ping(2);
    await bench.pass(20);
    expect(await again).toBe('2');
  });

  test('an unknown outcome is settled by the last number of the log: written', async () => {
    const bench = new Bench();
    bench.outcome = 'unknown';
    bench.lastSeq = new Error('no answer');
    const first = bench.ping(1);
    await settle();
    expect(bench.commits).toBe(1);
    const second = bench.ping(2);
    await new Promise(setImmediate);
    expect([bench.outcomes, bench.commits]).toEqual([[], 1]);
    bench.outcome = 'written';
    bench.lastSeq = 8;
    await bench.pass(5);
    expect(await Promise.all([first, second])).toEqual(['1', '2']);
    expect(bench.written).toMatchObject([{ seq: 9, records: 1 }]);
  });

  test('an unknown outcome is settled by the last number of the log: not written, so appended again', async () => {
    const bench = new Bench();
    bench.outcome = 'unknown';
    bench.lastSeq = new Error('no answer');
    const first = bench.ping(1);
    await settle();
    expect(bench.commits).toBe(1);
    bench.outcome = 'written';
    bench.lastSeq = 7;
    await bench.pass(5);
    expect(await first).toBe('1');
    expect(bench.written).toMatchObject([{ seq: 8, records: 1 }]);
  });

  test('a log that a newer owner has taken ends it: no waiter is called', async () => {
    const bench = new Bench();
    bench.outcome = 'fenced';
    bench.journal.append(pingOf(checkOf(1), 1), bench.waiter('1'));
    await settle();
    expect(bench.broken).toHaveLength(1);
    expect(bench.broken[0]).toMatchObject({ code: 'store-fenced' });
    expect(bench.outcomes).toEqual([]);
  });

  test('closing writes what is pending', async () => {
    const bench = new Bench();
    void bench.ping(1);
    await bench.journal.close();
    expect(bench.outcomes).toEqual(['1']);
    expect(() => bench.journal.append(pingOf(checkOf(1), 2), null)).toThrow('closed');
  });
});

describe('the relaxed journal', () => {
  const limits = { ...defaultLimits, relaxedDelayMs: 40, fullPauseMs: 10 };

  test('answers at the end of the turn and writes soon after', async () => {
    const bench = new Bench({ relaxed: true, limits });
    await Promise.all([bench.ping(1), bench.ping(2)]);
    expect(bench.written).toEqual([]);
    expect(countRecords(bench.journal.acknowledged() ?? Buffer.of(1))).toBe(2);
    await bench.ping(3);
    await bench.pass(39);
    expect(bench.written).toEqual([]);
    await bench.pass(1);
    expect(bench.written).toMatchObject([{ seq: 8, records: 3 }]);
    expect(bench.journal.acknowledged()).toBeNull();
  });

  test('answers after the commit, and rests, while the fold is behind', async () => {
    const bench = new Bench({ relaxed: true, limits });
    bench.restMs = 30;
    await bench.ping(1);
    await bench.pass(40);
    expect(bench.written).toHaveLength(1);
    const second = bench.ping(2);
    await bench.pass(29);
    expect([bench.outcomes, bench.written.length]).toEqual([['1'], 1]);
    await bench.pass(1);
    expect(await second).toBe('2');
    expect(bench.written).toHaveLength(2);
    bench.restMs = 0;
    const third = bench.ping(3);
    await bench.pass(30);
    expect(await third).toBe('3');
    await bench.ping(4);
    expect(bench.written).toHaveLength(3);
  });

  test('a barrier answers at once when all is acknowledged', async () => {
    const bench = new Bench({ relaxed: true, limits });
    await bench.ping(1);
    bench.journal.barrier(bench.waiter('barrier'));
    expect(bench.outcomes).toEqual(['1', 'barrier']);
  });

  test('keeps what it acknowledged when there is no space, and writes it first once there is', async () => {
    const bench = new Bench({ relaxed: true, limits });
    await bench.ping(1);
    bench.outcome = 'disk-full';
    await bench.pass(40);
    expect(bench.journal.full).toBe(true);
    const second = bench.ping(2);
    await bench.pass(10);
    expect(await second).toBe('not 2');
    bench.outcome = 'written';
    const again = bench.ping(2);
    await bench.pass(10);
    expect(await again).toBe('2');
    await bench.journal.close();
    expect(bench.written.map((batch) => batch.records)).toEqual([1, 1]);
    expect(bench.outcomes).toEqual(['1', 'not 2', '2']);
  });
});

/** A log that takes several batches at once and answers when the test says. */
class SlowLog implements BatchLog {
  readonly appendsMax = 3;
  readonly answersWithinMs = 2000;
  readonly asked: { seq: number; records: number; answer(outcome: AppendOutcome): void }[] = [];

  append({ seq, bytes }: NumberedBatch): Promise<AppendOutcome> {
    return new Promise((answer) => {
      this.asked.push({ seq, records: countRecords(bytes), answer });
    });
  }

  lastNumber(): number {
    return 7;
  }

  release(): void {}

  async close(): Promise<void> {}
}

describe('a log that takes several batches at once', () => {
  async function pinged(count: number): Promise<{ bench: Bench; log: SlowLog; answers: Promise<string>[] }> {
    const log = new SlowLog();
    const bench = new Bench({ log });
    const answers: Promise<string>[] = [];
    for (let n = 1; n <= count; n++) {
      answers.push(bench.ping(n));
      await settle();
    }
    return { bench, log, answers };
  }

  test('gets the next batch before it has answered the one before, and answers in order', async () => {
    const { bench, log, answers } = await pinged(5);
    expect(log.asked.map(({ seq, records }) => [seq, records])).toEqual([
      [8, 1],
      [9, 1],
      [10, 1],
    ]);
    log.asked[0]?.answer('written');
    await settle();
    expect(bench.outcomes).toEqual(['1']);
    expect(log.asked.map(({ seq, records }) => [seq, records]).slice(3)).toEqual([[11, 2]]);
    for (const { answer } of log.asked) answer('written');
    expect(await Promise.all(answers)).toEqual(['1', '2', '3', '4', '5']);
    expect(bench.journal.lastSeq).toBe(11);
  });

  test('rolls back all that is in flight, newest first, when the first finds no space', async () => {
    const { bench, log } = await pinged(4);
    for (const { answer } of log.asked.splice(0)) answer('disk-full');
    await settle();
    expect(bench.outcomes).toEqual(['not 4', 'not 3', 'not 2', 'not 1']);
    expect(bench.journal.full).toBe(true);
    const again = bench.ping(1);
    await bench.pass(20);
    expect(log.asked.map(({ seq }) => seq)).toEqual([8]);
    log.asked[0]?.answer('written');
    expect(await again).toBe('1');
    expect(bench.journal.full).toBe(false);
  });

  test('calls no waiter when it is fenced, not of what is in flight either', async () => {
    const { bench, log } = await pinged(3);
    for (const { answer } of log.asked) answer('fenced');
    await settle();
    expect(bench.outcomes).toEqual([]);
    expect(bench.broken).toHaveLength(1);
  });

  test('refuses what comes while it has not answered for two seconds; what is in flight waits', async () => {
    const { bench, log, answers } = await pinged(1);
    await bench.pass(1999);
    const second = bench.ping(2);
    await settle();
    expect(bench.outcomes).toEqual([]);
    await bench.pass(1);
    const third = bench.ping(3);
    await bench.pass(100);
    expect([bench.outcomes, bench.journal.isStalled]).toEqual([['not 3'], true]);
    for (const { answer } of log.asked) answer('written');
    expect(await Promise.all([...answers, second, third])).toEqual(['1', '2', 'not 3']);
    const fourth = bench.ping(4);
    await bench.pass(20);
    log.asked.at(-1)?.answer('written');
    expect(await fourth).toBe('4');
  });

  test('what is appended together is in one batch, however large', async () => {
    const log = new SlowLog();
    const bench = new Bench({ log, limits: { ...defaultLimits, batchBytesMax: 100 } });
    bench.journal.beginGroup();
    for (let n = 1; n <= 3; n++) void bench.ping(n, 'x'.repeat(60));
    bench.journal.endGroup();
    void bench.ping(4, 'x');
    await settle();
    expect(log.asked.map(({ records }) => records)).toEqual([3, 1]);
  });
});
