/**
 * The events of a project for its event subscriptions (`notify/feeds`), which see what a read-write key sees.
 * Invariant: what is returned is durable; what is missing behind a place is said by an event of its own.
 */
import type { Channel } from '../domain/accounts/project.ts';
import { defaultEventTypes, eventTypes } from '../domain/views/event-answers.ts';
import type { Engine, EngineRead } from '../engine/contract/engine.ts';
import { idOfPlace, type ProjectEvent } from '../http/api/events/event-json.ts';
import { placeOfId } from '../http/api/events/event-query.ts';
import type { EventFilter } from '../http/api/events/listening.ts';
import { eventsBehind, isBefore, isWanted, wantedOf } from '../http/api/events/project-events.ts';
import { isoMicroseconds } from '../http/api/iso-time.ts';
import { type FeedFilter, feedFilterOf } from '../integrations/custom/events.ts';
import type { Clock } from '../lib/clock.ts';
import type { FeedEvent, FeedPage, FeedPlace, FeedReads } from '../notify/contract/feeds.ts';

export function feedSource({ read, change }: Engine, clock: Clock): FeedReads {
  const until = (): FeedPlace => ({ epoch: read.eventsEpoch(), ...read.eventsUntil() });
  return {
    feeds: () => read.eventFeeds(),
    feed: (id) => read.eventFeed(id),
    until,
    page: (channel, after) => pageOf(read, clock, channel, after),
    async event(channel, id) {
      const wanted = placeOfId(id);
      if (wanted === null || wanted.epoch !== read.eventsEpoch()) return null;
      const { seq, place } = wanted.place;
      const before = place === 0 ? { seq: seq - 1, place: 2 ** 32 - 1 } : { seq, place: place - 1 };
      const { events } = await eventsBehind(read, before, { pings: true, runs: true });
      const found = events.find((one) => one.place.seq === seq && one.place.place === place);
      return found && found.projectId === channel.projectId ? feedEventOf(found) : null;
    },
    put: (feed) => change.putEventFeed(feed),
  };
}

async function pageOf(read: EngineRead, clock: Clock, channel: Channel, after: FeedPlace): Promise<FeedPage> {
  const epoch = read.eventsEpoch();
  const filter = filterOf(feedFilterOf(channel.value));
  const wanted = wantedOf(filter.types);
  const from = read.eventsFrom(wanted);
  const until = read.eventsUntil();
  const isOther = after.epoch !== epoch || after.seq > until.seq;
  if (isOther || isBefore(after, from)) {
    const at = { epoch, ...(isOther ? until : from) };
    return { events: [{ ...gapEvent(at, clock.nowMs()), at }], until: at, isAtEnd: false };
  }
  const page = await eventsBehind(read, after, wanted);
  const own = page.events.filter(
    (event) => event.projectId === channel.projectId && isWanted(read, filter, event),
  );
  return {
    events: own.map((event) => ({ ...feedEventOf(event), at: { epoch, ...event.place } })),
    until: { epoch, ...page.until },
    isAtEnd: page.isAtEnd,
  };
}

function filterOf({ types, checks, tags }: FeedFilter): EventFilter {
  const named = eventTypes.filter((type) => types.includes(type));
  return { types: new Set(named.length > 0 ? named : defaultEventTypes), checks, tags };
}

function feedEventOf(event: ProjectEvent): FeedEvent {
  const data = JSON.parse(event.json(false)) as {
    readonly id: string;
    readonly timestamp: string;
    readonly check?: { readonly name: string };
  };
  const { id, timestamp, check } = data;
  return { id, type: event.type, timestamp, about: check?.name ?? '', data };
}

function gapEvent(at: FeedPlace, nowMs: number): FeedEvent {
  const id = `${idOfPlace(at.epoch, at)}-gap`;
  const message =
    'events are missing here: they were dropped before they could be sent, or the data were restored from a snapshot';
  return { id, type: 'gap', timestamp: isoMicroseconds(nowMs), about: '', data: { message } };
}
