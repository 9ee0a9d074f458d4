/**
 * One call of the page as its endpoints get it: routed, authenticated, with its body read.
 */

import type { CommandContext } from '../../../commands/contract/command.ts';
import type { Passwords } from '../../../commands/secrets/passwords.ts';
import type { Project } from '../../../domain/accounts/project.ts';
import type { MemberRole, Role } from '../../../domain/accounts/user.ts';
import type {
  ClusterView,
  MailServerView,
  ServerSettingView,
  SnapshotsView,
} from '../../../domain/views/page-view.ts';
import type { EngineChange } from '../../../engine/contract/engine.ts';
import type { RateLimit } from '../../../lib/rate-limit.ts';
import type { JsonObject } from '../../../spec/field-reader.ts';
import type { OutputSearch } from '../../api/search/output-search.ts';
import type { Dismiss, HttpReply, HttpRequest } from '../../wire/message.ts';
import type { SignInLimits } from '../../wire/sign-in-limits.ts';
import type { ProjectLists } from '../list/project-lists.ts';
import type { AuditedSignIns } from './audited-sign-ins.ts';
import type { Oidc } from './oidc-provider.ts';
import type { PasskeyChallenges } from './passkey-challenges.ts';
import type { AuthContext, Principal } from './principal.ts';

/** What the owner has set up at vendors, so that forms get their contents there (`vendors/vendors`); each is empty for none. */
export interface VendorApps {
  readonly pdAppId: string;
  readonly pushoverSubscriptionUrl: string;
}

/** Reads and checks the settings that may be changed while Knell runs. */
export interface ServerSettingsEndpoint {
  /** The values of the settings at this moment. */
  readonly current: { readonly alertLinks: boolean; readonly timeZone: string } & VendorApps;
  views(): readonly ServerSettingView[];
  mailServer(): MailServerView | null;
  /** With the password that is set; null where that is for another user or host. */
  mailUrlWithPassword(wanted: string): string | null;
  /** Throws a KnellError that says why the setting cannot have that value. */
  mustBeSettable(variable: string, value: string | null): void;
}

/** Everything that all endpoints share. */
export interface WebContext extends AuthContext {
  readonly passwords: Passwords;
  /** The checks of the projects that somebody looks at, in the order of their list. */
  readonly lists: ProjectLists;
  /** Context in which the owner's commands run. */
  readonly commands: CommandContext;
  /** The existing snapshots, and the reason if there is no newer one. */
  readonly snapshots: () => Promise<SnapshotsView>;
  /** The nodes of the cluster; null without one. */
  readonly cluster: () => ClusterView | null;
  readonly serverSettings: ServerSettingsEndpoint;
  readonly tries: SignInLimits;
  readonly signIns: AuditedSignIns;
  /** Limit of tries of the second step of signing in, per user. */
  readonly codeTries: RateLimit;
  /** Null if no provider is set. */
  readonly oidc: Oidc | null;
  readonly passkeyChallenges: PasskeyChallenges;
  /** Limit of requests of links in mails, per address. */
  readonly mailLinkRequests: RateLimit;
  readonly search: OutputSearch;
  /** The public key with which browsers subscribe to alerts. */
  readonly pushKey: () => string;
  readonly baseUrl: () => string;
  /** Path of the base URL; empty if it has none. */
  readonly basePath: string;
  /** Domain for pings by mail; null if no mail is taken. */
  readonly emailDomain: string | null;
  /** What the owner calls the badge of all checks of a project; null for no name of its own. */
  readonly badgeLabel: () => string | null;
  /** Ends the live connections of users who may not read any more, by a topic of `live`. */
  readonly dismiss: Dismiss;
}

/** A call of somebody who may be signed in or not. */
export interface PublicCall {
  readonly context: WebContext;
  readonly request: HttpRequest;
  readonly principal: Principal | null;
  readonly json: JsonObject;
  readonly path: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

export interface UserCall extends PublicCall {
  readonly principal: Principal;
  /** Role in the project that the path names; if it names none, in the installation. */
  readonly role: MemberRole;
  /** Author of the change, as the audit log shows it. */
  readonly change: EngineChange;
}

export interface ProjectCall extends UserCall {
  readonly project: Project;
  readonly role: Role;
}

export type EndpointReply = HttpReply | Promise<HttpReply>;

/** An endpoint for signed-in users with at least that role; `none` means all of them. */
export interface UserEndpoint {
  readonly for: MemberRole;
  readonly run: (call: UserCall) => EndpointReply;
}

/** Returns a text of the body without blanks around it; empty if absent. */
export function textIn(json: JsonObject, name: string): string {
  const value = json[name];
  return typeof value === 'string' ? value.trim() : '';
}
