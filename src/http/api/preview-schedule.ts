/**
 * Previews settings that are not made yet: when pings would be expected, and which alerts of a check would have come with them.
 * `check-spec` decides what is valid, as for the update itself; `domain/alerting/what-if` replays the pings.
 * Invariant: changes nothing.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { planLimits } from '../../domain/accounts/plan-limits.ts';
import type { Alert, CheckPast } from '../../domain/alerting/what-if.ts';
import { type Check, type CheckConfig, defaultConfig } from '../../domain/check/check.ts';
import { filtersMail } from '../../domain/check/classify.ts';
import { expectedAfter } from '../../domain/check/deadline.ts';
import type {
  AlertAnswer,
  NextTime,
  SchedulePreviewAnswer,
  WhatIfAnswer,
} from '../../domain/views/api-answers.ts';
import { readParents } from '../../engine/reads/parents-past.ts';
import { pastOf, type WhatIf, whatIf } from '../../engine/reads/what-if.ts';
import { uniqueKeySource, uuidSource } from '../../lib/ids.ts';
import { day, NEVER } from '../../lib/units.ts';
import { clockChangeOf, internSchedule, zonedTime } from '../../schedule/schedule.ts';
import { configAfter } from '../../spec/apply-spec.ts';
import { parseSpec } from '../../spec/check-spec.ts';
import { FieldReader } from '../../spec/field-reader.ts';
import { previewedTimes, previewedTimesPerTurn, replayedDays } from '../limits.ts';
import { errorReply, jsonReply } from '../wire/json-reply.ts';
import type { HttpReply } from '../wire/message.ts';
import type { ApiCall } from './call.ts';
import { readCheck } from './check-lookup.ts';
import { isoSeconds } from './iso-time.ts';

/** What is asked besides the fields of a check. */
interface Asked {
  readonly check: string | undefined;
  readonly count: number;
  readonly days: number;
}

export async function previewSchedule(call: ApiCall): Promise<HttpReply> {
  const { json, nowMs } = call;
  const fields = new FieldReader(json);
  const asked: Asked = {
    check: fields.text('check', { pattern: checkPattern }),
    count: fields.integer('count', 1, previewedTimes.max) ?? previewedTimes.default,
    days: fields.integer('days', 1, replayedDays.max) ?? replayedDays.default,
  };
  if (fields.error !== null) return errorReply(400, `json validation error: ${fields.error}`);
  const parsed = parseSpec(json);
  if (!parsed.ok) return errorReply(400, parsed.error);
  const { spec } = parsed;
  if (asked.check === undefined) {
    if (spec.schedule === undefined && spec.timeoutS === undefined)
      return errorReply(400, 'json validation error: give schedule, timeout or check');
    const config = configAfter(defaultConfig, spec, 3, undefined);
    return jsonReply(previewJson(config, await nextTimes(config, nowMs, asked.count), null));
  }
  const found = await pastOfCheck(call, asked.check);
  if ('refusal' in found) return found.refusal;
  const past = found.read;
  const config = configAfter(past.check.config, spec, 3, undefined);
  const next = await nextTimes(config, simpleFrom(config, past.check, nowMs), asked.count);
  const { parents, isCut } = await parentsOf(call, past, config);
  const replayed = await whatIf(past, { config, fromMs: nowMs - asked.days * day, untilMs: nowMs, parents });
  const what_if = whatIfJson(past, config, replayed);
  const notes = isCut ? [cutParents, ...what_if.notes] : what_if.notes;
  return jsonReply(previewJson(config, next, { ...what_if, notes }));
}

const cutParents =
  'Of the checks that it depends on, not all outages are known to the replay: it may list alerts that would have been held back.';

/** What it depends on as it is, and by the settings that are asked about. */
async function parentsOf({ read, nowMs }: ApiCall, { check, pings }: CheckPast, asked: CheckConfig) {
  const range = { fromMs: pings[0]?.atMs ?? 0, untilMs: nowMs + 1 };
  const asIs = await readParents(read, check, check.config, range);
  const isSame = asked.dependsOn === check.config.dependsOn;
  const asAsked = isSame ? asIs : await readParents(read, check, asked, range);
  return {
    parents: { asIs: asIs.parents, asAsked: asAsked.parents },
    isCut: asIs.isCut || asAsked.isCut,
  };
}

const uniqueKeyPattern = new RegExp(`^${uniqueKeySource}$`);
const checkPattern = new RegExp(`^(?:${uuidSource}|${uniqueKeySource})$`);

/** The check by the names that a path has for it. */
function pastOfCheck(call: ApiCall, name: string): ReturnType<typeof readCheck<CheckPast>> {
  const path = uniqueKeyPattern.test(name) ? { unique_key: name } : { uuid: name };
  const { pingsMax } = planLimits[call.project.plan];
  return readCheck({ ...call, path }, (check) => pastOf(call.read, check, pingsMax, call.nowMs));
}

/** A period is counted from the last ping, as long as the next one is not due yet. */
function simpleFrom(config: CheckConfig, { state }: Check, nowMs: number): number {
  const { lastPingMs } = state;
  if (config.kind !== 'simple' || lastPingMs === null) return nowMs;
  return expectedAfter(config, lastPingMs) > nowMs ? lastPingMs : nowMs;
}

/** In turns of the event loop: where the clock changes is looked for between each two times. */
async function nextTimes(config: CheckConfig, fromMs: number, count: number): Promise<readonly NextTime[]> {
  const schedule = config.kind === 'simple' ? null : internSchedule(config.schedule, config.tz);
  const tz = schedule === null ? 'UTC' : config.tz;
  const times: NextTime[] = [];
  let beforeMs = fromMs;
  while (times.length < count) {
    const atMs = expectedAfter(config, beforeMs);
    if (atMs === NEVER) break;
    const change = schedule === null ? null : clockChangeOf(schedule, beforeMs, atMs);
    times.push({
      at: isoSeconds(atMs),
      local: zonedTime(atMs, tz),
      dst: change?.kind ?? null,
      note: change?.words ?? '',
    });
    beforeMs = atMs;
    if (times.length % previewedTimesPerTurn === 0) await nextTurn();
  }
  return times;
}

function previewJson(
  { kind, schedule, tz, timeoutS }: CheckConfig,
  next: readonly NextTime[],
  what_if: WhatIfAnswer | null,
): SchedulePreviewAnswer {
  return {
    kind,
    ...(kind === 'simple' ? { timeout: timeoutS } : { schedule, tz }),
    next,
    what_if,
  };
}

function whatIfJson(past: CheckPast, asked: CheckConfig, replayed: WhatIf): WhatIfAnswer {
  return {
    from: isoSeconds(replayed.fromMs),
    until: isoSeconds(replayed.untilMs),
    pings: replayed.pings,
    as_is: replayed.asIs.map(alertJson),
    as_asked: replayed.asAsked.map(alertJson),
    only_as_is: replayed.onlyAsIs.map(alertJson),
    only_as_asked: replayed.onlyAsAsked.map(alertJson),
    notes: notesOf(past, asked, replayed),
  };
}

function alertJson({ atMs, kind, cause, why }: Alert): AlertAnswer {
  return { at: isoSeconds(atMs), kind, cause, why };
}

function notesOf(
  { check, pings }: CheckPast,
  asked: CheckConfig,
  { isCut, fromMs }: WhatIf,
): readonly string[] {
  const keepsIgnored =
    check.config.methods === 'POST' &&
    asked.methods !== 'POST' &&
    pings.some(({ signal, atMs }) => signal === 'ign' && atMs >= fromMs);
  return [
    ...(isCut ? [`The log holds no pings before ${isoSeconds(fromMs)}: the replay begins there.`] : []),
    ...(keepsIgnored
      ? ['Pings that were ignored for their method stay ignored: what else they said is not kept.']
      : []),
    ...(readsTexts(check.config) || readsTexts(asked)
      ? ['Keywords are not judged again, as bodies may be gone: pings mean what they meant when they came.']
      : []),
    'Each way goes by one set of settings throughout: earlier changes of them, snoozes, maintenance, and times when Knell was away, are not replayed.',
  ];
}

function readsTexts(config: CheckConfig): boolean {
  return config.filterHttpBody || filtersMail(config);
}
