/**
 * Hints where the pings of a check say that its settings are wrong, each with the change that would mend it. Not here: who sees
 * them, what the log holds.
 * Invariant: pure; a hint needs evidence from `hintRunsMin` runs on, and its change is null where the pings leave open what is right.
 */
import type { RunId } from '../../lib/ids.ts';
import { day, hour, minute, NEVER, second } from '../../lib/units.ts';
import { internSchedule } from '../../schedule/schedule.ts';
import type { CheckConfig } from '../check/check.ts';
import { checkFields } from '../check/check-fields.ts';
import { expectedAfter } from '../check/deadline.ts';
import type { StatusChange } from '../check/flip.ts';
import type { Ping } from '../check/ping.ts';
import { slotAfter, slotBefore } from '../check/run-deadlines.ts';
import { runLimitS } from '../check/run-state.ts';
import {
  givenResultsMax,
  hintRunsMax,
  hintRunsMin,
  hintWeeksMin,
  overlapsHintedMin,
  resultLinesMax,
  resultNamesMax,
  runMsMax,
  runsOfWeekMin,
} from '../limits.ts';
import { readResultRules } from '../results/result-rules.ts';
import { longSpan } from '../words/span-words.ts';
import { type Run, runsOf } from './latest-runs.ts';
import { isEnd } from './run-statistics.ts';
import { medianOf } from './usual-duration.ts';

export const hintCodes = [
  'time-zone',
  'never-in-time',
  'always-late',
  'starts-without-ends',
  'slower-every-week',
  'starts-overlap',
  'result-names',
  'result-missing',
] as const;
export type HintCode = (typeof hintCodes)[number];

export interface Hint {
  readonly code: HintCode;
  /** In one sentence. */
  readonly text: string;
  /** Fields as the API takes them; null where none is safe. */
  readonly change: Readonly<Record<string, string | number>> | null;
}

export interface HintFacts {
  readonly config: CheckConfig;
  /** Those that are kept, oldest first. */
  readonly pings: readonly Ping[];
  /** From the first of these pings on, oldest first. */
  readonly changes: readonly StatusChange[];
  /** Time zones that may be meant: those of other checks of the project. UTC may always be. */
  readonly zones: readonly string[];
}

/** In the order of `hintCodes`. */
export function hintsOf(facts: HintFacts): readonly Hint[] {
  const { config, changes } = facts;
  // What a person sends has no time.
  const pings = facts.pings.filter(({ byHand }) => !byHand);
  const runs = runsOf(pings, changes).filter(({ outcome }) => outcome !== 'missed');
  const zone = zoneHint(facts, runs);
  // What comes in another zone is late, too: one reason is enough.
  const late = zone === null ? (lateHint(facts, runs) ?? longHint(config, runs)) : null;
  const always = zone === null && late === null ? alwaysLateHint(facts, runs) : null;
  const results = resultNamesHint(pings) ?? resultMissingHint(config, pings);
  return [
    ...[zone, late, always, startsHint(config, pings), slowerHint(runs), overlapHint(config, pings)],
    results,
  ].filter((hint) => hint !== null);
}

/** What a bound leaves out is said here: a job that counts names up has statistics of none of them. */
function resultNamesHint(pings: readonly Ping[]): Hint | null {
  const names = new Set(pings.flatMap(({ results }) => results.map(({ name }) => name)));
  if (names.size <= resultNamesMax) return null;
  return {
    code: 'result-names',
    text: `Runs reported ${names.size.toLocaleString('en')} different names of numbers; lists show ${resultNamesMax}, and an hour or a day keeps as many: a number needs the same name in every run.`,
    change: null,
  };
}

/** Whatever the reason is, a limit that has nothing to judge says nothing. Those that must come say so themselves. */
function resultMissingHint({ results }: CheckConfig, pings: readonly Ping[]): Hint | null {
  if (results === '') return null;
  const good = pings.filter(({ signal }) => signal === 'success' || signal === 'warn').slice(-hintRunsMin);
  if (good.length < hintRunsMin) return null;
  const silent = readResultRules(results).filter(
    ({ name, limits }) =>
      limits.every(({ kind }) => kind !== 'missing') &&
      good.every((ping) => ping.results.every((result) => result.name !== name)),
  );
  if (silent.length === 0) return null;
  const names = listed(silent.map(({ name }) => name));
  return {
    code: 'result-missing',
    text: `The last ${hintRunsMin} good runs reported no ${names}, so no limit of it was judged: a number counts among the first ${givenResultsMax} of a ping, or in the last ${resultLinesMax.toLocaleString('en')} lines of an output.`,
    change: null,
  };
}

/** With several hosts, or several reports of one period, a ping says nothing about when the next one is due. */
function expectsOne({ hosts, expectedRuns }: CheckConfig): boolean {
  return hosts === '' && expectedRuns === 0;
}

function beginOf({ startedMs, atMs }: Run): number {
  return startedMs ?? atMs;
}

/** Slots closer than this are no clue: which of them a run was meant for is not known. */
const slotsApartMs = 4 * hour;
/** So far runs may begin from one another, and the middle of them from a whole hour. */
const steadyMs = 10 * minute;
const wholeHourMs = 5 * minute;

function zoneHint({ config, zones }: HintFacts, runs: readonly Run[]): Hint | null {
  if (config.kind === 'simple' || !expectsOne(config)) return null;
  const begins = runs.slice(-hintRunsMax).map(beginOf);
  const offsets = offsetsFrom(config, begins);
  if (offsets === null || offsets.length < hintRunsMin) return null;
  const offsetMs = medianOf(offsets);
  if (!isOfZone(offsets)) return null;
  const fitting = [...new Set(['UTC', ...zones])].filter(
    (tz) => tz !== config.tz && fits({ ...config, tz }, begins),
  );
  const [tz] = fitting;
  const when = offsetMs > 0 ? 'after' : 'before';
  const fit = fitting.length === 0 ? '' : ` ${listed(fitting)} would fit.`;
  return {
    code: 'time-zone',
    text: `Runs begin ${spanRange(offsets.map(Math.abs))} ${when} they are expected: is the time zone right?${fit}`,
    change: tz !== undefined && fitting.length === 1 ? { tz } : null,
  };
}

/** Whether all are whole hours off, by the same hours, or by one more from when the clock of one of the two zones changed. */
function isOfZone(offsets: readonly number[]): boolean {
  const hours = offsets.map((offsetMs) => Math.round(offsetMs / hour));
  const rests = offsets.map((offsetMs, at) => offsetMs - (hours[at] ?? 0) * hour);
  const isWhole = Math.abs(medianOf(rests)) <= wholeHourMs && rangeOf(rests) <= steadyMs;
  return isWhole && rangeOf(hours) <= 1 && !hours.includes(0);
}

/** How far each is from the slot next to it; null where slots are too close. */
function offsetsFrom(config: CheckConfig, begins: readonly number[]): readonly number[] | null {
  const offsets = begins.map((atMs) => offsetFrom(config, atMs)).filter((offsetMs) => offsetMs !== null);
  return offsets.length === begins.length ? offsets : null;
}

/** Above zero behind the slot. */
function offsetFrom(config: CheckConfig, atMs: number): number | null {
  const beforeMs = slotBefore({ ...config, earlyToleranceS: 0 }, atMs);
  const nextMs = internSchedule(config.schedule, config.tz).next(atMs) ?? NEVER;
  if (beforeMs === 0 || nextMs - beforeMs < slotsApartMs) return null;
  return atMs - beforeMs <= nextMs - atMs ? atMs - beforeMs : atMs - nextMs;
}

/** Whether all begin at their slots in that zone, or a little beside them. The first that does not ends the search. */
function fits(config: CheckConfig, begins: readonly number[]): boolean {
  return begins.every((atMs) => Math.abs(offsetFrom(config, atMs) ?? NEVER) <= steadyMs);
}

function rangeOf(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** `58 to 61 minutes`, `60 minutes`, `1 hour 50 minutes to 3 hours`. */
function spanRange(spansMs: readonly number[]): string {
  const [leastMs, mostMs] = [Math.min(...spansMs), Math.max(...spansMs)];
  if (mostMs < 2 * hour && leastMs >= minute) {
    const [least, most] = [Math.round(leastMs / minute), Math.round(mostMs / minute)];
    return least === most ? `${least} minute${least === 1 ? '' : 's'}` : `${least} to ${most} minutes`;
  }
  const [least, most] = [longSpan(leastMs), longSpan(mostMs)];
  return least === most ? least : `${least} to ${most}`;
}

/** A report, when it was expected and how long after the one before. */
interface Arrival {
  readonly atMs: number;
  readonly lateMs: number;
  readonly afterMs: number;
}

function lateHint({ config, changes }: HintFacts, runs: readonly Run[]): Hint | null {
  if (!expectsOne(config)) return null;
  const arrivals = arrivalsOf(config, runs, changes).slice(-hintRunsMax);
  const graceS = config.startGraceS === 0 ? config.graceS : config.startGraceS;
  const isLate = arrivals.every(({ lateMs }) => lateMs > graceS * second);
  if (arrivals.length < hintRunsMin || !isLate) return null;
  const came = `Not one of the last ${arrivals.length} runs came within the grace time of ${longSpan(graceS * second)}`;
  const aheadMs = aheadOf(config, arrivals);
  if (aheadMs !== null)
    return {
      code: 'never-in-time',
      text: `${came}: they come ${spanRange(aheadMs)} before they are expected.`,
      change: { [checkFields.earlyToleranceS.json]: Math.ceil(Math.max(...aheadMs) / minute) * 60 + 60 },
    };
  return {
    code: 'never-in-time',
    text: `${came}: they came ${spanRange(arrivals.map(({ lateMs }) => lateMs))} after they were expected.`,
    change: lateChange(config, arrivals),
  };
}

/** How long before its slot each one came, if that was a little before: then it counts for the slot before, and is late for that. */
function aheadOf(config: CheckConfig, arrivals: readonly Arrival[]): readonly number[] | null {
  if (config.kind === 'simple') return null;
  const schedule = internSchedule(config.schedule, config.tz);
  const aheadMs = arrivals.map(({ atMs }) => (schedule.next(atMs) ?? NEVER) - atMs);
  const periodMs = medianOf(arrivals.map(({ afterMs }) => afterMs));
  return Math.max(...aheadMs) <= Math.min(hour, periodMs / 4) ? aheadMs : null;
}

/** From run to run, without those during which the check was paused. A check with a limit of its own for runs waits for starts. */
function arrivalsOf(
  config: CheckConfig,
  runs: readonly Run[],
  changes: readonly StatusChange[],
): readonly Arrival[] {
  const waitsForStarts = config.startGraceS > 0 || config.maxRuntimeS > 0;
  const times = runs.map((run) => (waitsForStarts ? beginOf(run) : run.atMs));
  const pausesMs = changes.filter(({ to }) => to === 'paused').map(({ atMs }) => atMs);
  return times.slice(1).flatMap((atMs, index): readonly Arrival[] => {
    const beforeMs = times[index] ?? atMs;
    if (pausesMs.some((pauseMs) => pauseMs >= beforeMs && pauseMs <= atMs)) return [];
    const expectedMs =
      config.earlyToleranceS > 0 ? slotAfter(config, beforeMs) : expectedAfter(config, beforeMs);
    return expectedMs === NEVER ? [] : [{ atMs, lateMs: atMs - expectedMs, afterMs: atMs - beforeMs }];
  });
}

/** A grace time that is longer than the period would hide that a run is missing: then the period is wrong, where there is one. */
function lateChange(config: CheckConfig, arrivals: readonly Arrival[]): Hint['change'] {
  const latestMs = Math.max(...arrivals.map(({ lateMs }) => lateMs));
  const seconds = withReserve(latestMs);
  const periodMs = medianOf(arrivals.map(({ afterMs }) => afterMs));
  const field = config.startGraceS === 0 ? checkFields.graceS : checkFields.startGraceS;
  if (config.kind !== 'simple')
    return latestMs < periodMs / 2 && seconds <= field.max ? { [field.json]: seconds } : null;
  if (latestMs <= config.timeoutS * second) return { [field.json]: seconds };
  const stepMs = periodMs < hour ? minute : 5 * minute;
  const timeoutS = Math.round(periodMs / stepMs) * (stepMs / second);
  const longestMs = Math.max(...arrivals.map(({ afterMs }) => afterMs));
  const isEnough = longestMs <= (timeoutS + config.graceS) * second;
  return isEnough && timeoutS >= checkFields.timeoutS.min && timeoutS <= checkFields.timeoutS.max
    ? { [checkFields.timeoutS.json]: timeoutS }
    : null;
}

/** A tenth more, in whole five minutes. */
function withReserve(ms: number): number {
  return Math.ceil((ms * 1.1) / (5 * minute)) * 300;
}

/** Of a job that takes long and does not say that it has begun, each run is late, within the grace time. */
function alwaysLateHint({ config, changes }: HintFacts, runs: readonly Run[]): Hint | null {
  if (config.kind === 'simple' || !expectsOne(config)) return null;
  const latest = runs.slice(-hintRunsMax);
  if (latest.length < hintRunsMin || latest.some(({ outcome }) => outcome !== 'late')) return null;
  const begins = latest.map((run) => ({ ...run, atMs: beginOf(run) }));
  const lateMs = arrivalsOf(config, begins, changes).map((arrival) => arrival.lateMs);
  if (lateMs.length < hintRunsMin - 1) return null;
  const isKnown = latest.some(({ startedMs }) => startedMs !== null);
  const came = `Each of the last ${latest.length} runs was late, ${isKnown ? 'begun' : 'reported'} ${spanRange(lateMs)} after its time`;
  const advice = isKnown
    ? 'is the schedule right?'
    : 'a ping when the job starts, too, shows that it is on time, however long it takes.';
  return { code: 'always-late', text: `${came}: ${advice}`, change: null };
}

/** Runs with a time of their own that they never keep. Of other checks a run that takes too long comes late. */
function longHint(config: CheckConfig, runs: readonly Run[]): Hint | null {
  if (config.maxRuntimeS === 0 && config.startGraceS === 0) return null;
  const durations = durationsOf(runs).slice(-hintRunsMax);
  const limitS = runLimitS(config);
  if (durations.length < hintRunsMin || durations.some((ms) => ms <= limitS * second)) return null;
  const seconds = withReserve(Math.max(...durations));
  return {
    code: 'never-in-time',
    text: `Not one of the last ${durations.length} runs ended within the ${longSpan(limitS * second)} that it may take: they took ${spanRange(durations)}.`,
    change: seconds <= checkFields.maxRuntimeS.max ? { [checkFields.maxRuntimeS.json]: seconds } : null,
  };
}

function durationsOf(runs: readonly Run[]): readonly number[] {
  return runs.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]));
}

/** Runs with ids may all be in flight: of these only such count that had no more time when the last ping came. */
function startsHint(config: CheckConfig, pings: readonly Ping[]): Hint | null {
  const lastEnd = pings.findLastIndex(({ signal }) => isEnd(signal));
  const overMs = (pings.at(-1)?.atMs ?? 0) - runLimitS(config) * second;
  const starts = pings
    .slice(lastEnd + 1)
    .filter(({ signal, rid, atMs }) => signal === 'start' && (rid === null || atMs < overMs)).length;
  if (starts < hintRunsMin) return null;
  return {
    code: 'starts-without-ends',
    text: `The job sent ${starts} starts and no end ${lastEnd < 0 ? 'at all' : 'since'}: it should report success or failure when it is done.`,
    change: null,
  };
}

const risePerWeek = 1.1;

function slowerHint(runs: readonly Run[]): Hint | null {
  const newestMs = runs.at(-1)?.atMs ?? 0;
  const medians: number[] = [];
  for (let week = 0; ; week++) {
    const untilMs = newestMs - week * 7 * day;
    const durations = durationsOf(
      runs.filter(({ atMs, outcome }) => outcome !== 'failed' && atMs <= untilMs && atMs > untilMs - 7 * day),
    );
    if (durations.length < runsOfWeekMin) break;
    const medianMs = medianOf(durations);
    if ((medians[0] ?? Number.POSITIVE_INFINITY) < medianMs * risePerWeek) break;
    medians.unshift(medianMs);
  }
  const [first = 0] = medians;
  if (medians.length < hintWeeksMin || (medians.at(-1) ?? 0) - first < second) return null;
  return {
    code: 'slower-every-week',
    text: `Runs have taken longer every week for ${medians.length} weeks: ${listed(medians.map(longSpan))}.`,
    change: null,
  };
}

/** Of runs with an id, and only those that ended: a run that only never said so does not overlap. */
function overlapHint(config: CheckConfig, pings: readonly Ping[]): Hint | null {
  // Where several runs report in each period, they are meant to be in flight together.
  if (config.overlap !== 'allow' || config.expectedRuns > 1) return null;
  const groups = new Map<string, StartGroup>();
  const open = new Map<RunId, { readonly group: StartGroup; readonly at: number; readonly atMs: number }>();
  for (const { rid, signal, atMs, host } of pings) {
    if (rid === null) continue;
    if (signal === 'start') {
      const name = config.hosts === '' ? '' : host;
      const group = groups.get(name) ?? { starts: 0, changes: [] };
      groups.set(name, group);
      open.set(rid, { group, at: group.starts++, atMs });
    }
    const own = isEnd(signal) ? open.get(rid) : undefined;
    if (own === undefined) continue;
    open.delete(rid);
    if (atMs - own.atMs < runMsMax) noteDuring(own.group, own.at);
  }
  const starts = [...groups.values()].reduce((sum, group) => sum + group.starts, 0);
  const overlapping = [...groups.values()].reduce((sum, group) => sum + overlappingIn(group), 0);
  if (overlapping < overlapsHintedMin || overlapping < starts / 5) return null;
  return {
    code: 'starts-overlap',
    text: `${overlapping} of the last ${starts} runs started while another one was in flight.`,
    change: { [checkFields.overlap.json]: 'warn' },
  };
}

/** Starts that may overlap one another, in their order. */
interface StartGroup {
  starts: number;
  /** By the number of a start: how many more runs are in flight during it than during the one before. */
  readonly changes: number[];
}

/** Every start that came after that one overlaps its run, which ends now: counted by where they begin and end, as they may be many. */
function noteDuring({ starts, changes }: StartGroup, at: number): void {
  changes[at + 1] = (changes[at + 1] ?? 0) + 1;
  changes[starts] = (changes[starts] ?? 0) - 1;
}

function overlappingIn({ starts, changes }: StartGroup): number {
  let count = 0;
  let inFlight = 0;
  for (let at = 0; at < starts; at++) {
    inFlight += changes[at] ?? 0;
    if (inFlight > 0) count += 1;
  }
  return count;
}
