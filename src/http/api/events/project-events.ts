/**
 * Reads the events behind a place as listeners see them: for streams, for pages of JSON and for event subscriptions.
 * Invariant: what is returned is durable. Names of checks come from memory, where a change may still be rolled back.
 */
import type { EventType } from '../../../domain/views/event-answers.ts';
import type { EngineRead, EventPlace, WantedEvents } from '../../../engine/contract/engine.ts';
import { type ProjectEvent, type ProjectEventReads, projectEventOf } from './event-json.ts';
import { isCheckWanted } from './event-query.ts';
import type { EventFilter } from './listening.ts';

/** Of all projects, from the oldest. */
export interface ProjectEvents {
  readonly events: readonly ProjectEvent[];
  /** Up to here there are no others. */
  readonly until: EventPlace;
  readonly isAtEnd: boolean;
}

/** As many as one turn reads. Rejects with `store-broken`. */
export function eventsBehind(
  read: ProjectEventReads & Pick<EngineRead, 'events' | 'durably'>,
  after: EventPlace,
  wanted: WantedEvents,
): Promise<ProjectEvents> {
  return read.durably(() => {
    const { events, until, isAtEnd } = read.events(after, wanted);
    return { events: events.flatMap((event) => projectEventOf(read, event) ?? []), until, isAtEnd };
  });
}

/** What has to be read for events of these types. */
export function wantedOf(types: ReadonlySet<EventType>): WantedEvents {
  return { pings: types.has('ping'), runs: types.has('run') };
}

export function isWanted(
  read: Pick<EngineRead, 'checkAsIs'>,
  filter: EventFilter,
  { type, checks }: ProjectEvent,
): boolean {
  if (!filter.types.has(type)) return false;
  if (filter.checks.length === 0 && filter.tags.length === 0) return true;
  return checks.some((id) => isCheckWanted(filter, id, read.checkAsIs(id)));
}

export function isBefore(one: EventPlace, other: EventPlace): boolean {
  return one.seq < other.seq || (one.seq === other.seq && one.place < other.place);
}

export function later(one: EventPlace, other: EventPlace): EventPlace {
  return isBefore(one, other) ? other : one;
}
