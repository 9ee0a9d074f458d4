/**
 * Acknowledging and snoozing a check. `end-snooze` ends a snooze; `notify/dispatch/dispatch` ends what waits to be sent
 * already.
 * Invariant: one record, the check as it is afterwards.
 */

import { acknowledged, type Incident, unacknowledged } from '../../domain/alerting/incident.ts';
import type { Check } from '../../domain/check/check.ts';
import { snoozeOf } from '../../domain/deliveries/after-snooze.ts';
import { KnellError } from '../../lib/errors.ts';
import type { CheckId } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import { checkFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import type { SnoozeRequest } from '../contract/engine.ts';
import { notWritten } from '../contract/not-written.ts';
import { applyDueDeadlines } from '../deadlines/accept-timeout.ts';
import { endSnooze } from '../deadlines/end-snooze.ts';
import { appendIncidents } from '../deadlines/incident-steps.ts';
import { publishStep } from '../deadlines/status-changes.ts';
import { noSuchCheck } from './accept-change.ts';

/** The one that there is already stays, with its author. */
export function acknowledgeCheck(
  context: EngineContext,
  id: CheckId,
  by: string,
  nowMs: number,
): Promise<Check> {
  return changeCheck(context, { id, action: 'acknowledged' }, nowMs, (check) => {
    if (check.state.status !== 'down')
      throw new KnellError('conflict', 'check is not down: only a check that is down can be acknowledged');
    return check.acknowledgement ? check : { ...check, acknowledgement: { atMs: nowMs, by } };
  });
}

export function unacknowledgeCheck(context: EngineContext, id: CheckId, nowMs: number): Promise<Check> {
  return changeCheck(context, { id, action: 'unacknowledged' }, nowMs, (check) =>
    check.acknowledgement ? { ...check, acknowledgement: undefined } : check,
  );
}

/** The clock of the node that was asked may be behind: a snooze that is over before it begins is none, and ends the one that there is. */
export function snoozeCheck(
  context: EngineContext,
  id: CheckId,
  asked: SnoozeRequest,
  nowMs: number,
): Promise<Check> {
  if (asked.untilMs <= nowMs) return unsnoozeCheck(context, id, nowMs);
  return changeCheck(context, { id, action: 'snoozed' }, nowMs, (check) => ({
    ...check,
    hold: undefined,
    snooze: snoozeOf(check, asked, nowMs, () => context.pendingDowns.latest(id)?.atMs ?? 0),
  }));
}

/** Ends the snooze as if its time had come; an undo, as if it had not been. */
export async function unsnoozeCheck(
  context: EngineContext,
  id: CheckId,
  nowMs: number,
  isUndo = false,
): Promise<Check> {
  const handle = context.registry.handleOf(id);
  if (handle < 0) throw noSuchCheck();
  applyDueDeadlines(context, handle, nowMs);
  if (context.registry.snoozedUntil(handle) === NEVER)
    return unchanged(context, context.registry.check(handle));
  return new Promise((resolve, reject) => {
    context.store.beginGroup();
    context.audit.note(checkFact(context.registry, 'unsnoozed', context.registry.check(handle)));
    endSnooze(context, handle, nowMs, {
      done: resolve,
      refused: () => reject(notWritten(context.store)),
      isUndo,
    });
    context.store.endGroup();
  });
}

interface CheckAction {
  readonly id: CheckId;
  readonly action: 'acknowledged' | 'unacknowledged' | 'snoozed';
}

/** Records the check as `change` makes it, where that is another. */
async function changeCheck(
  context: EngineContext,
  { id, action }: CheckAction,
  nowMs: number,
  change: (check: Check) => Check,
): Promise<Check> {
  const { registry, ticker, audit, events } = context;
  const handle = registry.handleOf(id);
  if (handle < 0) throw noSuchCheck();
  applyDueDeadlines(context, handle, nowMs);
  const before = registry.check(handle);
  const check = change(before);
  if (check === before) return unchanged(context, check);
  registry.replace(handle, check);
  ticker.watch(handle);
  const incidents = incidentsAcknowledged(context, check, action, nowMs);
  const detail =
    action === 'snoozed' && check.snooze ? `until ${new Date(check.snooze.untilMs).toISOString()}` : '';
  const fact = checkFact(registry, action, check, { detail });
  return new Promise((resolve, reject) => {
    context.store.beginGroup();
    appendIncidents(context, incidents);
    audit.append(
      { type: 'check', check, changes: [] },
      {
        durable() {
          resolve(check);
          publishStep(context, check, []);
          if (check.snooze !== before.snooze) events.snoozeChanged.publish(check);
        },
        rolledBack() {
          registry.replace(handle, before);
          ticker.watch(handle);
          // Notifications that are held for it must be sent after all. Published once the batch is rolled back as a whole: two
          // snoozes may be in it.
          if (check.snooze !== before.snooze) queueMicrotask(() => events.snoozeChanged.publish(before));
          reject(notWritten(context.store));
        },
      },
      fact,
    );
    context.store.endGroup();
  });
}

/** An incident is acknowledged once all of its checks are, and no longer once one of them is not. */
function incidentsAcknowledged(
  { registry, audit }: EngineContext,
  { id, acknowledgement }: Check,
  action: CheckAction['action'],
  nowMs: number,
): readonly Incident[] {
  const incident = registry.incidents.openOf(id);
  if (incident === null || action === 'snoozed') return [];
  const isKnown = incident.checks.every(
    (check) =>
      check.leftMs !== 0 || check.isDependent || registry.find(check.id)?.acknowledgement !== undefined,
  );
  if (isKnown) return [acknowledged(incident, acknowledgement?.by ?? '', nowMs)];
  return [unacknowledged(incident, audit.actor.name, nowMs)];
}

/** Resolves once the data that the check rests on is durable: it may still be on its way to the disk. */
function unchanged({ store }: EngineContext, check: Check): Promise<Check> {
  return new Promise((resolve, reject) =>
    store.barrier({
      durable: () => resolve(check),
      rolledBack: () => reject(notWritten(store)),
    }),
  );
}
