/**
 * Every limit of notifications. The interfaces are of those that the module is handed, with values and reasons in the limits of the
 * program; the constants are of those that nothing else has to know.
 */
import type { TextLimit } from '../../integrations/contract/request.ts';
import { day, kB, minute, second } from '../../lib/units.ts';
import type { RetryLimits } from './retry.ts';

/** Limit of a text for targets that name none: enough to see what went wrong. */
export const usualLimit: TextLimit = { max: 4000, unit: 'characters', bodyCharsMax: 1000 };
/** Characters of a message's first line that are always kept: it fits every limit, escaped and with a link. */
export const headlineCharsMin = 200;
/** Characters of a description in a message. Descriptions have no limit, messages do. */
export const descCharsShown = 400;
/**
 * Bytes of a push message before it is encrypted: a push service has to take 4,096 of what is encrypted, of which 103 are its header,
 * its tag and the end of its padding (https://www.rfc-editor.org/rfc/rfc8291#section-4).
 */
export const pushBytesMax = 3993;

/** Milliseconds between two looks of the event subscriptions, while there are any, for new events. */
export const feedLookEveryMs = 100;
/** Milliseconds between two notes of how far one has come while it sends: after a crash so much is sent again. */
export const feedNoteEveryMs = second;
/** The same while it sends nothing: a note is a write, and what it does not want it passes over quickly. */
export const feedRestNoteMs = day / 24;
/** Events that one has given up; beyond it the oldest go. */
export const deadEventsMax = 1000;

/** Characters of a description in a mail: the link to a runbook is rarely behind so many. */
export const mailDescCharsShown = 2000;
/**
 * Characters of a name. It is the longest that the API takes; an import may bring longer ones. Twice as many characters, each
 * escaped, and what a title adds fit what the vendors take: Pushover 250, Discord and GitHub 256.
 */
export const nameCharsShown = 100;
/** Characters of a short message: two parts. With more, the link is left out. */
export const smsCharsMax = 300;
/** Characters of the job's output that services that keep incidents get in a field of its own. */
export const outputCharsShown = 5000;
/** Characters of a body that are read, twice what the most generous target shows: what is before them is counted, not read. */
export const bodyCharsRead = 20_000;
/** Characters up to which a message shows the first errors of a long output and its end. Where more fit, its end has more of it. */
export const errorsChosenCharsMax = 1000;

/** Newest pings among which that of a change is searched: it is sent soon after it happened. */
export const pingsSearched = 20;
/** Milliseconds within which the beginning of a downtime is searched: as long as the history keeps it. */
export const downtimeSearchedMs = 92 * day;
/** Other checks that are down and are named; beyond that they are counted. */
export const othersNamedMax = 10;
/** Others that are looked at for those, in one turn of the event loop. */
export const othersLookedAtMax = 50;
/** Checks of an incident that one message lists, and names of those that came up: a screen of a phone. The rest is counted. */
export const incidentChecksShown = 12;
/** Runs that hung or were missed at one moment, and hosts of them, that a message speaks of. */
export const endingsNamedMax = 10;
/** Disabled integrations that an announcement names; beyond that they are counted. */
export const announcedNamedMax = 10;
/** Integrations that cannot send which one line of the log names. */
export const unconfiguredNamedMax = 10;

/** Bytes of a variable of a shell command. Linux takes 128 kB of each; a ping's body has 100 kB at most. */
export const variableBytesMax = 120_000;
/** Sockets that wait for the next request to the same host. */
export const idleSocketsMax = 16;
/** Milliseconds for which they wait: shorter than at most servers, so that a request seldom meets a socket that is closing. */
export const idleSocketMs = 4 * second;
/** Milliseconds for the addresses of a host: a name server that does not reply must not hold up the owner who asks. */
export const refusalMsMax = 2 * second;

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
  /** The interval at which kinds that are refreshed (`isRefreshed`) are sent again what is down. */
  readonly refreshMs: number;
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
  /** Characters that are shown of what the server replied to a test. */
  readonly replyCharsMax: number;
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

/**
 * Milliseconds that a message which collects waits, at most, for the deadlines before it that have not been noticed: thousands that
 * came at once take a second or two. And those between two looks.
 */
export const unnoticedWaitMsMax = 900;
export const unnoticedLookEveryMs = 5;

/** Incidents, for each integration, of which it is remembered who is notified of what: later ones are looked up. */
export const notifiedIncidentsMax = 10_000;
/** Characters of a vendor's id of a message. The longest is an event of Matrix: 255 bytes, https://spec.matrix.org/latest/appendices/#event-ids */
export const messageIdCharsMax = 255;
/** Milliseconds of one turn of the work on a long message: pings come in between. */
export const turnMsMax = 1;
/** Turns of such work after which young garbage is collected. */
export const turnsPerCollection = 20;
/** Deliveries that are looked at in one turn for whether they go into one message: a few lookups each. */
export const gatheredPerTurn = 50;
/** Deliveries of one message of which is looked up in one turn what changed: the first thousand, which runs before it is compiled, took 2 ms. */
export const membersReadPerTurn = 250;
/** Deliveries of one message whose end is recorded in one turn of the event loop: a record and a few lookups each. */
export const endedPerTurn = 50;
/** Records of deliveries that the journal gets in one turn of the event loop: those of a message about ten thousand took 5 ms in one. */
export const writtenPerTurn = 200;
/** Refreshes of one integration in flight at once: few, as alerts need the places. */
export const refreshesInFlightMax = 4;
/** Milliseconds between two refreshes of one integration, at most: what went down at once is spread over more time. */
export const refreshGapMsMax = 1000;
/** Milliseconds for which nothing has to be at an integration's address before that is a proof: an update of a server takes less. */
export const missingRefreshesMs = 3_600_000;
/** Checks that are down of which is looked up in one turn, after a start, whether an integration was notified of them: each reads its log. */
export const refreshedPerTurn = 20;
/** Newest beginnings and ends of snoozes of a check among which that is looked for by whose end a reminder is sent. */
export const snoozeStepsSearched = 10;

/** Checks of an incident that are looked at for one that is still down and not snoozed: in one turn of the event loop. */
export const refreshLeadsMax = 50;
/** Milliseconds after a status change within which the first notification of it was sent; and entries of the log that are read for it. */
export const firstNotifiedMs = 48 * 3_600_000;
export const firstNotifiedSearched = 500;
/** Milliseconds after which an escalation that somebody's acknowledgement keeps back looks again: that may have been withdrawn. */
export const acknowledgedLookMs = 60_000;
/** Milliseconds after which a reminder that waits for the end of maintenance looks again: that may have been ended, or moved. */
export const maintenanceLookMs = 60_000;
/** How long a code for finding a chat is valid, and how many there are at once: the oldest are forgotten. Ten characters are 59 bits. */
export const chatCodeMs = 10 * minute;
export const chatCodesMax = 1000;
export const chatCodeChars = 10;
/** Characters of the name of a chat: it becomes that of the integration. */
export const chatNameCharsMax = 100;
/** Bytes of what a home server of Matrix says is new: it is read in 4 ms, and has a thousand chats. */
export const matrixAnswerBytesMax = 512 * kB;
/** Messages of a chat that are looked at for a code, and characters of each: it is sent just before, by itself. */
export const matrixMessagesMax = 10;
export const matrixMessageCharsMax = 200;
/** Invitations without a code that are accepted while forms wait: anybody may invite the bot. */
export const matrixJoinsMax = 20;
/** Invitations that are accepted at once: the next ones are seconds later. */
export const matrixJoinsAtOnceMax = 5;
/** Invitations that wait to be accepted. */
export const matrixInvitationsMax = 100;
/** Characters of the answer of a webhook to a test that are shown: enough for what it says of an error. */
export const testAnswerCharsMax = 200;
