/**
 * The values of a check that every ping reads and writes, as a row of eight doubles: one line of the processor's cache. See
 * `check-table` for the layout as a whole.
 *
 * | place | what |
 * |---|---|
 * | double 0 | pings so far |
 * | doubles 1, 2, 3 | last ping, start of the run, last duration; NaN for none |
 * | doubles 4, 5 | when the grace time begins, when the check goes down; NEVER for never |
 * | word 12 | the status and the flags below |
 * | word 13 | the number of its schedule (`timings`), 0 for a simple check |
 * | words 14, 15 | timeout and grace time in seconds |
 *
 * Absent instants are NaN. What few checks have, a run's id, an outage credit and the end of a snooze, lies in maps beside, and
 * a flag says so.
 * Rows are in blocks, so that no growth copies what is there.
 * Invariant: knows no check's configuration beyond these words; both views of a block are of the same memory.
 */
import {
  type CheckState,
  type FreshState,
  freshCopy,
  freshState,
  type Status,
  statuses,
} from '../../domain/check/check.ts';
import type { OutageCredit } from '../../domain/check/deadline.ts';
import type { RunId } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';

export const place = { nPings: 0, lastPing: 1, started: 2, duration: 3, expected: 4, down: 5 } as const;
export const word = { flags: 12, timing: 13, timeoutS: 14, graceS: 15 } as const;

/** Number of doubles that hold the state. */
export const stateDoubles = 6;

/** Flags in the word of flags, above the three bits of the status. */
export const flag = {
  status: 7,
  /** The meaning of a ping follows from its address alone. */
  plain: 8,
  /** The row is a check's. */
  present: 16,
  hasRid: 32,
  hasCredits: 64,
  /** The check as it was decoded last is still the row's. */
  decoded: 128,
  snoozed: 256,
  /** Its runs are tracked: its deadlines follow from the decoded check. */
  tracked: 512,
  /** The last run ended with a warning. */
  warned: 1024,
  /** Its notifications are held back, or its failures counted. */
  held: 2048,
  /** It depends on other checks. */
  dependent: 4096,
} as const;

export const statusNumber = {
  new: statuses.indexOf('new'),
  up: statuses.indexOf('up'),
  grace: statuses.indexOf('grace'),
  down: statuses.indexOf('down'),
  paused: statuses.indexOf('paused'),
} as const satisfies Record<Status, number>;

const blockBits = 14;
const blockRows = 1 << blockBits;
const rowDoubles = 8;

export interface RowBlock {
  readonly doubles: Float64Array;
  readonly words: Int32Array;
}

const noCredits: OutageCredit = { graceNotBeforeMs: 0, downNotBeforeMs: 0 };

export class HotRows {
  readonly #blocks: RowBlock[] = [];
  readonly rids = new Map<number, RunId>();
  readonly credits = new Map<number, OutageCredit>();
  /** Ends, in epoch milliseconds. */
  readonly snoozes = new Map<number, number>();
  readonly holds = new Map<number, number>();

  /** Makes sure that there is memory for this handle. */
  reserve(handle: number): void {
    while (this.#blocks.length <= handle >>> blockBits) {
      const memory = new ArrayBuffer(blockRows * rowDoubles * 8);
      this.#blocks.push({ doubles: new Float64Array(memory), words: new Int32Array(memory) });
    }
  }

  block(handle: number): RowBlock {
    return this.#blocks[handle >>> blockBits] as RowBlock;
  }

  flags(handle: number): number {
    return this.block(handle).words[wordsAt(handle) + word.flags] ?? 0;
  }

  setFlag(handle: number, bit: number, isSet: boolean): void {
    const { words } = this.block(handle);
    const at = wordsAt(handle) + word.flags;
    const flags = words[at] ?? 0;
    words[at] = isSet ? flags | bit : flags & ~bit;
  }

  status(handle: number): Status {
    return statuses[this.flags(handle) & flag.status] as Status;
  }

  /** The next instant at which the check changes by itself; NEVER for none. As `nextDeadline`. */
  deadline(handle: number): number {
    const { doubles, words } = this.block(handle);
    const at = doublesAt(handle);
    const downMs = doubles[at + place.down] ?? 0;
    const status = (words[wordsAt(handle) + word.flags] ?? 0) & flag.status;
    return status === statusNumber.up ? Math.min(doubles[at + place.expected] ?? 0, downMs) : downMs;
  }

  /** When its snooze ends; NEVER without one. */
  snoozedUntil(handle: number): number {
    return this.flags(handle) & flag.snoozed ? (this.snoozes.get(handle) ?? NEVER) : NEVER;
  }

  /** When what holds its notifications back is looked at again; NEVER for no hold, 0 for as soon as can be. */
  heldUntil(handle: number): number {
    return this.flags(handle) & flag.held ? (this.holds.get(handle) ?? NEVER) : NEVER;
  }

  state(handle: number): CheckState {
    const state = freshCopy(freshState);
    this.readState(handle, state);
    return state;
  }

  /** Fills in `state`. */
  readState(handle: number, state: FreshState): void {
    const { doubles, words } = this.block(handle);
    const at = doublesAt(handle);
    const flags = words[wordsAt(handle) + word.flags] ?? 0;
    const credits = flags & flag.hasCredits ? (this.credits.get(handle) ?? noCredits) : noCredits;
    state.status = statuses[flags & flag.status] as Status;
    state.nPings = doubles[at + place.nPings] ?? 0;
    state.lastPingMs = orNull(doubles[at + place.lastPing]);
    state.startedMs = orNull(doubles[at + place.started]);
    state.startRid = flags & flag.hasRid ? (this.rids.get(handle) ?? null) : null;
    state.lastDurationMs = orNull(doubles[at + place.duration]);
    state.isWarned = (flags & flag.warned) !== 0;
    state.graceNotBeforeMs = credits.graceNotBeforeMs;
    state.downNotBeforeMs = credits.downNotBeforeMs;
    state.expectedAtMs = doubles[at + place.expected] ?? 0;
    state.downAtMs = doubles[at + place.down] ?? 0;
  }

  setState(handle: number, state: CheckState): void {
    const { doubles, words } = this.block(handle);
    const at = doublesAt(handle);
    doubles[at + place.nPings] = state.nPings;
    doubles[at + place.lastPing] = state.lastPingMs ?? Number.NaN;
    doubles[at + place.started] = state.startedMs ?? Number.NaN;
    doubles[at + place.duration] = state.lastDurationMs ?? Number.NaN;
    doubles[at + place.expected] = state.expectedAtMs;
    doubles[at + place.down] = state.downAtMs;
    const flags = words[wordsAt(handle) + word.flags] ?? 0;
    const warned = state.isWarned ? flag.warned : 0;
    words[wordsAt(handle) + word.flags] =
      (flags & ~(flag.status | flag.warned)) | statusNumber[state.status] | warned;
    this.setRid(handle, state.startRid);
    this.setCredits(handle, state);
  }

  setRid(handle: number, rid: RunId | null): void {
    if (rid !== null) this.rids.set(handle, rid);
    else if ((this.flags(handle) & flag.hasRid) !== 0) this.rids.delete(handle);
    this.setFlag(handle, flag.hasRid, rid !== null);
  }

  setCredits(handle: number, { graceNotBeforeMs, downNotBeforeMs }: OutageCredit): void {
    const has = graceNotBeforeMs !== 0 || downNotBeforeMs !== 0;
    if (has) this.credits.set(handle, { graceNotBeforeMs, downNotBeforeMs });
    else if ((this.flags(handle) & flag.hasCredits) !== 0) this.credits.delete(handle);
    this.setFlag(handle, flag.hasCredits, has);
  }

  /** 0 for none. */
  setSnooze(handle: number, untilMs: number): void {
    if (untilMs > 0) this.snoozes.set(handle, untilMs);
    else if ((this.flags(handle) & flag.snoozed) !== 0) this.snoozes.delete(handle);
    this.setFlag(handle, flag.snoozed, untilMs > 0);
  }

  /** Null for no hold. */
  setHeld(handle: number, untilMs: number | null): void {
    if (untilMs !== null) this.holds.set(handle, untilMs);
    else if ((this.flags(handle) & flag.held) !== 0) this.holds.delete(handle);
    this.setFlag(handle, flag.held, untilMs !== null);
  }
}

export function doublesAt(handle: number): number {
  return (handle & (blockRows - 1)) * rowDoubles;
}

export function wordsAt(handle: number): number {
  return (handle & (blockRows - 1)) * rowDoubles * 2;
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
