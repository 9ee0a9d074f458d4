/** Within which limits notifications are sent. Their values, with the reason of each, are in the limits of the program. */
import type { RetryLimits } from './retry.ts';

export interface DispatchLimits {
  readonly retry: RetryLimits;
  /** Attempts in flight at once, of one integration and in all. */
  readonly perChannelMax: number;
  readonly totalMax: number;
  /** Failures in a row after which an integration is tried by one delivery at a time, with pauses. */
  readonly failuresMax: number;
  readonly channelPauseMsMax: number;
  /** Begun in one turn of the event loop. */
  readonly startsPerTurn: number;
  /** The longest timer: the wall clock may jump. */
  readonly sleepMsMax: number;
  /** The outbox is stuck if something is due or in flight, and no attempt has begun or ended for so long. */
  readonly stuckMs: number;
}

export interface HttpLimits {
  readonly connectMs: number;
  readonly totalMs: number;
  /** Bytes of a response's body; the rest is dropped. */
  readonly responseBytesMax: number;
  readonly redirectsMax: number;
}

export interface MailLimits {
  readonly connectMs: number;
  readonly totalMs: number;
  readonly connectionsMax: number;
}

export interface PingMailLimits {
  /** Milliseconds that a notification waits for its mail, those before it included. */
  readonly waitMsMax: number;
  /** Decoded mails that are remembered: each is asked for by every integration of its check, and by every attempt. */
  readonly keptMax: number;
}

export interface AnnouncerLimits {
  /** Milliseconds that integrations that are disabled wait for each other. */
  readonly gatherMs: number;
  readonly attemptsMax: number;
}

export interface ReporterLimits {
  readonly everyMs: number;
  readonly membersPerTurn: number;
  readonly attemptsMax: number;
}

export interface NotifyLimits {
  readonly dispatch: DispatchLimits;
  readonly http: HttpLimits;
  readonly mail: MailLimits;
  readonly missingAttemptsMin: number;
  readonly announcer: AnnouncerLimits;
  readonly reporter: ReporterLimits;
  readonly pingMails: PingMailLimits;
  readonly rewriteMs: number;
  readonly gatherMs: number;
  readonly deadKeptMs: number;
  readonly supersededKeptMs: number;
  readonly endedMax: number;
  readonly sweepEveryMs: number;
  readonly recentMax: number;
  readonly stopGraceMs: number;
}
