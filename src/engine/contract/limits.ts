/**
 * Every limit of the engine that is not handed to it, with its reason. Those that owners or the whole program set come from
 * `config` and `limits` of the program.
 */

/** Checks that one turn deletes with their project: under 2 ms of work. */
export const deletedChecksPerTurn = 200;
/** Checks that one turn assigns to an integration, or takes from it: about 2 ms, each is a step of the statechart and a record. */
export const assignedChecksPerTurn = 100;
/**
 * Checks of a project of which a preview of retention looks at the pings: a thousand pings take some 2 ms. More of them are said to be
 * left out. And pings of one turn.
 */
export const previewedChecksMax = 2000;
export const previewedPingsPerTurn = 2000;
/** Admin keys that there may be. Each request of the admin API compares all of them. */
export const adminKeysMax = 100;

/**
 * Sessions of a user that are listed, 200 bytes each in every record of the user. Of a program that signs in again and again, the
 * oldest are not listed.
 */
export const sessionsListedMax = 30;
/**
 * Ended sessions that are kept for one user, within the life of a session: 60 bytes each, and a program that signs in and out
 * every five minutes stays below it. Refusing is better than forgetting one, which would make it good again.
 */
export const endedSessionsMax = 10_000;

/** Decoded checks that are kept, some 1 kB each: a list of ten thousand that is requested often is decoded once. A power of two. */
export const decodedSlots = 16_384;
/** Checks for which a start reserves memory: the number comes from the disk and may be damaged. */
export const reservedChecksMax = 4_000_000;

/** Checks that one slice of a list has: a millisecond or two once the code is warm. */
export const checksPerSlice = 300;
/** Milliseconds of a slice: one that took less is followed by one twice as large, one that took twice as long by half of it. */
export const sliceMs = 1.5;
/** Checks of a report that one turn looks at; each costs a look into the history. */
export const reportedChecksPerTurn = 50;
/** Pings and deadlines that one turn replays: some 80 µs each, and ten times as much before the code is compiled. */
export const replayedPingsPerTurn = 10;
/** Checks that a replayed one depends on whose history is read; each step of the replay asks all of them. */
export const replayedParentsMax = 20;
/** Status changes that are read of each: one read of the history, within a turn. */
export const replayedParentChangesMax = 500;
/** Unique keys that one turn computes. Each is a SHA-1: 2 ms in all. */
export const uniqueKeysPerTurn = 1000;

/** Characters of a text in the audit log. The beginning of a description says which one it was; names are shorter. */
export const auditedCharsMax = 200;
/** Checks that an entry of the audit log names, of an integration or of a service: each is decoded for it. */
export const auditedChecksMax = 10;
/** Roles that an entry of the audit log names: a line each on the page. */
export const auditedRolesMax = 10;

/** Marks that may be missed: one can be in flight, one more can wait for a disk that is slow for a moment. */
export const missedMarksMax = 2;
/** Notifications that are read at the end of a snooze: more than integrations can have had in flight when it began. */
export const sentBeforeSnoozeMax = 1000;
/** Recent incidents among which a check looks for the one that it is collected with: most of them are of others. */
export const recentIncidentsSearchedMax = 200;
