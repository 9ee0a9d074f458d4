/**
 * One check of the model: its pings, deadlines, status changes, snooze and acknowledgement. Not here: who is sent what of it.
 * Invariant: pure; every step is given its instant.
 */
import type { CheckConfig, Status } from '../../src/domain/check/check.ts';
import type { ModelChange } from './model-alerts.ts';
import type { ModelSnooze, Silence, SnoozeEnd } from './model-snooze.ts';

export type Signal = 'success' | 'start' | 'fail' | 'log' | 'ign';

export interface ModelPing {
  readonly signal: Signal;
  readonly atMs: number;
  readonly rid: string | null;
  readonly exitStatus: number | null;
  readonly body: string;
  /** Of the run that it ended; null for none. */
  readonly durationMs: number | null;
}

/** Schedules whose times are evenly spaced in UTC, so that the next one is arithmetic. */
export const schedules = [
  { kind: 'cron', schedule: '*/5 * * * *', tz: 'UTC', everyS: 300, phaseS: 0 },
  { kind: 'cron', schedule: '15 * * * *', tz: 'Asia/Kolkata', everyS: 3600, phaseS: 2700 },
  { kind: 'oncalendar', schedule: '*:0/10', tz: 'UTC', everyS: 600, phaseS: 0 },
  { kind: 'oncalendar', schedule: '09:00', tz: 'Asia/Kathmandu', everyS: 86_400, phaseS: 11_700 },
] as const;

const never = Number.POSITIVE_INFINITY;

/** When the next ping is expected after one at `lastMs`. */
function expectedAfter(config: CheckConfig, lastMs: number): number {
  if (config.kind === 'simple') return lastMs + config.timeoutS * 1000;
  const found = schedules.find(({ schedule, tz }) => schedule === config.schedule && tz === config.tz);
  if (!found) throw new Error(`the model does not know the schedule ${config.schedule} in ${config.tz}`);
  const everyMs = found.everyS * 1000;
  const phaseMs = found.phaseS * 1000;
  return (Math.floor((lastMs - phaseMs) / everyMs) + 1) * everyMs + phaseMs;
}

/** What a ping says before its check is looked at. */
export interface Meaning {
  readonly via: 'http' | 'mail';
  readonly action: 'success' | 'start' | 'fail' | 'log';
  readonly method: string;
  readonly exitStatus: number | null;
  readonly subject: string;
  readonly body: string;
}

/** Keywords decide alone where the check has filters for the client; else the exit status; else the address. */
export function signalOf(config: CheckConfig, ping: Meaning): Signal {
  if (ping.via === 'http' && config.methods === 'POST' && ping.method !== 'POST') return 'ign';
  const searched =
    ping.via === 'http'
      ? [...(config.filterHttpBody ? [ping.body] : [])]
      : [...(config.filterSubject ? [ping.subject] : []), ...(config.filterBody ? [ping.body] : [])];
  if (searched.length > 0) {
    const says = (keyword: string) => keyword !== '' && searched.some((text) => text.includes(keyword));
    if (says(config.failureKw)) return 'fail';
    if (says(config.successKw)) return 'success';
    if (says(config.startKw)) return 'start';
    return config.filterDefaultFail ? 'fail' : 'ign';
  }
  if (ping.exitStatus !== null) return ping.exitStatus === 0 ? 'success' : 'fail';
  return ping.action;
}

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

  constructor(project: string, config: CheckConfig, integrations: readonly string[]) {
    this.project = project;
    this.config = config;
    this.integrations = integrations;
  }

  clone(): ModelCheck {
    return Object.assign(new ModelCheck(this.project, this.config, this.integrations), this);
  }

  /** Without the credit. */
  #plainLateMs(): number {
    const expects = this.status === 'up' || this.status === 'grace';
    return expects && this.lastPingMs !== null ? expectedAfter(this.config, this.lastPingMs) : never;
  }

  get lateMs(): number {
    return Math.max(this.#plainLateMs(), this.lateNotBeforeMs);
  }

  /** A grace time after what comes first, the expected ping or the start of the run. */
  get downMs(): number {
    const watched = this.status === 'new' || this.status === 'up' || this.status === 'grace';
    const firstMs = Math.min(this.#plainLateMs(), this.startedMs ?? never);
    return Math.max(watched ? firstMs + this.config.graceS * 1000 : never, this.downNotBeforeMs);
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
      else this.#to(dueMs >= this.downMs ? 'down' : 'grace', dueMs, 'timeout');
    }
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

  ping(signal: Signal, ping: Omit<ModelPing, 'signal' | 'durationMs'>): void {
    this.applyDueDeadlines(ping.atMs);
    const taken = this.status === 'paused' && this.config.manualResume ? 'ign' : signal;
    const ends = taken === 'success' || taken === 'fail';
    if (taken === 'start') this.#start(ping.atMs, ping.rid);
    else if (ends) this.#end(taken, ping.atMs, ping.rid);
    this.pings = [...this.pings, { ...ping, signal: taken, durationMs: ends ? this.durationMs : null }];
  }

  #start(atMs: number, rid: string | null): void {
    if (this.status === 'paused') {
      this.#forget('everything');
      this.#to('new', atMs, 'start');
    }
    this.startedMs = atMs;
    this.startRid = rid;
  }

  /** A run ends by its own rid, by a signal without one, and by every failure. */
  #end(signal: 'success' | 'fail', atMs: number, rid: string | null): void {
    const matches = this.startedMs !== null && this.startRid === rid;
    this.durationMs = matches && this.startedMs !== null ? Math.max(0, atMs - this.startedMs) : null;
    if (matches || rid === null || signal === 'fail') {
      this.startedMs = null;
      this.startRid = null;
    }
    this.lastPingMs = atMs;
    this.lateNotBeforeMs = 0;
    this.downNotBeforeMs = 0;
    this.#to(signal === 'success' ? 'up' : 'down', atMs, signal);
  }

  pause(atMs: number): void {
    this.applyDueDeadlines(atMs);
    this.#forget('run');
    this.#to('paused', atMs, 'pause');
  }

  /** Of a paused check. */
  resume(atMs: number): void {
    this.#forget('everything');
    this.#to('new', atMs, 'resume');
  }

  /** The deadlines are the new config's at once; what they have passed is dated by the update. */
  update(config: CheckConfig, integrations: readonly string[], atMs: number): void {
    this.applyDueDeadlines(atMs);
    this.config = config;
    this.integrations = integrations;
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
    const { lateMs, downMs } = this;
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
    this.changes = [...this.changes, { atMs, from: this.status, to: status, cause, isSnoozed }];
    if (this.status === 'down') {
      this.acknowledged = null;
      this.#endSilence('reminders', atMs);
    }
    this.status = status;
  }
}
