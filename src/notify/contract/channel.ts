/**
 * The contract of an integration's kind: a notice in, what became of it out. One sender for each kind, in `channels/`.
 * `dispatch` decides when a notice is sent, `retry` whether it is tried again.
 * Invariant: a sender never throws, and what it answers holds no secret.
 */

import type { Channel, Project } from '../../domain/accounts/project.ts';
import type { Check } from '../../domain/check/check.ts';
import type { Cause, StatusChange } from '../../domain/check/flip.ts';
import type { Ping } from '../../domain/check/ping.ts';
import type { Delivery, NotificationKind } from '../../domain/deliveries/delivery.ts';
import type { OutageEnd } from '../../domain/deliveries/outdated.ts';
import type { SentMessage, TestAnswer } from '../../domain/deliveries/sent-notification.ts';
import type { RunEnding } from '../../domain/runs/run-ending.ts';
import type { CheckId, DeliveryId, IncidentId } from '../../lib/ids.ts';

/** Everything that one message may say. */
export interface Notice {
  /** The idempotency key: the same on every attempt. */
  readonly deliveryId: DeliveryId;
  readonly notificationKind: NotificationKind;
  /** Nothing has happened to a check: somebody asked whether the integration works, or there is an announcement. */
  readonly test: boolean;
  readonly announcement?: Announcement;
  readonly channel: Channel;
  readonly check: Check;
  readonly project: Pick<Project, 'name'>;
  /** When the check changed, and why. */
  readonly atMs: number;
  readonly cause: Cause;
  /** The latest ping that is no newer than the change. */
  readonly ping: Ping | null;
  /** Its body as text, as it was sent; empty for none. Of a mail, its subject and its text, decoded. */
  readonly body: string;
  /** Text of a ping that came by mail, as a person reads it. */
  readonly mail: PingMail | null;
  /** The mail of a ping that came by mail, as it is kept, which may be its beginning only. */
  readonly mailSource: Uint8Array | null;
  /** Duration of the run that `ping` ended, if its start was reported; else null. */
  readonly runMs: number | null;
  /** The latest success before the change, and how long its run took, where that is known; null when none of the latest pings is one. */
  readonly lastSuccess: { readonly atMs: number; readonly runMs: number | null } | null;
  /** The start of a run that had not ended by the change; null for none. */
  readonly startedMs: number | null;
  /** Runs that ended without a ping at that very moment; empty for none. */
  readonly endings: readonly RunEnding[];
  /** When the ping was due that came late, failed or did not come; null when none was expected. */
  readonly expectedMs: number | null;
  /** Other checks of the project that are down at this moment. */
  readonly othersDown: OthersDown;
  /** The same checks that `othersDown` names, for messages that link to them. */
  readonly othersDownChecks: readonly DownCheck[];
  /** The incident that the message is about as a whole; absent for a message about a check alone. */
  readonly incident?: IncidentNotice | undefined;
  /** Time for which the check was down, when it comes up; else null. */
  readonly downtimeMs: number | null;
  /** Of a message that it is down: the end of that outage, if it is over by now. Null, or absent, for all others. */
  readonly over?: Pick<OutageEnd, 'atMs' | 'isUpSince'> | null | undefined;
  /** Of a message that it is down: the same was delivered to the integration before. Null, or absent, for all others. */
  readonly reminder?: Reminder | null | undefined;
  /** The check as the API shows it, JSON. */
  readonly checkJson: string;
  readonly baseUrl: string;
  /** The check's page, by its unique key: a UUID is what jobs ping, and should not be in a chat that many read. */
  readonly checkUrl: string;
  /** URL at which anyone who has this message acknowledges or snoozes without signing in; null if there is nothing to do. */
  readonly actUrl: string | null;
  /** When this message is rendered: what "10 minutes ago" counts from. */
  readonly nowMs: number;
  /** IANA name: in whose zone the recipient reads times. */
  readonly timeZone: string;
}

export interface Reminder {
  /** When the snooze ended that had kept messages back, epoch milliseconds; null where something else has caused it. */
  readonly snoozeEndedMs: number | null;
}

/** A message to a project that is not about one of its checks. */
export interface Announcement {
  readonly title: string;
  readonly text: string;
}

/** A mail as a person reads it: decoded, without its source. */
export interface PingMail {
  readonly subject: string;
  readonly text: string;
}

export interface OthersDown {
  readonly count: number;
  /** Number of all other checks, down or not. */
  readonly of: number;
  /** Some of them, sorted; a check without a name has its UUID here. */
  readonly names: readonly string[];
}

/** What one message is about. */
export interface MessageAbout {
  /** The first one says when it is sent. */
  readonly members: readonly Delivery[];
  /** Of an incident: the checks that the integration then knows to be down. */
  readonly down: ReadonlySet<CheckId>;
  /** Of an incident: the latest message about it to the integration; null for none that can be updated. */
  readonly message: SentMessage | null;
  /** What the integration was sent, once more, for a service that forgets it; absent for a notification. */
  readonly isRefresh?: true;
}

/** What a message says of an incident: of those of its checks that the integration is notified of. */
export interface IncidentNotice {
  readonly id: IncidentId;
  /** The check that opened it: the one name that stays, for services that know an alert by its name. */
  readonly name: string;
  /** Those that are down, worst first, at most some. */
  readonly down: readonly IncidentCheckNotice[];
  readonly downCount: number;
  /** Those that went down since the last message. */
  readonly wentDown: number;
  /** Those that came up since the last message: the names of some. */
  readonly up: readonly string[];
  readonly upCount: number;
  /** All that were in it. */
  readonly total: number;
  readonly openedMs: number;
  readonly isReminder: boolean;
  /** Those that are down although it is over for the integration: it was never notified of them. */
  readonly held: number;
  /** The message in which the integration reads of it so far; null where there is none, or none that can be updated. */
  readonly message: IncidentMessage | null;
}

export interface IncidentMessage {
  /** The vendor's id. */
  readonly id: string;
  /** This notice is sent by updating it, which makes no noise. */
  readonly isUpdated: boolean;
}

export interface IncidentCheckNotice {
  readonly name: string;
  readonly url: string;
  readonly sinceMs: number;
  /** Why it is down, in a few words: `exit status 1`. */
  readonly why: string;
}

export interface DownCheck {
  /** Its UUID, if it has no name. */
  readonly name: string;
  /** Its page. */
  readonly url: string;
  /** Its last success or failure. */
  readonly lastPingMs: number | null;
  /** Its latest status change, read when it is asked for. */
  went(): StatusChange | null;
  /** When the run began that is in flight, and what it is given, in milliseconds; absent where none is. */
  readonly run?: { readonly startedMs: number; readonly graceMs: number };
  /** Why nothing is expected of those who read of it, each reason; absent for a check that nobody has seen to yet. */
  readonly held?: readonly HeldDown[];
}

/** What the people who are responsible for a check that is down have done, or planned. */
export type HeldDown =
  | { readonly by: string }
  | { readonly until: 'snoozed' | 'in maintenance'; readonly untilMs: number };

/** Outcome of one attempt. `newValue`: how the other side has changed the integration's value. */
export type Outcome = {
  readonly newValue?: { readonly before: string; readonly after: string };
  /** What a webhook answered to a test. */
  readonly answer?: TestAnswer;
} /** `message`: the vendor's id of the message, where that can be updated later. */ & (
  | { readonly kind: 'delivered'; readonly message?: string }
  /** It may work later: after `retryAfterMs`, if the other side said so. */
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly retryAfterMs?: number;
      /** There is nothing at the integration's address: a server that is being updated, or gone for good. */
      readonly missing?: boolean;
    }
  /** It will never work. */
  | {
      readonly kind: 'refused';
      readonly error: string;
      /** The response's status, when there was one. */
      readonly status?: number;
      /** Nor will any other notification of the integration: the other side said so. */
      readonly gone?: boolean;
    }
);

export const delivered: Outcome = { kind: 'delivered' };

/** Outcome without an attempt: an unconfirmed address gets nothing. */
export const unverified: Outcome = {
  kind: 'refused',
  error: 'the address is not verified: it has to be confirmed by the link in the email that was sent to it',
};

/** Value of `Authorization` for a request to the push service of `endpoint`: which server it is from (RFC 8292). */
export type PushAuthorization = (endpoint: string, nowMs: number) => string;

/** Sends one notice, once. `signal` ends the attempt early: Knell is stopping. */
export type Send = (notice: Notice, signal: AbortSignal) => Promise<Outcome>;
