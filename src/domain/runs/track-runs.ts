/**
 * The runs of a check, each by itself: what an event does to those in flight, to the hosts and to what is usual, and which event of
 * the check's statechart (`check/check-machine`) follows from it. Checks that do not track their runs pass through unchanged.
 * Not here: the deadlines (`check/run-deadlines`), pings of checks without settings of runs (`check/ping-effects`).
 * Invariants: pure; no run is lost: each one that leaves `open` ended by this ping, or is among the endings.
 */

import type { RunId } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import type { Check, CheckConfig, CheckState } from '../check/check.ts';
import type { CheckEvent } from '../check/check-machine.ts';
import { withDeadlines } from '../check/deadline.ts';
import type { Cause } from '../check/flip.ts';
import { type NoteFigures, noFigures, type PingNote } from '../check/ping.ts';
import { hostExpectedAt, runDeadline, slotBefore, trackedDeadlines } from '../check/run-deadlines.ts';
import {
  type HostState,
  hostNames,
  noRuns,
  type OpenRun,
  type RunState,
  runLimitS,
  tracksRuns,
} from '../check/run-state.ts';
import { earlyEndMs, earlyEndsMax, openRunsMax } from '../limits.ts';
import { breachFigures, judgeResults, type UsualResults, withGoodRun } from '../results/judge-results.ts';
import { noResults, type Result } from '../results/result.ts';
import { readResultRules } from '../results/result-rules.ts';
import type { RunEnding } from './run-ending.ts';
import { outcomeOf } from './run-machine.ts';
import { usualDuration, withDuration } from './usual-duration.ts';

/** What an event means, before the statechart of the check takes it. */
export interface RunStep {
  /** With its runs after the event; else as before. */
  readonly check: Check;
  /** What the statechart takes. */
  readonly event: CheckEvent;
  readonly endings: readonly RunEnding[];
  readonly note: PingNote | null;
  readonly figures: NoteFigures;
  /** What the note is about; see `Ping`. */
  readonly about: string;
  /** Why the check changes, where it is not what the event says. */
  readonly cause: Cause | null;
  /** Of an end: how long its run took; null for a run without a start. Undefined for what ends none. */
  readonly durationMs: number | null | undefined;
}

type PingEvent = Extract<CheckEvent, { rid: RunId | null }>;
type EndEvent = Extract<CheckEvent, { type: 'success' | 'fail' | 'warn' | 'report' | 'breach' | 'start' }>;

const noEndings: readonly RunEnding[] = [];

/** Whether the runs of the check are tracked. Of others, `check-machine` knows the one run that they have. */
export function isTracked({ config, runs }: Check): boolean {
  return runs !== undefined || tracksRuns(config);
}

/** A check that is paused and waits for its owner takes no ping. */
function isHeld({ config, state }: Check): boolean {
  return state.status === 'paused' && config.manualResume;
}

export function trackRuns(check: Check, event: CheckEvent): RunStep {
  const runs = check.runs ?? runsOfState(check);
  if (!tracksRuns(check.config) && isPingOfRun(event)) return ofOneRun(check, runs, event);
  switch (event.type) {
    case 'start':
      return isHeld(check) ? passed(check, event) : onStart(check, runs, event);
    case 'success':
    case 'warn':
    case 'fail':
      return isHeld(check) ? passed(check, event) : onEnd(check, runs, event);
    case 'alive':
      return isHeld(check) ? passed(check, event) : onAlive(check, runs, event);
    case 'timeout':
      return onTimeout(check, runs, event);
    case 'update':
      return onUpdate(check, runs, event);
    case 'pause':
    case 'resume':
      return onPause(check, runs, event);
    default:
      return passed(check, event);
  }
}

function isPingOfRun(event: CheckEvent): event is EndEvent {
  return event.type === 'start' || event.type === 'success' || event.type === 'warn' || event.type === 'fail';
}

/**
 * Of a check without settings of runs, whose run said that it is alive: the rules of `ping-effects` decide what becomes of it, and
 * that it was alive is forgotten with it.
 */
function ofOneRun(check: Check, { open }: RunState, event: EndEvent): RunStep {
  if (isHeld(check)) return passed(check, event);
  const { rid, type } = event;
  const goesOn = type !== 'start' && type !== 'fail' && rid !== null && open.some((run) => run.rid !== rid);
  return passed({ ...check, runs: goesOn ? { ...noRuns, open } : undefined }, event);
}

/** The check after its statechart took the step's event: its state says what the runs say. */
export function settleRuns(step: RunStep, after: Check): Check {
  const { runs } = step.check;
  const kept = runs !== undefined && isKept(after.config, runs) ? runs : undefined;
  // Of a check that does not track its runs, the chart knows what its one run is, unless it has just hung.
  const shown = step.event.type === 'timeout' ? runs : kept;
  const state = shown === undefined ? after.state : stateOfRuns(after.state, shown, step);
  return { ...after, runs: kept, state: withDeadlines(after.config, state, kept) };
}

/** A check without settings of runs has them only while a run that said that it is alive is in flight. */
function isKept(config: CheckConfig, { open }: RunState): boolean {
  return tracksRuns(config) || open.some(({ aliveMs, notBeforeMs }) => aliveMs !== 0 || notBeforeMs !== 0);
}

/** The start that is shown is that of the newest run; the duration is that of the run that has just ended. */
function stateOfRuns(state: CheckState, { open }: RunState, { durationMs }: RunStep): CheckState {
  const newest = open.at(-1);
  return {
    ...state,
    startedMs: newest?.startedMs ?? null,
    startRid: newest?.rid ?? null,
    lastDurationMs: durationMs === undefined ? state.lastDurationMs : durationMs,
  };
}

function passed(check: Check, event: CheckEvent): RunStep {
  return {
    ...{ check, event, endings: noEndings, note: null, figures: noFigures, about: '' },
    ...{ cause: null, durationMs: undefined },
  };
}

/** What is known of a check whose runs were not tracked until now: the one in flight, if any. */
function runsOfState({ config, state }: Check): RunState {
  const { startedMs, startRid } = state;
  const open = startedMs === null ? [] : [{ ...noRun, rid: startRid, startedMs }];
  return withHosts({ ...noRuns, open, lastStartMs: startedMs ?? state.lastPingMs ?? 0 }, config, 0);
}

const noRun: OpenRun = { rid: null, startedMs: 0, aliveMs: 0, notBeforeMs: 0, host: '' };

/** Hosts as the setting names them. One that is added while others report is due one period from now. */
function withHosts(runs: RunState, { hosts }: CheckConfig, nowMs: number): RunState {
  const hasBegun = runs.hosts.some(({ fromMs }) => fromMs !== 0);
  const known = new Map(runs.hosts.map((host) => [host.name, host]));
  const named = hostNames(hosts).map(
    (name): HostState =>
      known.get(name) ?? { name, status: 'due', fromMs: hasBegun ? nowMs : 0, reportedMs: 0 },
  );
  return { ...runs, hosts: named };
}

function onStart(check: Check, runs: RunState, event: EndEvent): RunStep {
  const { config } = check;
  const { rid, atMs, host = '' } = event;
  const early = runs.earlyEnds.find((end) => end.rid === rid && atMs - end.atMs < earlyEndMs);
  if (early !== undefined) {
    const earlyEnds = runs.earlyEnds.filter((end) => end !== early);
    const taken = { ...check, runs: { ...runs, earlyEnds } };
    return { ...passed(taken, { type: 'log', atMs }), note: 'ended-before', figures: [early.atMs] };
  }
  const others = runs.open.filter((run) => run.rid !== rid);
  // A second start without an id is another run, unless it came at the very instant of the first, as a repeated one; with the id
  // of a run in flight, that run began anew.
  const replaced = rid === null ? runs.open.filter((run) => run.rid === null && run.startedMs !== atMs) : [];
  const inFlight = [...others, ...replaced].filter((run) => config.hosts === '' || run.host === host);
  const overlaps = config.overlap !== 'allow' && inFlight.length > 0;
  const kept = withinBound(config, [...others, { ...noRun, rid, startedMs: atMs, host }], atMs);
  const endings = [...replaced.map((run) => endingOf(config, run, 'give-up', atMs)), ...kept.endings];
  const isBreach = overlaps && config.overlap === 'fail';
  return {
    ...passed({ ...check, runs: { ...runs, open: kept.open, lastStartMs: atMs } }, event),
    event: isBreach ? { ...event, type: 'breach' } : event,
    endings,
    note: overlaps ? 'overlap' : null,
    figures: overlaps ? [Math.max(...inFlight.map(({ startedMs }) => startedMs))] : noFigures,
    cause: isBreach ? 'overlap' : null,
  };
}

/** The oldest runs give way to the newest. */
function withinBound(
  config: CheckConfig,
  open: readonly OpenRun[],
  atMs: number,
): { readonly open: readonly OpenRun[]; readonly endings: readonly RunEnding[] } {
  const tooMany = Math.max(0, open.length - openRunsMax);
  return {
    open: open.slice(tooMany),
    endings: open.slice(0, tooMany).map((run) => endingOf(config, run, 'give-up', atMs)),
  };
}

function endingOf(config: CheckConfig, run: OpenRun, event: 'timeout' | 'give-up', atMs: number): RunEnding {
  const outcome = outcomeOf('running', event);
  return {
    atMs,
    outcome: outcome === 'hung' ? 'hung' : 'overtaken',
    rid: run.rid,
    startedMs: run.startedMs,
    host: run.host,
    limitS: event === 'timeout' ? runLimitS(config) : 0,
  };
}

function missed(atMs: number, host: string): RunEnding {
  return { atMs, outcome: 'missed', rid: null, startedMs: null, host, limitS: 0 };
}

function onAlive(check: Check, runs: RunState, event: PingEvent): RunStep {
  const run = runOf(runs, event.rid);
  if (run === undefined) return passed({ ...check, runs }, event);
  const open = runs.open.map((one) => (one === run ? { ...run, aliveMs: event.atMs } : one));
  return passed({ ...check, runs: { ...runs, open } }, event);
}

/** A ping without an id means the run without one, or the only one there is. */
function runOf({ open }: RunState, rid: RunId | null): OpenRun | undefined {
  return open.find((run) => run.rid === rid) ?? (rid === null && open.length === 1 ? open[0] : undefined);
}

function onEnd(check: Check, runs: RunState, event: EndEvent): RunStep {
  const { config } = check;
  const { rid, atMs, type } = event;
  // A failure ends the run without an id, whatever its own, as it always did.
  const run = runOf(runs, rid) ?? (type === 'fail' ? runs.open.find((one) => one.rid === null) : undefined);
  const durationMs = run === undefined ? null : Math.max(0, atMs - run.startedMs);
  const judged =
    type === 'success'
      ? judge(config, runs, { durationMs, results: event.results })
      : asSent(type === 'fail' ? 'fail' : 'warn');
  const isGood = judged.type === 'success' && judged.note === null;
  const ended: RunState = {
    ...runs,
    open: runs.open.filter((one) => one !== run),
    lastStartMs: run === undefined ? Math.max(runs.lastStartMs, atMs) : runs.lastStartMs,
    durations: isGood && durationMs !== null ? withDuration(runs.durations, durationMs) : runs.durations,
    results: isGood ? usualAfter(config, runs, event.results) : runs.results,
    earlyEnds: run === undefined && rid !== null ? withEarlyEnd(runs, rid, atMs) : runs.earlyEnds,
  };
  const reported = report(check, ended, { ...event, type: judged.type }, run?.host ?? '');
  return {
    ...reported,
    note: judged.note ?? reported.note,
    figures: judged.figures,
    about: judged.about,
    durationMs,
  };
}

interface Judged {
  readonly type: 'success' | 'warn' | 'fail';
  readonly note: PingNote | null;
  readonly figures: NoteFigures;
  readonly about: string;
}

function asSent(type: Judged['type']): Judged {
  return { type, note: null, figures: noFigures, about: '' };
}

interface Measured {
  readonly durationMs: number | null;
  readonly results: readonly Result[] | undefined;
}

/** What a success is that took so long and reported this: the worst of both, of equals what its duration says. Without results, as by hand, no limit counts. */
function judge(config: CheckConfig, runs: RunState, { durationMs, results }: Measured): Judged {
  const byDuration = judgeDuration(config, runs, durationMs);
  if (config.results === '' || results === undefined || byDuration.type === 'fail') return byDuration;
  const { verdict, breach } = judgeResults(readResultRules(config.results), results, usualOf(runs));
  if (breach === null || (verdict === 'warn' && byDuration.type === 'warn')) return byDuration;
  const about = breach.unit === '' ? breach.name : `${breach.name} ${breach.unit}`;
  return { type: verdict, note: 'result', figures: breachFigures(breach), about };
}

function usualOf({ results }: RunState): UsualResults {
  return new Map(results.map(({ name, values }) => [name, values]));
}

/** What is usual after a good run: only of names that have a rule. */
function usualAfter(
  config: CheckConfig,
  runs: RunState,
  results: readonly Result[] = noResults,
): RunState['results'] {
  if (config.results === '') return noRuns.results;
  const usual = withGoodRun(usualOf(runs), readResultRules(config.results), results);
  return Array.from(usual, ([name, values]) => ({ name, values }));
}

function judgeDuration(config: CheckConfig, { durations }: RunState, durationMs: number | null): Judged {
  if (durationMs === null) return asSent('success');
  const leastMs = config.minRuntimeS * second;
  if (durationMs < leastMs) return { ...asSent('fail'), note: 'too-short', figures: [leastMs] };
  if (config.unusualRuntime === 'off') return asSent('success');
  const usual = usualDuration(durations, config.unusualFactor);
  if (usual === null || (durationMs >= usual.fromMs && durationMs <= usual.toMs)) return asSent('success');
  return {
    ...asSent(config.unusualRuntime),
    note: durationMs < usual.fromMs ? 'unusually-short' : 'unusually-long',
    figures: [usual.fromMs, usual.toMs],
  };
}

function withEarlyEnd({ earlyEnds }: RunState, rid: RunId, atMs: number): RunState['earlyEnds'] {
  const recent = earlyEnds.filter((end) => end.rid !== rid && atMs - end.atMs < earlyEndMs);
  return [...recent.slice(1 - earlyEndsMax), { rid, atMs }];
}

/** An end as a report of its host, or as one of so many: whether all is well then, or something else is still wrong or due. */
function report(check: Check, runs: RunState, event: EndEvent, startHost: string): RunStep {
  const { config, state } = check;
  const host = event.host === undefined || event.host === '' ? startHost : event.host;
  if (runs.hosts.length > 0) {
    const isKnown = runs.hosts.some(({ name }) => name === host);
    const hosts = runs.hosts.map((one) => hostAfter(one, host, event));
    const after = { ...runs, hosts };
    const isWrong = hosts.some(({ status }) => status !== 'due');
    return {
      ...passed(
        { ...check, runs: after },
        event.type === 'success' ? settled(check, after, event, isWrong) : event,
      ),
      note: isKnown ? null : 'unknown-host',
    };
  }
  if (config.expectedRuns === 0 || event.type === 'fail') return passed({ ...check, runs }, event);
  const after = counted(config, runs, event.atMs);
  const isShort = state.status === 'down' && after.reports < config.expectedRuns && after.reports > 0;
  return passed({ ...check, runs: after }, settled(check, after, event, isShort));
}

/** The success becomes a report while something else is wrong, or late. */
function settled(check: Check, runs: RunState, event: EndEvent, isWrong: boolean): CheckEvent {
  const { config, state } = check;
  const asUp: CheckState = { ...state, status: 'up', lastPingMs: event.atMs, graceNotBeforeMs: 0 };
  const isLate = trackedDeadlines(config, asUp, runs).expectedAtMs <= event.atMs;
  return isWrong || (isLate && state.status === 'grace') ? { ...event, type: 'report' } : event;
}

/** With the first report of all, the others are due one period later. */
function hostAfter(one: HostState, host: string, { type, atMs }: EndEvent): HostState {
  if (one.name !== host) return one.fromMs === 0 ? { ...one, fromMs: atMs } : one;
  const isWrong = one.status !== 'due';
  const status = type === 'fail' ? 'failed' : type === 'warn' && isWrong ? 'failed' : 'due';
  return { ...one, status, fromMs: atMs, reportedMs: atMs };
}

/** Counts a report. When all have come, the period is over; `reports` then stays until the next slot. */
function counted(config: CheckConfig, runs: RunState, atMs: number): RunState {
  if (config.kind === 'simple') {
    const reports = runs.reports + 1;
    return reports < config.expectedRuns
      ? { ...runs, slotMs: runs.slotMs === 0 ? atMs : runs.slotMs, reports }
      : { ...runs, slotMs: atMs, reports: 0 };
  }
  const slotMs = slotBefore(config, atMs);
  if (slotMs === runs.slotMs) return { ...runs, reports: runs.reports + 1 };
  return { ...runs, slotMs, slotDueMs: runs.slotMs === 0 ? atMs : slotMs, reports: 1 };
}

function onTimeout(check: Check, runs: RunState, event: CheckEvent): RunStep {
  const { config, state } = check;
  const { atMs } = event;
  const hung = runs.open.filter((run) => runDeadline(config, run) <= atMs);
  const limitMs = (config.startGraceS === 0 ? config.graceS : config.startGraceS) * second;
  const isOverdue = (host: HostState): boolean =>
    Math.max(hostExpectedAt(config, host) + limitMs, state.downNotBeforeMs) <= atMs;
  const overdue = runs.hosts.filter(isOverdue);
  const isMissed =
    runs.hosts.length === 0 &&
    (state.status === 'up' || state.status === 'grace') &&
    trackedDeadlines(config, state, runs).scheduleDownMs <= atMs;
  const endings = [
    ...hung.map((run) => endingOf(config, run, 'timeout', atMs)),
    ...overdue.map(({ name }) => missed(atMs, name)),
    ...(isMissed ? [missed(atMs, '')] : []),
  ];
  const after: RunState = {
    ...runs,
    open: runs.open.filter((run) => !hung.includes(run)),
    hosts: runs.hosts.map((host) => (overdue.includes(host) ? { ...host, status: 'missing' } : host)),
  };
  const cause: Cause | null = hung.length > 0 ? 'hung' : endings.length > 0 ? 'missed' : null;
  return { ...passed({ ...check, runs: after }, event), endings, cause };
}

function onUpdate(check: Check, runs: RunState, event: Extract<CheckEvent, { type: 'update' }>): RunStep {
  const { config } = event;
  if (!tracksRuns(config)) {
    const kept = runs.open.at(-1);
    const endings = runs.open
      .filter((run) => run !== kept)
      .map((run) => endingOf(config, run, 'give-up', event.atMs));
    const alive = kept !== undefined && kept.aliveMs !== 0 ? { ...noRuns, open: [kept] } : undefined;
    return { ...passed({ ...check, runs: alive }, event), endings };
  }
  const isOtherPeriod =
    config.kind !== check.config.kind ||
    config.schedule !== check.config.schedule ||
    config.expectedRuns !== check.config.expectedRuns;
  const named = withHosts(runs, config, event.atMs);
  const after = isOtherPeriod ? { ...named, slotMs: 0, slotDueMs: 0, reports: 0 } : named;
  return passed({ ...check, runs: after }, event);
}

/** What a pause leaves: what is usual. */
function onPause(check: Check, runs: RunState, event: CheckEvent): RunStep {
  const { config } = check;
  const endings = runs.open.map((run) => endingOf(config, run, 'give-up', event.atMs));
  const after = withHosts({ ...noRuns, durations: runs.durations, results: runs.results }, config, 0);
  return { ...passed({ ...check, runs: after }, event), endings };
}

/**
 * The outage credit of a check that tracks its runs: each deadline that passed while Knell was away, in (aliveMs, nowMs], is put off
 * by the time away, at most by the grace time, once; that of each run in flight by itself. Null for none.
 */
export function creditRuns(check: Check, aliveMs: number, nowMs: number): Check | null {
  const { config, state, runs } = check;
  if (runs === undefined) return null;
  const creditMs = Math.min(nowMs - aliveMs, config.graceS * second);
  const credited = (dueMs: number, notBeforeMs: number): number =>
    dueMs > aliveMs && dueMs <= nowMs && dueMs !== notBeforeMs ? dueMs + creditMs : notBeforeMs;
  const { expectedAtMs, scheduleDownMs } = trackedDeadlines(config, state, runs);
  const graceNotBeforeMs =
    state.status === 'up' ? credited(expectedAtMs, state.graceNotBeforeMs) : state.graceNotBeforeMs;
  const downNotBeforeMs = credited(scheduleDownMs, state.downNotBeforeMs);
  const open = runs.open.map((run) => {
    const notBeforeMs = credited(runDeadline(config, run), run.notBeforeMs);
    return notBeforeMs === run.notBeforeMs ? run : { ...run, notBeforeMs };
  });
  const isOther =
    graceNotBeforeMs !== state.graceNotBeforeMs ||
    downNotBeforeMs !== state.downNotBeforeMs ||
    open.some((run, at) => run !== runs.open[at]);
  if (!isOther) return null;
  const after = { ...runs, open };
  const creditedState = { ...state, graceNotBeforeMs, downNotBeforeMs };
  return { ...check, runs: after, state: withDeadlines(config, creditedState, after) };
}
