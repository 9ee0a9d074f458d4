/**
 * Why a check is down or late, in a sentence, for the page behind the link of an alert: its readers have no account, and their zone is
 * not known, so it says how long ago and not when.
 * Invariant: nothing newer than what took the check down is given as the reason.
 */
import type { Check } from '../../../domain/check/check.ts';
import type { StatusChange } from '../../../domain/check/flip.ts';
import { pingsUntil } from '../../../domain/check/made-by.ts';
import type { Ping } from '../../../domain/check/ping.ts';
import { noteWords } from '../../../domain/runs/note-words.ts';
import { runDurations } from '../../../domain/runs/run-durations.ts';
import { capital } from '../../../domain/words/capital.ts';
import { exactSpan, shortSpan } from '../../../domain/words/span-words.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { second } from '../../../lib/units.ts';
import { alertPingsSearchedMax } from '../../limits.ts';

type Reads = Pick<EngineRead, 'lastChange' | 'pings' | 'runEndings'>;

/** Empty for a check that is neither down nor late. */
export function reasonOf(read: Reads, check: Check, nowMs: number): string {
  if (check.state.status === 'grace') return 'A ping is late; still within the grace time.';
  const change = check.state.status === 'down' ? read.lastChange(check.id) : null;
  return change?.to === 'down' ? downReason(read, check, change, nowMs) : '';
}

function downReason(read: Reads, check: Check, change: StatusChange, nowMs: number): string {
  const ago = (atMs: number): string => `${shortSpan(nowMs - atMs)} ago`;
  switch (change.cause) {
    case 'fail':
      return failReason(pingsUntil(read.pings(check.id, alertPingsSearchedMax), change), change, ago);
    case 'hung':
      return hungReason(read, check, change, ago);
    case 'missed':
      return missedReason(check);
    case 'overlap':
      return 'A run started while another was still in flight.';
    case 'update':
      return 'Overdue under the new schedule.';
    default:
      return lateReason(check, change, ago);
  }
}

type Ago = (atMs: number) => string;

/** Of many pings since then, the one that failed may not be among those that were looked at. */
function failReason(pings: readonly Ping[], { atMs }: StatusChange, ago: Ago): string {
  const [ping] = pings;
  if (ping?.atMs !== atMs || ping.signal !== 'fail') return 'The job reported a failure.';
  if (ping.note !== null) return `${capital(noteWords({ ...ping, note: ping.note }, ago))}.`;
  const runMs = runDurations(pings).get(ping.n) ?? null;
  const after = runMs === null ? '' : ` after ${exactSpan(runMs)}`;
  return ping.exitStatus === null || ping.exitStatus === 0
    ? `The job reported a failure${after}.`
    : `Exit status ${ping.exitStatus}${after}.`;
}

function hungReason(read: Reads, { id }: Check, { atMs }: StatusChange, ago: Ago): string {
  const [ending] = read.runEndings(id, { fromMs: atMs, untilMs: atMs + 1 }, 1);
  if (!ending || ending.startedMs === null) return 'A run did not end in time.';
  const host = ending.host === '' ? '' : ` on ${ending.host}`;
  const limit = ending.limitS === 0 ? '' : `, may take ${exactSpan(ending.limitS * second)}`;
  return `A run hung: started ${ago(ending.startedMs)}${host}${limit}.`;
}

function missedReason({ runs }: Check): string {
  const hosts = runs?.hosts ?? [];
  const missing = hosts.filter(({ status }) => status === 'missing').map(({ name }) => name);
  if (missing.length === 0) return 'A run was not reported in time.';
  const verb = missing.length === 1 ? 'has' : 'have';
  return `${missing.join(', ')} ${verb} not reported; ${hosts.length - missing.length} of ${hosts.length} have.`;
}

/** A run that started since is in flight says nothing of why. */
function lateReason({ config, state: { startedMs } }: Check, { atMs }: StatusChange, ago: Ago): string {
  if (startedMs === null || startedMs > atMs) return 'No ping arrived in time.';
  return startedMs + config.graceS * second <= atMs
    ? `A run started ${ago(startedMs)} and did not finish within the grace time.`
    : `No ping arrived in time. A run that started ${ago(startedMs)} has not finished.`;
}
