/**
 * The checks of a project as metrics, under the addresses, names and labels of Healthchecks: a Prometheus that scraped
 * Healthchecks continues unchanged. `metrics-routes` has the metrics of Knell itself.
 * Invariant: only a read-only key of that very project opens them; rendering holds the event loop for a few milliseconds at a
 * time, however many checks and tags there are.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Project } from '../../domain/accounts/project.ts';
import { type Check, tagsOf } from '../../domain/check/check.ts';
import type { EngineChange, EngineRead } from '../../engine/contract/engine.ts';
import { visitChecks } from '../../engine/reads/check-slices.ts';
import { escapedLabel, expositionTypes } from '../../lib/exposition.ts';
import { uniqueKeyOf } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import { lastOutcomesMax, resultSeriesMax, sortedPerTurn } from '../limits.ts';
import { bearerToken } from '../wire/bearer.ts';
import type { HttpReply, HttpRequest } from '../wire/message.ts';
import { neverCached, text } from '../wire/replies.ts';
import { tagsInTurns } from '../wire/sorted-in-turns.ts';
import { lastRuns } from './last-outcomes.ts';

const address = /^\/projects\/(?<project>[0-9a-f-]{36})\/(?:checks\/)?metrics\/(?<key>[\w-]*)$/;

export function isProjectMetrics(path: string): boolean {
  return address.test(path);
}

/** Length of all keys but ping keys. */
const keyLength = 32;

interface Engine {
  readonly read: EngineRead;
  readonly change: Pick<EngineChange, 'noteKeyUse'>;
}

export async function projectMetrics({ read, change }: Engine, request: HttpRequest): Promise<HttpReply> {
  const { project: id = '', key: keyInPath = '' } = address.exec(request.path)?.groups ?? {};
  const key = keyInPath === '' ? bearerToken(request.headers.authorization ?? '') : keyInPath;
  if (key === null)
    return text(401, 'send a read-only key in the header Authorization: Bearer', [
      ['WWW-Authenticate', 'Bearer'],
    ]);
  if (key.length !== keyLength) return text(400, `a read-only key has ${keyLength} characters`);
  const holder = read.holderOf(key);
  if (holder?.scope !== 'read-only' || holder.project.id !== id)
    return text(403, 'this is no read-only key of this project');
  const parts = await render(read, holder.project, request.receivedAtMs);
  change.noteKeyUse(holder.keyId, request.receivedAtMs);
  return {
    status: 200,
    headers: [
      ['Content-Type', expositionTypes.prometheus],
      ['Cache-Control', neverCached],
    ],
    body: { parts, length: parts.reduce((sum, part) => sum + part.length, 0) },
  };
}

interface CheckGauge {
  readonly name: string;
  readonly help: string;
  readonly isOn: (check: Check) => boolean;
}

/** Gauges of each check, in the order of the answer. */
const checkGauges: readonly CheckGauge[] = [
  {
    name: 'hc_check_up',
    help: 'Whether the check is up, which it is unless it is down.',
    isOn: ({ state }) => state.status !== 'down',
  },
  {
    name: 'hc_check_started',
    help: 'Whether the job of the check is running.',
    isOn: ({ state }) => state.startedMs !== null,
  },
  {
    name: 'hc_check_grace',
    help: 'Whether the check is late, within its grace time.',
    isOn: ({ state }) => state.status === 'grace',
  },
  {
    name: 'hc_check_paused',
    help: 'Whether the check is paused.',
    isOn: ({ state }) => state.status === 'paused',
  },
];

/** Lines and tags of one slice of checks. */
interface Slice {
  /** Lines of each gauge. */
  readonly gauges: readonly Uint8Array[];
  /** Lines of the durations of last runs. */
  readonly durations: Uint8Array;
  /** Checks that have had a ping; none of a project with too many checks. */
  readonly pinged: readonly Check[];
  readonly total: number;
  readonly down: number;
  readonly tags: ReadonlySet<string>;
  /** Those tags that have a check that is down. */
  readonly downTags: ReadonlySet<string>;
}

function sliceOf(checks: readonly Check[], keepsChecks: boolean): Slice {
  const labels = checks.map((check) => labelsOf(check));
  const down = checks.filter(({ state }) => state.status === 'down');
  const linesOf = ({ name, isOn }: CheckGauge): string =>
    checks.map((check, at) => `${name}${labels[at]} ${isOn(check) ? 1 : 0}\n`).join('');
  return {
    gauges: checkGauges.map((gauge) => Buffer.from(linesOf(gauge))),
    durations: Buffer.from(checks.map((check, at) => durationLine(check, labels[at] ?? '')).join('')),
    pinged: keepsChecks ? checks.filter(({ state }) => state.nPings > 0) : [],
    total: checks.length,
    down: down.length,
    tags: allTags(checks),
    downTags: allTags(down),
  };
}

const duration = 'knell_check_last_run_duration_seconds';
const outcome = 'knell_check_last_run_outcome';
const result = 'knell_result';

function durationLine({ state: { lastDurationMs } }: Check, labels: string): string {
  return lastDurationMs === null ? '' : `${duration}${labels} ${lastDurationMs / second}\n`;
}

interface RunLines {
  readonly outcomes: readonly Uint8Array[];
  readonly results: readonly Uint8Array[];
}

/** A line for each check of which a run has ended, and for each number that it reported. */
async function runLines(read: EngineRead, slices: readonly Slice[]): Promise<RunLines> {
  const outcomes: Uint8Array[] = [];
  const results: Uint8Array[] = [];
  let left = resultSeriesMax;
  for (const { pinged } of slices) {
    const runs = await lastRuns(read, pinged);
    const [outcomeText, resultText] = [[''], ['']];
    for (const [at, check] of pinged.entries()) {
      const run = runs[at];
      if (!run) continue;
      outcomeText.push(`${outcome}${labelsOf(check, `, outcome="${run.outcome}"`)} 1\n`);
      for (const { name, value } of run.results.slice(0, left))
        resultText.push(`${result}${labelsOf(check, `, result="${name}"`)} ${value}\n`);
      left -= Math.min(left, run.results.length);
    }
    outcomes.push(Buffer.from(outcomeText.join('')));
    results.push(Buffer.from(resultText.join('')));
  }
  return { outcomes, results };
}

function labelsOf({ id, config }: Check, more = ''): string {
  const { name, tags } = config;
  return `{name="${escapedLabel(name)}", tags="${escapedLabel(tags)}", unique_key="${uniqueKeyOf(id)}"${more}}`;
}

function allTags(checks: readonly Check[]): ReadonlySet<string> {
  return new Set(checks.flatMap(({ config }) => tagsOf(config)));
}

async function render(read: EngineRead, { id }: Project, nowMs: number): Promise<readonly Uint8Array[]> {
  const keepsChecks = read.checkCount(id) <= lastOutcomesMax;
  const slices = await visitChecks(read, id, nowMs, (checks) => sliceOf(checks, keepsChecks));
  const runs = await runLines(read, slices);
  const sum = (count: (slice: Slice) => number): number =>
    slices.reduce((total, slice) => total + count(slice), 0);
  const head = (name: string, help: string): Uint8Array =>
    Buffer.from(`# HELP ${name} ${help}\n# TYPE ${name} gauge\n`);
  const empty = Buffer.from('\n');
  const single = (name: string, help: string, value: number): readonly Uint8Array[] => [
    head(name, help),
    Buffer.from(`${name} ${value}\n`),
  ];
  return [
    ...checkGauges.flatMap(({ name, help }, at) => [
      head(name, help),
      ...slices.map(({ gauges }) => gauges[at] ?? empty),
      empty,
    ]),
    head('hc_tag_up', 'Whether no check with the tag is down.'),
    ...(await tagLines(slices)),
    empty,
    ...single(
      'hc_checks_total',
      'How many checks there are.',
      sum(({ total }) => total),
    ),
    empty,
    ...single(
      'hc_checks_down_total',
      'How many checks are down.',
      sum(({ down }) => down),
    ),
    empty,
    ...single(
      'knell_incidents_open',
      'Incidents of the project that are not resolved.',
      read.openIncidentCounts(id).count,
    ),
    empty,
    head(duration, 'How long the last run of the check took that has ended.'),
    ...slices.map(({ durations }) => durations),
    empty,
    head(outcome, 'How the last run of the check ended: 1 for the outcome that it had.'),
    ...runs.outcomes,
    // Of a project whose jobs report none, nothing is said of numbers.
    ...(runs.results.some(({ length }) => length > 0)
      ? [empty, head(result, 'What the last run of the check reported that has ended.'), ...runs.results]
      : []),
  ];
}

async function tagLines(slices: readonly Slice[]): Promise<readonly Uint8Array[]> {
  const down = new Set<string>();
  for (const { downTags } of slices) {
    for (const tag of downTags) down.add(tag);
    await nextTurn();
  }
  const sorted = await tagsInTurns(slices.map(({ tags }) => tags));
  const parts: Uint8Array[] = [];
  for (let start = 0; start < sorted.length; start += sortedPerTurn) {
    const lines = sorted
      .slice(start, start + sortedPerTurn)
      .map((tag) => `hc_tag_up{tag="${escapedLabel(tag)}"} ${down.has(tag) ? 0 : 1}\n`);
    parts.push(Buffer.from(lines.join('')));
    await nextTurn();
  }
  return parts;
}
