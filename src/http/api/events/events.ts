/**
 * The endpoint for events: a stream of server-sent events (HTML Living Standard, "Server-sent events"), or a page of JSON for
 * programs that ask now and then. Not here: who listens (`event-hub`).
 * Invariant: what is missing between the place that a client names and the first event that it gets is said in words.
 */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { EventGapAnswer, EventListAnswer } from '../../../domain/views/event-answers.ts';
import type { EventPlace } from '../../../engine/contract/engine.ts';
import { eventListenersMax, eventListenersPerProjectMax, eventPageMs, eventTickMs } from '../../limits.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ApiCall, ListeningCall } from '../call.ts';
import { gapText } from './event-hub.ts';
import { idOfPlace, type ProjectEvent } from './event-json.ts';
import { type EventQuery, type EventStart, parseEventQuery } from './event-query.ts';
import { eventsBehind, isBefore, isWanted, wantedOf } from './project-events.ts';

export function listEvents(call: ApiCall): HttpReply | Promise<HttpReply> {
  const { listening, query } = call;
  const { accept = '', 'last-event-id': lastEventId = '' } = listening?.headers ?? {};
  const parsed = parseEventQuery(query, { accept, lastEventId });
  if (!parsed.ok) return errorReply(400, parsed.error);
  return parsed.query.isJson || !listening
    ? pageOf(call, parsed.query)
    : streamOf(call, listening, parsed.query);
}

interface Begin {
  readonly place: EventPlace;
  readonly gap: EventGapAnswer | null;
}

function beginOf({ read }: ApiCall, start: EventStart, { filter }: EventQuery): Begin {
  const until = read.eventsUntil();
  const from = read.eventsFrom(wantedOf(filter.types));
  if (start === 'now') return { place: until, gap: null };
  if (start === 'oldest') return { place: from, gap: null };
  const gapTo = (place: EventPlace, message: string): Begin => ({
    place,
    gap: { message, next: idOfPlace(read.eventsEpoch(), place) },
  });
  if (start.epoch !== read.eventsEpoch())
    return gapTo(
      from,
      `this id is of another journal, such as before a snapshot was restored: ${fromOldest}`,
    );
  if (start.place.seq > until.seq)
    return gapTo(until, 'this id is newer than what this node has read: events follow from now on');
  if (isBefore(start.place, from))
    return gapTo(from, `the events behind this id are not kept any more: ${fromOldest}`);
  return { place: start.place, gap: null };
}

const fromOldest =
  'events follow from the oldest that is kept. What happened before is in the lists of pings, flips, runs and incidents';

function streamOf(call: ApiCall, { hub, keyId }: ListeningCall, query: EventQuery): HttpReply {
  const { project, readOnly } = call;
  if (hub.size >= eventListenersMax || hub.countOf(project.id) >= eventListenersPerProjectMax)
    return errorReply(
      429,
      `there are ${eventListenersPerProjectMax} listeners of this project, or ${eventListenersMax} in all: end some, or ask for pages with format=json`,
      [['Retry-After', '30']],
    );
  const { place, gap } = beginOf(call, query.start ?? 'now', query);
  const { filter } = query;
  const first = gap === null ? '' : gapText(gap);
  return {
    status: 200,
    headers: [
      ['Content-Type', 'text/event-stream'],
      ['Cache-Control', 'no-cache, no-store'],
      // nginx would keep the events back until it has a buffer full of them.
      ['X-Accel-Buffering', 'no'],
    ],
    body: '',
    stream: (connection) =>
      hub.listen(connection, { projectId: project.id, keyId, readOnly, filter, after: place, first }),
  };
}

async function pageOf(call: ApiCall, query: EventQuery): Promise<HttpReply> {
  const begin = beginOf(call, query.start ?? 'oldest', query);
  const untilMs = performance.now() + query.waitMs;
  let page = await search(call, query, begin.place);
  const isWorthIt = () => page.found.length === 0 && begin.gap === null && performance.now() < untilMs;
  if (isWorthIt())
    await call.listening?.hub.whileWaiting(async () => {
      while (isWorthIt()) {
        if (page.isAtEnd) await delay(eventTickMs);
        page = await search(call, query, page.until);
      }
    });
  return pageReply(call, query, page, begin.gap);
}

interface Page {
  readonly found: readonly ProjectEvent[];
  readonly until: EventPlace;
  readonly isAtEnd: boolean;
}

/** Looks for as many events as a page has, some seconds at most. */
async function search(call: ApiCall, query: EventQuery, after: EventPlace): Promise<Page> {
  const { read, project } = call;
  const found: ProjectEvent[] = [];
  const stopMs = performance.now() + eventPageMs;
  let page = { until: after, isAtEnd: false };
  while (!page.isAtEnd && found.length < query.limit && performance.now() < stopMs) {
    const { events, ...rest } = await eventsBehind(read, page.until, wantedOf(query.filter.types));
    found.push(
      ...events.filter((event) => event.projectId === project.id && isWanted(read, query.filter, event)),
    );
    page = rest;
    if (!page.isAtEnd) await nextTurn();
  }
  return { found, ...page };
}

function pageReply(
  { read, readOnly }: ApiCall,
  { limit }: EventQuery,
  { found, until, isAtEnd }: Page,
  gap: EventGapAnswer | null,
): HttpReply {
  const shown = found.slice(0, limit);
  const isCut = shown.length < found.length;
  const next = isCut ? (shown.at(-1)?.place ?? until) : until;
  return jsonReply({
    events: shown.map((event) => JSON.parse(event.json(readOnly))),
    next: idOfPlace(read.eventsEpoch(), next),
    more: isCut || !isAtEnd,
    ...(gap === null ? {} : { gap }),
  } satisfies EventListAnswer);
}
