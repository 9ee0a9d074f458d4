/**
 * Acknowledges and snoozes checks, and shows the present state of both. It is an addition of Knell to the API, so it is not
 * among the fields of a check, which are the specification's. `domain/deliveries/after-snooze` and `notify/dispatch/still-due`
 * decide what it keeps back.
 */

import type { Check } from '../../../domain/check/check.ts';
import { nextDeadline } from '../../../domain/check/deadline.ts';
import { snoozedByLengthMax } from '../../../domain/limits.ts';
import type { SnoozeAnswer, SnoozeListAnswer } from '../../../domain/views/api-answers.ts';
import { visitChecks } from '../../../engine/reads/check-slices.ts';
import { uniqueKeyOf } from '../../../lib/ids.ts';
import { NEVER, second } from '../../../lib/units.ts';
import type { JsonObject } from '../../../spec/field-reader.ts';
import { instantIn, instantWords } from '../../../spec/instant.ts';
import { snoozeMsMax } from '../../limits.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ApiCall } from '../call.ts';
import { changeReply } from '../change-checks.ts';
import { actOnCheck, showCheck } from '../check-lookup.ts';
import { isoSeconds } from '../iso-time.ts';

export function acknowledgeCheck(call: ApiCall): Promise<HttpReply> {
  return actOnCheck(call, async ({ id }) =>
    changeReply(call, call.change.acknowledgeCheck(id, authorOf(call), call.nowMs)),
  );
}

export function unacknowledgeCheck(call: ApiCall): Promise<HttpReply> {
  return actOnCheck(call, async ({ id }) =>
    changeReply(call, call.change.unacknowledgeCheck(id, call.nowMs)),
  );
}

export function snoozeCheck(call: ApiCall): Promise<HttpReply> {
  return actOnCheck(call, async ({ id }) => {
    const end = snoozeEnd(call.json, call.nowMs);
    if (typeof end === 'string') return errorReply(400, end);
    const asked = { untilMs: end.untilMs, by: authorOf(call) };
    return changeReply(call, call.change.snoozeCheck(id, asked, call.nowMs));
  });
}

export function unsnoozeCheck(call: ApiCall): Promise<HttpReply> {
  return actOnCheck(call, async ({ id }) => changeReply(call, call.change.unsnoozeCheck(id, call.nowMs)));
}

/** Who calls, as it is shown. */
export function authorOf({ by }: ApiCall): string {
  return [...by].slice(0, snoozedByLengthMax).join('');
}

/** Returns the end that `until` or `for` gives, or a sentence that says what is wrong with them. */
function snoozeEnd(json: JsonObject, nowMs: number): { readonly untilMs: number } | string {
  const { until, for: seconds } = json;
  if ((until === undefined) === (seconds === undefined)) return 'give either until or for';
  const untilMs = until === undefined ? afterSeconds(seconds, nowMs) : instantIn(until);
  if (untilMs === null)
    return until === undefined
      ? 'for is not a number of seconds: give a whole number from 1 on'
      : `until is not a time: give ${instantWords}`;
  const name = until === undefined ? 'for' : 'until';
  if (untilMs < nowMs) return 'until has passed';
  return untilMs - nowMs > snoozeMsMax ? `${name} is more than a year ahead` : { untilMs };
}

function afterSeconds(value: unknown, nowMs: number): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
    ? nowMs + value * second
    : null;
}

/** Shows the snooze of one check. */
export function showSnooze(call: ApiCall): Promise<HttpReply> {
  return showCheck(call, (check) => {
    call.changesAt(changeOf(check));
    return jsonReply(snoozeJson(check, call.readOnly));
  });
}

/** Lists the checks that are acknowledged or snoozed. */
export async function listSnoozes(call: ApiCall): Promise<HttpReply> {
  const { read, project, readOnly, nowMs } = call;
  const slices = await visitChecks(read, project.id, nowMs, (checks) => {
    for (const check of checks) call.changesAt(changeOf(check));
    return checks
      .filter(({ acknowledgement, snooze }) => acknowledgement ?? snooze)
      .map((check) => snoozeJson(check, readOnly));
  });
  return jsonReply({ snoozes: slices.flat() } satisfies SnoozeListAnswer);
}

/** An acknowledgement ends with the outage, a snooze at its time. */
function changeOf({ state, snooze }: Check): number {
  return Math.min(nextDeadline(state), snooze?.untilMs ?? NEVER);
}

function snoozeJson({ id, acknowledgement, snooze }: Check, readOnly: boolean): SnoozeAnswer {
  return {
    ...(readOnly ? { unique_key: uniqueKeyOf(id) } : { uuid: id }),
    acknowledged: acknowledgement
      ? { timestamp: isoSeconds(acknowledgement.atMs), by: acknowledgement.by }
      : null,
    snoozed: snooze
      ? { timestamp: isoSeconds(snooze.atMs), until: isoSeconds(snooze.untilMs), by: snooze.by }
      : null,
  };
}
