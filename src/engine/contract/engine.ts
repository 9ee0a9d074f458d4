/**
 * The engine as the listeners see it. They hand in plain values with the instant at which they came (`receivedAtMs`, `nowMs`:
 * stamped once, at the listener) and get outcomes back, never the store.
 * Invariant: an outcome is given only when everything it shows is durable.
 */

import type { AuditEntry, AuditFact, AuditPlace, Origin } from '../../domain/accounts/audit.ts';
import type { EventFeed } from '../../domain/accounts/event-feed.ts';
import type {
  AdminKey,
  ApiKey,
  Channel,
  ChannelKind,
  ChannelSettings,
  HandOver,
  KeyScope,
  Plan,
  Project,
  StoredSetting,
} from '../../domain/accounts/project.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { EndedSession, User, UserSession } from '../../domain/accounts/user.ts';
import type { Incident } from '../../domain/alerting/incident.ts';
import type { CheckScope, MaintenanceWindow } from '../../domain/alerting/maintenance.ts';
import type { WhoIsNotified } from '../../domain/alerting/who-is-notified.ts';
import type { LoggedPast } from '../../domain/alerting/who-was-notified.ts';
import type { Check, CheckConfig, Status } from '../../domain/check/check.ts';
import type { Action, Searchable } from '../../domain/check/classify.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import type { ListedCheck } from '../../domain/check/listed-check.ts';
import type { GivenNewCheck } from '../../domain/check/new-check.ts';
import type { Ping, PingOutput, Scheme } from '../../domain/check/ping.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { SentNotification } from '../../domain/deliveries/sent-notification.ts';
import type { Result } from '../../domain/results/result.ts';
import type { Retention, SeenPing } from '../../domain/retention/kept-pings.ts';
import type { Run } from '../../domain/runs/latest-runs.ts';
import type { RunEnding } from '../../domain/runs/run-ending.ts';
import type { RunStatistics, Uptime } from '../../domain/runs/run-statistics.ts';
import type { HealthPart } from '../../lib/health.ts';
import type {
  BadgeId,
  ChannelId,
  CheckId,
  Ids,
  IncidentId,
  KeyId,
  MaintenanceId,
  ProjectId,
  RunId,
  StatusPageId,
  UserId,
} from '../../lib/ids.ts';
import type { UuidWords } from '../../lib/uuid-words.ts';
import type {
  ChangeRange,
  EventPage,
  EventPlace,
  PingPlace,
  Progress,
  SnapshotSummary,
  WantedEvents,
} from '../../store/store.ts';
import type { EngineEvents } from './events.ts';

export type { EventPlace, Progress, StoredEvent, WantedEvents } from '../../store/store.ts';

/** Whose ping it is, as the address says. */
export type PingTarget =
  | { readonly by: 'uuid'; readonly uuid: UuidWords }
  | {
      readonly by: 'slug';
      readonly pingKey: string;
      readonly slug: string;
      readonly create: boolean;
      /** Settings of the check if it is created; null, or left out, for none. */
      readonly settings?: GivenNewCheck;
    }
  /** Named by a mail's address: providers may have lower-cased it. Creates no check. */
  | { readonly by: 'mailbox'; readonly pingKey: string; readonly slug: string };

/** Whether a mail may come there, and whether its text decides what it means. */
export type Mailbox = 'open' | 'filters' | 'not-found' | 'ambiguous';

/** Errors of a request that are reported only if the check exists, as in Healthchecks. */
const pingRequestErrors = ['bad-exit-status', 'bad-run-id'] as const;
type PingRequestError = (typeof pingRequestErrors)[number];

/** One ping as a listener took it off the wire. */
export interface PingRequest {
  readonly target: PingTarget;
  readonly error: PingRequestError | null;
  readonly action: Action;
  readonly exitStatus: number | null;
  readonly rid: RunId | null;
  /** Name of the machine that the job runs on, at most 100 characters; empty for none. */
  readonly host: string;
  /** Numbers that its address gives, at most `givenResultsMax`, each name once. */
  readonly results: readonly Result[];
  readonly scheme: Scheme;
  readonly method: string;
  readonly remoteAddr: string;
  /** At most 200 characters. */
  readonly ua: string;
  /** The body as it is kept: at most `pingBodyBytesMax`. */
  readonly body: Uint8Array;
  readonly searchable: Searchable;
  readonly receivedAtMs: number;
}

/**
 * `unknown-key`: no project has this ping key. `slug-too-long`: no check may be created by such a slug. `bad-settings`: none with the
 * settings that the ping gives. `log-silent`: the log of the cluster does not answer, and the ping was
 * not recorded. `unavailable`: a cluster has no leader that records it now; the engine
 * itself never says so.
 */
export const pingOutcomes = [
  'ok',
  'created',
  'not-found',
  'unknown-key',
  'ambiguous',
  'over-limit',
  'too-many-new',
  'slug-too-long',
  'bad-settings',
  'store-full',
  'log-silent',
  'unavailable',
  ...pingRequestErrors,
] as const;
export type PingOutcome = (typeof pingOutcomes)[number];

/** Whom a key speaks for. */
export interface KeyHolder {
  readonly project: Project;
  readonly scope: KeyScope;
  /** Id of the key. */
  readonly keyId: KeyId;
  /** Name of the key; empty if it has none. */
  readonly name: string;
}

/** Reads show the state as of `nowMs`: deadlines that have passed by then are taken first. */
export interface EngineRead {
  /** False while the last write failed because the disk was full, or the log of a cluster does not answer. */
  readonly writable: boolean;
  /** The log of a cluster does not answer. */
  readonly isLogSilent: boolean;
  readonly badgeSecret: string;
  /** Secret of the Healthchecks that the data came from. */
  readonly importedSecret: string | undefined;
  /** Compared by hash, in constant time. Null for an unknown key. */
  holderOf(key: string): KeyHolder | null;
  /** Oldest first. */
  adminKeys(): readonly AdminKey[];
  /** Settings that owners make at run time; another array after each change. */
  serverSettings(): readonly StoredSetting[];
  /** Compared by hash, in constant time. Null for an unknown key. */
  adminKeyOf(key: string): AdminKey | null;
  projects(): readonly Project[];
  project(id: ProjectId): Project | null;
  projectByBadgeKey(badgeKey: string): Project | null;
  /** Users of the web page. */
  users(): readonly User[];
  /** Whether the user has signed out of that session. */
  sessionEnded(userId: UserId, id: string): boolean;
  /** Oldest first. */
  keys(projectId: ProjectId): readonly ApiKey[];
  /** Oldest first. */
  channels(projectId: ProjectId): readonly Channel[];
  channel(id: ChannelId): Channel | null;
  /** Oldest first. */
  statusPages(projectId: ProjectId): readonly StatusPage[];
  statusPage(id: StatusPageId): StatusPage | null;
  statusPageBySlug(slug: string): StatusPage | null;
  /** The newest `limit` that opened before `beforeMs`, newest first. */
  incidents(projectId: ProjectId, beforeMs: number, limit: number): readonly Incident[];
  /** Those that are not resolved, acknowledged or not, in no particular order. It costs nothing where there are none. */
  openIncidents(projectId: ProjectId): readonly Incident[];
  /** What those come to, at the same cost however many they are. */
  openIncidentCounts(projectId: ProjectId): OpenIncidentCounts;
  incident(id: IncidentId): Incident | null;
  /** Checks that are down in it and not on its list. */
  unlistedCount(id: IncidentId): number;
  /** Without decoding the check, for long lists; null for one that is gone. */
  statusOf(id: CheckId): Status | null;
  /** Whether the check is in that incident at this moment, and nothing keeps back that it went down. */
  isOpenIn(id: CheckId, incident: IncidentId): boolean;
  /** The open incident that a check is in, or was in. */
  openIncidentWith(id: CheckId): Incident | null;
  /** The open incident that a check is in. */
  incidentOf(id: CheckId): Incident | null;
  /**
   * Who would be notified if the check went down now, and what keeps it from whom; of one that is down, who was. `waiting`: its alerts
   * that are not delivered yet.
   */
  whoIsNotified(check: Check, nowMs: number, waiting?: readonly Delivery[]): WhoIsNotified;
  /** What the logs have of a moment in the past of the check: who was notified then follows from it. */
  loggedPast(check: Check, atMs: number, nowMs: number): LoggedPast;
  /** Oldest first. The same list until one of them is another. */
  maintenance(projectId: ProjectId): readonly MaintenanceWindow[];
  maintenanceWindow(id: MaintenanceId): MaintenanceWindow | null;
  /** Oldest first, each once, however they come and go meanwhile. A long list is best rendered in slices: see `http/api/checks`. */
  checks(projectId: ProjectId, nowMs: number): Iterable<Check>;
  /** The same without decoding them: what a list shows of each. */
  checksListed(projectId: ProjectId, nowMs: number): Iterable<ListedCheck>;
  /** The oldest check that is wanted. Of the others only bytes are looked at: a million take some 100 ms. */
  oldestCheck(projectId: ProjectId, wanted: WantedCheck, nowMs: number): Check | null;
  /** The check that a ping to this target is of; null where there is none, or are several. A mailbox has none. */
  checkOfTarget(target: PingTarget, nowMs: number): Check | null;
  checkCount(projectId: ProjectId): number;
  /**
   * How often something of the project's checks, integrations, incidents and maintenance has changed in this process: as long as it is the same, they are. What
   * is not durable yet counts, and counts again when it is rolled back. A deadline that has passed may not be applied yet.
   */
  listVersion(projectId: ProjectId): number;
  /** Another number after pings, bodies or status changes may have been dropped as too old; null while they may be. */
  readonly historyVersion: number | null;
  /** The checks of a project that are down, in the order in which they went down; not brought up to their deadlines. */
  checksDown(projectId: ProjectId): ChecksDown;
  check(id: string, nowMs: number): Check | null;
  /** Goes on with the index that `checkByUniqueKey` needs, for a millisecond or two. True when it is whole. */
  indexUniqueKeys(projectId: ProjectId): boolean;
  checkByUniqueKey(projectId: ProjectId, uniqueKey: string, nowMs: number): Check | null;
  checkByBadge(id: BadgeId, nowMs: number): Check | null;
  /** True for this turn only: ask and ping without an await between. */
  mailbox(target: PingTarget): Mailbox;
  /** Newest first, at most `limit` of those that are kept. */
  pings(id: CheckId, limit: number): readonly Ping[];
  body(id: CheckId, n: number): Uint8Array | null;
  /**
   * Returns what `look` makes of the body, without copying it: it is a view that the next read overwrites. Null when there is none (any
   * more). One that rules of retention drop may still be there: `keepsBody` says so, in microseconds for most pings.
   */
  lookAtBody<Result>(id: CheckId, n: number, look: (body: Buffer) => Result): Result | null;
  keepsBody(id: CheckId, ping: SeenPing): boolean;
  /**
   * Has a thread read these bodies from the disk, where they are in the history, so that `body` and `lookAtBody` do not wait for it.
   * Never rejects.
   */
  prefetchBodies(wanted: readonly PingPlace[]): Promise<void>;
  /** The newest `limit` pings with a number below `below` whose body is kept, newest first. */
  outputs(id: CheckId, below: number, limit: number): readonly PingOutput[];
  /** What the rules of retention say of a check now: its own or its project's, or nothing but the limit of the plan. */
  retention(check: Check): Retention;
  /** Newest first; the newest `limit` in the range where one is given. */
  changes(id: CheckId, range: ChangeRange, limit?: number): readonly StatusChange[];
  /** The status change that came last; null when the check has had none. */
  lastChange(id: CheckId): StatusChange | null;
  /**
   * Returns the statistics of a check between each of the `edges` (epoch milliseconds, ascending) and the next. An hour counts
   * where its middle is; so does a day (UTC) that is more than 90 days old. Empty for an unknown check.
   */
  statistics(id: CheckId, edges: readonly number[], nowMs: number): readonly RunStatistics[];
  /** The same without runs, in a quarter of the time. */
  uptimes(id: CheckId, ranges: readonly ChangeRange[], nowMs: number): readonly Uptime[];
  /** Counts in short turns what is not folded yet, where it is much, so that `statistics` and `uptimes` take one each. */
  countAhead(id: CheckId, nowMs: number): Promise<void>;
  /** The newest `count` runs that have ended or were missed, oldest first. */
  latestRuns(id: CheckId, count: number): readonly Run[];
  /** Notifications sent about the check: the newest `limit` in the range, newest first. */
  notifications(id: CheckId, range: ChangeRange, limit: number): readonly SentNotification[];
  /** Runs that ended without a ping, newest first. */
  runEndings(id: CheckId, range: ChangeRange, limit: number): readonly RunEnding[];
  /** The newest `limit` entries of the audit log before the place `before` (null: of all), newest first. */
  audit(before: AuditPlace | null, limit: number): readonly AuditEntry[];
  /**
   * Entries of the audit log about who acknowledged or snoozed the check or undid it: the newest `limit` in the range, newest
   * first.
   */
  snoozeAudit(id: CheckId, range: ChangeRange, limit: number): readonly AuditEntry[];
  /**
   * The durable events behind a place of the journal, of all projects: some milliseconds of them, so call it again until it is at
   * the end. Whether they are kept is known by `eventsFrom`. On a node of a cluster that does not lead, those that it has read.
   */
  events(after: EventPlace, wanted: WantedEvents): EventPage;
  /** The place behind which all are kept. */
  eventsFrom(wanted: WantedEvents): EventPlace;
  /** The last place of what is durable. */
  eventsUntil(): EventPlace;
  /** Distinguishes this journal from one whose batches have the same numbers; the same on all nodes of a cluster. */
  eventsEpoch(): string;
  /** A check as it is in memory, without its deadlines being applied: on a node that does not lead nothing may be. */
  checkAsIs(id: CheckId): Check | null;
  /** How far the event subscriptions have come, of all projects. */
  eventFeeds(): Iterable<EventFeed>;
  eventFeed(id: ChannelId): EventFeed | null;
  /** Project and name of a check that was deleted, while events of it may be kept. */
  deletedCheck(id: CheckId): { readonly projectId: ProjectId; readonly name: string } | null;
  /** Whether every deadline before this moment has been noticed. What follows from it may not be durable: see `durably`. */
  isCaughtUp(): boolean;
  /**
   * Runs `read` now and resolves to its result once all it can have seen is durable. When that turns out not to be
   * (the disk is full, effects are rolled back) `read` runs again.
   */
  durably<T>(read: () => T): Promise<T>;
}

export interface WantedCheck {
  readonly matches: (config: CheckConfig) => boolean;
  /** Texts that are values of every config that matches: those that lack one need not be decoded. */
  readonly mentions: readonly string[];
}

export interface ChecksDown {
  readonly count: number;
  /** Reads one after the other: a message names a few of thousands. */
  readonly checks: Iterable<Check>;
}

export interface NewChannel {
  /** One that another installation had; a new one if absent. */
  readonly id?: ChannelId;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly value: string;
  readonly settings?: ChannelSettings;
}

/** An edit; fields that are absent stay as they are. */
export interface ChannelEdit {
  readonly name?: string;
  readonly value?: string;
  readonly settings?: Partial<ChannelSettings>;
}

export interface KeyToCreate {
  readonly projectId: ProjectId;
  readonly scope: KeyScope;
  readonly name?: string;
  /** One that another installation had: its hash, and a ping key itself. A new one if absent. */
  readonly existing?: { readonly hash: string; readonly clear: string | null };
}

/** An admin key as it is shown once. */
export interface NewAdminKey {
  readonly key: AdminKey;
  readonly clear: string;
}

/** A key as it is shown once. */
export interface NewKey {
  readonly key: ApiKey;
  readonly clear: string;
}

export interface NewProject {
  readonly project: Project;
  readonly readWrite: NewKey;
  readonly readOnly: NewKey;
  readonly ping: NewKey;
}

export interface ServerSettingChange {
  readonly variable: string;
  /** Null for none. */
  readonly value: string | null;
  /** The default of a setting whose values the audit log may say; null for one that may hold a secret. */
  readonly openDefault: string | null;
}

/** Target of a check's move. */
export interface CheckMove {
  readonly projectId: ProjectId;
  /** Another slug; absent: as it is. */
  readonly slug?: string;
  /** Integrations of the target project that the check notifies. */
  readonly channels: 'all' | 'none';
}

export interface IncidentAction {
  /** Who does it, as it is shown. */
  readonly by: string;
  /** A note that is left with it; empty for none. */
  readonly note: string;
}

/** The incidents of a project that are not resolved. */
export interface OpenIncidentCounts {
  readonly count: number;
  readonly acknowledged: number;
  /** Checks in them that are down. */
  readonly down: number;
  /** The id of the only one; null for none, and for several. */
  readonly only: IncidentId | null;
}

export interface MaintenanceStart extends CheckScope {
  readonly projectId: ProjectId;
  /** Of one that was not there. */
  readonly name: string;
  readonly untilMs: number;
}

export interface SnoozeRequest {
  readonly untilMs: number;
  /** Who asks, as it is shown. */
  readonly by: string;
}

/**
 * Changes by the owner. Each decides at once, without an await, and resolves when its effect is durable. All reject with a
 * KnellError: `not-found` for what is gone, `store-full` if nothing was changed since nothing can be written; others as said below.
 */
export interface EngineChange {
  /** Ids of what this creates: of a request that is carried out a second time, the same ones. */
  readonly ids: Ids;
  /**
   * `id`: one that another installation had, a new one if omitted. Rejects with `over-limit` if the plan allows no more checks, with
   * `conflict` if a check has the id or had it.
   */
  createCheck(projectId: ProjectId, config: CheckConfig, nowMs: number, id?: CheckId): Promise<Check>;
  updateCheck(id: CheckId, config: CheckConfig, nowMs: number): Promise<Check>;
  pauseCheck(id: CheckId, nowMs: number): Promise<Check>;
  /** `isUndo`: one that was up or late waits for what it waited for, unless that is overdue. Rejects with `conflict` if it is not paused. */
  resumeCheck(id: CheckId, nowMs: number, isUndo?: boolean): Promise<Check>;
  /** No reminders until it is up again, or `unacknowledgeCheck`. `by`: who asks, as it is shown. Rejects with `conflict` if it is not down. */
  acknowledgeCheck(id: CheckId, by: string, nowMs: number): Promise<Check>;
  unacknowledgeCheck(id: CheckId, nowMs: number): Promise<Check>;
  /** No notifications until then, from now on at the earliest, or until `unsnoozeCheck`. */
  snoozeCheck(id: CheckId, asked: SnoozeRequest, nowMs: number): Promise<Check>;
  /** `isUndo`: who was notified before a snooze that kept nothing back is not notified again. */
  unsnoozeCheck(id: CheckId, nowMs: number, isUndo?: boolean): Promise<Check>;
  /** Resolves to the check as it was. */
  deleteCheck(id: CheckId, nowMs: number): Promise<Check>;
  /** Moves a check to another project, with its history. */
  moveCheck(id: CheckId, move: CheckMove, nowMs: number): Promise<Check>;
  /** Creates a project with a key of each scope. Rejects with `conflict` if there is a project of this name. */
  createProject(name: string, plan: Plan, nowMs: number): Promise<NewProject>;
  /** The caller knows what may be set. */
  setServerSetting(asked: ServerSettingChange): Promise<void>;
  createProjectWithoutKeys(name: string, plan: Plan, nowMs: number): Promise<Project>;
  renameProject(id: ProjectId, name: string): Promise<Project>;
  /** A smaller plan deletes nothing. */
  changePlan(id: ProjectId, plan: Plan): Promise<Project>;
  /** `rules`: for checks without rules of their own; empty for none. Rejects with `usage` for rules that are not valid. */
  setRetention(id: ProjectId, rules: string, nowMs: number): Promise<Project>;
  /** Offers a project to a member of it, for some days, in place of an earlier offer. Rejects with `conflict` if that is nobody to offer it to. */
  offerProject(id: ProjectId, offer: Pick<HandOver, 'to' | 'by'>, nowMs: number): Promise<Project>;
  /** Rejects with `not-found` if there is no offer, as do the next. */
  withdrawOffer(id: ProjectId, nowMs: number): Promise<void>;
  declineOffer(id: ProjectId, to: UserId, nowMs: number): Promise<void>;
  /** Makes `to` an owner of the project and the one who offered it an editor, in one batch. */
  acceptOffer(id: ProjectId, to: UserId, nowMs: number): Promise<void>;
  /**
   * Deletes a project with its checks, keys, status pages, maintenance windows, integrations and their deliveries. Resolves
   * to the number of checks.
   * Not the only project.
   */
  deleteProject(id: ProjectId, nowMs: number): Promise<number>;
  createKey(key: KeyToCreate, nowMs: number): Promise<NewKey>;
  /** Revokes `id`, and creates `key` in its place: both or neither. */
  replaceKey(id: KeyId, key: KeyToCreate, nowMs: number): Promise<NewKey>;
  /** `name`: empty for none. Rejects with `conflict` if another key of the project has it. */
  renameKey(id: KeyId, name: string): Promise<ApiKey>;
  revokeKey(id: KeyId): Promise<void>;
  /**
   * Notes the day on which a request was accepted with a key. Call it once the request has its answer: a read waits for what was
   * appended before it. Where it cannot be written it is lost.
   */
  noteKeyUse(id: KeyId, atMs: number): void;
  /** Rejects with `usage`, `conflict`. `shell`: see `AdminKey`. */
  createAdminKey(name: string, shell: boolean, nowMs: number): Promise<NewAdminKey>;
  revokeAdminKey(id: KeyId): Promise<void>;
  createChannel(projectId: ProjectId, channel: NewChannel, nowMs: number): Promise<Channel>;
  /** Adds it to checks of its project. Resolves to how many were changed; rejects with `store-full` if not all could be. */
  assignChannel(id: ChannelId, checks: 'all' | readonly CheckId[], nowMs: number): Promise<number>;
  /** The other way round. */
  unassignChannel(id: ChannelId, checks: readonly CheckId[], nowMs: number): Promise<number>;
  editChannel(id: ChannelId, edit: ChannelEdit): Promise<Channel>;
  /** Notes how far an event subscription has come. Rejects with `not-found` if its integration is gone. */
  putEventFeed(feed: EventFeed): Promise<void>;
  /** Replaces it by another one with the same id and the same checks; without any if the other one gets no alerts. */
  replaceChannel(id: ChannelId, channel: Omit<NewChannel, 'id'>, nowMs: number): Promise<Channel>;
  deleteChannel(id: ChannelId, nowMs: number): Promise<void>;
  /** Creates or replaces. Rejects with `conflict` where another page has the slug. */
  putStatusPage(page: StatusPage): Promise<StatusPage>;
  deleteStatusPage(id: StatusPageId): Promise<void>;
  /** With all of its checks that are down. Rejects with `conflict` if it is resolved, as does the next. */
  acknowledgeIncident(id: IncidentId, action: IncidentAction, nowMs: number): Promise<Incident>;
  unacknowledgeIncident(id: IncidentId, action: IncidentAction, nowMs: number): Promise<Incident>;
  /** Rejects with `usage` for a note that is empty or too long. */
  noteIncident(id: IncidentId, action: IncidentAction, nowMs: number): Promise<Incident>;
  /**
   * Creates or replaces; an empty `by` is filled in: who has created it. Where a project has too many, the oldest that is
   * over is deleted; `conflict` if none is.
   */
  putMaintenance(window: MaintenanceWindow, nowMs: number): Promise<MaintenanceWindow>;
  /** Begins the one window of its scope that is started at once, or lets it go on for longer. */
  startMaintenance(asked: MaintenanceStart, nowMs: number): Promise<MaintenanceWindow>;
  /** Ends what of it is on; what comes later stays. Rejects with `conflict` if nothing is. */
  endMaintenance(id: MaintenanceId, nowMs: number): Promise<MaintenanceWindow>;
  deleteMaintenance(id: MaintenanceId): Promise<void>;
  /** Creates or replaces. Rejects with `conflict` where another user has the name. */
  putUser(user: User): Promise<void>;
  /** Changes a user as it is by now, in the way of `putUser`. `change` may throw. Resolves to the user as it is then. */
  updateUser(id: UserId, change: (user: User) => User): Promise<User>;
  /** Notes that a session was used. */
  touchSession(id: UserId, session: UserSession): Promise<void>;
  /** The last owner cannot go: `conflict`. */
  deleteUser(id: UserId): Promise<void>;
  /** Signs out of one session. Rejects with `conflict` if the user has too many ended sessions. */
  endSession(session: EndedSession): Promise<void>;
  /** Puts into the audit log what no change shows. Not waited for: on a full disk it is lost. */
  noteAudit(fact: AuditFact): void;
}

export interface Engine {
  /**
   * `answer` is called exactly once, when the outcome is durable, with `who` as its second argument. The request is read
   * before this returns: the caller may use the object again.
   */
  acceptPing<Who>(request: PingRequest, answer: (outcome: PingOutcome, who: Who) => void, who: Who): void;
  readonly events: EngineEvents;
  readonly health: readonly HealthPart[];
  readonly read: EngineRead;
  /** Changes that Knell makes by itself; a listener has `changeBy`. */
  readonly change: EngineChange;
  /** Changes that the audit log ascribes to `origin`. */
  changeBy(origin: Origin): EngineChange;
  writeSnapshot(file: string, progress: Progress): Promise<SnapshotSummary>;
  /** From now on deadlines fire, those that have passed first. Until then nothing happens by itself. */
  start(): void;
  /** Stops the ticker and marks the instant, so that the outage credit knows when Knell left. */
  stop(): Promise<void>;
}

/** An acceptor of pings: the engine, or a node of a cluster. */
export interface PingAcceptor extends Pick<Engine, 'acceptPing'> {
  readonly read: Pick<EngineRead, 'mailbox'>;
  /** Finds the mailbox on the leader, if `read` may be behind. `unavailable`: the leader does not answer. Never rejects. */
  readonly certainMailbox?: (target: PingTarget) => Promise<Mailbox | 'unavailable'>;
}
