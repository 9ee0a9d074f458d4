/**
 * A check as the list's order and filters need it: a hundred thousand of them are in memory while somebody looks at the list.
 * Not what a row shows (`../rows`). Invariant: an entry says nothing that is not durable: `project-list` makes them.
 */
import { type Check, tagsOf } from '../../../domain/check/check.ts';
import { type ShownStatus, shownStatusOf } from '../../../domain/check/shown-status.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { ChannelId, CheckId } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';

export interface ListEntry {
  readonly id: CheckId;
  readonly name: string;
  /** What a search looks into: name, slug, tags and the beginning of the description, in lower case. */
  readonly text: string;
  readonly tags: readonly string[];
  readonly status: ShownStatus;
  /** Within its status, what comes first has the lowest: down the longest, late or running the longest, up the next to run. */
  readonly urgency: number;
  readonly nextMs: number;
  readonly lastMs: number;
  /** Of a late check, when it goes down; of one that is down, since when; NEVER for the others. */
  readonly noteMs: number;
  /** Equal for checks that are expected in the same way: the group by schedule. */
  readonly schedule: string;
  /** Whom it notifies. */
  readonly channels: readonly ChannelId[];
}

/** Descriptions have no limit; what one remembers of them is at the beginning. */
const descCharsSearched = 500;

export function entryOf(read: Pick<EngineRead, 'lastChange'>, check: Check): ListEntry {
  const { id, config, state } = check;
  const status = shownStatusOf(state);
  const tags = tagsOf(config);
  const since = (): number => read.lastChange(id)?.atMs ?? check.createdAtMs;
  const sinceMs = status === 'down' || status === 'paused' ? since() : NEVER;
  const urgency = {
    down: sinceMs,
    late: state.expectedAtMs,
    running: state.startedMs ?? NEVER,
    up: state.expectedAtMs,
    paused: sinceMs,
    new: check.createdAtMs,
  }[status];
  return {
    id,
    name: config.name || config.slug,
    text: `${config.name}\n${config.slug}\n${config.tags}\n${config.desc.slice(0, descCharsSearched)}`.toLowerCase(),
    tags,
    status,
    urgency,
    nextMs: state.expectedAtMs,
    lastMs: state.lastPingMs ?? 0,
    noteMs: status === 'down' ? sinceMs : status === 'late' ? state.downAtMs : NEVER,
    schedule: config.kind === 'simple' ? `${config.timeoutS}` : `${config.schedule} (${config.tz})`,
    channels: config.channels,
  };
}
