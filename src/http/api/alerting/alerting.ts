/**
 * Who would be notified if a check went down now, and who was notified at a moment in the past. Not here: what follows from what
 * (`domain/alerting/who-is-notified`, `who-was-notified`).
 * Invariant: what is shown is durable; the audit log is looked through in turns, so that a long one holds up no ping.
 */
import { auditPage } from '../../../commands/owner/audit-pages.ts';
import { type AuditEntry, anyEntry } from '../../../domain/accounts/audit.ts';
import type { AuditSince } from '../../../domain/alerting/settings-then.ts';
import { type WhoWasNotified, whoWasNotified } from '../../../domain/alerting/who-was-notified.ts';
import type { Check } from '../../../domain/check/check.ts';
import type { StatusChange } from '../../../domain/check/flip.ts';
import { type Delivery, isUntriedReminder, notificationKindOf } from '../../../domain/deliveries/delivery.ts';
import { auditKeptMs, pastAuditMax } from '../../../domain/limits.ts';
import type { AlertingAnswer, AlertingPastAnswer } from '../../../domain/views/api-answers.ts';
import { second } from '../../../lib/units.ts';
import { instantIn, instantWords } from '../../../spec/instant.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ApiCall, lastOf } from '../call.ts';
import { readCheck, showCheck } from '../check-lookup.ts';
import { isoMicroseconds, isoSeconds } from '../iso-time.ts';

/** An addition of Knell. With `at`: who was notified then. */
export function showAlerting(call: ApiCall): Promise<HttpReply> | HttpReply {
  const at = lastOf(call.query, 'at');
  if (at === null) return showCheck(call, (check) => whoIsNotified(call, check));
  const moment = momentIn(at, call.nowMs);
  return typeof moment === 'string' ? errorReply(400, moment) : showPast(call, moment);
}

function whoIsNotified(call: ApiCall, check: Check): HttpReply {
  const { read, nowMs } = call;
  const change = check.state.status === 'down' ? read.lastChange(check.id) : null;
  const waiting = change ? waitingAbout(call, check, change) : [];
  const { held, recipients, text } = read.whoIsNotified(check, nowMs, waiting);
  return jsonReply({
    text,
    held: held && {
      reason: held.reason,
      until: held.untilMs === null ? null : isoSeconds(held.untilMs),
      text: held.text,
    },
    recipients: recipients.map(({ channel, isNotified, afterS, text: why }) => ({
      ...{ channel: channel.id, name: channel.name, kind: channel.kind },
      ...{ notified: isNotified, after: afterS, text: why },
    })),
  } satisfies AlertingAnswer);
}

/** Whole seconds mean their end: what the API says in whole seconds happened within one. Or what is wrong with it. */
function momentIn(at: string, nowMs: number): number | string {
  // A plus that was not escaped came as a space.
  const text = at.trim().replace(' ', '+');
  const fromMs = /^\d{1,11}(?:\.\d{1,6})?$/.test(text) ? Number(text) * second : instantIn(text);
  if (fromMs === null) return `at must be ${instantWords}`;
  return Math.min(nowMs, text.includes('.') ? fromMs : fromMs + second - 1);
}

async function showPast(call: ApiCall, atMs: number): Promise<HttpReply> {
  const found = await readCheck(call, (check) => {
    const past = call.read.loggedPast(check, atMs, call.nowMs);
    return { ...past, waiting: past.change ? waitingAbout(call, check, past.change) : [] };
  });
  if (!('read' in found)) return found.refusal;
  const past = found.read;
  const audit = await auditSince(call, past.check, past.change?.atMs ?? atMs);
  return jsonReply(pastJson(atMs, whoWasNotified({ ...past, audit })));
}

/** One pass, because there may be a hundred thousand. */
function waitingAbout({ deliveries }: ApiCall, { id }: Check, change: StatusChange): readonly Delivery[] {
  const kind = notificationKindOf(change);
  const found: Delivery[] = [];
  for (const delivery of deliveries()) {
    const { checkId, state, change: own } = delivery;
    if (checkId !== id || state !== 'waiting' || own.atMs !== change.atMs) continue;
    if (notificationKindOf(own) === kind && !isUntriedReminder(delivery)) found.push(delivery);
  }
  return found;
}

/** What was changed since of the check and of the project's integrations. */
async function auditSince(
  { read, project, nowMs }: ApiCall,
  { id }: Check,
  fromMs: number,
): Promise<AuditSince> {
  const filter = { ...anyEntry, project: project.id, fromMs };
  const entries: AuditEntry[] = [];
  for (let before: string | null = ''; before !== null; ) {
    const page = await auditPage(read, { filter, before, limit: pastAuditMax, nowMs });
    entries.push(
      ...page.entries.filter(
        ({ subject, subjectId }) => subject === 'integration' || (subject === 'check' && subjectId === id),
      ),
    );
    if (page.next !== null && entries.length >= pastAuditMax) return { entries, isWhole: false };
    before = page.next;
  }
  return { entries, isWhole: fromMs >= nowMs - auditKeptMs };
}

function pastJson(atMs: number, past: WhoWasNotified): AlertingPastAnswer {
  const { status, change, incident, notes, recipients, text } = past;
  return {
    at: isoMicroseconds(atMs),
    ...{ text, status },
    change: change && {
      timestamp: isoMicroseconds(change.atMs),
      ...{ from: change.from, to: change.to, cause: change.cause },
    },
    incident: incident?.id ?? null,
    notes: notes.map((note) => ({ timestamp: isoMicroseconds(note.atMs), text: note.text })),
    recipients: recipients.map(({ channelId, name, kind, outcome, atMs: knownMs, text: became }) => ({
      ...{ channel: channelId, name, kind, outcome },
      timestamp: knownMs === null ? null : isoMicroseconds(knownMs),
      text: became,
    })),
  };
}
