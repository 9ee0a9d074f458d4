/**
 * One check of the model: its pings, deadlines, status changes, snooze and acknowledgement. Not here: who is sent what of it.
 * Invariant: pure; every step is given its instant.
 */
import type { CheckConfig, Status } from '../../src/domain/check/check.ts';
import type { ModelChange } from './model-alerts.ts';
import { expectedAfter, type ModelPing, type Signal } from './model-meaning.ts';
import { judged, type Learned } from './model-results.ts';
import { hostLateMs, type ModelEnding, type ModelRun, ModelRuns, runDownMs, tracks } from './model-runs.ts';
import type { ModelSnooze, Silence, SnoozeEnd } from './model-snooze.ts';

const never = Number.POSITIVE_INFINITY;

export class ModelCheck {
  project: string;
  config: CheckConfig;
  integrations: readonly string[];
  status: Status = 'new';
  lastPingMs: number | null = null;
  startedMs: number | null = null;
  startRid: string | null = null;
  durationMs: number | null = null;
  /** The outage credit: neither deadline comes before. */
  lateNotBeforeMs = 0;
  downNotBeforeMs = 0;
  pings: readonly ModelPing[] = [];
  changes: readonly ModelChange[] = [];
  acknowledged: { readonly atMs: number; readonly by: string } | null = null;
  snooze: ModelSnooze | null = null;
  /** All that have ended, oldest first. */
  snoozeEnds: readonly SnoozeEnd[] = [];
  /** Those that attempts were not held against yet, and those that go on. */
  silences: readonly Silence[] = [];
  runs = new ModelRuns();
  /** What is usual of its numbers. */
  learned: Learned = {};
  /** Runs that no ping ended. */
  endings: readonly ModelEnding[] = [];

  constructor(project: string, config: CheckConfig, integrations: readonly string[]) {
    this.project = project;
    this.config = config;
    this.integrations = integrations;
    this.runs = this.runs.named(config, 0);
  }

  clone(): ModelCheck {
    return Object.assign(new ModelCheck(this.project, this.config, this.integrations), this);
  }

  /** Whether each of its runs has a deadline of its own. */
  get tracks(): boolean {
    return tracks(this.config);
  }

  get #hasRuns(): boolean {
    return this.tracks || this.runs.inFlight.length > 0;
  }

  /** Without the credit. */
  #plainLateMs(): number {
    const expects = this.status === 'up' || this.status === 'grace';
    const { inFlight, hosts } = this.runs;
    if (hosts.length > 0)
      return expects || this.status === 'down'
        ? Math.min(...hosts.map((host) => hostLateMs(this.config, host)))
        : never;
    const isTimed = this.config.maxRuntimeS > 0 || inFlight.some(({ aliveMs }) => aliveMs > 0);
    if (isTimed && inFlight.length > 0) return never;
    return expects && this.lastPingMs !== null ? expectedAfter(this.config, this.lastPingMs) : never;
  }

  get lateMs(): number {
    if (this.#hasRuns && this.status !== 'up' && this.status !== 'grace') return never;
    return Math.max(this.#plainLateMs(), this.lateNotBeforeMs);
  }

  /** A grace time after what comes first, the expected ping or the start of the run. */
  get downMs(): number {
    if (this.#hasRuns) return Math.min(this.#scheduleDownMs, this.#firstRunDownMs);
    const watched = this.status === 'new' || this.status === 'up' || this.status === 'grace';
    const firstMs = Math.min(this.#plainLateMs(), this.startedMs ?? never);
    return Math.max(watched ? firstMs + this.config.graceS * 1000 : never, this.downNotBeforeMs);
  }

  get #scheduleDownMs(): number {
    const lateMs = this.#plainLateMs();
    return lateMs === never ? never : Math.max(lateMs + this.config.graceS * 1000, this.downNotBeforeMs);
  }

  get #firstRunDownMs(): number {
    if (this.status === 'paused') return never;
    return Math.min(...this.runs.inFlight.map((run) => runDownMs(this.config, run)), never);
  }

  get #deadlineMs(): number {
    return this.status === 'up' ? Math.min(this.lateMs, this.downMs) : this.downMs;
  }

  /** When it changes by itself, or its snooze ends. */
  get dueMs(): number {
    return Math.min(this.#deadlineMs, this.snooze?.untilMs ?? never);
  }

  /** Time has come to `nowMs`; what is due is dated by when it was due. At one instant a change comes before the end of a snooze. */
  applyDueDeadlines(nowMs: number): void {
    for (let dueMs = this.dueMs; dueMs <= nowMs; dueMs = this.dueMs) {
      if (this.#deadlineMs > dueMs) this.#wake(dueMs);
      else if (this.#hasRuns) this.#runsDue(dueMs);
      else this.#to(dueMs >= this.downMs ? 'down' : 'grace', dueMs, 'timeout');
    }
  }

  /** Runs hang, hosts and reports are missed; what happens while the check is down changes no status. */
  #runsDue(dueMs: number): void {
    const isDown = dueMs >= this.downMs;
    const hung = this.runs.inFlight.filter((run) => runDownMs(this.config, run) <= dueMs);
    const graceMs = this.config.graceS * 1000;
    const missing = this.runs.hosts.filter(
      (host) => Math.max(hostLateMs(this.config, host) + graceMs, this.downNotBeforeMs) <= dueMs,
    );
    const expects = this.status === 'up' || this.status === 'grace';
    const isMissed = this.runs.hosts.length === 0 && expects && this.#scheduleDownMs <= dueMs;
    for (const { rid } of hung) this.#ended('hung', rid ?? '', dueMs);
    for (const { name } of missing) this.#ended('missed', name, dueMs);
    if (isMissed) this.#ended('missed', '', dueMs);
    this.runs = new ModelRuns(
      this.runs.inFlight.filter((run) => !hung.includes(run)),
      this.runs.hosts.map((host) => (missing.includes(host) ? { ...host, status: 'missing' } : host)),
      this.runs.earlyEnds,
    );
    this.#showRuns();
    if (isDown) this.#to('down', dueMs, hung.length > 0 ? 'hung' : 'missed');
    else this.#to('grace', dueMs, 'timeout');
  }

  #ended(outcome: ModelEnding['outcome'], whose: string, atMs: number): void {
    this.endings = [...this.endings, { outcome, whose, atMs }];
  }

  /** What is shown of a run is what is known of the newest. */
  #showRuns(): void {
    const newest = this.runs.inFlight.at(-1);
    this.startedMs = newest?.startedMs ?? null;
    this.startRid = newest?.rid ?? null;
  }

  #giveUp(runs: readonly ModelRun[], atMs: number): void {
    for (const { rid } of runs) this.#ended('overtaken', rid ?? '', atMs);
  }

  /** Again: only its end and its author are others. `certainMs`: from when on nothing may be sent. */
  snoozeUntil({ untilMs, by }: Pick<ModelSnooze, 'untilMs' | 'by'>, atMs: number, certainMs: number): void {
    this.applyDueDeadlines(atMs);
    const { status, changes } = this;
    const begun = this.snooze ?? { fromMs: atMs, wasDown: status === 'down', order: changes.length };
    this.snooze = { ...begun, untilMs, by };
    this.#endSilence('everything', atMs);
    this.silences = [...this.silences, { what: 'everything', fromMs: certainMs, untilMs: never }];
  }

  unsnooze(atMs: number): void {
    this.applyDueDeadlines(atMs);
    if (this.snooze) this.#wake(atMs);
  }

  #wake(atMs: number): void {
    const { snooze, changes, status } = this;
    if (!snooze) return;
    const end = { snooze, atMs, order: changes.length, status, isAcknowledged: this.acknowledged !== null };
    this.snoozeEnds = [...this.snoozeEnds, end];
    this.snooze = null;
    this.#endSilence('everything', atMs);
  }

  /** Of a check that is down. Again: nothing. */
  acknowledge(by: string, atMs: number, certainMs: number): void {
    if (this.acknowledged) return;
    this.acknowledged = { atMs, by };
    this.silences = [...this.silences, { what: 'reminders', fromMs: certainMs, untilMs: never }];
  }

  unacknowledge(atMs: number): void {
    this.applyDueDeadlines(atMs);
    this.acknowledged = null;
    this.#endSilence('reminders', atMs);
  }

  #endSilence(what: Silence['what'], atMs: number): void {
    this.silences = this.silences.map((one) =>
      one.what === what && one.untilMs === never ? { ...one, untilMs: atMs } : one,
    );
  }

  /** Attempts until now were held against them. */
  forgetSilences(): void {
    this.silences = this.silences
      .filter(({ untilMs }) => untilMs === never)
      .map((one) => ({ ...one, fromMs: -never }));
  }

  /** `results`: those of its address. */
  ping(signal: Signal, asked: Omit<ModelPing, 'signal' | 'durationMs' | 'breach'>): void {
    this.applyDueDeadlines(asked.atMs);
    const meant = this.status === 'paused' && this.config.manualResume ? 'ign' : signal;
    const { taken, learned, ...found } = judged(this.config, { ...asked, meant }, this.learned);
    const ping = { ...asked, ...found };
    this.learned = learned;
    const ends = taken === 'success' || taken === 'fail' || taken === 'warn';
    if (taken === 'alive') this.#alive(ping.atMs, ping.rid);
    else if (taken === 'start' && this.tracks) this.#startRun(ping);
    else if (ends && this.tracks) this.#endRun(taken, ping, meant);
    else if (taken === 'start') this.#start(ping.atMs, ping.rid);
    else if (ends) this.#end(taken, ping.atMs, ping.rid);
    this.pings = [...this.pings, { ...ping, signal: taken, durationMs: ends ? this.durationMs : null }];
  }

  #alive(atMs: number, rid: string | null): void {
    const { startedMs, startRid } = this;
    if (!this.tracks && this.runs.inFlight.length === 0 && startedMs !== null)
      this.runs = this.runs.with([{ rid: startRid, startedMs, aliveMs: 0, notBeforeMs: 0, host: '' }]);
    this.runs = this.runs.alive(rid, atMs);
    if (!this.tracks && this.runs.inFlight.every(({ aliveMs }) => aliveMs === 0)) this.runs = new ModelRuns();
  }

  get #withoutId(): readonly ModelRun[] {
    return this.runs.inFlight.filter((run) => run.rid === null);
  }

  #startRun({ atMs, rid, host }: Pick<ModelPing, 'atMs' | 'rid' | 'host'>): void {
    const after = this.runs.started(rid, atMs, host);
    if (after === null) {
      this.runs = this.runs.withoutEarly(rid ?? '');
      return;
    }
    if (this.status === 'paused') {
      this.#forget('everything');
      this.#to('new', atMs, 'start');
    }
    if (rid === null)
      this.#giveUp(
        this.#withoutId.filter(({ startedMs }) => startedMs !== atMs),
        atMs,
      );
    this.runs = after;
    this.#showRuns();
    if (this.status === 'grace' && this.config.maxRuntimeS > 0) this.#to('up', atMs, 'start');
  }

  #endRun(
    signal: 'success' | 'fail' | 'warn',
    { atMs, rid, host }: Omit<ModelPing, 'signal' | 'durationMs'>,
    meant: Signal,
  ): void {
    // Which run it ends, its job has said; what its numbers make of it changes nothing of that.
    const run = this.runs.endedBy(meant, rid);
    this.durationMs = run ? Math.max(0, atMs - run.startedMs) : null;
    this.runs = this.runs.ended(run, rid, atMs);
    this.#showRuns();
    this.lastPingMs = atMs;
    this.lateNotBeforeMs = 0;
    this.downNotBeforeMs = 0;
    if (this.runs.hosts.length > 0) this.runs = this.runs.reported(host || (run?.host ?? ''), signal, atMs);
    if (signal === 'fail') this.#to('down', atMs, 'fail');
    else if (this.status === 'down' && (signal === 'warn' || this.#isHostWrong)) return;
    else if (this.status === 'grace' && signal === 'success' && (this.#isHostWrong || this.#isHostLate(atMs)))
      return;
    else this.#to('up', atMs, 'success');
  }

  get #isHostWrong(): boolean {
    return this.runs.hosts.some(({ status }) => status !== 'due');
  }

  #isHostLate(atMs: number): boolean {
    return this.runs.hosts.some((host) => hostLateMs(this.config, host) <= atMs);
  }

  #start(atMs: number, rid: string | null): void {
    if (this.status === 'paused') {
      this.#forget('everything');
      this.#to('new', atMs, 'start');
    }
    this.startedMs = atMs;
    this.startRid = rid;
    this.runs = new ModelRuns();
  }

  /** A run ends by its own rid, by a signal without one, and by every failure. */
  #end(signal: 'success' | 'fail' | 'warn', atMs: number, rid: string | null): void {
    const matches = this.startedMs !== null && this.startRid === rid;
    this.durationMs = matches && this.startedMs !== null ? Math.max(0, atMs - this.startedMs) : null;
    if (matches || rid === null || signal === 'fail') {
      this.startedMs = null;
      this.startRid = null;
      this.runs = new ModelRuns();
    }
    this.lastPingMs = atMs;
    this.lateNotBeforeMs = 0;
    this.downNotBeforeMs = 0;
    if (signal === 'warn' && this.status === 'down') return;
    this.#to(signal === 'fail' ? 'down' : 'up', atMs, signal === 'fail' ? 'fail' : 'success');
  }

  pause(atMs: number): void {
    this.applyDueDeadlines(atMs);
    this.#forgetRuns(atMs);
    this.#forget('run');
    this.#to('paused', atMs, 'pause');
  }

  /** Of a paused check. */
  resume(atMs: number): void {
    this.#forgetRuns(atMs);
    this.#forget('everything');
    this.#to('new', atMs, 'resume');
  }

  #forgetRuns(atMs: number): void {
    this.#giveUp(this.runs.inFlight, atMs);
    this.runs = this.tracks ? new ModelRuns().named(this.config, 0) : new ModelRuns();
  }

  /** Where runs are tracked from now on, the one in flight is; where they are no more, the newest goes on. */
  #followSettings(before: CheckConfig, atMs: number): void {
    const { startedMs, startRid } = this;
    const isNew = !tracks(before) && this.runs.inFlight.length === 0;
    if (!this.tracks) this.learned = {};
    if (this.tracks) {
      const run = { rid: startRid, startedMs: startedMs ?? 0, aliveMs: 0, notBeforeMs: 0, host: '' };
      if (isNew && startedMs !== null) this.runs = this.runs.with([run]);
      this.runs = this.runs.named(this.config, atMs);
      return;
    }
    const kept = this.runs.inFlight.at(-1);
    this.#giveUp(
      this.runs.inFlight.filter((run) => run !== kept),
      atMs,
    );
    this.runs = new ModelRuns(kept && kept.aliveMs > 0 ? [kept] : []);
  }

  /** The deadlines are the new config's at once; what they have passed is dated by the update. */
  update(config: CheckConfig, integrations: readonly string[], atMs: number): void {
    this.applyDueDeadlines(atMs);
    const before = this.config;
    this.config = config;
    this.integrations = integrations;
    this.#followSettings(before, atMs);
    if (this.status === 'down' || this.status === 'paused') return;
    if (this.downMs <= atMs) this.#to('down', atMs, 'update');
    else if (this.lastPingMs !== null && this.status !== 'new')
      this.#to(this.lateMs <= atMs ? 'grace' : 'up', atMs, 'update');
  }

  move(project: string, integrations: readonly string[], atMs: number): void {
    this.applyDueDeadlines(atMs);
    this.project = project;
    this.integrations = integrations;
  }

  /** Knell was away from `aliveMs` to `nowMs`: what came due meanwhile is put off by as long, a grace time at most, once. */
  credit(aliveMs: number, nowMs: number): void {
    const awayMs = Math.min(nowMs - aliveMs, this.config.graceS * 1000);
    const passed = (dueMs: number, notBeforeMs: number) =>
      dueMs > aliveMs && dueMs <= nowMs && dueMs !== notBeforeMs;
    const { lateMs } = this;
    const downMs = this.#hasRuns ? this.#scheduleDownMs : this.downMs;
    if (this.status !== 'paused')
      this.runs = this.runs.with(
        this.runs.inFlight.map((run) => {
          const dueMs = runDownMs(this.config, run);
          return passed(dueMs, run.notBeforeMs) ? { ...run, notBeforeMs: dueMs + awayMs } : run;
        }),
      );
    if (this.status === 'up' && passed(lateMs, this.lateNotBeforeMs)) this.lateNotBeforeMs = lateMs + awayMs;
    if (passed(downMs, this.downNotBeforeMs)) this.downNotBeforeMs = downMs + awayMs;
  }

  #forget(what: 'run' | 'everything'): void {
    if (what === 'everything') this.lastPingMs = null;
    this.startedMs = null;
    this.startRid = null;
    this.lateNotBeforeMs = 0;
    this.downNotBeforeMs = 0;
  }

  #to(status: Status, atMs: number, cause: string): void {
    if (status === this.status) return;
    const isSnoozed = this.snooze !== null;
    const durationMs = cause === 'success' ? this.durationMs : null;
    this.changes = [...this.changes, { atMs, from: this.status, to: status, cause, isSnoozed, durationMs }];
    if (this.status === 'down') {
      this.acknowledged = null;
      this.#endSilence('reminders', atMs);
    }
    this.status = status;
  }
}
