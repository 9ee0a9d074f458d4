/**
 * `GET checks/<uuid>/results/`: which numbers the runs of a check report, their last values and what is usual. With a name behind it: the
 * values of one of them, run by run out of the pings, or by hour and day out of the statistics, which outlive the pings.
 * Invariant: the values are those of ended runs; a ping that ended none has its numbers in the list of pings only.
 */
import type { Check } from '../../../domain/check/check.ts';
import type { Ping } from '../../../domain/check/ping.ts';
import { slugify } from '../../../domain/check/slugify.ts';
import { resultNamesMax } from '../../../domain/limits.ts';
import { judgeResults, usualRange } from '../../../domain/results/judge-results.ts';
import type { ResultLimit, ResultRule } from '../../../domain/results/result.ts';
import { readResultRules } from '../../../domain/results/result-rules.ts';
import { isEnd } from '../../../domain/runs/run-statistics.ts';
import type { ResultListAnswer, ResultSeriesAnswer } from '../../../domain/views/api-answers.ts';
import { seriesCsv } from '../../../domain/views/results-csv.ts';
import { day, hour } from '../../../lib/units.ts';
import { resultPointsMax } from '../../limits.ts';
import { errorReply, type Headers, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ApiCall, lastOf, pathPart } from '../call.ts';
import { readCheck, showCheck } from '../check-lookup.ts';
import { type FlipRange, parseFlipRange } from '../flip-range.ts';
import { listedPings } from '../history.ts';
import { isoMicroseconds, isoSeconds } from '../iso-time.ts';

export function listResults(call: ApiCall): Promise<HttpReply> {
  return showCheck(call, (check) => {
    const ends = endsOf(listedPings(call, check));
    const rules = new Map(readResultRules(check.config.results).map((rule) => [rule.name, rule]));
    const lasts = lastsOf(ends);
    const others = [...lasts.keys()].filter((name) => !rules.has(name));
    const names = [...rules.keys(), ...others].slice(0, resultNamesMax);
    const results = names.map((name) => {
      const last = lasts.get(name);
      return {
        name,
        unit: rules.get(name)?.unit ?? '',
        has_rule: rules.has(name),
        last: last ? numberOf(last, name) : null,
        last_at: last ? isoMicroseconds(last.atMs) : null,
        verdict: verdictOf(check, rules.get(name), { newest: ends[0], last }),
        limits: (rules.get(name)?.limits ?? []).map(limitJson),
        usual: usualRange(check.runs?.results.find((usual) => usual.name === name)?.values ?? []),
      };
    });
    const leftOut = rules.size + others.length - names.length;
    const more = leftOut === 0 ? {} : { left_out: leftOut };
    return jsonReply({ results, ...more } satisfies ResultListAnswer);
  });
}

/** By name, the newest end that has it: one pass, since a job may give every number another name. */
function lastsOf(ends: readonly Ping[]): ReadonlyMap<string, Ping> {
  const lasts = new Map<string, Ping>();
  for (const end of ends) for (const { name } of end.results) if (!lasts.has(name)) lasts.set(name, end);
  return lasts;
}

const outcomes = { success: 'success', warn: 'warning', fail: 'failure' } as const;

interface Ends {
  readonly newest: Ping | undefined;
  /** The last that reported the number. */
  readonly last: Ping | undefined;
}

/** Of the newest run; when that failed by itself and reported nothing, of the last that did. */
function verdictOf(
  check: Check,
  rule: ResultRule | undefined,
  { newest, last }: Ends,
): ResultListAnswer['results'][number]['verdict'] {
  if (rule === undefined || rule.limits.length === 0 || newest === undefined) return null;
  const hasFailed = newest.signal === 'fail' && newest.note !== 'result';
  const judged = hasFailed ? last : newest;
  if (judged === undefined) return null;
  const usual = new Map((check.runs?.results ?? []).map(({ name, values }) => [name, values]));
  return outcomes[judgeResults([rule], judged.results, usual).verdict];
}

function limitJson(limit: ResultLimit): ResultListAnswer['results'][number]['limits'][number] {
  const outcome = limit.then === 'warn' ? 'warning' : 'failure';
  const value = limit.kind === 'missing' ? {} : { value: limit.value };
  return { kind: limit.kind, ...value, outcome };
}

/**
 * The values of one name, oldest first, as JSON or as a file. Also as a file it is short: 1,000 runs or `resultPointsMax` hours or days.
 */
export async function getResult(call: ApiCall): Promise<HttpReply> {
  const format = lastOf(call.query, 'format');
  if (format !== null && format !== 'csv' && format !== 'json')
    return errorReply(400, 'format is not one of csv, json');
  const parsed = parseFlipRange(call.query, call.nowMs);
  if (!parsed.ok) return errorReply(400, parsed.error);
  const step = lastOf(call.query, 'step') ?? 'run';
  if (step === 'run') return showCheck(call, (check) => byRun(call, check, parsed.range));
  if (step !== 'hour' && step !== 'day') return errorReply(400, 'step is not one of run, hour, day');
  const edges = edgesOf(parsed.range, call.nowMs, step === 'hour' ? hour : day);
  // What is not folded yet may be much: it is counted in turns of its own.
  const found = await readCheck(call, (check) => check.id);
  if ('refusal' in found) return found.refusal;
  await call.read.countAhead(found.read, call.nowMs);
  return showCheck(call, (check) => byTime(call, check, { step, edges }));
}

function byRun(call: ApiCall, check: Check, { fromMs, untilMs }: FlipRange): HttpReply {
  const wanted = pathPart(call, 'result');
  const ends = endsOf(listedPings(call, check)).reverse();
  if (!isKnown(check, ends, wanted)) return notFound;
  const points = ends.flatMap((end) => {
    const value = numberOf(end, wanted);
    const isShown = value !== null && end.atMs >= fromMs && end.atMs < untilMs;
    return isShown ? [{ time: isoMicroseconds(end.atMs), n: end.n, type: end.signal, value }] : [];
  });
  return seriesReply(call, check, { name: wanted, unit: unitOf(check, wanted), step: 'run', points });
}

interface Steps {
  readonly step: 'hour' | 'day';
  readonly edges: readonly number[];
}

function byTime(call: ApiCall, check: Check, { step, edges }: Steps): HttpReply {
  const wanted = pathPart(call, 'result');
  const points = call.read.statistics(check.id, edges, call.nowMs).flatMap(({ results, failures }, at) => {
    const sums = results?.get(wanted);
    if (sums === undefined) return [];
    const { count, sum, min, max } = sums;
    const time = isoSeconds(edges[at] ?? 0);
    return [{ time, runs: count, failed: failures, average: sum / count, min, max }];
  });
  if (points.length === 0 && !isKnown(check, endsOf(listedPings(call, check)), wanted)) return notFound;
  return seriesReply(call, check, { name: wanted, unit: unitOf(check, wanted), step, points });
}

/** What was asked for by `format` is a file to download; a program that accepts CSV first gets it as an answer. */
function seriesReply(call: ApiCall, check: Check, series: ResultSeriesAnswer): HttpReply {
  const format = lastOf(call.query, 'format');
  const isCsv =
    format === 'csv' || (format === null && /^\s*text\/csv\s*(?:[,;]|$)/i.test(call.accept ?? ''));
  const name = fileName(check, series, isCsv ? 'csv' : 'json');
  const file: Headers[number] = ['Content-Disposition', `attachment; filename="${name}"`];
  if (!isCsv) return jsonReply(series, 200, format === null ? [] : [file]);
  const headers: Headers = [['Content-Type', 'text/csv; charset=utf-8'], file];
  return { status: 200, headers, body: seriesCsv(series) };
}

/** `backup-files-by-run.csv`. Names of checks may have characters that no header has. */
function fileName({ config, id }: Check, { name, step }: ResultSeriesAnswer, form: 'csv' | 'json'): string {
  const ofCheck = slugify(config.slug || config.name) || id;
  return `${ofCheck}-${name}-by-${step}.${form}`;
}

/**
 * Whole hours or days (UTC), the newest `resultPointsMax` of the range; without a start, the last 7 days of hours, or the last 365 days.
 */
function edgesOf({ fromMs, untilMs }: FlipRange, nowMs: number, stepMs: number): readonly number[] {
  const end = Math.min(untilMs, nowMs + 1);
  const begin = fromMs === 0 ? end - (stepMs === hour ? 7 : 365) * day : fromMs;
  const last = Math.ceil(end / stepMs);
  const count = Math.min(resultPointsMax, Math.max(0, last - Math.floor(begin / stepMs)));
  return Array.from({ length: count + 1 }, (_, at) => (last - count + at) * stepMs);
}

function endsOf(pings: readonly Ping[]): Ping[] {
  return pings.filter(({ signal }) => isEnd(signal));
}

function numberOf({ results }: Ping, name: string): number | null {
  return results.find((result) => result.name === name)?.value ?? null;
}

function unitOf(check: Check, name: string): string {
  return readResultRules(check.config.results).find((rule) => rule.name === name)?.unit ?? '';
}

function isKnown(check: Check, ends: readonly Ping[], name: string): boolean {
  const hasRule = readResultRules(check.config.results).some((rule) => rule.name === name);
  return hasRule || ends.some((end) => numberOf(end, name) !== null);
}
