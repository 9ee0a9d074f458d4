/**
 * A check with all that the list's order and filters need; up to a hundred thousand are in memory. `live/rows` has the rows.
 * Invariant: an entry says nothing that is not durable: `project-list` creates them.
 */
import { tagsOf } from '../../../domain/check/check.ts';
import { type ListedCheck, searchedText } from '../../../domain/check/listed-check.ts';
import { countedStatusOf, type ShownStatus, shownStatusOf } from '../../../domain/check/shown-status.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { ChannelId, CheckId } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';

export interface ListEntry {
  readonly id: CheckId;
  readonly name: string;
  /** Text that a search reads: name, slug, tags and the beginning of the description, in lower case. */
  readonly text: string;
  /** Each once, however often the check has it. */
  readonly tags: readonly string[];
  readonly status: ShownStatus;
  /**
   * It is down and needs nobody now: acknowledged, snoozed, or with an alert that is held back. Maintenance, which begins and ends by
   * itself, is added where a list is put in order.
   */
  readonly isHandled: boolean;
  /** Order within a status, the lowest first: the last to go down, late or running the longest, up the next to run. */
  readonly urgency: number;
  /** Its last run ended with a warning, and nothing else is wrong. */
  readonly isWarned: boolean;
  /** It is down or late, and a run is in flight. */
  readonly isRunningToo: boolean;
  /** It is new and has not been pinged yet. */
  readonly isNeverPinged: boolean;
  readonly nextMs: number;
  readonly lastMs: number;
  /** It was resumed and not pinged since: when its last run was is only in its history. */
  readonly isLastForgotten: boolean;
  /** Instant at which a late check goes down, or since which a check is down; NEVER for the others. */
  readonly noteMs: number;
  readonly slug: string;
  /** Equal for checks that are expected in the same way: the group by schedule. */
  readonly schedule: string;
  /** Integrations that it notifies. */
  readonly channels: readonly ChannelId[];
}

export function entryOf(read: Pick<EngineRead, 'lastChange'>, check: ListedCheck): ListEntry {
  const { id, name, slug, timeoutS, schedule, tz, channels, state } = check;
  const status = shownStatusOf(state);
  const since = (): number => read.lastChange(id)?.atMs ?? check.createdAtMs;
  const sinceMs = status === 'down' || status === 'paused' ? since() : NEVER;
  const urgency = {
    // What is new is what nobody has seen yet; what is down for days is known.
    down: -sinceMs,
    late: state.expectedAtMs,
    running: state.startedMs ?? NEVER,
    up: state.expectedAtMs,
    paused: sinceMs,
    new: check.createdAtMs,
  }[status];
  return {
    id,
    name: name || slug,
    text: searchedText(check),
    tags: [...new Set(tagsOf(check))],
    status,
    isHandled: status === 'down' && check.isHandled,
    urgency,
    isWarned: status === 'up' && state.isWarned,
    isRunningToo: (status === 'down' || status === 'late') && state.startedMs !== null,
    isNeverPinged: countedStatusOf(status, state.nPings) === 'new',
    nextMs: state.expectedAtMs,
    lastMs: state.lastPingMs ?? 0,
    isLastForgotten: state.lastPingMs === null && state.nPings > 0,
    noteMs: status === 'down' ? sinceMs : status === 'late' ? state.downAtMs : NEVER,
    slug,
    schedule: timeoutS === null ? `${schedule} (${tz})` : `${timeoutS}`,
    channels,
  };
}
