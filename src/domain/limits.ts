/**
 * The limits of this module, by the folder that uses them, each with its unit and its reason. Those of plans and of status pages
 * are in `accounts/`, as the page loads these here with its first file. What one field of a status page takes is in its table
 * (`accounts/status-page-fields`).
 * Invariant: pure values.
 */
import { day, hour, kB, minute } from '../lib/units.ts';

// configuration

/** Steps in one request: a few milliseconds of work. */
export const stepsMax = 100;

// crontab

/** Jobs of a crontab. More are no crontab of one machine. */
export const crontabJobsMax = 200;
/** Lines of a crontab that are no jobs. What has more is something else, and reading it takes time. */
export const linesLeftOutMax = 100;
/** Characters that are shown of such a line. */
export const leftOutCharsShown = 200;
/** Characters of a command, as cron has it. */
export const commandCharsMax = 1000;
/** Parts that are read of a command. No command of a crontab has more. */
export const commandPartsMax = 50;
/** Commands within commands, such as `sh -c "nice …"`, that are searched for the one that gives the name. */
export const commandDepthMax = 4;
/** Slugs that are tried in a row where many of a name are taken. */
export const slugsPerStep = 200;

// discover

/** Characters of a command that are kept for people to read. */
export const commandTextMax = 1000;
/** Occurrences among which the shortest period of a schedule is searched. Each takes a few microseconds. */
export const sampledPeriods = 20;
/** Days of a period of anacron: a year. */
export const anacronDaysMax = 366;
/** Milliseconds that a machine may be off before a job of anacron is late: longer would hide that it is not run at all. */
export const anacronGraceMsMax = day;
/** Jobs of a file of manifests. More are no list that a person keeps. */
export const manifestJobsMax = 5_000;

// views

/** Times of a maintenance window that are shown in advance. Each is looked for in some 10 µs. */
export const nextTimesShown = 3;
/** Lines of a report. Each takes 600 bytes of a mail, of which Gmail hides all beyond 102 kB. */
export const reportLinesMax = 50;

// alerting

/** Seconds of a maintenance window that a schedule begins, or a script: shorter than a minute is none, and longer than a week is a pause. */
export const maintenanceSecondsMin = 60;
export const maintenanceSecondsMax = 7 * 86_400;
/** Listed dates of a window: the holidays of some thirty years. They make one record of some 15 kB. */
export const maintenanceDatesMax = 500;
/** Times that were cut short of one window: the oldest are forgotten, since they are long over. */
export const exceptionsMax = 50;
/** Checks of a window that are chosen by hand. By tag there may be any number. */
export const maintenanceChecksMax = 2000;
/** Tags of a window. A check has as many in 500 characters. */
export const maintenanceTagsMax = 50;
/** Times of a calendar that are followed where one adjoins the other: every five minutes for a day. Each takes a microsecond or two. */
export const mergesMax = 300;
/** Times of a schedule that are looked at to find out whether it would always be on: a week of every five minutes, some milliseconds. */
export const sampledOccurrences = 2016;
/** Milliseconds of a window that is on once: a year, as of a snooze. */
export const onceMsMax = 366 * day;
/** Characters of an iCalendar file: the holidays of a country for ten years have some 60,000. */
export const icsCharsMax = 200_000;

// accounts

/** Characters of the name of a project, a key, an integration or a user: it fits into a line of the page and of a message. */
export const nameCharsMax = 100;
/** Characters of a password: the shortest that is no risk, and more than anybody types. */
export const passwordCharsMin = 10;
export const passwordCharsMax = 200;
/** Characters of a mail address that SMTP carries (RFC 5321, 4.5.3.1.3), without the angle brackets. */
export const mailAddressCharsMax = 254;
/** Milliseconds for which a member can accept the offer of a project: enough for a week away. The mail says it in words. */
export const handOverMs = 7 * day;
/** Seconds of an integration's setting. Longer than a month is a mistake. */
export const settingSecondsMax = 31 * 86_400;
/** Seconds: who waits longer for the first message of an outage learns of it too late. */
export const collectSecondsMax = 600;
/** From so many milliseconds after its time a run is late: cron counts in whole minutes, and every job takes a while to begin. */
export const lateMsMin = 60_000;
/** Milliseconds of failing after which every page has a line about it: a single failure that the next attempt mends is nothing to worry about. */
export const failingSaidMs = 60_000;
/** Newest notifications of a check among which the last one to an integration is searched: each of several may repeat. */
export const lastDeliveredSearched = 100;
/** Status changes before one that a check came up, among which that is searched by which it went down: it is the one before. */
export const pastChangesSearched = 20;
/** Newest notifications of a part of the time after a change that are read for what became of it. Five parts take some 5 ms at most. */
export const pastNotificationsRead = 500;
/** Newest entries of who acknowledged or snoozed a check that are read for a moment in the past. */
export const pastSnoozesRead = 500;
/** Entries of the audit log that are kept for one answer: what an owner has changed by hand since is less. */
export const pastAuditMax = 5000;
/** Milliseconds for which entries of the audit log are kept: somebody may ask after a quarter. */
export const auditKeptMs = 90 * day;
/** Bytes of a logo. One of 320 × 64 pixels, twice what is shown, has some 10 kB. */
export const logoBytesMax = 64 * kB;

// runs

/** Milliseconds of a run, as in Healthchecks: pings this far apart belong to different runs. */
export const runMsMax = 72 * hour;
/** Runs of a check in flight: a fleet of a hundred machines. Each is 40 bytes of a row that every start and end writes. */
export const openRunsMax = 100;
/** Hosts of a check, for the same reason. */
export const hostsMax = 100;
/** Characters of a host's name that a ping gives, and of all names that a check expects. A DNS label has 63. */
export const hostCharsMax = 100;
export const hostsCharsMax = 2_000;
/** Reports of a check that are expected in one period. */
export const expectedRunsMax = 1_000;
/** Good runs from which the usual duration is learned, and how many it takes at least. */
export const learnedRunsMax = 30;
export const learnedRunsMin = 10;
/** How many times the usual deviation a run may be away from the usual duration. */
export const unusualFactorMin = 1;
export const unusualFactorMax = 100;
/** Runs that a hint about the settings of a check needs, and looks at: fewer are chance, and older ones were before a change. */
export const hintRunsMin = 5;
export const hintRunsMax = 30;
/** Weeks in a row in which runs took longer, and runs of each that make a median. */
export const hintWeeksMin = 4;
export const runsOfWeekMin = 3;
/** Starts during another run: one or two are a hand that started the job once more. */
export const overlapsHintedMin = 3;
/** Ends without a start that are remembered, and for how long: a start that comes after its end opens no run. */
export const earlyEndsMax = 10;
export const earlyEndMs = 5 * minute;
/** Characters of the table of exit codes: every code could be named. */
export const exitCodesLengthMax = 1_000;

// results

/** Rules of a check: what a person looks at of one run. Each is one search through the output. */
export const resultRulesMax = 10;
/** Characters of all rules of a check, which are part of its row in memory. */
export const resultRulesCharsMax = 2_000;
/** Rules of all checks of a project: each is a time series with thirty values in memory, some 3 MB in all. */
export const projectResultRulesMax = 10_000;
/** Characters of a unit, of a pattern and of a JSON pointer: they fit into a line of the form. */
export const resultUnitCharsMax = 16;
export const resultPatternCharsMax = 200;
export const resultPointerCharsMax = 200;
/** Characters of a number in an output or a ping. A double has at most 24; grouping and zeros take a few more. */
export const resultNumberCharsMax = 40;
/** Results that a ping gives (`?m=files:142`): twice what rules can judge. */
export const givenResultsMax = 20;
/** Characters of `channels` in a ping that creates its check: some 50 ids. It waits in a node's memory for the leader. */
export const newCheckChannelsCharsMax = 2000;
/** Results of one ping, and names of results that an hour or a day keeps: those that a ping gives, and those of rules. */
export const resultNamesMax = givenResultsMax + resultRulesMax;
/** Lines that are not empty from the end of an output in which numbers are searched: 100 kB have as many of 20 bytes each. */
export const resultLinesMax = 5_000;
/** Steps of one pattern's search: places at which it may begin, and parts of it there. Ten rules stay within the limit of `bench results`. */
export const resultStepsMax = 5_000;
/** Lines from the end that are tried as JSON. An attempt that fails ends at the first character that is wrong. */
export const resultJsonLinesMax = 20;
/** Good runs from which the usual results are learned, and how many it takes at least: a working week. */
export const resultRunsMax = 30;
export const resultRunsMin = 5;

// retention

/** Characters of the rules of a check or a project, which are part of its row in memory: nine rules have some 200. */
export const retentionCharsMax = 500;
/** Hours that a rule keeps something at least: rules are applied every few minutes; and at most, ten years. */
export const retentionHoursMin = 1;
export const retentionHoursMax = 10 * 365 * 24;
/** The last pings that a rule may keep: as many as the larger plan lists. */
export const retentionLastMax = 1_000;
/** Rules that were replaced and whose effect goes on. The fold has long applied older ones for good. */
export const formerRulesMax = 8;

// check

/** Code points of a check's fields. Not in the specification: what Healthchecks' columns hold. */
export const checkNameLengthMax = 100;
export const tagsLengthMax = 500;
export const keywordsLengthMax = 200;
/** Healthchecks has no limit. A whole runbook fits; without one, each check could keep 1 MB in memory. */
export const descLengthMax = 100_000;
/** Also what `?create=1` keeps to. */
export const slugLengthMax = 100;
/** Seconds of the timeout and of the grace time. Specification, "Limits". */
export const checkSecondsMin = 60;
export const checkSecondsMax = 31_536_000;
/** Bytes of an HTTP body that are scanned for keywords. Specification, "Limits". */
export const keywordScanBytes = 10_000;
/** Characters of the name of who snoozed a check. Names that come from outside are cut to this. */
export const snoozedByLengthMax = 200;

/** Characters of a description that are searched. Descriptions may be long, but people remember the beginning. */
export const descCharsSearchedMax = 500;

// alerting

/** Outcomes of a check that its settings look back on. To wait for more is to want no alert. */
export const alertOutcomesMax = 20;
/** Status changes that are no trouble yet: each is eight bytes of a row. */
export const unstableChangesMax = 50;
/** Seconds within which status changes are counted. */
export const unstableWindowSecondsMax = 86_400;
/** Checks, or tags, that a check depends on, and characters of all of them. Each is looked up when the check goes down. */
export const dependsOnMax = 20;
export const dependsOnCharsMax = 2_000;
/** Checks that one tag may stand for, and how far up a dependency is followed: looked at in microseconds. */
export const parentsMax = 100;
export const parentLevelsMax = 10;
/** Seconds that a notification waits for a check that it may depend on. Longer is no alert. */
export const parentWaitSecondsMax = 600;
/** Checks and entries that an incident lists: a screen or two. The rest is counted. */
export const incidentChecksMax = 100;
export const incidentEntriesMax = 200;
/** Characters of a note of an incident. */
export const incidentNoteCharsMax = 1_000;
/** Milliseconds after which a check that goes down again opens another incident. */
export const incidentReopenMs = 10 * minute;
/** Incidents of a project that are kept, open ones besides: a year of several a day. Each is some 500 bytes in memory. */
export const incidentsKeptMax = 1_000;
/** Characters of what a hold is about: it fits into a line of the log. */
export const heldAboutCharsMax = 200;

// words

/** Times of a day that are listed rather than described, and those that are listed where no description fits. */
export const timesPreferred = 3;
export const timesListedMax = 6;
/** Days of a month that are listed, or runs of days. A longer list is harder to read than the expression. */
export const daysListedMax = 8;
/** Hours, minutes or seconds that an interval is said in by themselves: with more of them, two units are easier to read. */
export const lesserUnitsMax = 99;
/**
 * Lines of a job's output that are shown at first, with the one that says how many are not, and those that speak of an error before it: a
 * phone shows them in a mail with the buttons below.
 */
export const outputLinesMax = 10;
export const outputErrorsMax = 3;
/** Characters of such a line, and of one that speaks of an error: four rows of a phone, and eight. */
export const outputLineCharsMax = 160;
export const outputErrorCharsMax = 320;
/**
 * Marks in a row that a letter has in a search: the bound of the Stream-Safe Text Format (Unicode Standard Annex 15). Normalization sorts
 * each such run, with the square of its length: 50,000 of them would take seconds.
 */
export const marksOfLetterMax = 30;
/** Characters of an excerpt around what a search has found: a line or two of a terminal. */
export const excerptCharsMax = 160;
/** Places of a word at which a line with all words is looked for: of one that is in every line, the first such lines decide. */
export const excerptPlacesMax = 200;
/** Marks that a letter at the end of an excerpt may have and stays whole: more are nobody's word. */
export const letterMarksMax = 8;

/** Characters of a description that are searched for the link of a runbook: as many as a mail shows. */
export const runbookCharsSearched = 2000;
