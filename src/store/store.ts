/**
 * The store's contract: a journal to append to, a history to read, snapshots of both. `journaled-store` implements it, over
 * whichever log `open-store` opens; `test/conformance/store` is the suite that it passes over each of them.
 *
 * Invariants: records are facts (this ping, this state, this change), never inputs to be decided again. Records
 * become durable in the order of their appending, in batches, all of a batch or none. A record's waiter is
 * called exactly once, `durable` or `rolledBack`, and never before the outcome is on disk.
 */
import type { AuditEntry, AuditPlace } from '../domain/accounts/audit.ts';
import type { Incident } from '../domain/alerting/incident.ts';
import type { Check, CheckState } from '../domain/check/check.ts';
import type { StatusChange } from '../domain/check/flip.ts';
import type { Ping, PingOutput } from '../domain/check/ping.ts';
import type { Delivery } from '../domain/deliveries/delivery.ts';
import type { SentNotification } from '../domain/deliveries/sent-notification.ts';
import type { Retention } from '../domain/retention/kept-pings.ts';
import type { Run } from '../domain/runs/latest-runs.ts';
import type { RunEnding } from '../domain/runs/run-ending.ts';
import type { RunStatistics, Uptime } from '../domain/runs/run-statistics.ts';
import type { CheckId, DeliveryId, ProjectId } from '../lib/ids.ts';
import type { UuidWords } from '../lib/uuid-words.ts';
import type { ConfigFacts, ConfigKind, RemovableKind } from './kinds.ts';

/**
 * `changes` are in order of time; almost always empty or one. `deliveries`: those of the changes, in the
 * same record, so that no crash can separate them; only where there are changes.
 */
export type JournalRecord =
  | {
      readonly type: 'ping';
      /** The check as the ping left it; only its id and state are recorded. */
      readonly check: Check;
      readonly ping: Ping;
      /** The body as kept: at most `config.pingBodyBytesMax`; its length is `ping.bodyBytes`. */
      readonly body: Uint8Array;
      readonly changes: readonly StatusChange[];
      readonly deliveries?: readonly Delivery[];
    }
  /** A step without a ping and without a change of config: a timeout, a pause, a resume, an outage credit. */
  | {
      readonly type: 'state';
      readonly check: Pick<Check, 'id' | 'state'>;
      readonly changes: readonly StatusChange[];
      readonly deliveries?: readonly Delivery[];
    }
  /** A check created or updated: the whole of it. */
  | {
      readonly type: 'check';
      readonly check: Check;
      readonly changes: readonly StatusChange[];
      readonly deliveries?: readonly Delivery[];
    }
  | { readonly type: 'check-deleted'; readonly id: CheckId }
  | PutRecord
  | RemovedRecord
  /** A delivery as it is now: an attempt failed, it was given up, it is to be tried again. A new one too (repeats). */
  | { readonly type: 'delivery'; readonly delivery: Delivery }
  /** It is over: nothing is left to do. */
  | { readonly type: 'delivery-ended'; readonly id: DeliveryId; readonly ending: DeliveryEnding }
  /** The outcome of a delivery, for the check's log. It is dropped if the check is deleted. */
  | {
      readonly type: 'notification';
      readonly checkId: CheckId;
      readonly notification: SentNotification;
    }
  /** A run of a check ended without a ping. It is dropped if the check is deleted. */
  | { readonly type: 'run-ending'; readonly checkId: CheckId; readonly ending: RunEnding }
  /** Knell was alive at this instant: what the outage credit is computed from. */
  | { readonly type: 'alive'; readonly atMs: number }
  /** An audit entry, in the batch of the change that it is about. */
  | { readonly type: 'audit'; readonly entry: AuditEntry }
  /**
   * The records that follow in this batch were requested by another node of a cluster, under this number of its client: a node
   * that has read it does not do the request again. Never written without a cluster.
   */
  | { readonly type: 'asked'; readonly client: number; readonly number: number };

/**
 * One of the configuration as it is now. A user with another password than before: the sessions that the user had signed out of are
 * forgotten, they are void. An ended session: those of the same user that had run out by then are forgotten, too.
 */
export type PutRecord = {
  readonly [Kind in ConfigKind]: {
    readonly type: 'put';
    readonly kind: Kind;
    readonly fact: ConfigFacts[Kind];
  };
}[ConfigKind];

/**
 * One of the configuration is gone; of a user with the sessions that the user had signed out of, of a project with its keys,
 * integrations and status pages. A project's checks are gone by the same record: their own `check-deleted` follow, and the next
 * start appends those that are missing.
 */
export type RemovedRecord = {
  readonly [Kind in RemovableKind]: {
    readonly type: 'removed';
    readonly kind: Kind;
    readonly id: ConfigFacts[Kind]['id'];
  };
}[RemovableKind];

/** `expired`: a dead letter that was kept long enough. */
export const deliveryEndings = ['delivered', 'dropped', 'expired'] as const;
export type DeliveryEnding = (typeof deliveryEndings)[number];

/** A ping that left its check's status as it was. */
export interface PingEntry {
  readonly id: UuidWords;
  /** The check's, behind the ping. */
  readonly state: CheckState;
  readonly ping: Ping;
  readonly body: Uint8Array;
}

/** Called with the outcome of what was appended, from the journal's own turn: must not throw, should be quick. */
export interface Waiter {
  /** Called when the record is on disk (or, with `relaxed`, accepted). */
  durable(): void;
  /** The batch could not be written because the disk is full. Called newest record first, so that undoing is a stack. */
  rolledBack(): void;
}

/** Gets everything that was durable when the store was opened, history first, then the journal's tail in order. */
export interface LoadSink {
  /** A later one of the same id replaces it. Sessions that have run out may be among them. */
  put<Kind extends ConfigKind>(kind: Kind, fact: ConfigFacts[Kind]): void;
  /** A project with its keys, integrations and status pages: checks of it may still be reported. */
  removed(kind: RemovableKind, id: string): void;
  /**
   * The whole check: its row as it is stored (`codec/check`), and its state; a later one of the same id replaces it. `id` and
   * `row` are the store's and change after the call.
   */
  check(id: UuidWords, row: Buffer, state: CheckState): void;
  /** Only the state, of a check reported before; one whose check was deleted since is not reported. `id` as above. */
  state(id: UuidWords, state: CheckState): void;
  checkDeleted(id: UuidWords): void;
  /** One that is not over; a later one of the same id replaces it. */
  delivery(delivery: Delivery): void;
  deliveryEnded(id: DeliveryId): void;
  /** The latest instant at which Knell is known to have been alive, if any. */
  alive(atMs: number): void;
  /** Reports that a request of another node's client was done: the client's random 32 bits, and the number that it gave. */
  asked(client: number, number: number): void;
  /** So many checks are about to be reported out of the history: memory for them can be reserved at once. */
  expect(checks: number): void;
  /** So many checks have been reported so far; for a progress line. */
  progress(checks: number): void;
}

/** Range of a read of status changes: `fromMs` inclusive, `untilMs` exclusive. */
export interface ChangeRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Where an event is in the journal: the number of its batch, and its place in it (`journal/batch-events`). */
export interface EventPlace {
  readonly seq: number;
  readonly place: number;
}

/** A ping as an event. `durationMs`: of the run that it ended, where its start was reported, else null. */
export interface PingEvent {
  readonly checkId: CheckId;
  readonly ping: Ping;
  readonly durationMs: number | null;
}

/** An event that is no ping. */
export type StoredFact =
  | { readonly type: 'status'; readonly checkId: CheckId; readonly change: StatusChange }
  | { readonly type: 'notification'; readonly checkId: CheckId; readonly notification: SentNotification }
  | { readonly type: 'run-ending'; readonly checkId: CheckId; readonly ending: RunEnding }
  | { readonly type: 'audit'; readonly entry: AuditEntry }
  | { readonly type: 'incident'; readonly incident: Incident };

/** `run`: a ping that ended a run, at the place of the run. */
export type StoredEvent = EventPlace &
  (StoredFact | ({ readonly type: 'ping' } & PingEvent) | ({ readonly type: 'run' } & PingEvent));

/** Which events are wanted besides facts. */
export interface WantedEvents {
  readonly pings: boolean;
  readonly runs: boolean;
}

export interface EventPage {
  /** In their order. */
  readonly events: readonly StoredEvent[];
  /** All up to here was looked at. */
  readonly until: EventPlace;
  /** Nothing is behind `until` for now. */
  readonly isAtEnd: boolean;
}

/** One ping of a check. */
export interface PingPlace {
  readonly id: CheckId;
  readonly n: number;
}

export interface SnapshotSummary {
  readonly file: string;
  readonly bytes: number;
  readonly checks: number;
  readonly pings: number;
}

/** Receives how far a long piece of work is: 0..1. */
export type Progress = (fraction: number) => void;

export interface Store {
  /**
   * Reports everything to `sink`; call once, before the first append. Blocks while it reads: nobody is served yet. In a cluster it
   * then reports what the leader writes, as it comes, and resolves when this node leads.
   */
  load(sink: LoadSink): Promise<void>;

  /** Encodes `record` at once into the batch that is being filled; `waiter` is called with the outcome. */
  append(record: JournalRecord, waiter: Waiter | null): void;

  /**
   * Does what `append` does, for a record of type `ping` without changes, which nearly all are. Nothing is allocated; `entry` is
   * read before this returns.
   */
  appendPing(entry: PingEntry, waiter: Waiter): void;

  /** All records appended between the two are in one batch; pairs may be nested. Nothing may be awaited in between. */
  beginGroup(): void;
  endGroup(): void;

  /** A record of nothing: `waiter` is called when all that was appended so far is durable; at once, synchronously, when it is. */
  barrier(waiter: Waiter): void;

  /**
   * False for a leader of a cluster's log that may have been replaced: what it reads may be old, and it should notify nobody, until
   * something that it appended is durable.
   */
  readonly mayAct: boolean;

  /** True while the last attempt to write failed because the disk is full. Writing is tried again. */
  readonly full: boolean;
  /** Another number after each fold; null during one, when what retention no longer keeps is dropped from what reads show. */
  readonly historyVersion: number | null;

  /** True while the log of a cluster does not answer, so that writes are refused as on a full disk. */
  readonly isLogSilent: boolean;

  /**
   * The newest `limit` pings, newest first: history merged with what is not folded yet. Empty for an unknown check. `retention`: what
   * its rules say now; null for a check that has none.
   */
  pings(id: CheckId, limit: number, retention?: Retention | null): readonly Ping[];
  /** The body of one ping, or null when there is none (any more). One that the rules drop may still be there. */
  body(id: CheckId, n: number): Uint8Array | null;
  /** Returns what `look` makes of the body, without copying it: it is a view that the next read overwrites. Null as of `body`. */
  lookAtBody<Result>(id: CheckId, n: number, look: (body: Buffer) => Result): Result | null;
  /**
   * Has a thread read these bodies from the disk, where they are in the history, so that `body` and `lookAtBody` do not wait for it.
   * Never rejects.
   */
  prefetchBodies(wanted: readonly PingPlace[]): Promise<void>;
  /** The newest `limit` pings with a number below `below` whose body is kept, newest first. Empty for an unknown check. */
  outputs(id: CheckId, below: number, limit: number): readonly PingOutput[];
  /** The status changes of a check in the range, newest first; the newest `limit` of them where one is given. */
  changes(id: CheckId, range: ChangeRange, limit?: number): readonly StatusChange[];
  /** The status change that came last, one read; null when there is none (any more). */
  lastChange(id: CheckId): StatusChange | null;
  /**
   * Returns the statistics of a check between each of the `edges` (epoch milliseconds, ascending) and the next. An hour counts
   * where its middle is; so does a day (UTC) that is more than 90 days old. Empty for an unknown check.
   */
  statistics(id: CheckId, edges: readonly number[], nowMs: number): readonly RunStatistics[];
  /** The same without runs, in a quarter of the time. */
  uptimes(id: CheckId, ranges: readonly ChangeRange[], nowMs: number): readonly Uptime[];
  /** Counts in short turns what is not folded yet, where it is much, so that `statistics` and `uptimes` take one. */
  countAhead(id: CheckId, nowMs: number): Promise<void>;
  /** The newest `count` runs that have ended or were missed, oldest first. */
  latestRuns(id: CheckId, count: number, retention?: Retention | null): readonly Run[];
  /** Notifications sent about a check in the range: the newest `limit`, newest first. */
  notifications(id: CheckId, range: ChangeRange, limit: number): readonly SentNotification[];
  /** Runs of a check that ended in the range without a ping: the newest `limit`, newest first. */
  runEndings(id: CheckId, range: ChangeRange, limit: number): readonly RunEnding[];

  /**
   * The newest `limit` entries of the audit log before the place `before`, newest first; null: the newest of all.
   */
  audit(before: AuditPlace | null, limit: number): readonly AuditEntry[];

  /** The durable events behind a place, of which a few milliseconds are spent on: call it again until it is at the end. */
  events(after: EventPlace, wanted: WantedEvents): EventPage;
  /** The place behind which all of them are kept, and the last one that is durable. */
  eventsFrom(wanted: WantedEvents): EventPlace;
  readonly eventsUntil: EventPlace;
  /** Distinguishes this journal from another one whose batches have the same numbers: the same on all nodes of a cluster. */
  readonly eventsEpoch: string;
  /** Project and name of a check that was deleted, while events of it may be kept; null for any other. */
  deletedCheck(id: CheckId): { readonly projectId: ProjectId; readonly name: string } | null;

  /**
   * Entries of the audit log about who acknowledged or snoozed the check or undid it: the newest `limit` in the range, newest
   * first.
   */
  snoozeAudit(id: CheckId, range: ChangeRange, limit: number): readonly AuditEntry[];

  /** Resolves when everything appended and durable before the call has been folded into the history. */
  folded(): Promise<void>;

  /**
   * Writes everything that is durable at the call into one file, hot: pings go on meanwhile. Written beside and
   * renamed, so that a file of that name is always whole. Rejects with a KnellError when it cannot be written.
   */
  writeSnapshot(file: string, progress: Progress): Promise<SnapshotSummary>;

  /** Writes out what was appended, calls the waiters, ends the threads and releases the data directory. */
  close(): Promise<void>;
}
