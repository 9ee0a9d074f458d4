/**
 * What the audit log says of a new or changed member: role, roles in projects, preferences, and how the member signs in.
 * Invariants: of what protects the sign-in only the name is said, and so it is of the address of the reports, which others do not see.
 */
import type { AuditChange, AuditFact } from '../../domain/accounts/audit.ts';
import {
  defaultPreferences,
  type Preferences,
  preferenceFields,
  preferenceNames,
} from '../../domain/accounts/preferences.ts';
import { noReports, type ReportSettings, type User } from '../../domain/accounts/user.ts';
import type { ProjectId } from '../../lib/ids.ts';
import { auditedRolesMax } from '../contract/limits.ts';
import { change, changing } from './audit-change.ts';
import { auditFact, isSame, type Projects, within } from './audit-facts.ts';

export function userFact(projects: Projects, before: User | null, user: User): AuditFact | null {
  const { id, name } = user;
  const projectIds = changedProjects(before, user);
  const [only, ...others] = projectIds;
  const of = {
    subjectId: id,
    name,
    ...(only && others.length === 0 ? within(projects, only) : {}),
  };
  const inProjects = changedRoles(projects, projectIds, before, user);
  const inInstallation = change(roleOutside(before, user), before?.role ?? 'none', user.role);
  const roles = [...inInstallation, ...inProjects.changes];
  const roleFields = [...namesOf(inInstallation), ...inProjects.fields];
  if (!before) return auditFact('created', 'member', { ...of, fields: roleFields, ...changing(roles) });
  const named = change('name', before.name, name);
  const codes = change('two-factor sign-in', before.totp !== undefined, user.totp !== undefined);
  const chosen = [...changedPreferences(before, user), ...changedReports(before, user)];
  const fields = [
    ...namesOf(named),
    ...roleFields,
    ...changedSignIn(before, user),
    ...namesOf(chosen),
    ...(reportsOf(before).address === reportsOf(user).address ? [] : ['address of reports']),
    ...(isSame(before.newAddress, user.newAddress) ? [] : ['address to be confirmed']),
  ];
  if (fields.length > 0)
    return auditFact('changed', 'member', {
      ...of,
      fields,
      ...changing([...named, ...roles, ...codes, ...chosen]),
    });
  if (before.sessionsFromMs === user.sessionsFromMs) return null;
  return auditFact('signed-out', 'session', { ...of, detail: 'all other sessions' });
}

/** What the role is called that counts in projects where a member has no other. */
function roleOutside(before: User | null, user: User): string {
  const hasOwn = [...(before?.projects ?? []), ...(user.projects ?? [])].length > 0;
  return hasOwn ? 'role in all other projects' : 'role in all projects';
}

function namesOf(changes: readonly AuditChange[]): readonly string[] {
  return changes.map(({ field }) => field);
}

/** Of a password, a secret of codes or a passkey it is said only that it is another one. */
function changedSignIn(before: User, user: User): readonly string[] {
  return [
    ...(before.passwordHash === user.passwordHash ? [] : ['password']),
    ...(before.totp?.secret === user.totp?.secret ? [] : ['two-factor sign-in']),
    ...(isSame(before.totp?.recovery, user.totp?.recovery) ? [] : ['recovery codes']),
    ...(isSame(passkeyIds(before), passkeyIds(user)) ? [] : ['passkeys']),
    ...(isSame(before.oidc, user.oidc) ? [] : ['OpenID Connect']),
  ];
}

function passkeyIds({ passkeys }: User): readonly string[] {
  return (passkeys ?? []).map(({ id }) => id);
}

function changedPreferences(before: User, user: User): readonly AuditChange[] {
  const [old, now] = [preferencesOf(before), preferencesOf(user)] as const;
  return preferenceNames.flatMap((name) =>
    change(preferenceFields[name].label.toLowerCase(), old[name], now[name]),
  );
}

function preferencesOf({ preferences }: User): Preferences {
  return preferences ?? defaultPreferences;
}

function reportsOf({ reports }: User): ReportSettings {
  return reports ?? noReports;
}

/** The member's own choices, without the marks that a sent report leaves. */
function changedReports(before: User, user: User): readonly AuditChange[] {
  const [old, now] = [reportsOf(before), reportsOf(user)] as const;
  return [
    ...change('reports', old.frequency, now.frequency),
    ...change('reports confirmed', old.isConfirmed, now.isConfirmed),
  ];
}

function ownRole({ projects }: User, id: ProjectId): string | null {
  return projects?.find(({ projectId }) => projectId === id)?.role ?? null;
}

function changedProjects(before: User | null, user: User): readonly ProjectId[] {
  const all = [...(before?.projects ?? []), ...(user.projects ?? [])].map(({ projectId }) => projectId);
  return [...new Set(all)].filter((id) => (before ? ownRole(before, id) : null) !== ownRole(user, id));
}

interface ChangedRoles {
  /** Also those whose change is not said: beyond the bound, in projects that are no more, and where the role is the same in effect. */
  readonly fields: readonly string[];
  readonly changes: readonly AuditChange[];
}

function changedRoles(
  projects: Projects,
  ids: readonly ProjectId[],
  before: User | null,
  user: User,
): ChangedRoles {
  const there = ids.filter((id) => projects.projectIndex(id) !== null);
  const more = there.length - auditedRolesMax;
  const roles = there.slice(0, auditedRolesMax).map((id) => {
    const field = `role in "${within(projects, id).projectName}"`;
    return { field, changes: change(field, roleWords(before, id), roleWords(user, id)) };
  });
  return {
    fields: [
      ...roles.map(({ field }) => field),
      ...(more > 0 ? [`roles in ${more} other projects`] : []),
      ...(there.length < ids.length ? ['role in a deleted project'] : []),
    ],
    changes: roles.flatMap(({ changes }) => changes),
  };
}

/** `default`: the role of the installation counts in the project. A member who has no role there has none in the project either. */
function roleWords(user: User | null, id: ProjectId): string {
  if (user === null) return 'none';
  return ownRole(user, id) ?? (user.role === 'none' ? 'none' : 'default');
}
