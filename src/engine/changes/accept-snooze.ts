/**
 * Acknowledging and snoozing a check. Not here: the end of a snooze (`end-snooze`), what waits to be sent already
 * (`notify/dispatch/dispatch`).
 * Invariant: one record, the check as it is afterwards.
 */

import type { Check } from '../../domain/check/check.ts';
import { snoozeOf } from '../../domain/deliveries/after-snooze.ts';
import type { CheckId } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import { checkFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import type { ChangeOutcome, SnoozeRequest } from '../contract/engine.ts';
import { applyDueDeadlines } from '../deadlines/accept-timeout.ts';
import { endSnooze } from '../deadlines/end-snooze.ts';
import { publishStep } from '../deadlines/status-changes.ts';

/** The one that there is already stays, with its author. */
export function acknowledgeCheck(
  context: EngineContext,
  id: CheckId,
  by: string,
  nowMs: number,
): Promise<ChangeOutcome> {
  return changeCheck(context, { id, action: 'acknowledged' }, nowMs, (check) => {
    if (check.state.status !== 'down') return 'not-down';
    return check.acknowledgement ? check : { ...check, acknowledgement: { atMs: nowMs, by } };
  });
}

export function unacknowledgeCheck(
  context: EngineContext,
  id: CheckId,
  nowMs: number,
): Promise<ChangeOutcome> {
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
): Promise<ChangeOutcome> {
  if (asked.untilMs <= nowMs) return unsnoozeCheck(context, id, nowMs);
  return changeCheck(context, { id, action: 'snoozed' }, nowMs, (check) => ({
    ...check,
    snooze: snoozeOf(check, asked, nowMs, () => context.pendingDowns.latest(id)?.atMs ?? 0),
  }));
}

/** As if its time had come. */
export async function unsnoozeCheck(
  context: EngineContext,
  id: CheckId,
  nowMs: number,
): Promise<ChangeOutcome> {
  const handle = context.registry.handleOf(id);
  if (handle < 0) return { kind: 'not-found' };
  applyDueDeadlines(context, handle, nowMs);
  if (context.registry.snoozedUntil(handle) === NEVER)
    return unchanged(context, context.registry.check(handle));
  return new Promise((resolve) => {
    context.store.beginGroup();
    context.audit.note(checkFact(context.registry, 'unsnoozed', context.registry.check(handle)));
    endSnooze(context, handle, nowMs, {
      done: (check) => resolve({ kind: 'ok', check }),
      refused: () => resolve({ kind: 'store-full' }),
    });
    context.store.endGroup();
  });
}

interface CheckAction {
  readonly id: CheckId;
  readonly action: 'acknowledged' | 'unacknowledged' | 'snoozed';
}

type Refusal = Exclude<ChangeOutcome['kind'], 'ok'>;

/** Records the check as `change` makes it, where that is another. */
async function changeCheck(
  context: EngineContext,
  { id, action }: CheckAction,
  nowMs: number,
  change: (check: Check) => Check | Refusal,
): Promise<ChangeOutcome> {
  const { registry, ticker, audit, events } = context;
  const handle = registry.handleOf(id);
  if (handle < 0) return { kind: 'not-found' };
  applyDueDeadlines(context, handle, nowMs);
  const before = registry.check(handle);
  const check = change(before);
  if (typeof check === 'string') return { kind: check };
  if (check === before) return unchanged(context, check);
  registry.replace(handle, check);
  ticker.watch(handle);
  const detail =
    action === 'snoozed' && check.snooze ? `until ${new Date(check.snooze.untilMs).toISOString()}` : '';
  const fact = checkFact(registry, action, check, { detail });
  return new Promise((resolve) =>
    audit.append(
      { type: 'check', check, changes: [] },
      {
        durable() {
          resolve({ kind: 'ok', check });
          publishStep(context, check, []);
          if (check.snooze !== before.snooze) events.snoozeChanged.publish(check);
        },
        rolledBack() {
          registry.replace(handle, before);
          ticker.watch(handle);
          // What is held for it has to go out after all. Once the batch is rolled back as a whole: two snoozes may be in it.
          if (check.snooze !== before.snooze) queueMicrotask(() => events.snoozeChanged.publish(before));
          resolve({ kind: 'store-full' });
        },
      },
      fact,
    ),
  );
}

/** What it rests on may still be on its way to the disk. */
function unchanged({ store }: EngineContext, check: Check): Promise<ChangeOutcome> {
  return new Promise((resolve) =>
    store.barrier({
      durable: () => resolve({ kind: 'ok', check }),
      rolledBack: () => resolve({ kind: 'store-full' }),
    }),
  );
}
