/**
 * An incident as its page gets it: `GET …/incidents/<id>`. That of the management API, with what the page offers to send again, and what
 * to do about the checks that are down.
 * Invariant: each delivery is there once, with the newest line that is about it.
 */
import type { Apart } from '../accounts/channel-title.ts';
import type { EndedBy } from '../alerting/incident-words.ts';
import type { IncidentDetailsAnswer, ListedIncidentAnswer } from './api-answers.ts';
import type { AlertEntry } from './log-view.ts';

interface Retryable extends Apart {
  /** Id of the delivery that can be sent again; absent where nothing can be. */
  readonly delivery?: string;
  /** Why it would not be sent if it was retried now; absent where it would. */
  readonly keptBack?: string;
  /** The same had been delivered before; absent for what was not. */
  readonly reminder?: true;
}

export type SentView = NonNullable<IncidentDetailsAnswer['notifications']>[number] & Retryable;
export type WaitingView = NonNullable<IncidentDetailsAnswer['waiting']>[number] &
  Retryable & {
    /** Others to its integration come first; absent where none does. */
    readonly isBehind?: boolean;
  };

export type IncidentCheckView = IncidentDetailsAnswer['checks'][number] & {
  /** The beginning of its description; only of a check that is down, absent where it has none. */
  readonly desc?: string;
  /** Who marked it as up by hand, so that it left; absent where a job did. */
  readonly leftBy?: string;
  /** It left, and is down again in another incident, which is open; absent where it is not. */
  readonly again?: { readonly incident: string; readonly sinceMs: number };
};

/** A check of it was snoozed, or its snooze was changed or ended, while the incident was open. */
export interface IncidentSnooze extends Pick<AlertEntry, 'atMs' | 'action' | 'by' | 'untilMs'> {
  /** Name of the check. */
  readonly check: string;
}

/** A time of maintenance of some of its checks that is on, or was, while the incident was open. */
export interface IncidentMaintenance {
  /** Of the window. */
  readonly name: string;
  /** When it began; null where that was before the incident opened. */
  readonly fromMs: number | null;
  readonly untilMs: number;
  readonly isOver: boolean;
  /** Names of the checks. */
  readonly checks: readonly string[];
}

/** `GET …/incidents`: as the management API has it, with what only the page says. */
export interface IncidentsView {
  readonly incidents: readonly ListedIncidentView[];
  /** Cursor of the next page; null for none. */
  readonly next: string | null;
}

export interface ListedIncidentView extends ListedIncidentAnswer {
  /** The last of its checks was paused, or moved: nobody knows that it came up. Absent for one that is resolved, or not over. */
  readonly endedBy?: EndedBy;
  /** Of one that is over and was reopened: how often it was down, and for how many seconds in all. */
  readonly outages?: { readonly count: number; readonly downS: number };
  /** When it opened again, in epoch milliseconds: it has been down since then. Only of one that is not over; absent where it never did. */
  readonly reopenedMs?: number;
  /** Of the run that took its only check down; absent where it had none, or where that is too long ago to be known. */
  readonly exitStatus?: number;
  /** What became of its down alerts, each counted once per integration; absent where all of them got through, or where that is not known. */
  readonly alerts?: IncidentAlerts;
}

export interface IncidentAlerts {
  readonly delivered: number;
  /** Given up, or failed so far. Nobody was notified where all are 0. */
  readonly failed: number;
  /** Not tried yet. */
  readonly waiting: number;
}

/** `GET …/snoozed-incidents`: by their ids, those that are open and whose checks that are down are all snoozed, or in maintenance. */
export interface SnoozedIncidentsView {
  /** When the first of those snoozes ends. */
  readonly untilMs: Readonly<Record<string, number>>;
  /** When the first of them is in maintenance no more. */
  readonly maintainedUntilMs: Readonly<Record<string, number>>;
}

export interface IncidentView extends IncidentDetailsAnswer {
  readonly checks: readonly IncidentCheckView[];
  /** Newest first; absent for none. */
  readonly snoozes?: readonly IncidentSnooze[];
  /** Of windows that are still there; absent for none. */
  readonly maintenance?: readonly IncidentMaintenance[];
  readonly notifications?: readonly SentView[];
  readonly waiting?: readonly WaitingView[];
}
