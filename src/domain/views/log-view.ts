/**
 * The log of a check as its page gets it: `GET …/checks/<id>/log`. Runs with start and end joined, status changes, notifications, and
 * what keeps notifications back, maintenance too.
 * Invariant: instants are epoch milliseconds; an entry is complete in itself.
 */

import type { Apart } from '../accounts/channel-title.ts';
import type { Cause } from '../check/flip.ts';
import type { NoteFigures, PingNote, Scheme } from '../check/ping.ts';
import type { Status } from '../check/status.ts';
import type { NotificationKind } from '../deliveries/delivery.ts';
import type { NotificationOutcome } from '../deliveries/sent-notification.ts';
import type { Result } from '../results/result.ts';
import type { RunEndingOutcome } from '../runs/run-ending.ts';
import type { TextHit } from '../words/excerpt.ts';

export const logFilters = ['all', 'runs', 'failed', 'status', 'snoozes', 'notifications'] as const;
export type LogFilter = (typeof logFilters)[number];

/** The origin of a ping. */
export interface PingSource {
  readonly scheme: Scheme;
  readonly method: string;
  readonly remoteAddr: string;
  readonly ua: string;
  /** Who sent it by hand; empty for a job's. */
  readonly byHand: string;
}

interface Placed {
  /** Unique among all entries of the check. */
  readonly id: string;
  /** Time by which the log is ordered: for a run, when it began if that is known. */
  readonly atMs: number;
}

export interface RunEntry extends Placed {
  readonly what: 'run';
  /** Number of the ping that ended it. */
  readonly n: number;
  readonly endedMs: number;
  readonly outcome: 'succeeded' | 'late' | 'warned' | 'failed';
  /** Only of an end that came after its run had hung, or was given up. */
  readonly after?: 'hung' | 'overtaken';
  readonly durationMs: number | null;
  readonly exitStatus: number | null;
  /** Machine that it ran on; empty for none. */
  readonly host: string;
  readonly note: PingNote | null;
  readonly figures: NoteFigures;
  readonly about: string;
  readonly results: readonly Result[];
  readonly rid: string | null;
  readonly from: PingSource;
  /** The pings of the run that brought a body which is still stored, the end first. */
  readonly bodies: readonly PingBody[];
  /** Only where a rule of retention has dropped one: the milliseconds for which that rule keeps it. */
  readonly bodyAgeMs?: number;
  /** Only of what a search has found, but for the source of a mail. */
  readonly found?: FoundLine;
}

/** The line of an output that a search in the log has found. */
export interface FoundLine extends TextHit {
  /** Number of the ping that brought the output. */
  readonly n: number;
}

export interface PingBody {
  readonly n: number;
  readonly bytes: number;
}

/** One that is no end of a run: a start that no end belongs to (yet), a log entry, one that was ignored. */
export interface PingEntry extends Placed {
  readonly what: 'ping';
  readonly n: number;
  readonly signal: 'start' | 'log' | 'ign' | 'alive';
  readonly host: string;
  readonly note: PingNote | null;
  readonly figures: NoteFigures;
  readonly about: string;
  readonly results: readonly Result[];
  /** A start whose run is in flight. */
  readonly isRunning: boolean;
  readonly rid: string | null;
  readonly from: PingSource;
  readonly bodies: readonly PingBody[];
  /** As of a run. */
  readonly bodyAgeMs?: number;
  readonly found?: FoundLine;
}

/** A run that ended without a ping; of a check that tracks its runs. */
export interface EndingEntry extends Placed {
  readonly what: 'ending';
  readonly outcome: RunEndingOutcome;
  readonly startedMs: number | null;
  readonly host: string;
  readonly rid: string | null;
  /** Seconds that it might have taken; 0 where that does not apply. */
  readonly limitS: number;
}

export interface ChangeEntry extends Placed {
  readonly what: 'change';
  readonly from: Status;
  readonly to: Status;
  readonly cause: Cause;
  /** Whether it had been pinged before: then one that is new was resumed, and waits. */
  readonly isPinged: boolean;
  /** Who sent the ping by hand that caused it; empty for all others. */
  readonly byHand: string;
  /** Only where a run took it down that did not end in time: the milliseconds that it was given. */
  readonly overrunMs?: number;
  /** The check only waited for the end of a run that was in time. Shown where status changes are asked for. */
  readonly isWait: boolean;
}

export interface NotificationEntry extends Placed, Apart {
  readonly what: 'notification';
  readonly kind: NotificationKind;
  /** It had been sent before, of the same status change. */
  readonly isReminder: boolean;
  readonly changedMs: number;
  /** Its integration. Another one may have the same name. */
  readonly channelId: string;
  /** Empty where the integration has none, or was deleted. */
  readonly channelName: string;
  readonly channelKind: string;
  /** `waiting`: to be sent, or sent again. */
  readonly outcome: NotificationOutcome | 'waiting';
  readonly attempts: number;
  readonly error: string;
  /** When it is tried next, if it waits for that. */
  readonly nextMs: number | null;
  /** Id in the outbox, if the delivery can be retried. */
  readonly deliveryId: string | null;
  /** Why it would not be sent if it was retried now; absent where it would. */
  readonly keptBack?: string;
}

/**
 * Actions that hold alerts back, and their ends: `unacknowledged` and `unsnoozed` by somebody, `acknowledgement-over` because the
 * check left down, `snooze-over` because its time had come.
 */
export type AlertAction =
  | 'acknowledged'
  | 'unacknowledged'
  | 'acknowledgement-over'
  | 'snoozed'
  | 'snooze-changed'
  | 'unsnoozed'
  | 'snooze-over';

/** A step of an acknowledgement or a snooze. */
export interface AlertEntry extends Placed {
  readonly what: 'alert';
  readonly action: AlertAction;
  /** Empty where nobody did it. */
  readonly by: string;
  /** End of a snooze that begins or is changed. */
  readonly untilMs: number | null;
}

/** A maintenance window about the check began, or ended. */
export interface MaintenanceEntry extends Placed {
  readonly what: 'maintenance';
  readonly action: 'began' | 'ended';
  /** Of the window. */
  readonly name: string;
  /** When it ends; null for what is over. */
  readonly untilMs: number | null;
  /** Of an end: somebody ended it before its time. */
  readonly isEarly: boolean;
  /** Who did; empty where nobody did, or where that is no longer known. */
  readonly by: string;
}

export type LogEntry =
  | RunEntry
  | PingEntry
  | EndingEntry
  | ChangeEntry
  | NotificationEntry
  | AlertEntry
  | MaintenanceEntry;

export interface LogView {
  /** Newest first. */
  readonly entries: readonly LogEntry[];
  /** Older ones are asked for with this as `before`; null where there are none. */
  readonly olderMs: number | null;
  readonly nowMs: number;
}
