/**
 * Validates what a listener asks for: types, checks, tags, and from where on.
 * Invariant: pure; an id of an event is read as it was written, or refused.
 */
import { type Check, tagsOf } from '../../../domain/check/check.ts';
import { defaultEventTypes, eventTypes } from '../../../domain/views/event-answers.ts';
import type { EventPlace } from '../../../engine/contract/engine.ts';
import { type CheckId, uniqueKeyOf } from '../../../lib/ids.ts';
import { second } from '../../../lib/units.ts';
import { eventFiltersMax, eventsListedDefault, eventsListedMax, eventWaitSMax } from '../../limits.ts';
import { lastOf } from '../call.ts';
import type { EventFilter } from './listening.ts';

/** From where on events are wanted: `now`, from the oldest that is kept, or behind one that the client has. */
export type EventStart = 'now' | 'oldest' | { readonly epoch: string; readonly place: EventPlace };

export interface EventQuery {
  readonly filter: EventFilter;
  readonly start: EventStart | null;
  /** Of a page of JSON. */
  readonly limit: number;
  readonly isJson: boolean;
  /** Milliseconds that a page waits for its first event, if there is none yet. */
  readonly waitMs: number;
}

type ParsedQuery =
  | { readonly ok: true; readonly query: EventQuery }
  | { readonly ok: false; readonly error: string };

interface EventHeaders {
  readonly accept: string;
  readonly lastEventId: string;
}

/** The header counts more than `after`: a browser that comes back sends both, and only the header is new. */
export function parseEventQuery(query: URLSearchParams, headers: EventHeaders): ParsedQuery {
  const names = listIn(query, 'types');
  const types = eventTypes.filter((type) => names.includes(type));
  if (types.length < new Set(names).size) return refused(`types is not one of ${eventTypes.join(', ')}`);
  const checks = listIn(query, 'check');
  const tags = listIn(query, 'tag');
  for (const [name, values] of Object.entries({ check: checks, tag: tags }))
    if (values.length > eventFiltersMax)
      return refused(`${name} is given more than ${eventFiltersMax} times`);
  const limit = limitIn(lastOf(query, 'limit'));
  if (limit === null) return refused(`limit is not a number from 1 to ${eventsListedMax}`);
  const format = lastOf(query, 'format');
  if (format !== null && format !== 'json' && format !== 'sse') return refused('format is not json or sse');
  const waitS = secondsIn(lastOf(query, 'wait'));
  if (waitS === null) return refused(`wait is not a number of seconds from 0 to ${eventWaitSMax}`);
  const isJson = format === null ? prefersJson(headers.accept) : format === 'json';
  const after = headers.lastEventId || lastOf(query, 'after');
  const start = after === null || after === '' ? null : startIn(after);
  if (start === 'invalid') return refused('after is not now, oldest, or the id of an event');
  const filter = { types: new Set(names.length === 0 ? defaultEventTypes : types), checks, tags };
  return { ok: true, query: { filter, start, limit, isJson, waitMs: waitS * second } };
}

function refused(error: string): ParsedQuery {
  return { ok: false, error };
}

/** One name or several with commas between, any number of times. */
function listIn(query: URLSearchParams, name: string): readonly string[] {
  return query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function limitIn(text: string | null): number | null {
  if (text === null) return eventsListedDefault;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= eventsListedMax ? value : null;
}

function secondsIn(text: string | null): number | null {
  const value = text === null || text === '' ? 0 : /^\d{1,3}$/.test(text) ? Number(text) : eventWaitSMax + 1;
  return value <= eventWaitSMax ? value : null;
}

function prefersJson(accept: string): boolean {
  return accept.includes('application/json') && !accept.includes('text/event-stream');
}

const idPattern = /^([0-9a-f]{5})-(\d{1,14})-(\d{1,10})$/;

function startIn(text: string): EventStart | 'invalid' {
  return text === 'now' || text === 'oldest' ? text : (placeOfId(text) ?? 'invalid');
}

/** Null for what is no id of an event. */
export function placeOfId(id: string): Exclude<EventStart, string> | null {
  const [, epoch = '', seq, place] = idPattern.exec(id) ?? [];
  return seq === undefined ? null : { epoch, place: { seq: Number(seq), place: Number(place) } };
}

/** Whether an event of a check, which may be deleted, is wanted. */
export function isCheckWanted({ checks, tags }: EventFilter, id: CheckId, check: Check | null): boolean {
  const isNamed =
    checks.length === 0 ||
    checks.some(
      (one) => one === id || one === uniqueKeyOf(id) || (check !== null && one === check.config.slug),
    );
  if (!isNamed || tags.length === 0) return isNamed;
  const own = check === null ? [] : tagsOf(check.config);
  return tags.some((tag) => own.includes(tag));
}
