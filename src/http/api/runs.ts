/**
 * Lists the runs of a check and shows one: an addition of Knell, as Healthchecks knows only pings and flips.
 * Not here: which ping belongs to which run (`domain/runs/run-log`).
 * Invariant: a page goes on where the one before it ended, whichever runs have ended or begun in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '../../domain/check/check.ts';
import type { Ping } from '../../domain/check/ping.ts';
import { tracksRuns } from '../../domain/check/run-state.ts';
import { noteWords } from '../../domain/runs/note-words.ts';
import {
  comparePlaces,
  durationOf,
  type LoggedRun,
  openRunsOf,
  placeOf,
  runsOfLog,
} from '../../domain/runs/run-log.ts';
import type { RunAnswer, RunDetailsAnswer, RunListAnswer } from '../../domain/views/api-answers.ts';
import { runChangesReadMax, runEndingsReadMax, runLogReadsMax } from '../limits.ts';
import { errorReply, jsonReply, notFound } from '../wire/json-reply.ts';
import type { HttpReply } from '../wire/message.ts';
import { type ApiCall, lastOf } from './call.ts';
import { showCheck } from './check-lookup.ts';
import { allTime } from './flip-range.ts';
import { leavesAt, listedBody, listedPings, pingRenderer, secondsRounded } from './history.ts';
import { isoMicroseconds } from './iso-time.ts';
import { resultsJson } from './results/results-json.ts';
import { cursorOf, parseRunQuery } from './run-query.ts';

export function listRuns(call: ApiCall): Promise<HttpReply> {
  return showRuns(call, ({ runs: all, pings }) => {
    const parsed = parseRunQuery(call.query, call.nowMs);
    if (!parsed.ok) return errorReply(400, parsed.error);
    const { range, outcomes, limit, before } = parsed.query;
    const wanted = all.filter((run) => {
      const place = placeOf(run);
      if (before !== null && comparePlaces(place, before) <= 0) return false;
      const isInRange = place.atMs >= range.fromMs && place.atMs < range.untilMs;
      return isInRange && (outcomes === null || outcomes.has(run.outcome));
    });
    for (const run of wanted) call.changesAt(leavesAt(call, placeOf(run).atMs));
    const runs = wanted.slice(0, limit);
    const last = wanted.length > limit ? runs.at(-1) : undefined;
    const next = last === undefined ? null : cursorOf(placeOf(last));
    const oldest = pings.at(-1);
    const isCut = oldest !== undefined && oldest.n > 1;
    return jsonReply({
      runs: runs.map(runJson),
      next,
      ...(isCut ? { log_from: isoMicroseconds(oldest.atMs) } : {}),
    } satisfies RunListAnswer);
  });
}

/** The run that the ping number n belongs to. */
export function getRun(call: ApiCall): Promise<HttpReply> {
  return showRuns(call, ({ check, pings, runs }) => {
    const n = Number(call.path.n);
    const run = runs.find((one) => one.pings.includes(n));
    if (run === undefined) return notFound;
    const numbers = new Set(run.pings);
    const own = pings.filter((ping) => numbers.has(ping.n)).map(pingRenderer(call, check, pings));
    const output = lastOf(call.query, 'output') === '1' ? { output: outputOf(call, check, run) } : {};
    return jsonReply({ ...runJson(run), pings: own, ...output } satisfies RunDetailsAnswer);
  });
}

interface ReadRuns {
  readonly check: Check;
  readonly pings: readonly Ping[];
  readonly runs: readonly LoggedRun[];
}

/**
 * Replies with the result of `show`. The log of a check takes some milliseconds, so each part of it is read in a turn of its own. That
 * the endings and changes may be newer than the pings does no harm: of two facts about the end of a run they are the last one.
 */
async function showRuns(call: ApiCall, show: (read: ReadRuns) => HttpReply): Promise<HttpReply> {
  const found = await readPings(call);
  if ('refusal' in found) return found.refusal;
  const { check, pings } = found;
  const { read } = call;
  await nextTurn();
  const endings = await read.durably(() => read.runEndings(check.id, allTime, runEndingsReadMax));
  await nextTurn();
  const changes = await read.durably(() => read.changes(check.id, allTime, runChangesReadMax));
  await nextTurn();
  const runs = runsOfLog({
    ...{ pings, changes, endings },
    open: openRunsOf(check),
    isTracked: tracksRuns(check.config),
  });
  await nextTurn();
  return read.durably(() => show({ check, pings, runs }));
}

/**
 * A check and its pings that agree: the check has a ping at once, its log when that is durable, so it is read again while it lacks
 * one.
 */
async function readPings(call: ApiCall): Promise<Omit<ReadRuns, 'runs'> | { readonly refusal: HttpReply }> {
  for (let left = runLogReadsMax; ; left--) {
    const found: Omit<ReadRuns, 'runs'>[] = [];
    const refusal = await showCheck(call, (check) => {
      found[0] = { check, pings: listedPings(call, check) };
      return notFound;
    });
    const [read] = found;
    if (read === undefined) return { refusal };
    if (left === 1 || (read.pings[0]?.n ?? 0) >= read.check.state.nPings) return read;
  }
}

function runJson(run: LoggedRun): RunAnswer {
  const durationMs = durationOf(run);
  return {
    outcome: run.outcome,
    started: isoOrNull(run.startedMs),
    ended: isoOrNull(run.endedMs),
    late_end: isoOrNull(run.lateEnd?.atMs ?? null),
    duration: durationMs === null ? null : secondsRounded(durationMs),
    rid: run.rid,
    host: run.host,
    exitstatus: run.exitStatus,
    note: run.note,
    pings: run.pings,
    n: run.n,
    ...(run.figures.length === 0 || run.note === 'result' ? {} : { figures: figuresJson(run) }),
    ...(run.note === 'result' ? { note_text: noteWords({ ...run, note: run.note }, isoMicroseconds) } : {}),
    ...(run.results.length === 0 ? {} : { results: resultsJson(run.results) }),
  };
}

function figuresJson({
  note,
  figures: [first = 0, second = 0],
}: LoggedRun): NonNullable<RunAnswer['figures']> {
  switch (note) {
    case 'too-short':
      return { at_least: secondsRounded(first) };
    case 'unusually-short':
    case 'unusually-long':
      return { usual_from: secondsRounded(first), usual_to: secondsRounded(second) };
    case 'overlap':
      return { other_started: isoMicroseconds(first) };
    case 'ended-before':
      return { other_ended: isoMicroseconds(first) };
    default:
      return {};
  }
}

function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoMicroseconds(atMs);
}

/** Bytes that are no UTF-8 are replaced: `pings/<n>/body` has them as they came. */
function outputOf(call: ApiCall, check: Check, { n, lateEnd }: LoggedRun): string | null {
  const end = n ?? lateEnd?.n;
  const body = end === undefined ? null : listedBody(call, check, end);
  return body === null || body.length === 0 ? null : Buffer.from(body).toString('utf8');
}
