/**
 * Runs and hosts of one check of the model, each by itself. Only of checks that have a longest runtime or hosts, and of those whose
 * run said that it is alive. Not here: which status follows (`model-check`).
 * Invariant: pure; every step is given its instant.
 */
import type { CheckConfig } from '../../src/domain/check/check.ts';
import { expectedAfter } from './model-meaning.ts';

export interface ModelRun {
  readonly rid: string | null;
  readonly startedMs: number;
  /** 0 for never. */
  readonly aliveMs: number;
  /** The outage credit. */
  readonly notBeforeMs: number;
  readonly host: string;
}

export interface ModelHost {
  readonly name: string;
  readonly status: 'due' | 'failed' | 'missing';
  /** 0 while none has reported. */
  readonly fromMs: number;
}

/** A run that no ping ended: its id, or the host that it should have run on. */
export interface ModelEnding {
  readonly outcome: 'hung' | 'missed' | 'overtaken';
  readonly whose: string;
  readonly atMs: number;
}

/** Whether each of its runs has a deadline of its own. */
export function tracks({ maxRuntimeS, hosts, results }: CheckConfig): boolean {
  return maxRuntimeS > 0 || hosts !== '' || results !== '';
}

export function hostLateMs(config: CheckConfig, { status, fromMs }: ModelHost): number {
  const isDue = status !== 'missing' && fromMs > 0;
  return isDue ? expectedAfter(config, fromMs) : Number.POSITIVE_INFINITY;
}

export function runDownMs(
  { maxRuntimeS, graceS }: CheckConfig,
  { startedMs, aliveMs, notBeforeMs }: ModelRun,
): number {
  return Math.max(Math.max(startedMs, aliveMs) + (maxRuntimeS || graceS) * 1000, notBeforeMs);
}

const early = 5 * 60_000;

export class ModelRuns {
  readonly inFlight: readonly ModelRun[];
  readonly hosts: readonly ModelHost[];
  /** Ends without a start: run id and instant. */
  readonly earlyEnds: ReadonlyMap<string, number>;

  constructor(
    inFlight: readonly ModelRun[] = [],
    hosts: readonly ModelHost[] = [],
    earlyEnds: ReadonlyMap<string, number> = new Map(),
  ) {
    this.inFlight = inFlight;
    this.hosts = hosts;
    this.earlyEnds = earlyEnds;
  }

  with(inFlight: readonly ModelRun[]): ModelRuns {
    return new ModelRuns(inFlight, this.hosts, this.earlyEnds);
  }

  /** The hosts of the setting; one that is new among others that have reported is due one period from now. */
  named(config: CheckConfig, nowMs: number): ModelRuns {
    const begun = this.hosts.some(({ fromMs }) => fromMs > 0);
    const hosts = config.hosts
      .split(' ')
      .filter((name) => name !== '')
      .map((name): ModelHost => {
        const known = this.hosts.find((host) => host.name === name);
        return known ?? { name, status: 'due', fromMs: begun ? nowMs : 0 };
      });
    return new ModelRuns(this.inFlight, hosts, this.earlyEnds);
  }

  /** Null: the run has ended already, its start came late. */
  started(rid: string | null, atMs: number, host: string): ModelRuns | null {
    const endedMs = rid === null ? undefined : this.earlyEnds.get(rid);
    if (endedMs !== undefined && atMs - endedMs < early) return null;
    const run = { rid, startedMs: atMs, aliveMs: 0, notBeforeMs: 0, host };
    return this.with([...this.inFlight.filter((other) => other.rid !== rid), run]);
  }

  withoutEarly(rid: string): ModelRuns {
    return new ModelRuns(
      this.inFlight,
      this.hosts,
      new Map([...this.earlyEnds].filter(([one]) => one !== rid)),
    );
  }

  /** The run that such an end ends, if any. */
  endedBy(signal: string, rid: string | null): ModelRun | undefined {
    const own = this.inFlight.find((run) => run.rid === rid);
    if (own) return own;
    if (rid === null) return this.inFlight.length === 1 ? this.inFlight[0] : undefined;
    return signal === 'fail' ? this.inFlight.find((run) => run.rid === null) : undefined;
  }

  ended(run: ModelRun | undefined, rid: string | null, atMs: number): ModelRuns {
    if (run) return this.with(this.inFlight.filter((other) => other !== run));
    if (rid === null) return this;
    const recent = [...this.earlyEnds].filter(([one, endedMs]) => one !== rid && atMs - endedMs < early);
    return new ModelRuns(this.inFlight, this.hosts, new Map([...recent, [rid, atMs]]));
  }

  /** What the report of a host does to all of them. */
  reported(host: string, signal: string, atMs: number): ModelRuns {
    const hosts = this.hosts.map((one): ModelHost => {
      if (one.name !== host) return one.fromMs === 0 ? { ...one, fromMs: atMs } : one;
      const staysWrong = signal === 'warn' && one.status !== 'due';
      return { ...one, status: signal === 'fail' || staysWrong ? 'failed' : 'due', fromMs: atMs };
    });
    return new ModelRuns(this.inFlight, hosts, this.earlyEnds);
  }

  alive(rid: string | null, atMs: number): ModelRuns {
    const run = this.endedBy('success', rid);
    return this.with(this.inFlight.map((one) => (one === run ? { ...one, aliveMs: atMs } : one)));
  }
}
