/**
 * `explain_outage`: what there is to know about why a check is down, or was: the change, the runs and pings around it, the output
 * of the run that failed, who was notified, and what else was down.
 * Invariant: a read-only key gets what it may read, and the answer says what it lacks.
 */
import type { FoundCheck } from '../../client/find-check.ts';
import { allChecks } from '../../client/find-check.ts';
import type {
  FlipListAnswer,
  IncidentListAnswer,
  PingListAnswer,
  RunAnswer,
  RunDetailsAnswer,
  RunListAnswer,
} from '../../domain/views/api-answers.ts';
import { systemClock } from '../../lib/clock.ts';
import { KnellError } from '../../lib/errors.ts';
import { minute, second } from '../../lib/units.ts';
import { findCheck } from '../checks/check-actions.ts';
import { statusWord } from '../checks/check-rows.ts';
import { toolNeighboursMax } from '../io/limits.ts';
import { factsOf, shownCheck, type ToolAnswer, type ToolCall, textArg } from './tool.ts';
import { untrusted } from './untrusted.ts';

export async function explainOutage(call: ToolCall): Promise<ToolAnswer> {
  const { management, flags, args } = call;
  const found = await findCheck(management, String(args.check), flags);
  const atMs = momentOf(textArg(args, 'at'));
  const outage = await outageOf(call, found, atMs);
  const facts = { check: shownCheck(found.check, false), status: statusWord(found.check.status) };
  if (outage === null)
    return [factsOf({ ...facts, outage: null, why: 'The history has no outage of this check until then.' })];
  const around = { fromMs: outage.downMs - aroundMs, untilMs: (outage.upMs ?? atMs) + aroundMs };
  const runs = await runsUntil(call, found, outage.downMs + aroundMs);
  const failed = runs.find(({ outcome, n }) => n !== null && !noFailures.includes(outcome));
  const parts: string[] = [
    factsOf({
      ...facts,
      outage: {
        down_since: isoOf(outage.downMs),
        up_again: outage.upMs === null ? null : isoOf(outage.upMs),
      },
      runs_until_then_newest_first: runs,
      ...(await logAround(call, found, outage.downMs)),
      ...(await notified(call, found, outage.downMs)),
      hints: await read(call, found, 'hints/'),
    }),
    factsOf({ neighbours: await neighboursOf(call, found, around) }),
  ];
  if (!call.isReadWrite)
    parts.push('The key is read-only: the pings, their outputs and who was notified need a read-write key.');
  else if (failed?.n) parts.push(await outputOf(call, found, failed.n));
  else parts.push('No run that failed has an output.');
  return parts;
}

const noFailures: readonly RunAnswer['outcome'][] = ['success', 'warning', 'running'];
/** Before and after: what went down together did so within minutes. */
const aroundMs = 15 * minute;
/** Runs and pings that are shown: those before are the usual ones. */
const runsShown = 6;
const pingsShown = 12;

function momentOf(at: string | undefined): number {
  const atMs = at === undefined ? systemClock.nowMs() : Date.parse(at);
  if (Number.isNaN(atMs)) throw new KnellError('usage', 'at must be a time such as 2030-05-04T02:10:00Z');
  return atMs;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

interface Outage {
  readonly downMs: number;
  /** Null as long as it lasts. */
  readonly upMs: number | null;
}

/** The last one that began before. */
async function outageOf(call: ToolCall, found: FoundCheck, atMs: number): Promise<Outage | null> {
  const flips = (await read(call, found, 'flips/')) as FlipListAnswer;
  const changes = flips
    .map(({ timestamp, up }) => ({ ms: Date.parse(timestamp), up }))
    .sort((a, b) => a.ms - b.ms);
  const down = changes.findLast(({ ms, up }) => up === 0 && ms <= atMs + second);
  if (!down) return null;
  return { downMs: down.ms, upMs: changes.find(({ ms, up }) => up === 1 && ms > down.ms)?.ms ?? null };
}

function read({ management }: ToolCall, { project, check }: FoundCheck, path: string): Promise<unknown> {
  return management.call(project, 'GET', `checks/${check.uuid}/${path}`);
}

async function runsUntil(call: ToolCall, found: FoundCheck, untilMs: number): Promise<readonly RunAnswer[]> {
  const query = new URLSearchParams({ limit: String(runsShown), end: String(Math.ceil(untilMs / second)) });
  return ((await read(call, found, `runs/?${query}`)) as RunListAnswer).runs;
}

/** Without what a sender says of itself, which is no fact. */
async function logAround(call: ToolCall, found: FoundCheck, downMs: number): Promise<object> {
  if (!call.isReadWrite) return {};
  const { pings } = (await read(call, found, 'pings/')) as PingListAnswer;
  const until = pings.filter(({ date }) => Date.parse(date) <= downMs + aroundMs).slice(0, pingsShown);
  return {
    pings_until_then_newest_first: until.map(({ n, type, date, scheme, duration, note, body_url }) => {
      return { n, type, date, scheme, duration, note, has_output: body_url !== null };
    }),
  };
}

async function notified(call: ToolCall, found: FoundCheck, downMs: number): Promise<object> {
  if (!call.isReadWrite) return {};
  const query = new URLSearchParams({ at: isoOf(Math.min(systemClock.nowMs(), downMs + second)) });
  return { who_was_notified: await read(call, found, `alerting?${query}`) };
}

/** What else is down now, and the incidents of that time. */
async function neighboursOf(
  { management }: ToolCall,
  { project, check }: FoundCheck,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): Promise<object> {
  const others = (await allChecks(management, project.id === '' ? undefined : project.id)).filter(
    (one) => one.check.uuid !== check.uuid && ['down', 'grace'].includes(one.check.status),
  );
  const { incidents } = (await management.call(project, 'GET', 'incidents/?limit=100')) as IncidentListAnswer;
  const then = incidents.filter(
    ({ opened, resolved }) =>
      Date.parse(opened) <= untilMs && (resolved === null || Date.parse(resolved) >= fromMs),
  );
  return {
    down_or_late_now: others.slice(0, toolNeighboursMax).map((one) => ({
      uuid: one.check.uuid,
      name: one.check.name,
      status: statusWord(one.check.status),
      last_ping: one.check.last_ping,
    })),
    n_down_or_late_now: others.length,
    incidents_of_that_time: then.slice(0, toolNeighboursMax),
  };
}

async function outputOf(call: ToolCall, found: FoundCheck, n: number): Promise<string> {
  const { output } = (await read(call, found, `runs/${n}?output=1`)) as RunDetailsAnswer;
  if (output === null || output === undefined || output === '')
    return `Run ${n} printed nothing, or its output is no longer kept.`;
  return untrusted(`output of run ${n} of the check ${JSON.stringify(found.check.name)}`, output);
}
