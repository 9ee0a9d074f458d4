/**
 * What Knell promises, once more and as small as possible: read it as a second specification. It knows checks, pings,
 * status changes and what integrations are to be sent, by name; it knows nothing of actors, wheels, journals or the
 * machine's clock. Invariant: pure; every step is given its instant.
 */
import type { CheckConfig, Status } from '../../src/domain/check.ts';

export type Signal = 'success' | 'start' | 'fail' | 'log' | 'ign';
export type Kind = 'down' | 'up' | 'late';

export interface ModelPing {
  readonly signal: Signal;
  readonly atMs: number;
  readonly rid: string | null;
  readonly exitStatus: number | null;
  readonly body: string;
  /** Of the run that it ended; null for none. */
  readonly durationMs: number | null;
}

export interface ModelChange {
  readonly atMs: number;
  readonly from: Status;
  readonly to: Status;
  readonly cause: string;
}

export interface ModelIntegration {
  readonly project: string;
  readonly late: boolean;
  readonly disabled: boolean;
  /** False: it has no address for a check that comes up. */
  readonly acceptsUp: boolean;
  readonly delayS: number;
  readonly repeatS: number;
}

/** One status change that one integration is to be sent. */
export interface ModelDelivery {
  readonly integration: string;
  readonly check: string;
  readonly kind: Kind;
  readonly change: ModelChange;
  /** The place of the change among those of its check. */
  readonly order: number;
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
  readonly door: 'http' | 'mail';
  readonly action: 'success' | 'start' | 'fail' | 'log';
  readonly method: string;
  readonly exitStatus: number | null;
  readonly subject: string;
  readonly body: string;
}

/** Keywords decide alone where the check has filters for the door; else the exit status; else the address. */
export function signalOf(config: CheckConfig, ping: Meaning): Signal {
  if (ping.door === 'http' && config.methods === 'POST' && ping.method !== 'POST') return 'ign';
  const searched =
    ping.door === 'http'
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

  /** When it changes by itself. */
  get dueMs(): number {
    return this.status === 'up' ? Math.min(this.lateMs, this.downMs) : this.downMs;
  }

  /** Time has come to `nowMs`; what is due is dated by when it was due. */
  applyDueDeadlines(nowMs: number): void {
    for (let dueMs = this.dueMs; dueMs <= nowMs; dueMs = this.dueMs)
      this.#to(dueMs >= this.downMs ? 'down' : 'grace', dueMs, 'timeout');
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
    this.changes = [...this.changes, { atMs, from: this.status, to: status, cause }];
    this.status = status;
  }
}

/** What an integration is sent of a change: nothing of a pause, a resume, or a first success. */
function kindOf({ from, to }: ModelChange): Kind | null {
  if (to === 'down') return 'down';
  if (to === 'grace') return 'late';
  return from === 'down' && to === 'up' ? 'up' : null;
}

/** Everything that there is, by name; names are never used again. */
export class Model {
  projects: ReadonlySet<string> = new Set();
  readonly checks = new Map<string, ModelCheck>();
  readonly integrations = new Map<string, ModelIntegration>();
  deliveries: readonly ModelDelivery[] = [];

  clone(): Model {
    const copy = new Model();
    copy.projects = this.projects;
    for (const [name, check] of this.checks) copy.checks.set(name, check.clone());
    for (const [name, integration] of this.integrations) copy.integrations.set(name, integration);
    copy.deliveries = this.deliveries;
    return copy;
  }

  /** Lets `change` happen to a check, and notes what its integrations are to be sent of it. False: no such check. */
  step(name: string, change: (check: ModelCheck) => void): boolean {
    const check = this.checks.get(name);
    if (!check) return false;
    const known = check.changes.length;
    const before = { project: check.project, integrations: check.integrations };
    change(check);
    for (let order = known; order < check.changes.length; order++) {
      const made = check.changes[order];
      // What an update finds due was due for the integrations that the check had until then.
      const sentTo = made?.cause === 'timeout' ? before : check;
      if (made) this.#send(name, made, order, sentTo);
    }
    return true;
  }

  #send(
    check: string,
    change: ModelChange,
    order: number,
    { project, integrations }: Pick<ModelCheck, 'project' | 'integrations'>,
  ): void {
    const kind = kindOf(change);
    if (kind === null) return;
    for (const integration of integrations) {
      const to = this.integrations.get(integration);
      // An owner who has not seen yet that the check was moved: an integration of another project is never notified.
      if (to && to.project !== project) continue;
      if (!to || to.disabled || (kind === 'late' && !to.late) || (kind === 'up' && !to.acceptsUp)) continue;
      this.deliveries = [...this.deliveries, { integration, check, kind, change, order }];
    }
  }

  applyDueDeadlines(nowMs: number): void {
    for (const [name, check] of this.checks) {
      if (check.dueMs <= nowMs) this.step(name, () => check.applyDueDeadlines(nowMs));
    }
  }

  deleteProject(name: string): void {
    this.projects = new Set([...this.projects].filter((other) => other !== name));
    for (const [check, { project }] of this.checks) if (project === name) this.checks.delete(check);
    for (const [id, { project }] of this.integrations) if (project === name) this.integrations.delete(id);
  }

  /** Every check that has it loses it. */
  deleteIntegration(name: string, atMs: number): void {
    for (const [check, { config, integrations }] of this.checks) {
      if (!integrations.includes(name)) continue;
      const rest = integrations.filter((other) => other !== name);
      this.step(check, (one) => one.update(config, rest, atMs));
    }
    this.integrations.delete(name);
  }
}
