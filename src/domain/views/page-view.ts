/**
 * Answers to the web page, as JSON: the one description that the server's side (`http/web`) and the page itself (`web`) share.
 * Not the management API, whose answers the specification fixes.
 * Invariant: instants are epoch milliseconds; no secret is here but those that are shown once, when they are made.
 */

import type { ChannelSettings } from '../accounts/channel-settings.ts';
import type { Apart } from '../accounts/channel-title.ts';
import type { Preferences } from '../accounts/preferences.ts';
import type { ChannelKind, firstKeyScopes, KeyScope, Plan } from '../accounts/project.ts';
import type { NoticeStage } from '../accounts/status-page.ts';
import type { StatusPageValues, TypedPageField } from '../accounts/status-page-fields.ts';
import type { MemberRole, Role } from '../accounts/user.ts';
import type { CheckKind, Status } from '../check/check.ts';
import type { CheckFieldValues } from '../check/check-fields.ts';
import type { Cause, StatusChange } from '../check/flip.ts';
import type { HostState } from '../check/run-state.ts';
import type { ShownStatus } from '../check/shown-status.ts';
import type { HoldReason } from '../check/snooze.ts';
import type { DeliveryState, NotificationKind } from '../deliveries/delivery.ts';
import type { TestAnswer } from '../deliveries/sent-notification.ts';
import type { ResultVerdict } from '../results/result.ts';
import type { Run, RunOutcome } from '../runs/latest-runs.ts';
import type { ChartRange } from '../runs/time-ranges.ts';
import type { UsualDuration } from '../runs/usual-duration.ts';
import type { HandOverView, MemberView, OfferView } from './account-view.ts';
import type { MaintenanceAnswer } from './maintenance-view.ts';

/** `GET /web/state`: who I am and what there is. */
export interface PageState {
  /** Null: sign in first. */
  readonly user: {
    readonly id: string;
    readonly name: string;
    /** Role in the installation. */
    readonly role: MemberRole;
    readonly preferences: Preferences;
  } | null;
  readonly byProxy: boolean;
  /** Label of the button for OpenID Connect; null for none. */
  readonly oidc: string | null;
  /** Whether this server sends mail, so that a forgotten password can be had by it. */
  readonly sendsMail: boolean;
  /** There is no owner yet: the link that the server printed makes one. */
  readonly fresh: boolean;
  /** Nor can anybody else sign in. After an import users may, before there is an owner. */
  readonly noPasswords: boolean;
  /** Goes into the header of every change. */
  readonly csrf: string;
  /** Projects that the user may see. */
  readonly projects: readonly ProjectView[];
  /** Projects that somebody offers the user to own. */
  readonly offers: readonly OfferView[];
  readonly baseUrl: string;
  /** Names of the variables that this server lacks for integrations of a kind. Only kinds that lack something. */
  readonly missing: Readonly<Partial<Record<ChannelKind, readonly string[]>>>;
  /** Whether the user may allow private addresses on the page: not where the environment lists those that are. */
  readonly mayAllow: boolean;
  /** Kinds whose form can be filled at the vendor. Absent if the owner has set up no vendor for it. */
  readonly fills?: readonly ChannelKind[];
  /** Kinds of which integrations can be added on the vendor's own page; absent where there is none. */
  readonly connects?: readonly ChannelKind[];
  /**
   * By project, if there are any: integrations of which every attempt has failed lately, the longest first; not all, if there are
   * many. None that this server lacks something for: those are in `unconfigured`.
   */
  readonly failing: Readonly<Record<string, readonly FailingChannel[]>>;
  /** By project, if there are any: the enabled integrations that this server lacks something for. */
  readonly unconfigured: Readonly<Record<string, UnconfiguredView>>;
  /** Null where Knell takes no mail. */
  readonly emailDomain: string | null;
  /** What the owner calls the badge of all checks of a project; null where it is called as the project. */
  readonly badgeLabel: string | null;
  /** The zone of messages of integrations without one of their own; empty for who is not signed in. */
  readonly timeZone: string;
  readonly nowMs: number;
}

export interface ProjectView {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** The user's role in the project. */
  readonly role: Role;
}

/** `POST /web/projects`. */
export interface NewProjectView {
  readonly id: string;
  /** The keys in clear, shown only this once. */
  readonly keys: Readonly<Record<(typeof firstKeyScopes)[number], string>>;
}

/** `POST …/keys`. */
export interface NewKeyView {
  readonly id: string;
  readonly scope: KeyScope;
  /** The key in clear, shown only this once. */
  readonly key: string;
}

/** `POST …/channels/<id>/test`. */
export interface TestedView {
  readonly ok: boolean;
  /** Empty when it was delivered. */
  readonly error: string;
  readonly blocked?: BlockedView;
  readonly answer?: TestAnswer;
}

/** The number of things that a change of many was applied to. */
export interface CountView {
  readonly count: number;
}

/** An integration was assigned to checks, or taken from them. `changed`: which, so that it can be undone; empty where these are too many. */
export interface AssignedView extends CountView {
  readonly changed: readonly string[];
}

/**
 * All that failed of an integration was retried. `over`: what is not sent, since it was about an outage that is over; `replaced`:
 * since a newer alert of the same outage is; `snoozed`: since its check is snoozed.
 */
export interface RetriedView extends CountView {
  readonly over: number;
  readonly replaced: number;
  readonly snoozed: number;
}

/** `POST …/checks/<id>/move`. */
export interface MovedView {
  /** How many integrations the check notifies in the other project. */
  readonly channels: number;
}

/** `POST …/outbox/<id>/retry`. */
export interface RetriedOneView {
  /** How often it was tried before. */
  readonly attempts: number;
}

/** `GET …/outbox/<id>?attempts=`: what became of one that was tried so often before. */
export interface AttemptView {
  /** `trying`: not known yet. `unsent`: nobody needs it any more, or something keeps it back. */
  readonly outcome: 'trying' | 'delivered' | 'failed' | 'unsent';
  /** Its integration, as the page calls it. */
  readonly channel: string;
  /** Empty for what is not known yet, and for what was delivered. */
  readonly why: string;
}

/** Notes on an integration that was created or edited; with its view if it was edited. */
export interface ChannelReplyView {
  /** Its address was asked to confirm: empty when the mail was sent, else why it was not. */
  readonly verification?: string;
  /** Why nothing will be sent to it, as the server is set up now. */
  readonly warning?: string;
  /** Details, if its address is the reason. */
  readonly blocked?: BlockedView;
}

/** Private addresses that this server sends nothing to. */
export interface BlockedView {
  readonly addresses: readonly string[];
  /** Whether who asks may allow them, by `POST /web/server-settings/allow`. */
  readonly mayAllow: boolean;
}

/** `GET …/maintenance/active`. */
export interface ActiveMaintenanceView {
  /** The one that ends last first. */
  readonly windows: readonly ActiveWindowView[];
  /** How many checks they are about. */
  readonly checks: number;
}

/** It is about the checks that it names, by their ids as the list has them, or by a tag; naming none, about all of the project. */
export interface ActiveWindowView {
  readonly id: string;
  readonly name: string;
  readonly untilMs: number;
  readonly checks: readonly string[];
  readonly tags: readonly string[];
  /** How many checks it is about now: 0 as with a tag that none has. */
  readonly count: number;
}

/** `POST …/maintenance/<id>/end`. */
export interface EndedMaintenanceView extends MaintenanceAnswer {
  /** What its end means for its checks that are down; absent of quiet hours, and where those are too many to look at. */
  readonly atEnd?: {
    /** Checks whose alert it held back, and that is sent now. */
    readonly sent: number;
    /** Checks whose alert was delivered before it, and is not sent again. */
    readonly before: number;
    /** Others, of which it is not known at once: something else may hold their alerts back, or they are sent later. */
    readonly others: number;
  };
}

/** `GET …/status-pages`. */
export interface StatusPagesView {
  readonly pages: readonly ListedStatusPageView[];
}

export interface ListedStatusPageView extends StatusPageView {
  /** What its readers see first when it is asked for: the mark, and the title and the text of the banner. */
  readonly banner: {
    readonly status: 'down' | 'late' | 'maintenance' | 'up' | 'none';
    readonly title: string;
    /** Which are not simply up, such as `1 of 4 services is down, 1 late`. */
    readonly text: string;
  };
  /** Of its services, in their order. */
  readonly statuses: readonly ServiceStatusView[];
}

/** What a service is, as readers of its page see it. `waiting`: none of its checks was pinged since it was resumed. */
export type ServiceStatusView = 'down' | 'late' | 'maintenance' | 'up' | 'waiting' | 'paused' | 'none';

/** One of them, and what its changes answer. Only for those who may edit: it names checks by their UUIDs. */
export interface StatusPageView extends Pick<StatusPageValues, TypedPageField> {
  readonly id: string;
  readonly hasPassword: boolean;
  readonly hasLogo: boolean;
  readonly services: readonly StatusServiceView[];
  readonly notices: readonly StatusNoticeView[];
}

/** `id`: empty for one that is new. */
export interface StatusServiceView {
  readonly id: string;
  readonly name: string;
  readonly checks: readonly string[];
  readonly tag: string;
}

export interface StatusNoticeView {
  readonly id: string;
  readonly title: string;
  readonly services: readonly string[];
  readonly updates: readonly { readonly atMs: number; readonly stage: NoticeStage; readonly text: string }[];
}

/** `POST …/channels`. */
export interface NewChannelView extends ChannelReplyView {
  readonly id: string;
  /** Number of checks that notify it. */
  readonly checks: number;
}

/** `POST …/connect` and `POST …/fill/<kind>`: the vendor's page, and the state with which the browser comes back. */
export interface VendorPageView {
  readonly url: string;
  readonly state: string;
}

/** `POST …/connect/finish`. */
export interface ConnectedView extends NewChannelView {
  /** As somebody has typed it, or as the vendor calls the place. */
  readonly name: string;
  /** It was added by an earlier request with the same state. */
  readonly wasThere: boolean;
}

/** A check as the list shows it. */
export interface CheckRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly tags: string;
  readonly status: Status;
  /** Time since which it has that status. */
  readonly sinceMs: number;
  /** Cause of that status; null for a check that has never changed. */
  readonly cause: Cause | null;
  readonly startedMs: number | null;
  /** Only of a check of which machines are missing: their names, and how many have to report. */
  readonly missing?: { readonly hosts: readonly string[]; readonly of: number };
  /** For a check that is late or down: milliseconds by which the run in flight began after its time; 0 if it did not. */
  readonly startedLateMs: number;
  /** Only of a check that a run took down which did not end in time: the milliseconds that it was given. */
  readonly overrunMs?: number;
  /** Only of a check that a run took down which ended with an exit status. */
  readonly exitStatus?: number;
  readonly kind: CheckKind;
  readonly timeoutS: number;
  readonly graceS: number;
  readonly schedule: string;
  readonly tz: string;
  readonly lastPingMs: number | null;
  /** Duration of the last run, if its start was pinged too. */
  readonly lastDurationMs: number | null;
  readonly nextPingMs: number | null;
  /** When it goes down unless it pings. */
  readonly downAtMs: number | null;
  /** The newest that have ended or were missed, 30 at most, oldest first. */
  readonly runs: readonly RunView[];
  /** How long its runs usually take; only of a check that tracks its runs, once that is known. Of others `runs` say it. */
  readonly usualMs?: number;
  /** Numbers that its last run reported, 30 at most; absent for none. */
  readonly results?: readonly ResultView[];
  /** Which number of its last run was beyond which limit, in words; absent for none. */
  readonly breach?: string;
  /** Uptime of the last 30 days, in percent; null if the check was new or paused all the time. */
  readonly uptime: number | null;
  /** When it was watched first in these 30 days; absent if that was at their beginning, and where there is no uptime. */
  readonly watchedSinceMs?: number;
  readonly nPings: number;
  readonly channels: readonly string[];
  /** Somebody knows that it is down: no reminders until it is up. */
  readonly acknowledged: { readonly atMs: number; readonly by: string } | null;
  /** Nothing is notified until then. */
  readonly snoozedUntilMs: number | null;
  /** Only while a setting or maintenance holds its alerts back; `untilMs` is null where no time ends that. */
  readonly heldBack?: {
    readonly reason: HoldReason;
    readonly about: string;
    readonly untilMs: number | null;
  };
}

/** A number of a run, the unit of its rule, empty for none, and what its limits make of it. */
export type ResultView = readonly [
  name: string,
  value: number,
  unit: string,
  verdict: 'success' | ResultVerdict,
];

/** `GET …/rows`: of all checks, or of those that are asked for. */
export interface RowsView {
  readonly rows: readonly CheckRow[];
}

/** When it ended or should have, how, and how many milliseconds it took; null where its start was not reported. */
export type RunView = readonly [atMs: number, outcome: RunOutcome, durationMs: number | null];

/** `GET …/list`: what the query of `http/web/list/query` selects, the part of it that is asked for, and what is worst. */
export interface ListView extends ListSummary {
  /**
   * Revision of everything in the list: if a request has it as `known`, the answer is `UnchangedView` while nothing has changed.
   */
  readonly revision: string;
  /** Number of selected checks; `rows` are those from `from` on. */
  readonly total: number;
  /** Counts of the checks that all filters but the status select; null if that is all of them. */
  readonly found: StatusCounts | null;
  readonly from: number;
  readonly rows: readonly CheckRow[];
  /** Groups in the order of the rows; empty without grouping. */
  readonly groups: readonly ListGroup[];
  /** The project's integrations. */
  readonly channels: readonly (Pick<ChannelView, 'id' | 'kind' | 'name' | 'apart'> &
    Partial<Pick<ChannelView, 'disabled' | 'unverified'>>)[];
  /** Most used first; not all, if there are many. */
  readonly tags: readonly { readonly name: string; readonly count: number }[];
  /** The server's clock. */
  readonly nowMs: number;
}

/** Nothing has changed since the revision that is known. */
export interface UnchangedView {
  readonly same: true;
}

export interface ListGroup {
  /** A tag, a status or a schedule; empty for checks without a tag. */
  readonly name: string;
  readonly from: number;
  readonly size: number;
  readonly counts: Readonly<Record<ShownStatus, number>>;
  /** As in `ListSummary`. */
  readonly neverPinged: number;
}

/** Counts of checks by their status, and what is said beside them. */
export interface StatusCounts {
  readonly all: number;
  readonly counts: Readonly<Record<ShownStatus, number>>;
  /** Checks that are up, and whose last run ended with a warning. */
  readonly warned: number;
  /** Checks that are down or late, and have a run in flight: `counts` has each once, by the worst that it is. */
  readonly runningToo: number;
  /** Checks that are new and have not been pinged yet: others are new because they were resumed. */
  readonly neverPinged: number;
  /** Time since which the check is down that has been down the longest. */
  readonly downSinceMs: number | null;
  /** When the first of the late checks goes down. */
  readonly lateUntilMs: number | null;
}

/** Counts of all checks of a project. */
export interface ListSummary extends StatusCounts {
  /** Checks without an integration. */
  readonly notifyNobody: number;
  readonly incidents: OpenIncidentsView;
}

/** The incidents of a project that are not resolved, in short. */
export interface OpenIncidentsView {
  readonly count: number;
  /** How many of them are acknowledged. */
  readonly acknowledged: number;
  /** Checks in them that are down. */
  readonly down: number;
  /** The id of the only one; null for none, and for several. */
  readonly only: string | null;
}

/** An incident that is not resolved, as the wall view shows it. */
export interface WallIncidentView {
  readonly title: string;
  readonly openedMs: number;
  /** Checks in it that are down. */
  readonly down: number;
  readonly isAcknowledged: boolean;
  /** Who acknowledged it; empty for nobody. */
  readonly by: string;
}

/** The enabled integrations of a project that this server lacks something for: the first is named. */
export interface UnconfiguredView {
  readonly count: number;
  /** May be empty. */
  readonly name: string;
  /** At least one; that of the first integration comes first. */
  readonly kinds: readonly CountedKind[];
}

/** So many integrations of a kind. */
export interface CountedKind {
  readonly kind: ChannelKind;
  readonly count: number;
}

/** An integration of which every attempt has failed of late. */
export interface FailingChannel extends Apart {
  readonly id: string;
  readonly kind: ChannelKind;
  /** May be empty. */
  readonly name: string;
  readonly sinceMs: number;
}

/** `GET …/summary`. */
export interface SummaryView {
  readonly summary: ListSummary;
  readonly nowMs: number;
}

/** `GET /web/server-settings`. */
export interface ServerSettingsView {
  readonly settings: readonly ServerSettingView[];
  /** Whether there is a mail server, which can be tried. */
  readonly sendsMail: boolean;
  /** Null for none. */
  readonly mail: MailServerView | null;
  readonly snapshots: SnapshotsView;
  /** How many integrations there are in all projects that get alerts, and how many of those have a time zone of their own. */
  readonly zones: { readonly integrations: number; readonly own: number };
  /** Null without a cluster. */
  readonly cluster: ClusterView | null;
}

/** The mail server that is set, without its password. */
export interface MailServerView {
  readonly host: string;
  readonly port: string;
  readonly encryption: 'starttls' | 'tls';
  /** Empty for none. */
  readonly user: string;
  readonly hasPassword: boolean;
}

export interface ServerSettingView {
  readonly variable: string;
  readonly help: string;
  /** What holds while nothing is set, also where it follows from the machine or another setting. Empty for nothing. */
  readonly fallback: string;
  readonly isSecret: boolean;
  /** A flag counts as environment. */
  readonly source: 'environment' | 'page' | 'default';
  /** The value as it was typed; null for a secret. */
  readonly value: string | null;
  /** While Knell runs. */
  readonly mayChange: boolean;
  /** It never may: only the environment sets it, before Knell starts. */
  readonly isFixed: boolean;
  /** An owner has set it, and the environment wins. */
  readonly isOverridden: boolean;
}

export interface TroubledRow extends CheckRow {
  /** When the maintenance ends that it is in; absent for none. */
  readonly maintainedUntilMs?: number;
}

export interface ProjectOverview {
  /** Empty for who looks by a link. */
  readonly id: string;
  readonly name: string;
  readonly summary: ListSummary;
  /** Checks that are down or late, the worst first; not all, if there are many. Empty if only counts were requested. */
  readonly troubled: readonly TroubledRow[];
  /** Its incidents that are not resolved, those that nobody has acknowledged first; bounded and left out as `troubled` is. */
  readonly incidents: readonly WallIncidentView[];
  /** How many integrations are failing, and how many cannot send: no names. Null if only counts of checks were requested. */
  readonly integrations: { readonly failing: number; readonly unable: number } | null;
  readonly hasIntegrations: boolean;
}

/** `GET /web/overview`: all projects, or one; those with the most trouble first. */
export interface Overview {
  /** Asked with it as `known`, the answer is `UnchangedView` while nothing has changed. */
  readonly revision: string;
  readonly projects: readonly ProjectOverview[];
  /** The server's clock. */
  readonly nowMs: number;
}

/** `GET /web/uptimes`: of the last 30 days, in percent, by project; null where nothing was watched. */
export interface UptimesView {
  readonly uptimes: Readonly<Record<string, number | null>>;
  /** Since when the first of its checks was watched (epoch milliseconds), only of projects in which that is less than 30 days ago. */
  readonly since: Readonly<Record<string, number>>;
}

/** `GET /web/find`: the checks that a search across projects finds first. */
export interface FoundChecksView {
  readonly checks: readonly FoundCheckView[];
  /** Number of all matches. */
  readonly total: number;
}

export interface FoundCheckView {
  readonly id: string;
  /** Its slug where it has no name; empty without either. */
  readonly name: string;
  readonly status: ShownStatus;
  /** Only of one that is new although it was pinged before. */
  readonly isWaiting?: true;
  readonly tags: readonly string[];
  readonly project: string;
  readonly projectName: string;
}

/** The update that is published when checks change: changed checks as they are now, checks that are gone, and the counts. */
export interface LiveUpdates {
  readonly rows?: readonly CheckRow[];
  readonly gone?: readonly string[];
  readonly summary?: ListSummary;
  /** The server's clock. */
  readonly nowMs: number;
}

/** `GET …/checks/<id>/ping`: what comes of a ping by hand while the check is down. */
export interface MarkUpView {
  /** The integrations that are notified that it is up, but for those below. */
  readonly notified: readonly Pick<ChannelView, 'name' | 'kind' | 'apart'>[];
  /** Of those that would be notified, the ones whose last notifications failed. */
  readonly failing: readonly Pick<ChannelView, 'name' | 'kind' | 'apart'>[];
  /** Of those that would be notified, the ones that cannot send for what the server lacks. */
  readonly unable: readonly Pick<ChannelView, 'name' | 'kind' | 'apart'>[];
  /** Integrations whose alert that it is down still waits, and is not sent any more. */
  readonly unsent: readonly Pick<ChannelView, 'name' | 'kind' | 'apart'>[];
  /** Integrations whose alert still waits, and is sent all the same: that it is up does not go to them. */
  readonly stillSent: readonly Pick<ChannelView, 'name' | 'kind' | 'apart'>[];
  /** Null where it is not snoozed. */
  readonly snoozedUntilMs: number | null;
}

/** `GET …/checks/<id>/story`: the status changes since `fromMs`, newest first. */
export interface CheckStory {
  readonly fromMs: number;
  readonly createdAtMs: number;
  readonly changes: readonly StatusChange[];
  /** Only of a check that tracks its runs. */
  readonly tracked?: TrackedView;
  /** The incident that it is in, if that is not resolved. */
  readonly incident?: {
    readonly id: string;
    readonly title: string;
    /** The one that somebody left last; absent for none. */
    readonly note?: { readonly by: string; readonly text: string };
  };
}

/** What is known of the runs of a check, each by itself. */
export interface TrackedView {
  /** In flight, oldest first. `deadlineMs`: when it hangs. */
  readonly open: readonly {
    readonly rid: string | null;
    readonly startedMs: number;
    readonly deadlineMs: number;
    readonly host: string;
  }[];
  /** Machines that have to report. */
  readonly hosts: readonly Pick<HostState, 'name' | 'status' | 'reportedMs'>[];
  /** Null while too few good runs have ended. */
  readonly usual: UsualDuration | null;
  /** What a success is that takes another time. */
  readonly unusual: CheckFieldValues['unusualRuntime'];
}

export interface UptimeView {
  /** 0..100; null where the check was new or paused all the time. */
  readonly percent: number | null;
  /** Outages that began in that time, and at least one if it was down in it. */
  readonly outages: number;
  readonly downMs: number;
}

/** A column of a chart: what happened from `fromMs` to before `untilMs`. */
export interface StatisticsBucket {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Runs by how they went; `missed`: deadlines that took the check down. */
  readonly succeeded: number;
  readonly late: number;
  readonly failed: number;
  readonly missed: number;
  /** How many times it went down. */
  readonly outages: number;
  readonly downMs: number;
  /** Up, late or down; 0 before the check was pinged first, and while it is paused. */
  readonly watchedMs: number;
  /** Durations of the runs whose start was reported; median and p95 are right to some 5 %. */
  readonly durations: {
    readonly count: number;
    readonly meanMs: number;
    readonly minMs: number;
    readonly maxMs: number;
    readonly medianMs: number;
    readonly p95Ms: number;
  } | null;
}

/**
 * `GET …/checks/<id>/statistics?range=fit|24h|7d|30d|90d|365d&tz=<IANA name>`: kept by the hour for 90 days, by the day (UTC) before.
 * Ranges end with the hour that is in flight.
 */
export interface CheckStatistics {
  /** The range that is shown; for `fit` the shortest one that shows everything of the last 30 days. */
  readonly range: ChartRange;
  readonly tz: string;
  readonly nowMs: number;
  /** When it was watched first in the last 365 days; null if that was at their beginning, or never. */
  readonly watchedSinceMs: number | null;
  /** Uptimes for every range. */
  readonly uptimes: readonly (UptimeView & { readonly range: ChartRange })[];
  /** The last twelve, of the time zone, oldest first. */
  readonly months: readonly (UptimeView & { readonly startMs: number })[];
  /** Buckets of an hour for 24 h and 7 d, of six hours for 30 d, else of a day; in the time zone, oldest first. */
  readonly buckets: readonly StatisticsBucket[];
  /** Sum of all buckets. */
  readonly total: StatisticsBucket;
  /** Each run of the range, oldest first; null where there are more than a chart shows one by one, or not all are known. */
  readonly runs: readonly Run[] | null;
}

/** `GET /web/schedule`. */
export type SchedulePreview =
  | {
      readonly ok: true;
      readonly kind: CheckKind;
      readonly timesMs: readonly number[];
      /** The last of its times that a grace time which was asked for has passed; null for none, absent where none was asked for. */
      readonly lastDueMs?: number | null;
      /** What daylight saving does to each of these times, in a sentence; mostly empty. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

/** `POST …/check-draft`: all that is wrong with the fields of a check, in the words of the API. */
export interface CheckDraftView {
  readonly errors: readonly string[];
}

/** `POST …/crontab`: the checks that a crontab would make. Nothing is made by it. */
export interface CrontabView {
  /** Its sixth field is a user. */
  readonly hasUsers: boolean;
  readonly checks: readonly CrontabCheckView[];
  readonly leftOut: readonly { readonly line: number; readonly text: string; readonly reason: string }[];
}

export interface CrontabCheckView {
  /** From 1. */
  readonly line: number;
  readonly name: string;
  /** No check of the project has it, nor another one of these. */
  readonly slug: string;
  readonly schedule: string;
  readonly tz: string;
  /** Empty where the crontab does not say. */
  readonly user: string;
  readonly command: string;
  /** Seconds of grace that suit the job, as `knell discover` proposes them. */
  readonly graceS: number;
  /** The name of a check that the command pings already; absent for none. */
  readonly pings?: string;
  /** A check with the slug of its name and the same schedule is there: it was pasted before. */
  readonly isThere: boolean;
  /** A check of the project is called so, whatever its schedule is. */
  readonly isCalledSo: boolean;
}

/** `GET …/settings`. */
export interface ProjectSettings {
  readonly project: ProjectView & {
    readonly checks: number;
    readonly checksMax: number | null;
    /** Rules for checks that have none; absent for none. */
    readonly retention?: string;
  };
  readonly keys: readonly KeyView[];
  readonly channels: readonly ChannelView[];
  /** Only owners see them. */
  readonly members: readonly MemberView[];
  /** The offer to hand it over; only owners see it. */
  readonly handOver: HandOverView | null;
}

/** The cluster as its leader, which answers, knows it. */
export interface ClusterView {
  /** Sorted by name; nodes that have gone within a day too. */
  readonly nodes: readonly {
    readonly name: string;
    readonly role: 'starting' | 'standby' | 'leader' | 'stopped';
    readonly isAlive: boolean;
    /** Entries of the log that it lacked when it last spoke; of one that is gone, those that it lacks now. */
    readonly lag: number;
    readonly version: string;
    readonly startedAtMs: number;
    /** When it spoke last. */
    readonly saidAtMs: number;
    /** Milliseconds by which its clock is ahead of the leader's; behind if negative. */
    readonly aheadMs: number;
    /** Why it does not follow the log; empty for no reason. */
    readonly lastError: string;
  }[];
}

/** Snapshots of the whole of Knell, not of one project. */
export interface SnapshotsView {
  /** Null where Knell writes none by itself. */
  readonly plan: { readonly everyS: number; readonly kept: number } | null;
  readonly latest: { readonly name: string; readonly atMs: number; readonly bytes: number } | null;
  /** The last attempt, if it failed. */
  readonly failure: {
    readonly atMs: number;
    readonly message: string;
    readonly nextMs: number | null;
  } | null;
}

interface KeyView {
  readonly id: string;
  /** Absent for none. */
  readonly name?: string;
  readonly scope: KeyScope;
  /** Only of ping keys. */
  readonly clear: string | null;
  /** How another key begins; absent where that is not known. */
  readonly beginning?: string;
  /** The day (UTC) of its last use, `2026-11-12`; null for not used yet. Absent for ping keys, and where that is not known. */
  readonly lastUsed?: string | null;
  readonly createdAtMs: number;
}

export interface ChannelView extends Omit<ChannelSettings, 'announcePending'>, Apart {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  /** Values of its form, without secrets; for those who may change it. */
  readonly fields: Readonly<Record<string, string>>;
  /** Which other fields hold something, each with the part of it that is no secret; empty for none. For those who may change it. */
  readonly kept: Readonly<Record<string, string>>;
}

/** `GET …/outbox`: the deliveries to its integrations that are waiting or failed; not all, if there are many. */
export interface OutboxView {
  readonly total: number;
  readonly deliveries: readonly DeliveryView[];
}

export interface DeliveryView {
  readonly id: string;
  readonly state: DeliveryState;
  readonly event: NotificationKind;
  /** The same had been delivered before; absent for what was not. */
  readonly reminder?: true;
  readonly checkId: string;
  /** The name of the check; empty when it has none. */
  readonly check: string;
  /** The integration's name. */
  readonly channel: string;
  /** When its check changed; of a reminder, when it began to wait. */
  readonly sinceMs: number;
  readonly attempts: number;
  /** When it was tried last; null for never, and where that is not known. */
  readonly triedMs: number | null;
  /** When it is tried next, where that is not at once. */
  readonly nextMs: number | null;
  /** It is being sent at this moment. */
  readonly isInFlight: boolean;
  readonly error: string;
  /** Why it would not be sent if it was retried now; absent where it would. */
  readonly keptBack?: string;
}

/** `GET …/checks/<id>/neighbours`: in the order of the list. Null at an end. */
export interface NeighboursView {
  readonly previous: string | null;
  readonly next: string | null;
}
