/**
 * The rules of retention against a plain model: it remembers of every ping whether a rule has ever dropped it, and its body likewise.
 * Whatever rules are set and removed again, folded, compacted and cut off anywhere, reads show what the model has left, and the same
 * before and after each transaction.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planLimits } from '../../../../src/domain/accounts/plan-limits.ts';
import type { Project } from '../../../../src/domain/accounts/project.ts';
import { type Check, defaultConfig } from '../../../../src/domain/check/check.ts';
import type { Ping } from '../../../../src/domain/check/ping.ts';
import { formerOfCheck, withFormer } from '../../../../src/domain/retention/former-rules.ts';
import { retentionInForce } from '../../../../src/domain/retention/kept-pings.ts';
import { day, hour } from '../../../../src/lib/units.ts';
import { bytesOfUuid } from '../../../../src/store/codec/uuid.ts';
import type { LmdbEnv } from '../../../../src/store/disk/lmdb-env.ts';
import { Compaction } from '../../../../src/store/history/fold/compaction.ts';
import { Fold } from '../../../../src/store/history/fold/fold.ts';
import { RecordGrouper } from '../../../../src/store/history/fold/fold-groups.ts';
import { RetentionPass } from '../../../../src/store/history/fold/retention-pass.ts';
import { createHistoryReads } from '../../../../src/store/history/read.ts';
import { partitionOf } from '../../../../src/store/history/rows/runs.ts';
import { type HistoryTables, openHistoryTables } from '../../../../src/store/history/rows/tables.ts';
import { Tail } from '../../../../src/store/journal/tail.ts';
import { writeHistory } from '../../../../src/store/snapshot/source.ts';
import type { JournalRecord } from '../../../../src/store/store.ts';
import { isLong } from '../../../support/long.ts';
import { openMemoryEnv } from '../../../support/store/memory-env.ts';
import { SimulatedDisk } from '../../../support/store/simulated-disk.ts';
import { batchOf, checkOf, pingOf, projectOf } from '../../../support/store/store-facts.ts';
import { testNowMs } from '../../../support/store/stores.ts';

const oneCheck = 1 / 32;
const { pingsMax } = planLimits.free;

/** Rules with what they say, read by nobody but the model. */
interface Bounds {
  readonly last?: number;
  readonly ageMs?: number;
}
interface ModelRules {
  readonly text: string;
  readonly pings: Bounds;
  readonly failures?: Bounds;
  readonly bodiesMs?: number;
  readonly failureBodiesMs?: number;
}
const choices: readonly ModelRules[] = [
  { text: '', pings: {} },
  { text: 'pings last 3', pings: { last: 3 } },
  { text: 'pings last 40', pings: { last: 40 } },
  { text: 'pings 10 hours', pings: { ageMs: 10 * hour } },
  { text: 'pings 2 days\npings last 20', pings: { ageMs: 2 * day, last: 20 } },
  { text: 'pings last 5\nfailures 3 days', pings: { last: 5 }, failures: { ageMs: 3 * day } },
  { text: 'failures last 7', pings: {}, failures: { last: 7 } },
  { text: 'failures 1 year', pings: {}, failures: { ageMs: 365 * day } },
  {
    text: 'bodies of successes 3 hours\nbodies 1 day',
    ...{ pings: {}, bodiesMs: 3 * hour, failureBodiesMs: day },
  },
];

type Step =
  | { readonly kind: 'pings'; readonly count: number; readonly fails: number; readonly everyMs: number }
  | { readonly kind: 'alive'; readonly laterMs: number }
  | { readonly kind: 'rules'; readonly of: 'check' | 'project'; readonly rules: ModelRules }
  | { readonly kind: 'fold' }
  | { readonly kind: 'pass'; readonly cutAfter: number };

const rules = fc.constantFrom(...choices);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pings' as const),
      count: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 30, max: 130 })),
      fails: fc.integer({ min: 1, max: 5 }),
      everyMs: fc.constantFrom(1, hour / 10, hour),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('alive' as const), laterMs: fc.constantFrom(-hour, hour, day) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('rules' as const),
      of: fc.constantFrom('check' as const, 'project' as const),
      rules,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), cutAfter: fc.nat(2) }) },
);

interface ModelPing {
  readonly ping: Ping;
  isDropped: boolean;
  isBodyDropped: boolean;
}

/** One check of interest, and one beside it that is never given rules of its own. */
class History {
  readonly env: LmdbEnv = openMemoryEnv(new SimulatedDisk(), new Map());
  readonly tables: HistoryTables = openHistoryTables(this.env);
  readonly model: ModelPing[] = [];
  #check: Check = { ...checkOf(1), config: { ...defaultConfig } };
  #project: Project = projectOf(1, { plan: 'free' });
  #own = choices[0] as ModelRules;
  #ofProject = choices[0] as ModelRules;
  #nowMs = testNowMs;
  #aliveMs = 0;
  #batches: Buffer[] = [];
  #seq = 0;

  begin(): void {
    this.#append({ type: 'put', kind: 'project', fact: this.#project });
    this.#append({ type: 'check', check: this.#check, changes: [] });
    this.fold();
  }

  take(given: Step): void {
    if (given.kind === 'pings') this.#pings(given);
    else if (given.kind === 'alive') this.#alive(given.laterMs);
    else if (given.kind === 'rules') this.#setRules(given.of, given.rules);
    else if (given.kind === 'fold') this.fold();
    else this.pass(given.cutAfter);
    this.#drop();
    expect(this.shown()).toEqual(this.#left());
  }

  #pings({ count, fails, everyMs }: Extract<Step, { kind: 'pings' }>): void {
    for (let at = 0; at < count; at++) {
      this.#nowMs += everyMs;
      const n = this.#check.state.nPings + 1;
      const signal = n % 5 < fails - 1 ? 'fail' : n % 7 === 0 ? 'log' : 'success';
      const record = pingOf(this.#check, n, { body: new Uint8Array(n % 3 === 0 ? 0 : 20).fill(n) });
      const ping = { ...record.ping, signal, atMs: this.#nowMs } as const;
      this.#check = record.check;
      this.#append({ ...record, ping });
      this.model.push({ ping, isDropped: false, isBodyDropped: false });
      if (at % 10 === 0) this.#drop();
    }
  }

  #alive(laterMs: number): void {
    this.#nowMs += laterMs;
    this.#append({ type: 'alive', atMs: this.#nowMs });
    this.#aliveMs = Math.max(this.#aliveMs, this.#nowMs);
    if (laterMs < 0) this.#nowMs -= laterMs;
  }

  /** As the engine does it. */
  #setRules(of: 'check' | 'project', given: ModelRules): void {
    const untilMs = Math.max(this.#aliveMs, this.#nowMs) + 1;
    this.#nowMs = untilMs;
    this.#aliveMs = untilMs;
    this.#append({ type: 'alive', atMs: untilMs });
    this.#drop();
    if (of === 'project') {
      const replaced = { rules: this.#ofProject.text, untilMs };
      const formerRetention = withFormer(this.#project.formerRetention ?? [], replaced);
      this.#project = { ...this.#project, retention: given.text, formerRetention };
      this.#ofProject = given;
      this.#append({ type: 'put', kind: 'project', fact: this.#project });
      return;
    }
    const source = ({ config, formerRetention }: Check) => ({ retention: config.retention, formerRetention });
    const after = { ...this.#check, config: { ...this.#check.config, retention: given.text } };
    const project = this.#project;
    const formerRetention = formerOfCheck(
      { check: source(this.#check), project },
      { check: source(after), project },
      untilMs,
    );
    this.#check = { ...after, formerRetention };
    this.#own = given;
    this.#append({ type: 'check', check: this.#check, changes: [] });
  }

  /** Whatever the rules of this moment drop stays dropped. */
  #drop(): void {
    const given = this.#own.text === '' ? this.#ofProject : this.#own;
    const { nPings } = this.#check.state;
    let failures = 0;
    for (const one of this.model.toReversed()) {
      const { n, atMs, signal } = one.ping;
      const isFailure = signal === 'fail';
      const own = isFailure ? given.failures : undefined;
      const { last = pingsMax, ageMs = Number.POSITIVE_INFINITY } = own ?? given.pings;
      const lastKept = Math.min(last, pingsMax);
      if (atMs < this.#aliveMs - ageMs) one.isDropped = true;
      if (own ? failures >= lastKept : n <= nPings - lastKept) one.isDropped = true;
      const bodiesMs = (isFailure ? given.failureBodiesMs : given.bodiesMs) ?? Number.POSITIVE_INFINITY;
      if (atMs < this.#aliveMs - bodiesMs) one.isBodyDropped = true;
      if (isFailure) failures++;
    }
  }

  #left(): unknown {
    return this.model
      .filter(({ isDropped }) => !isDropped)
      .map(({ ping, isBodyDropped }) => `${ping.n} ${isBodyDropped ? 0 : ping.bodyBytes}`)
      .reverse();
  }

  #retention() {
    const { id, config, formerRetention, state } = this.#check;
    const inForce = retentionInForce({ retention: config.retention, formerRetention }, this.#project);
    const { nPings } = state;
    return { id, retention: inForce && { ...inForce, aliveMs: this.#aliveMs, nPings, pingsMax } };
  }

  /** And the bodies of what is shown can be read. */
  shown(): unknown {
    const tail = new Tail(() => null);
    for (const [at, bytes] of this.#batches.entries())
      tail.push({ seq: this.#seq - this.#batches.length + 1 + at, bytes });
    const reads = createHistoryReads(this.tables, tail);
    const { id, retention } = this.#retention();
    const pings = reads.pings(id, 3 * pingsMax, retention);
    const wrong = pings.filter(({ n, bodyBytes }) => bodyBytes > 0 && reads.body(id, n)?.[19] !== n % 256);
    expect(wrong).toEqual([]);
    return pings.map(({ n, bodyBytes }) => `${n} ${bodyBytes}`);
  }

  fold(): void {
    if (this.#batches.length === 0) return;
    const grouper = new RecordGrouper();
    for (const [at, batch] of this.#batches.entries())
      grouper.add(batch, this.#seq - this.#batches.length + at + 1);
    const input = { grouped: grouper.grouped, lastSeq: this.#seq, bodyBudgetBytes: 1e6, nowMs: testNowMs };
    const fold = new Fold(this.env, this.tables, input);
    while (!fold.slice());
    this.#batches = [];
  }

  /** A compaction and a pass, cut off after so many transactions and begun again. Reads see nothing of either. */
  pass(cutAfter: number): void {
    const before = this.shown();
    const partition = partitionOf(bytesOfUuid(this.#check.id));
    const compaction = new Compaction(this.env, this.tables, partition, testNowMs);
    while (!compaction.slice());
    const cutOff = new RetentionPass(this.env, this.tables, partition, testNowMs);
    for (let left = cutAfter; left > 0 && !cutOff.isEmpty && !cutOff.slice(oneCheck); left--)
      expect(this.shown()).toEqual(before);
    const pass = new RetentionPass(this.env, this.tables, partition, testNowMs);
    while (!pass.isEmpty && !pass.slice(oneCheck));
    expect(this.shown()).toEqual(before);
  }

  /** Everything is folded and applied: what is stored is what is left, and a snapshot has the same. */
  isFreed(): void {
    this.fold();
    this.pass(0);
    const counts = writeHistory(
      this.tables,
      { frame: () => {} },
      { progress: () => {}, isCancelled: () => false },
    );
    expect(counts.pings).toBe((this.#left() as unknown[]).length);
    const { retention } = this.#retention();
    if (!retention) return;
    const { id } = this.#check;
    const stored = createHistoryReads(this.tables, new Tail(() => null)).pings(id, 1e6, {
      ...retention,
      ...{ rules: 'failures 10 years', former: [], aliveMs: 0, pingsMax: 1e6 },
    });
    expect(stored.map(({ n }) => n)).toEqual(
      this.model
        .filter(({ isDropped }) => !isDropped)
        .map(({ ping }) => ping.n)
        .reverse(),
    );
    const bodies = this.model.filter((one) => !one.isDropped && !one.isBodyDropped && one.ping.bodyBytes > 0);
    expect(this.tables.bodies.count()).toBe(bodies.length);
  }

  #append(record: JournalRecord): void {
    this.#batches.push(batchOf([record]));
    this.#seq++;
  }
}

test('whatever rules are set and removed again, reads show what no rule has ever dropped', () => {
  const steps = fc.array(step, { minLength: 8, maxLength: 30 });
  const property = fc.property(steps, (given) => {
    const history = new History();
    history.begin();
    for (const one of given) history.take(one);
    history.isFreed();
  });
  fc.assert(property, { numRuns: isLong ? 180 : 8 });
});
