/**
 * The limits of this module, by the folder that uses them, each with its unit and its reason. What crosses modules is in
 * `src/limits.ts`; facts of a format or protocol are beside the code that reads it.
 * Invariant: nobody sets them.
 */
import { day, hour, kB, MB, minute, second } from '../lib/units.ts';

// wire

/** Bytes of a request's head: behind sign-in proxies cookies alone exceed the 4 kB that uWebSockets.js reads by default. */
export const headerBytesMax = 16_384;
/** Characters of a method, which a ping's log shows and a client may invent: the longest registered one has 17 (IANA). */
export const methodCharsMax = 20;
/** Recent peers that are kept: the text and the trust of an address take 2 µs of a request. */
export const cachedPeersMax = 10_000;
/** Characters of a name in a try to sign in. No account has a longer one, and such names must not fill the memory. */
export const triedNameCharsMax = 100;
/** Items sorted in a turn: about a millisecond. */
export const sortedPerTurn = 2000;
/** Bytes of a piece of a reply. Larger ones are written in pieces, with turns of the event loop between: 9 MB take 5 ms. */
export const replyPieceBytes = 512 * kB;
/** Bytes of a message on a live connection: the names of as many checks as a page may watch. */
export const watchBytesMax = 8 * kB;
/** Bytes that wait for a listener: some seconds of updates of the busiest project. */
export const listenerBacklogBytesMax = 4 * MB;
/** Minutes of a live connection: when it comes back, its user is authenticated again. */
export const listenerMinutesMax = 60;

// pings

/** Nonces of `/echo/` that are open at once, each for a minute: `knell doctor` needs a few. */
export const echoNoncesMax = 100;
/** Bytes of an envelope of a Sentry SDK once it is unpacked: five times what a body has. */
export const envelopeBytesMax = 500 * kB;
/** Items of one envelope, and check-ins among them: an SDK sends one check-in, by itself. */
export const envelopeItemsMax = 100;
export const envelopeCheckInsMax = 10;
/** How often in a minute check-ins change one check's settings: jobs of one name that disagree must not write each time. */
export const upsertsPerMinute = 1;
/** Checks whose last change by a check-in is remembered: 1 MB. */
export const upsertedChecksMax = 10_000;
/** Bytes of a check-in, and of each header in an envelope: JSON that is nested as deeply as it can be takes 2 ms to read, and an SDK's has 1 kB. */
export const checkInBytesMax = 10 * kB;

// api

/** Listeners to events of one project, and in all: each is some kB, and 20 microseconds of each event that it gets. */
export const eventListenersPerProjectMax = 1000;
export const eventListenersMax = 4000;
/** Items in a page of checks or pings, where a client asks for pages. */
export const pagedListed = { default: 100, max: 1000 } as const;
/** Checks of a page that are rendered in a turn: a millisecond or two. */
export const pagedChecksPerTurn = 50;
/** Milliseconds after which a browser whose stream has ended comes back. */
export const eventRetryMs = 2 * second;
/** Milliseconds between two looks for new events, while anybody listens: what comes in between is written at once. */
export const eventTickMs = 25;
/** Listeners that are written in a turn: a fifth of a millisecond. */
export const eventWritesAtOnce = 10;
/** Milliseconds until the next ones are: 3,300 writes a second, some 7 % of the event loop. A thousand listeners get what happens within 0.3 s. */
export const eventWritesPauseMs = 3;
/** Characters that are written in a turn, where each listener gets many pings. */
export const eventCharsPerTurn = 100_000;
/** Events that are sent to all listeners in one round: those of the 0.3 s of a round, at 15,000 pings a second; some MB of memory. */
export const eventsGatheredMax = 5000;
/** Events that are written as JSON in a turn: 10 microseconds each. */
export const eventsRenderedPerTurn = 50;
/** Milliseconds after which a listener that gets no event is sent its place: less than the ten seconds after which a connection is closed. */
export const eventPositionMs = 5 * second;
/** Milliseconds between two looks whether the keys of listeners are still there. */
export const eventCheckKeysMs = second;
/** Checks or tags that a listener may name: each is compared for each event. */
export const eventFiltersMax = 100;
/** Events in a page of JSON. */
export const eventsListedDefault = 100;
export const eventsListedMax = 1000;
/** Seconds that a page waits for its first event: less than proxies and clients wait for an answer. */
export const eventWaitSMax = 20;
/** Pages of a process that wait at a time: each looks again as often as the listeners are written. */
export const eventWaitsMax = 1000;
/** Milliseconds for which one request looks for events that are wanted; the answer says how far it came. */
export const eventPageMs = 2 * second;

/** Tags of one `If-None-Match` that are looked at: a client has one answer, a cache between a few. Each costs some microseconds. */
export const entityTagsReadMax = 10;

/** Depth of a JSON body. Honest ones are an array in an object; Healthchecks' parser gives up at about a thousand. */
export const jsonDepthMax = 64;
/** Filters of flips, as in Healthchecks: epoch seconds up to year 2286, as larger numbers are milliseconds; and a year. */
export const flipRangeLimits = { timestampMax: 10_000_000_000, secondsMax: 31_536_000 } as const;
/** Milliseconds until the end of a snooze, at most: a year, and a day for leap years. */
export const snoozeMsMax = 366 * day;
/** Notifications in a list: as many as a list of pings can have. Older ones are found by `end`. */
export const notificationsListedMax = 1000;
/** Times of a preview of a schedule: of a daily one a quarter. A hundred take a few milliseconds. */
export const previewedTimes = { default: 10, max: 100 } as const;
/** Times that one turn finds: up to a millisecond each for a schedule that is due once in some years. */
export const previewedTimesPerTurn = 5;
/** Days of pings that a preview replays: no plan keeps more of a job that runs several times a day. */
export const replayedDays = { default: 90, max: 90 } as const;
/** Time zones of a project that a hint tries: those that do not fit take some 50 µs each, a fitting one ten times as much. */
export const hintZonesMax = 20;
/** Dates whose text is kept: nearly three years of days. */
export const dateTextsMax = 1000;
/** Views whose rows are kept: one base URL, three versions, two kinds of key; a proxy may name a few base URLs. */
export const rowViewsMax = 16;
/** Rows per part of a list, some 90 kB: a larger buffer is memory of its own, and getting that costs more than filling it. */
export const rowsPerPart = 100;
/** Tags per part of a list of badges, some 700 bytes each. Signatures and JSON of so many take a millisecond or two. */
export const badgeTagsPerPart = 100;
/** Tags in the first part of a list of badges, before the code is compiled: until then it takes twenty times as long. */
export const badgeTagsAtFirst = 10;

/** Runs of one answer: as many as the log of pings can have. */
export const runsListedMax = 1000;
export const runsListedDefault = 100;
/** Numbers in the metrics of a project: each is a time series, which the Prometheus that reads them keeps in memory. */
export const resultSeriesMax = 2000;
/** Hours or days of results in one answer: 30 days of hours, two years of days. */
export const resultPointsMax = 750;
/** Runs without a ping that are read for a list of runs, and status changes: with 1000 pings they take some milliseconds. */
export const runEndingsReadMax = 1000;
export const runChangesReadMax = 4000;
/** Times that the log of a check is read while pings of it come in that it does not show yet. */
export const runLogReadsMax = 3;
/** Characters of the cursor of a list of runs: an instant, a number, a host and a run id in Base64. */
export const runCursorCharsMax = 300;

// api/incidents

/** Incidents of one answer: a screen or two. */
export const incidentsListedMax = 100;
export const incidentsListedDefault = 50;
/** Incidents that are searched in a turn: those with the most checks and entries take some 10 µs each. */
export const incidentsPerTurn = 100;
/** Characters of a search in incidents, and of the cursor of their list: an instant and a UUID in Base64. */
export const incidentSearchCharsMax = 200;
export const incidentCursorCharsMax = 80;
/** Characters of a check's description in an incident, which may have a hundred: as many as are searched for a runbook. */
export const incidentDescCharsMax = 2000;
/** Notifications that are shown of an incident, and checks whose logs are read in a turn, for them or for causes: about a millisecond. */
export const incidentNotificationsMax = 50;
export const incidentLogsPerTurn = 10;
/** Checks whose logs are read, in turns, for what became of the alerts of a page of incidents. Those beyond say nothing of it. */
export const incidentAlertLogsMax = 250;
/** Runs among which that is looked for which took the check of a listed incident down: as many as a row of the list reads. */
export const incidentRunsReadMax = 30;
/** Newest entries of who snoozed the checks of an incident that are shown, and of each of them that are read. */
export const incidentSnoozesMax = 50;
/** Times of maintenance that are shown of an incident: more begin and end only where a window comes again many times a day. */
export const incidentMaintenanceMax = 50;
/** Deliveries that are looked at in a turn for those of an incident that wait: under a millisecond. */
export const incidentDeliveriesPerTurn = 5000;
/** Milliseconds after the end of an incident until its notifications are all over: they are given up at the first attempt after a day, which may be an hour and a fifth later, and that attempt hangs. */
export const incidentLateOutcomeMs = 26 * hour;

// api/search

export const outputSearchLimits = {
  /** Bytes of bodies that one request reads: some 0.2 s of work, so that a client soon sees how far it is. */
  bytesMax: 64 * MB,
  /** Milliseconds of one request, beginning with its first slice. It ends at the first output after that. */
  workMs: 0.5 * second,
  /** Milliseconds of work in a turn of the event loop; one body of 100 kB takes 0.3 ms. */
  sliceMs: 2,
  /** Searches at once, each with a body or two in memory, and those of one project: the others get a place, too. */
  atOnceMax: 8,
  atOncePerProject: 2,
  /** Requests of a project that wait for its others, for a second or two, and those of all projects. */
  waitingPerProject: 4,
  waitingMax: 64,
  /** Outputs whose bodies are read from the disk together, and their bytes: a millisecond of a thread, and of the walk. */
  pingsAhead: 32,
  bytesAhead: MB,
  /** Outputs of a check that are noted at a time, at its first place, and while its place is looked for: 70 bytes each. */
  outputsPerRead: 64,
  outputsAtFirst: 4,
  outputsToPlace: 1000,
  /** Milliseconds for which a search that is not done can go on without finding all places again; a client goes on at once. */
  keptMs: minute,
  /** Such searches, and checks in all of them: some 150 bytes each. */
  keptWalksMax: 16,
  keptChecksMax: 200_000,
  /** Characters and words of a search. Each word is looked for in every output. */
  textCharsMax: 200,
  /**
   * Characters of a word that rule out an output. A longer word that ends as a line of one character is compared anew at each of its bytes:
   * of 191 characters in 100 kB that took 163 ms.
   */
  filterCharsMax: 16,
  wordsMax: 20,
  /** Hits of one answer. */
  hits: { default: 20, max: 100 },
  /** Checks of one answer. */
  checksMax: 100,
  /** Characters of a cursor: an instant, a UUID, a number and a name in Base64. */
  cursorCharsMax: 120,
} as const;

// monitoring

/** Checks of a project whose last outcome is a metric. Each is three looks into the history, some 50 µs: half a second in all. */
export const lastOutcomesMax = 10_000;
/** Checks whose logs are read in a turn for that: about a millisecond. */
export const lastOutcomesPerTurn = 20;
/** Pings, ends without a ping and status changes of a check that are read for that: the last run has few. */
export const lastRunPingsMax = 20;

// status-page

/** Times of a maintenance window that are taken out of the days of a page: every hour of them. Each is found in some 15 µs. */
export const excusedTimesMax = 2200;
export const excusedTimesPerTurn = 100;
/** Items of a feed, the newest. */
export const feedItemsMax = 50;
/** Past incidents that a page shows before the fold. */
export const pastIncidentsShownMax = 10;
/** Incidents of a piece of a page: as much work as a service. */
export const incidentsPerPiece = 20;
/** Pieces of a page rendered in a turn. Each is a service of 90 days, or as much: 0.2 ms once the code is warm. */
export const piecesPerTurn = 4;
/** Members of a page summed in a turn: under a millisecond. */
export const membersPerTurn = 2000;
/** Outages joined in a turn, in some tenths of a millisecond. */
export const outagesJoinedPerTurn = 1000;

// admin

/** Bytes of a request: a hundred steps of `config apply`, or one check with the longest description. */
export const adminRequestBytesMax = 1_000_000;

// web/calls, web/account

/** Seconds for an answer of the OpenID Connect provider: only a sign-in waits for it. */
export const oidcAnswerSecondsMax = 10;
/** Milliseconds for a user to sign in at the provider, perhaps with a new password. */
export const oidcFlowMsMax = 15 * minute;
/** Milliseconds for a person at a vendor whose answer fills a form, perhaps with a new account there. */
export const fillMsMax = 30 * minute;
/** Characters of a vendor's answer: a browser brings it in an address, whose size `headerBytesMax` bounds. */
export const vendorAnswerCharsMax = 16_384;
/** Integrations that one answer of a vendor has: the services that somebody has picked by hand. The others are left out. */
export const filledMax = 20;
/** Milliseconds for which a challenge of a passkey is valid: the time that people take to find their key. */
export const passkeyChallengeMsMax = 5 * minute;
/** Challenges that are open at once: anybody may ask for one. */
export const passkeyChallengesMax = 10_000;
/** Milliseconds after a sign-in in which somebody without a password is believed what else takes one. */
export const recentSignInMs = 10 * minute;
/** Projects that are named to somebody who closes an account; the others are counted. */
export const leftProjectsShownMax = 20;
/** Passkeys of an account: more than a person has devices. */
export const passkeysMax = 20;
/** Characters of a passkey's name. */
export const passkeyNameCharsMax = 60;
/** Milliseconds between two records of a session that is in use. */
export const sessionNotedEveryMs = 10 * minute;
/** Milliseconds between two records of a session whose address changes with every request. */
export const addressNotedEveryMs = minute;
/** Failing integrations that are named: a line has space for no more. */
export const failingChannelsShownMax = 5;

// web/checks

/** Characters of a crontab: more than a machine has. A line costs some 50 µs, one that is made to be slow some 300. */
export const crontabCharsMax = 30_000;
/** Checks compared with a crontab before other work gets a turn. */
export const crontabChecksPerTurn = 5000;
/** Milliseconds for which a crontab is read before other work gets a turn. */
export const crontabTurnMs = 3;
/** Projects looked through for the palette or the overview before other work gets a turn. */
export const projectsPerTurn = 200;
/** Checks that the palette finds: no more fit under its field. */
export const checksFoundMax = 12;
/** Rows of each project in the overview: no more fit on a screen. */
export const overviewRowsMax = 40;
/** Incidents of each project on the wall: the checks below them have to be on the screen, too. */
export const overviewIncidentsMax = 4;
/** Entries of a page of the log: some screens. */
export const logEntriesPerPage = 100;
/** Entries of each kind read for a page of the log: several times what a page can show. They take some 2 ms. */
export const logReadMax = 1000;
/** Times of maintenance that are looked at for a page of the log, each found in 5 to 40 µs, and for how long they are shown. */
export const logMaintenanceMax = 100;
export const logMaintenanceMs = 90 * day;
/** Checks that are down and are looked at when a window ends, to say what is sent then: two reads of the history each. */
export const maintenanceEndSeenMax = 100;
/** And the newest notifications of each, among which is the alert. */
export const maintenanceSentSearchedMax = 50;
/** Entries of the audit log among which the end of a window is looked for: nobody else has done so much in the same millisecond. */
export const logMaintenanceAuditMax = 20;
/** Status changes of runs read for a page: those of 1000 pings, as each makes two at most, and so does the time between two. */
export const logRunChangesMax = 4000;
export const logSearchLimits = {
  /** Bytes read by a search, some 20 ms of work; the page gets the place from which to search further. */
  bytesMax: 8 * MB,
  /** Milliseconds of work in a turn; a body of 100 kB takes 0.3 ms. */
  sliceMs: 2,
  /** Searches that run at once; further ones wait. */
  atOnceMax: 4,
  /** Searches that wait, for a second or two. */
  waitingMax: 64,
  /** Characters of the text. */
  textMax: 200,
} as const;
/** Characters of the user agent of a ping by hand, as of every ping. */
export const userAgentByHandCharsMax = 200;

// web/settings

/** Milliseconds for somebody to choose a channel on a vendor's own page, perhaps after signing in there. */
export const connectionMsMax = 10 * minute;
/** Characters of a code that a vendor's page sends back: those of Slack have some 80, those of Discord 30. */
export const connectionCodeCharsMax = 1000;
/** Milliseconds for which the link of an alert works: so long somebody might look for the alert again. */
export const alertLinkMsMax = 366 * day;
/** Pings among which the alert's own is searched: alerts are read soon, while it is among the newest. */
export const alertPingsSearchedMax = 20;
/** Status changes since an alert among which the end of its outage is searched. */
export const alertChangesSearchedMax = 50;
/** Incidents of the project among which that of an alert is searched when it is over. */
export const alertIncidentsSearchedMax = 200;
/** Checks of an incident that the page of an alert names: with more, its buttons would be below the screen of a phone. */
export const alertChecksShownMax = 3;
/** Notes of an incident that it shows, the newest. */
export const alertNotesShownMax = 3;
/** Pending or failed notifications of a project that are listed: nobody reads more. */
export const outboxShownMax = 100;
/** Checks of one change of an integration that can be undone: the request that does so names each, below the limit of its body. */
export const undoneChecksMax = 20_000;
/** Deliveries shown of one integration. */
export const deliveriesShownMax = 20;
/** Integrations rendered in a turn. Each names twenty checks: a millisecond or two. */
export const channelsPerTurn = 20;
/** Deliveries retried or discarded before other work gets a turn. */
export const deliveriesPerTurn = 100;
/** Entries of a page of the audit log. */
export const auditEntriesPerPage = 50;
/** Checks whose logs are read for the latest notifications of integrations: some 50 ms in all, once. */
export const recentChecksMax = 10_000;
/** Checks compared in a turn while the latest ones are searched: a millisecond or two. */
export const recentChecksPerTurn = 200;
/** Logs read in a turn. Each is a seek in the history. */
export const recentLogsPerTurn = 20;
/** Entries read of one log: enough for the newest of twenty integrations. */
export const recentEntriesPerCheckMax = 400;
/** Private addresses allowed at once: those of one host. */
export const allowedAddressesMax = 16;

// web/list

/** Rows of one answer: some screens. */
export const listRowsMax = 200;
/** Characters of a search. */
export const searchCharsMax = 100;
/** Tags of a filter: each is looked for in every check. */
export const filterTagsMax = 20;
/** Entries searched in a turn: about a millisecond. */
export const searchedPerTurn = 5000;
/** Entries filtered in a turn: about a millisecond. */
export const filteredPerTurn = 5000;
/** Milliseconds until uptimes are read again for the order by them, and for that of a project; the values in rows are newer. */
export const uptimesAgeMsMax = minute;
/** For each check, at most that age: the uptime of a project of few is as new as its rows, which read as much. */
export const uptimesAgeMsPerCheck = 50;
/** Uptimes read in a turn: each is a look into the history. */
export const uptimesPerTurn = 50;
/**
 * Checks of a project whose first watched instant is looked for, in a turn each: those that were watched for the longest time. Others
 * can have been watched earlier only if they were paused, and count for little in the uptime of the project.
 */
export const sinceLookedAtMax = 8;
/** Names of results whose values are kept for the order by them: as many readers may each sort by another one. */
export const resultNamesKeptMax = 4;
/** Latest runs that are read for the last value of a result: a few of them may be missed, which report none. */
export const resultRunsReadMax = 3;
/** Orders of a list that are kept for readers who scroll in them. */
export const selectionsMax = 8;
/** Age in milliseconds of an order in which nothing but times have changed: a hundred thousand entries take 200 ms to sort. */
export const selectionMsMax = second;
/** Rendered rows that are kept: some screens. */
export const rowsKeptMax = 1000;
/** Milliseconds after which a list that nobody has requested is dropped. */
export const listIdleMsMax = minute;

// web/live

/** Milliseconds between publications. It is real time, whichever clock the checks use: pages are for people. */
export const publishEveryMs = second / 5;
/** Milliseconds between publications while changes are left: ten thousand at once take two seconds, and 4 % of the time. */
export const publishMoreEveryMs = second / 20;
/** Watched changes of one publication; the rest waits for the next. */
export const changesAtOnce = 300;
/** Unwatched changes of one publication. They only count, and take a millisecond or two. */
export const passedAtOnce = 4000;
/** Milliseconds for which a change is remembered at least, and at most twice: a page soon watches the rows that it has read. */
export const latelyMs = 1.5 * second;
/** Milliseconds between looks for lists that nobody uses. */
export const dropEveryMs = 10 * second;
/** Rows rendered in a turn. Each reads the history and the tail, up to 2 ms while many pings come in. */
export const rowsPerTurn = 2;
/** Rows that a page may request by id at once. */
export const rowsAskedMax = 100;
/** Latest runs of a check that its row shows. */
export const rowRunsShownMax = 30;
/** Tags offered by the filter, the most used ones. */
export const tagsShownMax = 100;
/** Changes of a timeline: more would be narrower than a pixel each. */
export const storyChangesMax = 4000;
/** Runs of a chart that are shown one by one; more are shown by their buckets. */
export const chartRunsShownMax = 120;

/** Status changes of 24 hours that are looked at one by one for their uptime: one each minute. */
export const changesOfDayMax = 1440;
/** Times of a schedule that are stepped through to find the last one that is over: some milliseconds. */
export const dueStepsMax = 500;
