/**
 * All runs of a check that its log still shows, each by itself: those that pings ended, those that no ping ended, those in flight.
 * Not here: the bars and charts of the page (`latest-runs`), which pair by the one start that a check had.
 * Invariants: pure; every start and every end in the log belongs to one run. A run that hung stays hung: an end that comes later
 * is noted with it, and is no run of its own.
 */
import type { RunId } from '../../lib/ids.ts';
import type { Check } from '../check/check.ts';
import type { StatusChange } from '../check/flip.ts';
import { type NoteFigures, noFigures, type PingNote } from '../check/ping.ts';
import type { OpenRun } from '../check/run-state.ts';

import { noResults, type Result } from '../results/result.ts';
import type { RunPing } from './latest-runs.ts';
import type { RunEnding } from './run-ending.ts';
import { outcomeOf, runOutcomes } from './run-machine.ts';
import { isEnd } from './run-statistics.ts';

export const shownOutcomes = [...runOutcomes, 'running'] as const;
export type ShownOutcome = (typeof shownOutcomes)[number];

/** What the store has of a check; the lists are newest first, as they are read. */
export interface RunLog {
  readonly pings: readonly RunPing[];
  readonly changes: readonly StatusChange[];
  readonly endings: readonly RunEnding[];
  /** Runs in flight, as the check has them. */
  readonly open: readonly Pick<OpenRun, 'rid' | 'startedMs' | 'host'>[];
  /** Whether each run is tracked by itself; else a check has one start, and each new one takes its place. */
  readonly isTracked: boolean;
}

/** Instants in epoch milliseconds. */
export interface LoggedRun {
  readonly outcome: ShownOutcome;
  /** Null where no start came before the end, or where the log has it no more. */
  readonly startedMs: number | null;
  /** When it ended, or should have, or was given up; null while it is in flight. */
  readonly endedMs: number | null;
  /** The end of a run that had hung or was given up. */
  readonly lateEnd: { readonly n: number; readonly atMs: number } | null;
  readonly rid: RunId | null;
  /** Empty for none. */
  readonly host: string;
  readonly exitStatus: number | null;
  readonly note: PingNote | null;
  readonly figures: NoteFigures;
  readonly about: string;
  /** Numbers that its end reported. */
  readonly results: readonly Result[];
  /** Numbers of its pings, ascending. */
  readonly pings: readonly number[];
  /** Number of the ping that ended it; null for none. */
  readonly n: number | null;
}

/** A run while the log is read; `setAsideMs`: when its check, which has one start, forgot it. */
interface Draft {
  outcome: ShownOutcome;
  startedMs: number | null;
  endedMs: number | null;
  lateEnd: LoggedRun['lateEnd'];
  readonly rid: RunId | null;
  host: string;
  exitStatus: number | null;
  note: PingNote | null;
  figures: NoteFigures;
  about: string;
  results: readonly Result[];
  readonly pings: number[];
  n: number | null;
  setAsideMs: number | null;
}

/** Newest first, by the start, or by the end where there is no start. */
export function runsOfLog(log: RunLog): readonly LoggedRun[] {
  const reading = new Reading(log);
  let next = log.changes.length - 1;
  const takeChanges = (untilMs: number): void => {
    for (let change = log.changes[next]; change && change.atMs <= untilMs; change = log.changes[--next])
      reading.takeChange(change);
  };
  for (let at = log.pings.length - 1; at >= 0; at--) {
    const ping = log.pings[at];
    if (ping === undefined) continue;
    takeChanges(ping.atMs);
    reading.takePing(ping);
  }
  takeChanges(Number.POSITIVE_INFINITY);
  return reading.finish(log).sort(newestFirst);
}

/** Runs of a check in flight. */
export function openRunsOf({ runs, state }: Pick<Check, 'runs' | 'state'>): RunLog['open'] {
  if (runs !== undefined) return runs.open;
  return state.startedMs === null ? [] : [{ rid: state.startRid, startedMs: state.startedMs, host: '' }];
}

/** The run that ended last; null for none. */
export function lastEnded(runs: readonly LoggedRun[]): LoggedRun | null {
  let last: LoggedRun | null = null;
  for (const run of runs)
    if (run.endedMs !== null && (last === null || run.endedMs > (last.endedMs ?? 0))) last = run;
  return last;
}

/** Milliseconds from its start to its end, also to one that came late; null where one of them is not known. */
export function durationOf({ startedMs, endedMs, lateEnd, n }: LoggedRun): number | null {
  const endMs = lateEnd?.atMs ?? (n === null ? null : endedMs);
  return startedMs === null || endMs === null ? null : Math.max(0, endMs - startedMs);
}

/** Place of a run in the list. It stays when the run ends. */
export function placeOf({ startedMs, endedMs, pings, rid, host }: LoggedRun): RunPlace {
  return { atMs: startedMs ?? endedMs ?? 0, n: pings[0] ?? 0, name: `${host} ${rid ?? ''}` };
}

export interface RunPlace {
  readonly atMs: number;
  /** Number of its first ping; 0 for none. */
  readonly n: number;
  /** Distinguishes runs without pings that share an instant. */
  readonly name: string;
}

/** Above 0 if `b` is the newer one. */
export function comparePlaces(a: RunPlace, b: RunPlace): number {
  return b.atMs - a.atMs || b.n - a.n || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

function newestFirst(a: LoggedRun, b: LoggedRun): number {
  return comparePlaces(placeOf(a), placeOf(b));
}

function keyOf({
  rid,
  startedMs,
}: {
  readonly rid: RunId | null;
  readonly startedMs: number | null;
}): string {
  return `${rid} ${startedMs}`;
}

class Reading {
  readonly #isTracked: boolean;
  readonly #runs: Draft[] = [];
  /** Runs that have not ended, in the order of their starts. */
  readonly #open = new Map<RunId | null, Draft>();
  /** The run that a check with one start knows. */
  #current: Draft | null = null;
  /** Runs that ended without a ping, whose end may still come. */
  readonly #givenUp = new Map<RunId | null, Draft>();
  /** The latest run of each id. */
  readonly #latest = new Map<RunId, Draft>();
  /** Endings of runs whose start is in the log. */
  readonly #endings: Map<string, RunEnding>;

  constructor({ pings, endings, open, isTracked }: RunLog) {
    this.#isTracked = isTracked;
    const starts = new Set(pings.filter(({ signal }) => signal === 'start').map(startKey));
    this.#endings = new Map(endings.map((ending) => [keyOf(ending), ending]));
    for (let at = endings.length - 1; at >= 0; at--) {
      const ending = endings[at];
      if (ending === undefined || starts.has(keyOf(ending))) continue;
      const run = this.#add(ending.rid, ending.startedMs, ending.host);
      this.#giveUp(run, ending);
      // The start of a later run without an id may have left the log, too: an end without one is not taken for this one.
      if (ending.rid === null) this.#givenUp.delete(null);
    }
    // The endings may have been read later: a run that has one is not in flight any more.
    for (const one of open)
      if (!starts.has(keyOf(one)) && !this.#endings.has(keyOf(one)))
        this.#setOpen(this.#add(one.rid, one.startedMs, one.host));
  }

  takePing(ping: RunPing): void {
    if (ping.signal === 'start') this.#start(ping);
    else if (isEnd(ping.signal)) this.#end(ping, ping.signal);
    else if (ping.signal !== 'ign') this.#runOf(ping)?.pings.push(ping.n);
  }

  takeChange({ atMs, from, to, cause }: StatusChange): void {
    // Of a check that tracks its runs, the deadlines that passed are among the endings.
    if (to === 'down' && cause === 'timeout') {
      const run = this.#current;
      if (run === null) this.#giveUp(this.#add(null, null, ''), { atMs, outcome: 'missed' });
      else this.#giveUp(run, { atMs, outcome: 'hung' });
    }
    if (to === 'paused' || from === 'paused') this.#setAside(atMs);
  }

  finish({ open }: RunLog): LoggedRun[] {
    const inFlight = new Set(open.map(keyOf));
    for (const run of this.#open.values()) {
      if (inFlight.has(keyOf(run))) continue;
      this.#giveUp(run, { atMs: run.setAsideMs ?? run.startedMs ?? 0, outcome: 'overtaken' });
    }
    return this.#runs;
  }

  #add(rid: RunId | null, startedMs: number | null, host: string): Draft {
    const run: Draft = {
      outcome: 'running',
      ...{ startedMs, endedMs: null, lateEnd: null, rid, host },
      ...{
        exitStatus: null,
        note: null,
        figures: noFigures,
        about: '',
        results: noResults,
        pings: [],
        n: null,
        setAsideMs: null,
      },
    };
    this.#runs.push(run);
    if (rid !== null) this.#latest.set(rid, run);
    return run;
  }

  #start(ping: RunPing): void {
    const { rid, atMs, host, note, figures, n } = ping;
    const latest = rid === null ? undefined : this.#latest.get(rid);
    if (note === 'ended-before' && latest !== undefined) {
      if (latest.note === null) Object.assign(latest, { note, figures });
      latest.pings.push(n);
      return;
    }
    if (!this.#isTracked) this.#setAside(atMs, rid);
    const before = this.#open.get(rid);
    // With the id of a run in flight, that run began anew; without an id, another one began.
    if (before !== undefined && rid === null) this.#giveUp(before, { atMs, outcome: 'overtaken' });
    const run = before === undefined || rid === null ? this.#add(rid, atMs, host) : before;
    run.startedMs = atMs;
    run.host = host;
    run.setAsideMs = null;
    run.note = note;
    run.figures = figures;
    run.pings.push(n);
    this.#givenUp.delete(rid);
    const ending = this.#endings.get(keyOf(run));
    if (ending === undefined) this.#setOpen(run);
    else this.#giveUp(run, ending);
  }

  #end(ping: RunPing, signal: 'success' | 'warn' | 'fail'): void {
    const { rid, atMs, n } = ping;
    const open = this.#endedBy(rid, signal);
    const late = open === undefined ? this.#givenUp.get(rid) : undefined;
    const run = open ?? late ?? this.#add(rid, null, '');
    run.pings.push(n);
    run.exitStatus = ping.exitStatus;
    if (ping.note !== null) Object.assign(run, { note: ping.note, figures: ping.figures, about: ping.about });
    run.results = ping.results;
    if (run.host === '') run.host = ping.host;
    if (late === undefined) {
      run.outcome = outcomeOf(run.startedMs === null ? 'expected' : 'running', signal);
      run.endedMs = atMs;
      run.n = n;
    } else run.lateEnd = { n, atMs };
    this.#close(run);
    this.#givenUp.delete(run.rid);
    // A check that has one start forgets it with an end without an id, and with every failure.
    if (!this.#isTracked && (rid === null || signal === 'fail')) this.#setAside(atMs);
  }

  /** The run in flight that this ends, by the rules of `track-runs` and `ping-effects`. */
  #endedBy(rid: RunId | null, signal: 'success' | 'warn' | 'fail'): Draft | undefined {
    const own = this.#open.get(rid);
    if (own !== undefined || !this.#isTracked) return own;
    if (rid === null) return this.#onlyOne();
    return signal === 'fail' ? this.#open.get(null) : undefined;
  }

  #onlyOne(): Draft | undefined {
    return this.#open.size === 1 ? this.#open.values().next().value : undefined;
  }

  /** The run of a ping that neither starts nor ends one; undefined for none. */
  #runOf({ rid, signal }: RunPing): Draft | undefined {
    if (rid !== null) return this.#latest.get(rid);
    return this.#open.get(null) ?? (signal === 'alive' ? this.#onlyOne() : undefined);
  }

  #giveUp(run: Draft, { atMs, outcome }: Pick<RunEnding, 'atMs' | 'outcome'>): void {
    run.outcome = outcome;
    run.endedMs = atMs;
    this.#close(run);
    if (outcome !== 'missed') this.#givenUp.set(run.rid, run);
  }

  #setOpen(run: Draft): void {
    this.#open.set(run.rid, run);
    this.#current = run;
  }

  #close(run: Draft): void {
    if (this.#open.get(run.rid) === run) this.#open.delete(run.rid);
    if (this.#current === run) this.#current = null;
  }

  /** A check that has one start forgets it, unless it has the id `but`. The end of a run that was forgotten may still come. */
  #setAside(atMs: number, but?: RunId | null): void {
    if (this.#current === null || this.#current.rid === but) return;
    this.#current.setAsideMs ??= atMs;
    this.#current = null;
  }
}

function startKey({ rid, atMs }: RunPing): string {
  return keyOf({ rid, startedMs: atMs });
}
