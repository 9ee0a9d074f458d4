/**
 * Who may sign in to the web page, and what each of the roles may do there. Plain facts.
 * Not here: how a password is checked, who is asking (`http/web`). Invariants: each role may do all that the next may; a role in
 * a project wins over the one of the installation, except that its owners are owners of every project.
 */

import type { ProjectId, UserId } from '../../lib/ids.ts';
import type { Growing } from '../check/unknown-fields.ts';
import { mailAddressCharsMax } from '../limits.ts';
import type { Preferences } from './preferences.ts';

export const roles = ['owner', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** `none`: of the installation, only the projects with a role of their own; in a project, nothing of it. */
export const memberRoles = [...roles, 'none'] as const;
export type MemberRole = (typeof memberRoles)[number];

export interface OidcIdentity extends Growing {
  readonly issuer: string;
  readonly subject: string;
}

export interface ProjectRole extends Growing {
  readonly projectId: ProjectId;
  readonly role: MemberRole;
}

/** The address that a member has asked for in place of the name, until somebody who reads its mail has confirmed it. */
export interface NewAddress extends Growing {
  readonly address: string;
  /** Until when the link in the mail works. */
  readonly untilMs: number;
}

export interface User extends Growing {
  readonly id: UserId;
  /** Unique among users, whatever the case of its letters. */
  readonly name: string;
  /** Role in every project that `projects` does not name. */
  readonly role: MemberRole;
  readonly projects?: readonly ProjectRole[] | undefined;
  /** Parameters, salt and hash; empty for one who has set no password yet. */
  readonly passwordHash: string;
  readonly createdAtMs: number;
  /** Sessions that were used lately, as the account page lists them; the latest first. */
  readonly sessions?: readonly UserSession[] | undefined;
  /** Sessions that began before it are over. */
  readonly sessionsFromMs?: number | undefined;
  readonly preferences?: Preferences | undefined;
  readonly totp?: Totp | undefined;
  readonly reports?: ReportSettings | undefined;
  /** Who it is at the OpenID Connect provider, from the first sign-in there on. */
  readonly oidc?: OidcIdentity | undefined;
  readonly passkeys?: readonly Passkey[] | undefined;
  readonly newAddress?: NewAddress | undefined;
}

export interface UserSession extends Growing {
  readonly id: string;
  readonly startedAtMs: number;
  /** Time of the latest use, precise to some minutes. */
  readonly usedAtMs: number;
  readonly untilMs: number;
  /** Client address of the latest use. */
  readonly address: string;
  readonly userAgent: string;
}

export const reportFrequencies = ['off', 'daily', 'weekly', 'monthly'] as const;
export type ReportFrequency = Exclude<(typeof reportFrequencies)[number], 'off'>;

/** The reports that a member gets by mail. */
export interface ReportSettings extends Growing {
  readonly frequency: (typeof reportFrequencies)[number];
  /** Address to which reports go; empty for nowhere. */
  readonly address: string;
  /** Whether somebody who reads the mail of `address` has agreed. Until then nothing is sent there but the question. */
  readonly isConfirmed: boolean;
  /** Nothing before it is reported any more: the end of the latest report, or when reports were turned on. */
  readonly reportedUntilMs: number;
  /** Why the latest one was not sent; empty when it was. */
  readonly lastError: string;
}

export const noReports: ReportSettings = {
  frequency: 'off',
  address: '',
  isConfirmed: false,
  reportedUntilMs: 0,
  lastError: '',
};

export interface Totp extends Growing {
  /** Base32. */
  readonly secret: string;
  /** The time step of the code that was used last. */
  readonly lastStep: number;
  /** SHA-256 of the recovery codes that are left. */
  readonly recovery: readonly string[];
}

/** A credential of WebAuthn. */
export interface Passkey extends Growing {
  readonly id: string;
  /** Name that its owner gave it. */
  readonly name: string;
  /** The authenticator's own id for it, in base64url; no two users have the same. */
  readonly credentialId: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** Counter of the authenticator's signatures; 0 if it does not count. */
  readonly counter: number;
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
}

/** An address of the form that mail servers take; whether it exists is for them to say. */
const mailAddress = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+$/;

export function isMailAddress(text: string): boolean {
  return text.length <= mailAddressCharsMax && mailAddress.test(text);
}

/**
 * Returns the address for mails about the account, among them links for a new password: the name if it is an address, else that of
 * the reports, once somebody who reads its mail has agreed. An account without a password has only the first: nobody had to give one
 * to change the second. Null for none.
 */
export function mailAddressOf({
  name,
  reports,
  passwordHash,
}: Pick<User, 'name' | 'reports' | 'passwordHash'>): string | null {
  if (isMailAddress(name)) return name;
  return reports?.isConfirmed && reports.address !== '' && passwordHash !== '' ? reports.address : null;
}

/**
 * Returns the account that somebody means who signs in: the one with this name, whatever the case of its letters; else the only one
 * that gets its mail at this address. Null for none.
 */
export function accountOf(users: readonly User[], typed: string): User | null {
  const lower = typed.toLowerCase();
  const named = users.find(({ name }) => name.toLowerCase() === lower);
  if (named) return named;
  const [only = null, other] = isMailAddress(lower)
    ? users.filter((user) => mailAddressOf(user)?.toLowerCase() === lower)
    : [];
  return other ? null : only;
}

/** Returns the address that waits to be confirmed; null for none, or if the time for it is over. */
export function waitingAddress({ newAddress }: Pick<User, 'newAddress'>, nowMs: number): NewAddress | null {
  return newAddress && newAddress.untilMs > nowMs ? newAddress : null;
}

/** Whether the fields that decide access differ: an open page has to ask again. */
export function hasOtherAccess(before: User, after: User): boolean {
  return (
    before.role !== after.role ||
    rolesText(before) !== rolesText(after) ||
    before.name !== after.name ||
    before.passwordHash !== after.passwordHash ||
    before.sessionsFromMs !== after.sessionsFromMs
  );
}

/** A session that its user signed out of before its time. What a session is: `commands/secrets/tokens`. */
export interface EndedSession extends Growing {
  readonly userId: UserId;
  readonly id: string;
  /** When it would have ended by itself; from then on it can be forgotten. */
  readonly untilMs: number;
  readonly endedAtMs: number;
}

/** Without an owner nobody can change anything: the server prints a link that creates one. */
export function hasOwner(users: readonly User[]): boolean {
  return users.some(({ role }) => role === 'owner');
}

function rolesText({ projects = [] }: User): string {
  return projects.map(({ projectId, role }) => `${projectId} ${role}`).join();
}

export function mayActAs(role: MemberRole, wanted: MemberRole): boolean {
  return memberRoles.indexOf(role) <= memberRoles.indexOf(wanted);
}

/** Role of a user in that project. */
export function roleInProject(
  { role, projects }: Pick<User, 'role' | 'projects'>,
  id: ProjectId,
): MemberRole {
  if (role === 'owner') return role;
  return projects?.find(({ projectId }) => projectId === id)?.role ?? role;
}

export function maySee(user: Pick<User, 'role' | 'projects'>, id: ProjectId): boolean {
  return roleInProject(user, id) !== 'none';
}

/** `role`: null for the one of the installation. */
export function withProjectRole(user: User, projectId: ProjectId, role: MemberRole | null): User {
  const others = (user.projects ?? []).filter((one) => one.projectId !== projectId);
  const projects = role === null ? others : [...others, { projectId, role }];
  return { ...user, projects: projects.length === 0 ? undefined : projects };
}
