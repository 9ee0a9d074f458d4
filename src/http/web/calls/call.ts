/**
 * One call of the page as its endpoints see it: routed, authenticated, the body read.
 */

import type { CommandContext } from '../../../commands/contract/command.ts';
import type { Passwords } from '../../../commands/secrets/passwords.ts';
import type { Project } from '../../../domain/accounts/project.ts';
import type { MemberRole, Role } from '../../../domain/accounts/user.ts';
import type { ClusterView, ServerSettingView, SnapshotsView } from '../../../domain/views/page-view.ts';
import type { EngineChange } from '../../../engine/contract/engine.ts';
import type { RateLimit } from '../../../lib/rate-limit.ts';
import type { JsonObject } from '../../../spec/field-reader.ts';
import type { Dismiss, HttpReply, HttpRequest } from '../../wire/message.ts';
import type { SignInLimits } from '../../wire/sign-in-limits.ts';
import type { ProjectLists } from '../list/project-lists.ts';
import type { AuditedSignIns } from './audited-sign-ins.ts';
import type { Oidc } from './oidc-provider.ts';
import type { PasskeyChallenges } from './passkey-challenges.ts';
import type { AuthContext, Principal } from './principal.ts';

/** What may be set while Knell runs, and what each setting is. */
export interface ServerSettingsEndpoint {
  views(): readonly ServerSettingView[];
  /** Throws a KnellError that says why it cannot be set so. */
  mustBeSettable(variable: string, value: string | null): void;
}

/** What all endpoints share. */
export interface WebContext extends AuthContext {
  readonly passwords: Passwords;
  /** The checks of the projects that somebody looks at, as their list orders them. */
  readonly lists: ProjectLists;
  /** What the owner's commands act on. */
  readonly commands: CommandContext;
  /** The snapshots that there are, and why there is no newer one. */
  readonly snapshots: () => Promise<SnapshotsView>;
  /** The nodes of the cluster; null without one. */
  readonly cluster: () => ClusterView | null;
  readonly serverSettings: ServerSettingsEndpoint;
  readonly tries: SignInLimits;
  readonly signIns: AuditedSignIns;
  /** Tries of the second step of signing in, per user. */
  readonly codeTries: RateLimit;
  /** Null where no provider is set. */
  readonly oidc: Oidc | null;
  readonly passkeyChallenges: PasskeyChallenges;
  /** Of the links in mails, per address. */
  readonly mailLinkRequests: RateLimit;
  readonly baseUrl: () => string;
  /** The path of it; empty for none. */
  readonly basePath: string;
  /** Null where no mail is taken. */
  readonly emailDomain: string | null;
  /** Ends the live connections of those who may not read any more, by a topic of `live`. */
  readonly dismiss: Dismiss;
}

/** Signed in or not. */
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
  /** In the project that the path names; where it names none, that of the installation. */
  readonly role: MemberRole;
  /** For whom it is, as the audit log has it. */
  readonly change: EngineChange;
}

export interface ProjectCall extends UserCall {
  readonly project: Project;
  readonly role: Role;
}

export type EndpointReply = HttpReply | Promise<HttpReply>;

/** An endpoint for those who are signed in, from a role on; `none`: for all of them. */
export interface UserEndpoint {
  readonly for: MemberRole;
  readonly run: (call: UserCall) => EndpointReply;
}

/** A text of the body, cut of its blanks; empty when there is none. */
export function textIn(json: JsonObject, name: string): string {
  const value = json[name];
  return typeof value === 'string' ? value.trim() : '';
}
