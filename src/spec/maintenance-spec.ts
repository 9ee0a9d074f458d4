/**
 * What a request, a command or a configuration file says of a maintenance window, in JSON: read, checked, and applied to the window as
 * it is. Not here: which checks there are.
 * Invariant: pure; what is left out stays as it is, and a window that could never be on, or always, is refused in a sentence.
 */
import { type Calendar, mergedSpans, type TimeSpan } from '../domain/alerting/calendar.ts';
import type { MaintenanceWindow } from '../domain/alerting/maintenance.ts';
import {
  icsCharsMax,
  maintenanceChecksMax,
  maintenanceDatesMax,
  maintenanceSecondsMax,
  maintenanceSecondsMin,
  maintenanceTagsMax,
  nameCharsMax,
  onceMsMax,
  sampledOccurrences,
  tagsLengthMax,
} from '../domain/limits.ts';
import { longSpan } from '../domain/words/span-words.ts';
import { asChannelId, asCheckId, type ChannelId, type CheckId, isUuid } from '../lib/ids.ts';
import { second } from '../lib/units.ts';
import { canonicalTimeZone, internSchedule, parseSchedule } from '../schedule/schedule.ts';
import type { JsonObject } from './field-reader.ts';
import { datesOfIcs } from './ics.ts';
import { instantIn, instantWords } from './instant.ts';

/** All that somebody may set. */
export type MaintenanceContent = Calendar &
  Pick<MaintenanceWindow, 'name' | 'checks' | 'tags' | 'integrations' | 'countsAsDowntime'>;

export type ReadMaintenance =
  | { readonly ok: true; readonly content: MaintenanceContent }
  | { readonly ok: false; readonly field: MaintenanceFieldName; readonly error: string };

export const maintenanceFieldNames = [
  ...(['name', 'checks', 'tags', 'from', 'until', 'schedule', 'tz', 'duration', 'dates', 'ics'] as const),
  ...(['integrations', 'counts_as_downtime'] as const),
] as const;
export type MaintenanceFieldName = (typeof maintenanceFieldNames)[number];

const calendarFields: readonly MaintenanceFieldName[] = [
  ...(['from', 'until', 'schedule', 'tz', 'duration', 'dates', 'ics'] as const),
];

const nothing: MaintenanceContent = {
  ...{ name: 'Maintenance', checks: [], tags: [], integrations: [], countsAsDowntime: false },
  ...{ fromMs: 0, untilMs: 0, schedule: '', tz: 'UTC', durationS: 0, dates: [], except: [] },
};

class Refused extends Error {
  readonly field: MaintenanceFieldName;

  constructor(field: MaintenanceFieldName, message: string) {
    super(message);
    this.field = field;
  }
}

/** `before`: null for a new one. Null in JSON is the same as nothing of it. */
export function readMaintenance(
  json: JsonObject,
  before: MaintenanceContent | null,
  nowMs: number,
): ReadMaintenance {
  try {
    return { ok: true, content: contentIn(json, before ?? nothing, nowMs) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, field: error.field, error: error.message };
  }
}

function contentIn(json: JsonObject, before: MaintenanceContent, nowMs: number): MaintenanceContent {
  const calendar = calendarFields.some((name) => json[name] !== undefined)
    ? calendarIn(json, before, nowMs)
    : {};
  const content: MaintenanceContent = {
    ...before,
    ...(json.name === undefined ? {} : { name: nameIn(json.name) }),
    ...(json.checks === undefined ? {} : { checks: checksIn(json.checks ?? []) }),
    ...(json.tags === undefined ? {} : { tags: tagsIn(json.tags ?? []) }),
    ...(json.integrations === undefined ? {} : { integrations: integrationsIn(json.integrations ?? []) }),
    ...(json.counts_as_downtime === undefined ? {} : { countsAsDowntime: flagIn(json.counts_as_downtime) }),
    ...calendar,
  };
  const { fromMs, untilMs, schedule, dates } = content;
  if (fromMs === untilMs && schedule === '' && dates.length === 0)
    throw new Refused('from', 'give from and until, a schedule with a duration, dates or ics');
  return content;
}

function nameIn(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : '';
  if (typeof value !== 'string') throw new Refused('name', 'name is not a string');
  if (name === '') throw new Refused('name', 'name is empty');
  if (name.length > nameCharsMax) throw new Refused('name', 'name is too long');
  if (/\p{Cc}|\p{Surrogate}/u.test(name)) throw new Refused('name', 'name has control characters');
  return name;
}

function checksIn(value: unknown): readonly CheckId[] {
  const ids = textsIn('checks', value);
  const wrong = ids.find((id) => !isUuid(id));
  if (wrong !== undefined)
    throw new Refused('checks', `checks has ${JSON.stringify(wrong)}, which is no UUID`);
  if (ids.length > maintenanceChecksMax)
    throw new Refused('checks', `checks has more than ${maintenanceChecksMax} items: use tags`);
  return [...new Set(ids)].map(asCheckId);
}

function integrationsIn(value: unknown): readonly ChannelId[] {
  const ids = textsIn('integrations', value);
  const wrong = ids.find((id) => !isUuid(id));
  if (wrong !== undefined)
    throw new Refused('integrations', `integrations has ${JSON.stringify(wrong)}, which is no UUID`);
  if (ids.length > maintenanceChecksMax)
    throw new Refused('integrations', `integrations has more than ${maintenanceChecksMax} items`);
  return [...new Set(ids)].map(asChannelId);
}

/** A list, or a text with blanks between, as the tags of a check are. */
function tagsIn(value: unknown): readonly string[] {
  const tags = typeof value === 'string' ? value.split(/\s+/) : textsIn('tags', value);
  const given = [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
  if (given.length > maintenanceTagsMax)
    throw new Refused('tags', `tags has more than ${maintenanceTagsMax} items`);
  if (given.some((tag) => /\s/.test(tag) || tag.length > tagsLengthMax))
    throw new Refused('tags', 'an item of tags has blanks or is too long');
  return given;
}

function textsIn(field: MaintenanceFieldName, value: unknown): readonly string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new Refused(field, `${field} is not an array of strings`);
  return value;
}

function flagIn(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new Refused('counts_as_downtime', 'counts_as_downtime is not a boolean');
}

function calendarIn(json: JsonObject, before: MaintenanceContent, nowMs: number): Calendar {
  const tz = json.tz === undefined ? before.tz : zoneIn(json.tz);
  const schedule = json.schedule === undefined ? before.schedule : scheduleIn(json.schedule ?? '', tz);
  const durationS = json.duration === undefined ? before.durationS : secondsIn(json.duration ?? 0);
  const once = onceIn(json, before, { nowMs, durationS: schedule === '' ? durationS : 0 });
  if (schedule !== '' && durationS === 0) throw new Refused('duration', 'a schedule needs a duration');
  const againMs = schedule === '' ? null : againBeforeEnd(schedule, tz, durationS, nowMs);
  if (againMs !== null)
    throw new Refused(
      'duration',
      `duration is as long as the schedule has between its times (${longSpan(againMs)}): it would never end`,
    );
  return {
    ...once,
    ...{ schedule, tz, durationS: schedule === '' ? 0 : durationS },
    dates: datesIn(json, before, { tz, nowMs }),
    // What was ended before its time was ended by what it was then.
    except: before.except
      .filter((cut) => cut.fromMs < nowMs)
      .map((cut) => ({ ...cut, untilMs: Math.min(cut.untilMs, nowMs) })),
  };
}

function zoneIn(value: unknown): string {
  const zone = typeof value === 'string' ? canonicalTimeZone(value || 'UTC') : null;
  if (zone === null) throw new Refused('tz', 'tz is not a valid timezone');
  return zone;
}

function scheduleIn(value: unknown, tz: string): string {
  if (typeof value !== 'string') throw new Refused('schedule', 'schedule is not a string');
  if (value.trim() === '') return '';
  const parsed = parseSchedule(value, tz);
  if (!parsed.ok)
    throw new Refused('schedule', `schedule is not a valid cron or OnCalendar expression: ${parsed.error}`);
  return value;
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds, or a text such as `90m`, `2h` or `1d`; 0 for none. */
function secondsIn(value: unknown): number {
  const seconds = typeof value === 'number' ? value : spanSeconds(value);
  if (seconds === null || !Number.isSafeInteger(seconds))
    throw new Refused('duration', 'duration is no whole number of seconds, nor a time such as 90m, 2h or 1d');
  if (seconds !== 0 && seconds < maintenanceSecondsMin)
    throw new Refused('duration', 'duration is too small: at least 1m');
  if (seconds > maintenanceSecondsMax) throw new Refused('duration', 'duration is too large: at most 7d');
  return seconds;
}

/** Of a text such as `90m`, `2h` or `1d`; null for what is none. */
export function spanSeconds(value: unknown): number | null {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(typeof value === 'string' ? value : '') ?? [];
  return count === undefined ? null : Number(count) * (unitSeconds[unit] ?? 1);
}

/** Without an end, `duration` says how long it takes; without a beginning, it begins now. */
function onceIn(
  { from, until }: JsonObject,
  before: MaintenanceContent,
  { nowMs, durationS }: { readonly nowMs: number; readonly durationS: number },
): TimeSpan {
  const isOnceBefore = before.fromMs < before.untilMs;
  if (until === null || (from === null && until === undefined)) return { fromMs: 0, untilMs: 0 };
  const givenFromMs = from === undefined || from === null ? null : momentIn('from', from);
  const fromMs = givenFromMs ?? (isOnceBefore ? before.fromMs : nowMs);
  if (until !== undefined) return checkedOnce({ fromMs, untilMs: momentIn('until', until) });
  if (durationS > 0) return checkedOnce({ fromMs, untilMs: fromMs + durationS * second });
  if (givenFromMs === null) return { fromMs: before.fromMs, untilMs: before.untilMs };
  if (!isOnceBefore) throw new Refused('until', 'from needs an until, or a duration');
  return checkedOnce({ fromMs, untilMs: before.untilMs });
}

function checkedOnce(span: TimeSpan): TimeSpan {
  if (span.untilMs <= span.fromMs) throw new Refused('until', 'until is not after from');
  if (span.untilMs - span.fromMs > onceMsMax)
    throw new Refused('until', 'until is more than a year after from');
  return span;
}

function momentIn(field: 'from' | 'until' | 'dates', value: unknown): number {
  const ms = instantIn(value);
  if (ms === null) throw new Refused(field, `${field} is not a time: give ${instantWords}`);
  return ms;
}

function datesIn(
  { dates, ics }: JsonObject,
  before: MaintenanceContent,
  { tz, nowMs }: { readonly tz: string; readonly nowMs: number },
): readonly TimeSpan[] {
  if (dates === undefined && ics === undefined) return before.dates;
  if (dates !== undefined && ics !== undefined && ics !== null && ics !== '')
    throw new Refused('ics', 'give either dates or ics');
  const field = dates === undefined ? 'ics' : 'dates';
  const read = dates === undefined ? ofIcs(ics ?? '', tz) : listedIn(dates ?? []);
  const merged = mergedSpans(read);
  if (merged.length <= maintenanceDatesMax) return merged;
  const toCome = merged.filter(({ untilMs }) => untilMs > nowMs);
  if (toCome.length <= maintenanceDatesMax) return toCome;
  throw new Refused(field, `${field} has more than ${maintenanceDatesMax} dates to come`);
}

function listedIn(value: unknown): readonly TimeSpan[] {
  if (!Array.isArray(value)) throw new Refused('dates', 'dates is not an array');
  return value.map((one: unknown) => {
    const item: JsonObject = typeof one === 'object' && one !== null ? { ...one } : {};
    const span = { fromMs: momentIn('dates', item.from), untilMs: momentIn('dates', item.until) };
    if (span.untilMs <= span.fromMs)
      throw new Refused('dates', 'an item of dates has no until after its from');
    return span;
  });
}

function ofIcs(value: unknown, tz: string): readonly TimeSpan[] {
  if (typeof value !== 'string') throw new Refused('ics', 'ics is not a string');
  if (value.trim() === '') return [];
  if (value.length > icsCharsMax) throw new Refused('ics', 'ics is too long');
  const read = datesOfIcs(value, tz);
  if (!read.ok) throw new Refused('ics', `ics ${read.error}`);
  if (read.dates.length === 0) throw new Refused('ics', 'ics has no events');
  return read.dates;
}

/** After which time at the latest it begins again, if that is always before it is over; null otherwise. As far as its next times say. */
function againBeforeEnd(schedule: string, tz: string, durationS: number, nowMs: number): number | null {
  const times = internSchedule(schedule, tz);
  let last = times.next(nowMs);
  let longestMs = 0;
  for (let seen = 0; seen < sampledOccurrences; seen++) {
    const following = last === null ? null : times.next(last);
    if (last === null || following === null || following - last > durationS * second) return null;
    longestMs = Math.max(longestMs, following - last);
    last = following;
  }
  return longestMs;
}
