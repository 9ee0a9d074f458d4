/**
 * The short way of a ping that leaves the status as it is, 99.9 % of them: a few numbers of the check's row change, and
 * nothing is decoded or allocated.
 * Invariant: where it takes an event, the row is then what `check-machine` would make of the check (held by a property test).
 */
import type { Signal } from '../../domain/check/ping.ts';
import type { RunId } from '../../lib/ids.ts';
import { NEVER, second } from '../../lib/units.ts';
import { noTiming, type Timings } from '../contract/timings.ts';
import { doublesAt, flag, type HotRows, place, statusNumber, word, wordsAt } from './hot-rows.ts';

/** False, and nothing has changed, when the statechart must decide. */
export function fastStep(
  rows: HotRows,
  timings: Timings,
  handle: number,
  signal: Signal,
  atMs: number,
  rid: RunId | null,
): boolean {
  const status = rows.flags(handle) & flag.status;
  switch (signal) {
    case 'log':
    case 'ign':
      count(rows, handle);
      return true;
    case 'success':
      if (status !== statusNumber.up) return false;
      end(rows, handle, atMs, rid, false);
      derive(rows, timings, handle);
      return true;
    case 'fail':
      if (status !== statusNumber.down) return false;
      end(rows, handle, atMs, rid, true);
      return true;
    case 'start':
      if (status === statusNumber.paused) return false;
      start(rows, handle, atMs, rid);
      derive(rows, timings, handle);
      return true;
    case 'warn':
    case 'alive':
      return false;
  }
}

/** Also clears flags; the check as it was decoded last is no longer the row's. */
function count(rows: HotRows, handle: number, cleared: number = flag.decoded): void {
  const { doubles, words } = rows.block(handle);
  const at = doublesAt(handle) + place.nPings;
  doubles[at] = (doubles[at] ?? 0) + 1;
  const flagsAt = wordsAt(handle) + word.flags;
  words[flagsAt] = (words[flagsAt] ?? 0) & ~cleared;
}

/** Does what `ended` of `domain/check/ping-effects` does. */
function end(rows: HotRows, handle: number, atMs: number, rid: RunId | null, isFailure: boolean): void {
  count(rows, handle, flag.decoded | flag.warned);
  const { doubles } = rows.block(handle);
  const at = doublesAt(handle);
  const flags = rows.flags(handle);
  const startedMs = doubles[at + place.started] ?? Number.NaN;
  const startRid = flags & flag.hasRid ? (rows.rids.get(handle) ?? null) : null;
  const matches = !Number.isNaN(startedMs) && startRid === rid;
  doubles[at + place.lastPing] = atMs;
  doubles[at + place.duration] = matches ? Math.max(0, atMs - startedMs) : Number.NaN;
  if (matches || isFailure || rid === null) {
    doubles[at + place.started] = Number.NaN;
    if (flags & flag.hasRid) rows.setRid(handle, null);
  }
  if (flags & flag.hasCredits) rows.setCredits(handle, { graceNotBeforeMs: 0, downNotBeforeMs: 0 });
}

/** Does what `started` of `domain/check/ping-effects` does. */
function start(rows: HotRows, handle: number, atMs: number, rid: RunId | null): void {
  count(rows, handle);
  rows.block(handle).doubles[doublesAt(handle) + place.started] = atMs;
  if (rid !== null || rows.flags(handle) & flag.hasRid) rows.setRid(handle, rid);
}

/** Both deadlines anew, as `dated` of `domain/check/deadline`. */
export function derive(rows: HotRows, timings: Timings, handle: number): void {
  const { doubles, words } = rows.block(handle);
  const at = doublesAt(handle);
  const wordAt = wordsAt(handle);
  const flags = words[wordAt + word.flags] ?? 0;
  const status = flags & flag.status;
  const lastPingMs = doubles[at + place.lastPing] ?? Number.NaN;
  let expectedMs = NEVER;
  if (!Number.isNaN(lastPingMs) && (status === statusNumber.up || status === statusNumber.grace)) {
    const timing = words[wordAt + word.timing] ?? noTiming;
    expectedMs =
      timing === noTiming
        ? lastPingMs + (words[wordAt + word.timeoutS] ?? 0) * second
        : timings.after(timing, lastPingMs);
  }
  let downMs = NEVER;
  if (status !== statusNumber.down && status !== statusNumber.paused) {
    const startedMs = doubles[at + place.started] ?? Number.NaN;
    const beginMs = Number.isNaN(startedMs) ? expectedMs : Math.min(startedMs, expectedMs);
    downMs = beginMs + (words[wordAt + word.graceS] ?? 0) * second;
  }
  if (flags & flag.hasCredits) {
    const credits = rows.credits.get(handle);
    expectedMs = Math.max(expectedMs, credits?.graceNotBeforeMs ?? 0);
    downMs = Math.max(downMs, credits?.downNotBeforeMs ?? 0);
  }
  doubles[at + place.expected] = expectedMs;
  doubles[at + place.down] = downMs;
}
