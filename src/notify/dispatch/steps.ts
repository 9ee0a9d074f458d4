/**
 * The steps of a delivery from its deadline to the notification sent, as named lists in their order. First it waits: each step of
 * `admission` says for how long it holds the delivery back. Then it is tried: each of `attemptSteps` says how the attempt ends,
 * or leaves it to the next. `dispatch` decides which delivery comes next; `endings` decides what its outcome means.
 *
 * Invariant: what ends a delivery without an attempt is durable by then: a change that a full disk undoes ends none.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActiveWindow } from '../../domain/alerting/maintenance.ts';
import type { Check } from '../../domain/check/check.ts';
import { type Delivery, isReminder } from '../../domain/deliveries/delivery.ts';
import type { MessageAbout, Notice, Outcome } from '../contract/channel.ts';
import { acknowledgedLookMs, gatheredPerTurn, maintenanceLookMs } from '../contract/limits.ts';
import { unlessAborted } from '../wire/unless-aborted.ts';
import type { DispatchSources } from './dispatch-options.ts';
import { holdOf, type UnsentEnd, unsentEndOf } from './still-due.ts';

/** A delivery whose turn may have come. */
export interface Candidate {
  readonly delivery: Delivery;
  /** Null for one that is gone. */
  readonly check: Check | null;
  /** The end of the pause of its integration, epoch milliseconds; 0 for none. */
  readonly pausedUntilMs: number;
  /** The maintenance window that is on about its check; null for none, and for what goes out in one. */
  readonly maintenance: ActiveWindow | null;
  /** The quiet hours of its integration that are on; null for none, and for what says that a check is up. */
  readonly quiet: ActiveWindow | null;
  /** Somebody has acknowledged what it is about, and it is a reminder, or an escalation. */
  readonly isAcknowledged: boolean;
  readonly nowMs: number;
}

/** Milliseconds that the delivery has to wait; 0 or less: not at all. */
export type Admission = (candidate: Candidate) => number;

/** Its time has come, and the pause of its integration is over. */
export const due: Admission = ({ delivery, pausedUntilMs, nowMs }) =>
  Math.max(delivery.notBeforeMs, pausedUntilMs) - nowMs;

/** Its check is not snoozed, nor acknowledged where it is a reminder, nor its incident: then it waits for the end of that. */
export const notHeld: Admission = ({ delivery, check, isAcknowledged }) => {
  if (isAcknowledged)
    return isReminder(delivery) ? delivery.notBeforeMs - delivery.sinceMs : acknowledgedLookMs;
  const hold = check && holdOf(delivery, check);
  return hold?.kind === 'held' ? hold.forMs : 0;
};

/**
 * A reminder waits for the end of maintenance: those who do that know that the check is down. So does what waited for its time when
 * that began, as what goes down in it: it goes out at the end if it is still so.
 */
export const notInMaintenance: Admission = ({ maintenance, nowMs }) =>
  Math.min((maintenance?.untilMs ?? 0) - nowMs, maintenanceLookMs);

/** Its integration has no quiet hours. */
export const notQuiet: Admission = ({ quiet, nowMs }) =>
  Math.min((quiet?.untilMs ?? 0) - nowMs, maintenanceLookMs);

export const admission: readonly Admission[] = [due, notHeld, notInMaintenance, notQuiet];

/**
 * The end of an attempt. `goes on`: the change that would have ended it was undone, so it waits again. `over`: ended already, or
 * cut off.
 */
export type AttemptEnd = Outcome | 'goes on' | 'over';

/** One attempt on its way; the steps fill in what they come to. */
export interface Attempt {
  readonly delivery: Delivery;
  /** All that the message is about, that one first. */
  readonly about: MessageAbout;
  readonly sources: DispatchSources;
  /** Ends it early: Knell is stopping. */
  readonly signal: AbortSignal;
  /** Ends the delivery without an attempt, which nobody needs any more. */
  endUnsent(end: Exclude<UnsentEnd, { kind: 'refused' }>): void;
  notice: Notice | null;
  outcome: Outcome | null;
}

/** Null: the next step follows. */
type AttemptStep = (attempt: Attempt) => Promise<AttemptEnd | null> | AttemptEnd | null;

/** Nobody needs it any more: its check has moved on, is snoozed or gone, or its integration is. */
const endIfOver: AttemptStep = (attempt) => {
  const { delivery, sources } = attempt;
  return unsentEndOf(sources, delivery) ? endOnceDurable(attempt) : null;
};

/** Renders the notice from all that is known when it is sent. */
const render: AttemptStep = async (attempt) => {
  const { delivery, about, sources, signal } = attempt;
  const [channel, check] = [sources.channel(delivery.channelId), sources.check(delivery.checkId)];
  if (!channel || !check) return endOnceDurable(attempt);
  attempt.notice = await unlessAborted(sources.notice(about, check, channel), signal);
  // A message about thousands takes some milliseconds to write, and the first one to send, too.
  if (about.members.length > gatheredPerTurn) await nextTurn();
  return attempt.notice ? null : 'over';
};

const send: AttemptStep = async (attempt) => {
  if (attempt.notice) attempt.outcome = await attempt.sources.send(attempt.notice, attempt.signal);
  return null;
};

/** It has failed, and check and integration were deleted meanwhile: no other attempt follows. */
const endIfOrphaned: AttemptStep = async (attempt) => {
  const { delivery, sources, outcome } = attempt;
  if (outcome?.kind === 'delivered' || unsentEndOf(sources, delivery)?.kind !== 'dropped') return null;
  const end = await endOnceDurable(attempt);
  return end === 'goes on' ? null : end;
};

export const attemptSteps: readonly AttemptStep[] = [endIfOver, render, send, endIfOrphaned];

export async function runAttempt(attempt: Attempt): Promise<AttemptEnd> {
  for (const step of attemptSteps) {
    const end = await step(attempt);
    if (end !== null) return end;
  }
  return attempt.outcome ?? 'over';
}

/**
 * Ends the delivery only once the state of check and integration is durable. If that is undone, with a batch that cannot be
 * written, the delivery goes on.
 */
async function endOnceDurable(attempt: Attempt): Promise<AttemptEnd> {
  const { delivery, sources, signal } = attempt;
  const read = sources.durably(() => ({ end: unsentEndOf(sources, delivery) }));
  const durable = await unlessAborted(read, signal);
  if (durable === null) return 'over';
  const { end } = durable;
  if (end === null) return 'goes on';
  if (end.kind === 'refused') return { kind: 'refused', error: end.error };
  attempt.endUnsent(end);
  return 'over';
}
