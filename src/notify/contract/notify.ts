/**
 * Interfaces that this module needs from the rest of Knell: limits, and facts as they are at the moment they are read.
 * Invariant: this module knows the store's contract and the domain, nothing else.
 */

import type { Channel, ChannelSettings, Project } from '../../domain/accounts/project.ts';
import type { ReportPeriod } from '../../domain/accounts/report-period.ts';
import type { User } from '../../domain/accounts/user.ts';
import type { Incident } from '../../domain/alerting/incident.ts';
import type { ActiveWindow } from '../../domain/alerting/maintenance.ts';
import type { Check, Status } from '../../domain/check/check.ts';
import type { Report } from '../../domain/views/report.ts';
import type { ChannelId, CheckId, IncidentId, ProjectId, UserId } from '../../lib/ids.ts';
import type { FeedReads } from './feeds.ts';

/** Contents of a mail: all empty when it cannot be parsed. */
export interface MailContents {
  readonly subject: string;
  /** The plain text, if there is one, then the HTML as text. */
  readonly texts: readonly string[];
}

/** Reads for reports by mail. */
export interface ReportReads {
  users(): readonly User[];
  /** The report on the checks that the member may see. */
  report(user: User, period: ReportPeriod): Promise<Report>;
  /** Notes that it was sent, or why not. Resolves when that is durable, rejects when it is undone. */
  reported(id: UserId, period: ReportPeriod, error: string): Promise<unknown>;
  /** URL at which the recipient can end the reports. */
  stopUrl(user: User): string;
}

export interface ChannelChange {
  readonly value?: string;
  readonly settings?: Partial<ChannelSettings>;
}

/** Facts of the rest of Knell, read at the moment they are needed. */
export interface NotifyReads {
  project(id: ProjectId): Project | null;
  channel(id: ChannelId): Channel | null;
  check(id: CheckId): Check | null;
  /** Resolves to what `read` returns once all that it can have seen is durable; reads again what was undone. */
  durably<T>(read: () => T): Promise<T>;
  /** Whether every deadline before this moment has been noticed. What follows from it may not be durable. */
  isCaughtUp(): boolean;
  /** The maintenance window about the check that is on now, of several the one that ends last; null for none. */
  maintenance(check: Check): ActiveWindow | null;
  /** Whether somebody has acknowledged the incident; false for none. */
  isAcknowledged(id: IncidentId | undefined): boolean;
  /** The incident that the check is in at this moment; null for none. */
  incidentOf(id: CheckId): IncidentId | null;
  /** The incident by now; null for one that is gone. */
  incident(id: IncidentId): Incident | null;
  /** Whether the check is in that incident at this moment, and nothing keeps back that it went down. */
  isOpenIn(id: CheckId, incident: IncidentId): boolean;
  /** The status of a check, undecoded; null for one that is gone. */
  statusOf(id: CheckId): Status | null;
  /** The quiet hours of an integration about a check that are on now; null for none. */
  quietUntil(channel: Channel, check: Check): ActiveWindow | null;
  checkJson(check: Check): string;
  /** URL at which the recipient can end the mails to an integration. */
  unsubscribeUrl(channel: Channel): string;
  /** URL where anyone with the alert acknowledges or snoozes the check; null if turned off. `atMs`: when it went down, or late. */
  alertUrl(check: Check, channel: Channel, atMs: number): string | null;
  /** Decodes a mail, on another thread. */
  readMail(mail: Uint8Array): Promise<MailContents>;
  /** Number of checks in the project. */
  checkCount(id: ProjectId): number;
  /** The project's checks that are down. */
  checksDown(id: ProjectId): { readonly count: number; readonly checks: Iterable<Check> };
  /** The integrations of a project; null: of all. */
  channels(id: ProjectId | null): Iterable<Channel>;
  readonly reports: ReportReads;
  readonly feeds: FeedReads;
  /** Changes an integration, in memory at once. Resolves when that is durable, rejects when it is undone. */
  editChannel(id: ChannelId, edit: ChannelChange): Promise<unknown>;
}
