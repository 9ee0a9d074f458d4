/**
 * Lists the past of a check: its logged pings, their bodies, its flips (specification, "Pings" and "Flips").
 * Invariant: never more pings, and no older body, than the project's plan lists.
 */

import { planLimits } from '../../domain/accounts/plan-limits.ts';
import type { Check } from '../../domain/check/check.ts';
import { flipOf, type StatusChange } from '../../domain/check/flip.ts';
import type { Ping } from '../../domain/check/ping.ts';
import type { SentNotification } from '../../domain/deliveries/sent-notification.ts';
import { keepsFailures, type Retention } from '../../domain/retention/kept-pings.ts';
import { runDurations } from '../../domain/runs/run-durations.ts';
import type {
  FlipAnswer,
  FlipListAnswer,
  NotificationAnswer,
  NotificationListAnswer,
  PingAnswer,
  PingListAnswer,
} from '../../domain/views/api-answers.ts';
import { uniqueKeyOf } from '../../lib/ids.ts';
import { NEVER, second } from '../../lib/units.ts';
import { notificationsListedMax } from '../limits.ts';
import { errorReply, jsonReply, notFound } from '../wire/json-reply.ts';
import type { HttpReply } from '../wire/message.ts';
import { type ApiCall, lastOf } from './call.ts';
import { showCheck } from './check-lookup.ts';
import { parseFlipRange } from './flip-range.ts';
import { isoMicroseconds, isoSeconds } from './iso-time.ts';
import { cutPage, nextLink, parsePage } from './list-cursor.ts';
import { resultsJson } from './results/results-json.ts';

export function listPings(call: ApiCall): Promise<HttpReply> {
  return showCheck(call, (check) => {
    const parsed = parsePage(call.query);
    if (!parsed.ok) return errorReply(400, parsed.error);
    const { page } = parsed;
    const pings = listedPings(call, check);
    const render = pingRenderer(call, check, pings);
    if (page === null) return jsonReply({ pings: pings.map(render) } satisfies PingListAnswer);
    const { after } = page;
    const behind = after === null ? pings : pings.filter(({ n }) => n < after);
    const { shown, next } = cutPage(behind, page, ({ n }) => n);
    return jsonReply({ pings: shown.map(render), next } satisfies PingListAnswer);
  });
}

/** Newest first. */
export function listedPings(call: ApiCall, check: Check): readonly Ping[] {
  const { read, project } = call;
  // What rules keep changes only because time passes, too.
  if (hasRules(read.retention(check))) call.changesAt(call.nowMs);
  return read.pings(check.id, planLimits[project.plan].pingsMax);
}

function hasRules({ rules, former }: Retention): boolean {
  return rules !== '' || former.length > 0;
}

/** Renders one of `pings`, which are all of the check that are listed. */
export function pingRenderer(
  call: ApiCall,
  check: Check,
  pings: readonly Ping[],
): (ping: Ping) => PingAnswer {
  const durations = runDurations(pings);
  const id = call.readOnly ? uniqueKeyOf(check.id) : check.id;
  const pingsUrl = `${call.baseUrl}/api/v${call.version}/checks/${id}/pings`;
  return (ping) => pingJson(ping, durations.get(ping.n), pingsUrl);
}

/** A ping whose body was dropped to keep the budget looks like one that never had a body. */
function pingJson(ping: Ping, durationMs: number | undefined, pingsUrl: string): PingAnswer {
  return {
    type: ping.signal,
    date: isoMicroseconds(ping.atMs),
    n: ping.n,
    scheme: ping.scheme,
    remote_addr: ping.remoteAddr,
    method: ping.method,
    ua: ping.ua,
    rid: ping.rid,
    ...(ping.host === '' ? {} : { host: ping.host }),
    ...(ping.note === null ? {} : { note: ping.note }),
    ...(ping.results.length === 0 ? {} : { results: resultsJson(ping.results) }),
    ...(durationMs === undefined ? {} : { duration: secondsRounded(durationMs) }),
    body_url: ping.bodyBytes === 0 ? null : `${pingsUrl}/${ping.n}/body`,
    ...(ping.bodyAgeMs === undefined ? {} : { body_dropped_after: ping.bodyAgeMs / second }),
  };
}

/** Seconds, rounded to two decimals. */
export function secondsRounded(ms: number): number {
  return Math.round(ms / (second / 100)) / 100;
}

/** Replies with the bytes as they were received, without any conversion. */
export function getPingBody(call: ApiCall): Promise<HttpReply> {
  return showCheck(call, (check) => {
    const body = listedBody(call, check, Number(call.path.n));
    if (body === null || body.length === 0) return notFound;
    return { status: 200, headers: [['Content-Type', 'text/plain']], body };
  });
}

export function listedBody({ read, project }: ApiCall, check: Check, n: number): Uint8Array | null {
  const isKept = keepsFailures(read.retention(check).rules);
  const oldestListed = isKept ? 1 : check.state.nPings - planLimits[project.plan].pingsMax + 1;
  return n < oldestListed || n > check.state.nPings ? null : read.body(check.id, n);
}

/**
 * v3 answers with the bare array, earlier versions with an object around it. By pages, the array has no place for the next one: that is
 * in the header Link (RFC 8288).
 */
export function listFlips(call: ApiCall): Promise<HttpReply> {
  return showCheck(call, (check) => {
    const parsed = parseFlipRange(call.query, call.nowMs);
    if (!parsed.ok) return errorReply(400, parsed.error);
    const paged = parsePage(call.query);
    if (!paged.ok) return errorReply(400, paged.error);
    const changes = call.read.changes(check.id, parsed.range).filter((change) => flipOf(change) !== null);
    for (const { atMs } of changes) call.changesAt(leavesAt(call, atMs));
    const { page } = paged;
    const rendered = (shown: readonly StatusChange[]): FlipListAnswer => shown.flatMap(flipJson);
    if (page === null)
      return jsonReply(call.version === 3 ? rendered(changes) : { flips: rendered(changes) });
    const { after } = page;
    const behind = after === null ? changes : changes.filter(({ atMs }) => atMs < after);
    const { shown, next } = cutPage(behind, page, ({ atMs }) => atMs);
    if (call.version < 3) return jsonReply({ flips: rendered(shown), next });
    const id = call.readOnly ? uniqueKeyOf(check.id) : check.id;
    const url = `${call.baseUrl}/api/v3/checks/${id}/flips/`;
    return jsonReply(rendered(shown), 200, next === null ? [] : [nextLink(url, call.query, next)]);
  });
}

/** When what happened at `atMs` is no longer within the last so many seconds; NEVER where the query does not ask for those. */
export function leavesAt({ query }: ApiCall, atMs: number): number {
  const seconds = lastOf(query, 'seconds') || '0';
  return Number(seconds) === 0 ? NEVER : atMs + Number(seconds) * second;
}

/** An addition of Knell: Healthchecks has no such endpoint. The filters are those of flips. */
export function listNotifications(call: ApiCall): Promise<HttpReply> {
  return showCheck(call, (check) => {
    const parsed = parseFlipRange(call.query, call.nowMs);
    if (!parsed.ok) return errorReply(400, parsed.error);
    const sent = call.read.notifications(check.id, parsed.range, notificationsListedMax);
    for (const { atMs } of sent) call.changesAt(leavesAt(call, atMs));
    return jsonReply({ notifications: sent.map(notificationJson) } satisfies NotificationListAnswer);
  });
}

export function notificationJson(sent: SentNotification): NotificationAnswer {
  return {
    timestamp: isoMicroseconds(sent.atMs),
    event: sent.kind,
    changed_at: isoSeconds(sent.changedAtMs),
    channel: sent.channelId,
    channel_name: sent.channelName,
    channel_kind: sent.channelKind,
    outcome: sent.outcome,
    attempts: sent.attempts,
    error: sent.error,
  };
}

function flipJson(change: StatusChange): FlipAnswer[] {
  const up = flipOf(change);
  return up === null ? [] : [{ timestamp: isoSeconds(change.atMs), up }];
}
