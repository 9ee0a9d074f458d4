/**
 * Translates the history of a check in Healthchecks into facts of Knell: its state, status changes, pings with their bodies.
 * Invariant: pure; pings come out oldest first, their numbers rising and none above the check's count.
 */

import {
  type CheckConfig,
  type CheckState,
  freshState,
  type Status,
  statuses,
} from '../domain/check/check.ts';
import { withDeadlines } from '../domain/check/deadline.ts';
import { type Cause, causes, type StatusChange } from '../domain/check/flip.ts';
import { noFigures, type Ping, type Scheme, type Signal, signals } from '../domain/check/ping.ts';
import { bothEnds } from '../lib/both-ends.ts';
import { parseRunId } from '../lib/ids.ts';
import { NEVER, second } from '../lib/units.ts';
import type { DumpFields } from './dump-fields.ts';
import type { DumpRow } from './dump-file.ts';

interface Move {
  /** The latest instant in the dump: until then Healthchecks took the pings. */
  readonly fromMs: number;
  /** Now. */
  readonly untilMs: number;
}

/**
 * A check that went overdue during the move gets its grace time anew: its pings could not arrive, and the move must alert
 * nobody. One that was overdue before is left to the clock.
 */
export function translateState({ fields }: DumpRow, config: CheckConfig, move: Move): CheckState {
  const status = statusOf(fields.text('status'));
  const isPaused = status === 'paused';
  const state = withDeadlines(config, {
    ...freshState,
    status,
    nPings: fields.number('n_pings') ?? 0,
    lastPingMs: fields.instant('last_ping'),
    startedMs: isPaused ? null : fields.instant('last_start'),
    startRid: isPaused ? null : parseRunId(fields.text('last_start_rid')),
    lastDurationMs: fields.durationMs('last_duration'),
  });
  const { downAtMs } = state;
  const isDueInMove = downAtMs !== NEVER && downAtMs > move.fromMs && downAtMs <= move.untilMs;
  return isDueInMove ? { ...state, downNotBeforeMs: move.untilMs + config.graceS * second } : state;
}

/** Up to 1.0 `up` could be kept as `grace`. */
function statusOf(text: string): Status {
  return text === 'grace' ? 'up' : (statuses.find((status) => status === text) ?? 'new');
}

/** Null for one that says nothing: from a status to the same. */
export function translateFlip({ fields }: DumpRow): StatusChange | null {
  const from = statusOf(fields.text('old_status'));
  const to = statusOf(fields.text('new_status'));
  const atMs = fields.instant('created');
  if (from === to || atMs === null) return null;
  return { atMs, from, to, cause: causeOf(fields.text('reason'), to) };
}

const causeByStatus: Readonly<Record<Status, Cause>> = {
  up: 'success',
  down: 'timeout',
  grace: 'timeout',
  paused: 'pause',
  new: 'resume',
};

/** The reason is there since 3.5, and only of those that went down. */
function causeOf(reason: string, to: Status): Cause {
  return causes.find((cause) => cause === reason) ?? causeByStatus[to];
}

export interface ImportedPing {
  readonly ping: Ping;
  readonly body: Uint8Array;
}

/** Translates a ping, without its number. */
export function translatePing({ fields }: DumpRow, bodyBytesMax: number): ImportedPing {
  const body = bothEnds(bodyOf(fields), bodyBytesMax);
  return {
    ping: {
      n: fields.number('n') ?? 0,
      atMs: fields.instant('created') ?? 0,
      signal: signalOf(fields.text('kind')),
      scheme: schemeOf(fields.text('scheme')),
      remoteAddr: fields.text('remote_addr'),
      method: fields.text('method'),
      ua: fields.text('ua'),
      byHand: false,
      rid: parseRunId(fields.text('rid')),
      exitStatus: fields.number('exitstatus'),
      host: '',
      note: null,
      figures: noFigures,
      about: '',
      results: [],
      bodyBytes: body.length,
    },
    body,
  };
}

/** Up to 3.4 there is also a column with text, which versions of before 2.1 wrote. */
function bodyOf(fields: DumpFields): Uint8Array {
  const raw = fields.bytes('body_raw');
  return raw.length > 0 ? raw : new TextEncoder().encode(fields.text('body'));
}

/** Empty and null are a success. */
function signalOf(kind: string): Signal {
  return signals.find((signal) => signal === kind) ?? 'success';
}

function schemeOf(text: string): Scheme {
  return text === 'https' || text === 'email' ? text : 'http';
}

/**
 * The numbers of pings, oldest first, of a check that has had `nPings`: those they have, and for rows of 2015 to 2017 those
 * that follow, counted back from the next. 0: there is no number left for it.
 */
export function numbersOf(given: readonly (number | null)[], nPings: number): readonly number[] {
  const numbers = new Array<number>(given.length).fill(0);
  let next = nPings + 1;
  for (let index = given.length - 1; index >= 0; index--) {
    const own = given[index] ?? null;
    const number = own !== null && own > 0 && own < next ? own : next - 1;
    if (number < 1) break;
    numbers[index] = number;
    next = number;
  }
  return numbers;
}
