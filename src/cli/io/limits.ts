/** Every limit of the commands, with its reason. */
import { day, kB, MB, second } from '../../lib/units.ts';

/** Milliseconds that `knell run` and `knell ping` wait for the socket: a job waits, and a suspended server never answers. */
export const socketWithinMs = 5 * second;
/** Milliseconds that a completion waits for the server: after that, the person has typed on. */
export const completionWithinMs = 2 * second;
/** Milliseconds to wait for NATS, which answers within a few on the same machine or in the same network. */
export const natsWithinMs = 5 * second;

/** Largest number of an option that the API checks: a number has nine digits. */
export const optionNumberMax = 999_999_999;

/** Milliseconds between two looks of `knell watch` and `knell log -f`: more often would only burden the server. */
export const lookEveryMsMin = 100;
/** Past entries that `knell log` prints: as many as a check keeps pings. */
export const logEntriesMax = 1000;
/** Incidents that `knell incidents` prints at most, and that one answer of the API has: its own limit. */
export const incidentsListedMax = 1000;
export const incidentsPerRequest = 100;
/** Outputs that `knell search` prints at most, and that one answer of the API has: its own limit. */
export const searchHitsMax = 100_000;
export const searchHitsPerRequest = 100;
/** Times in a row that it waits for a server that is asked for too much: a minute or two. */
export const searchWaitsMax = 60;

/** Events in one answer, and seconds for which `knell events -f` has the server wait for the first. */
export const eventsPerRequest = 500;
export const eventsWaitS = 15;
/** Milliseconds until a server that is away is asked again. */
export const eventsAgainMs = 2 * second;

/** Characters of a job's output that a tool of `knell mcp` hands over: some 5,000 tokens, and the rest is there by `part`. */
export const toolOutputCharsMax = 20_000;
/** Characters of one part of a tool's answer: a conversation has to go on beside it. */
export const toolAnswerCharsMax = 60_000;
/** Items of a list that one call of a tool may have. */
export const toolListMax = 100;
/** Seconds of a snooze by a tool: one that somebody forgot is an outage that nobody sees. */
export const toolSnoozeSecondsMax = (30 * day) / second;
/** Other checks that are down, and incidents, beside the one that is explained. */
export const toolNeighboursMax = 20;

/** Bytes of a configuration file: a check has some 300 of them. */
export const configurationBytesMax = 20 * MB;
/** Problems that are printed: a file that is no configuration at all must not flood the terminal. */
export const problemsPrintedMax = 20;
/** Characters of a batch of steps: half of what the server takes, since the JSON of a step may be escaped once more. */
export const stepsCharsMax = 400 * kB;

/** Bytes of a crontab, a unit or a script that is read: none of a machine has more. */
export const jobFileBytesMax = 1 * MB;
/** Milliseconds for `knell --version`, which takes 0.3 s. */
export const versionWaitMs = 20 * second;
/** Bytes of a program that is looked into: the cron of Debian has 0.1 MB, a BusyBox 2 MB. */
export const programBytesMax = 10 * MB;
/** Names of a folder that are looked at: `/lib/systemd/system` of a large machine has some hundreds. */
export const folderNamesMax = 5_000;
/** Links from one file to the next. */
export const linksFollowedMax = 5;

/** Characters of a line of `knell schedule -`. No question is longer: an expression has 100, each escaped as twelve at most. */
export const scheduleLineCharsMax = 65_536;
/** Occurrences that one answer may list: enough for a month of hours, and quick to find. */
export const occurrencesMax = 1000;

/** Limits of `knell doctor`, beyond which it warns or fails. */
export const doctorLimits = {
  /** Milliseconds for each answer, of a server or of a program of this machine. */
  waitMs: 5 * second,
  /** Checks that are looked at for hints: each takes a few milliseconds of the server. */
  checksMax: 500,
  /** Checks that are named where several have one slug; the others are counted. */
  namedMax: 3,
  /** Bytes of free disk space. */
  freeWarningBytes: 1000 * MB,
  freeFailedBytes: 100 * MB,
  /** Milliseconds of a sync, the median of some: a single ping waits for about two. */
  syncWarningMs: 20,
  syncFailedMs: 500,
  /** Milliseconds until a certificate ends: those that renew themselves do so a month before. */
  renewalMs: 14 * day,
} as const;
