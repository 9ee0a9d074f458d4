/**
 * What the audit log says of a change: out of what there was before and what there is now.
 * Invariants: of a value that may hold a secret only the name of its field is said. Null where nothing is different that
 * somebody has set.
 */
import type { AuditAction, AuditFact, AuditSubject } from '../../domain/accounts/audit.ts';
import {
  auditedName,
  type ChannelSettings,
  channelSettingFields,
  channelSettingNames,
} from '../../domain/accounts/channel-settings.ts';
import {
  type AdminKey,
  type ApiKey,
  type Channel,
  type Project,
  settingsOf,
} from '../../domain/accounts/project.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import { statusPageFieldNames, statusPageFields } from '../../domain/accounts/status-page-fields.ts';
import { noReports, type User } from '../../domain/accounts/user.ts';
import type { Check, CheckConfig } from '../../domain/check/check.ts';
import { checkFieldNames, checkFields } from '../../domain/check/check-fields.ts';
import { contentOf } from '../../domain/configuration/configuration.ts';
import type { ProjectId } from '../../lib/ids.ts';
import type { Registry } from '../registry/registry.ts';

const none: Omit<AuditFact, 'action' | 'subject'> = {
  subjectId: '',
  name: '',
  projectId: '',
  projectName: '',
  fields: [],
  detail: '',
};

export function auditFact(
  action: AuditAction,
  subject: AuditSubject,
  more: Partial<AuditFact> = {},
): AuditFact {
  return { ...none, ...more, action, subject };
}

type Projects = Pick<Registry, 'projectIndex'>;

function within(projects: Projects, id: ProjectId): Pick<AuditFact, 'projectId' | 'projectName'> {
  return { projectId: id, projectName: projects.projectIndex(id)?.project.name ?? '' };
}

export function checkFact(
  projects: Projects,
  action: AuditAction,
  check: Check,
  more: Partial<AuditFact> = {},
): AuditFact {
  const { id, projectId, config } = check;
  const name = config.name || config.slug;
  return auditFact(action, 'check', { subjectId: id, name, ...within(projects, projectId), ...more });
}

export function checkChangedFact(projects: Projects, before: Check, check: Check): AuditFact | null {
  const fields = changedCheckFields(before.config, check.config);
  return fields.length === 0 ? null : checkFact(projects, 'changed', check, { fields });
}

function changedCheckFields(before: CheckConfig, after: CheckConfig): readonly string[] {
  return checkFieldNames
    .filter((name) => String(before[name]) !== String(after[name]))
    .map((name) => checkFields[name].json);
}

export function channelFact(
  projects: Projects,
  action: AuditAction,
  { id, name, kind, projectId }: Channel,
  more: Partial<AuditFact> = {},
): AuditFact {
  return auditFact(action, 'integration', {
    subjectId: id,
    name: name || kind,
    ...within(projects, projectId),
    ...more,
  });
}

/** What Knell notes of an integration, such as its last error, is no change. */
export function channelChangedFact(projects: Projects, before: Channel, channel: Channel): AuditFact | null {
  const fields = [
    ...(before.name === channel.name ? [] : ['name']),
    ...(before.kind === channel.kind ? changedContent(before, channel) : ['kind']),
    ...changedSettings(settingsOf(before), settingsOf(channel)),
  ];
  return fields.length === 0 ? null : channelFact(projects, 'changed', channel, { fields });
}

function changedContent(before: Channel, { kind, value }: Channel): readonly string[] {
  if (before.value === value) return [];
  const [old, now] = [contentOf(kind, before.value), contentOf(kind, value)];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names].filter((name) => old[name] !== now[name]);
}

function changedSettings(before: ChannelSettings, after: ChannelSettings): readonly string[] {
  return channelSettingNames
    .filter((name) => before[name] !== after[name])
    .map((name) => auditedName(channelSettingFields[name]))
    .filter((name) => name !== undefined);
}

export function projectFact(
  action: AuditAction,
  { id, name }: Project,
  more: Partial<AuditFact> = {},
): AuditFact {
  return auditFact(action, 'project', { subjectId: id, name, projectId: id, projectName: name, ...more });
}

export function keyFact(projects: Projects, action: AuditAction, key: ApiKey): AuditFact {
  const { id, name = '', scope, projectId } = key;
  return auditFact(action, 'key', { subjectId: id, name, ...within(projects, projectId), detail: scope });
}

export function adminKeyFact(action: AuditAction, { id, name, shell }: AdminKey): AuditFact {
  return auditFact(action, 'admin-key', { subjectId: id, name, detail: shell ? 'shell' : '' });
}

/** `before`: null for a new one. What a notice says is no secret, and no field. */
export function statusPageFact(
  projects: Projects,
  before: StatusPage | null,
  page: StatusPage,
): AuditFact | null {
  const more = { subjectId: page.id, name: page.slug, ...within(projects, page.projectId) };
  if (!before) return auditFact('created', 'status-page', more);
  const fields = audited.filter(([field]) => !isSame(before[field], page[field])).map(([, shown]) => shown);
  return fields.length === 0 ? null : auditFact('changed', 'status-page', { ...more, fields });
}

const audited: readonly (readonly [keyof StatusPage, string])[] = [
  ...statusPageFieldNames.map((name) => [name, statusPageFields[name].audited] as const),
  ['services', 'services'],
  ['notices', 'notices'],
];

export function statusPageDeletedFact(projects: Projects, page: StatusPage): AuditFact {
  const more = { subjectId: page.id, name: page.slug, ...within(projects, page.projectId) };
  return auditFact('deleted', 'status-page', more);
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function passkeyIds({ passkeys }: User): readonly string[] {
  return (passkeys ?? []).map(({ id }) => id);
}

export function userFact(projects: Projects, before: User | null, user: User): AuditFact | null {
  const { id, name, role } = user;
  const roles = changedProjectRoles(before, user);
  const [only, ...others] = roles;
  const of = {
    subjectId: id,
    name,
    ...(only && others.length === 0 ? within(projects, only.projectId) : {}),
  };
  const said = roles.map((one) => roleWords(projects, one)).slice(0, rolesSaidMax);
  if (!before) return auditFact('created', 'member', { ...of, detail: [role, ...said].join(', ') });
  const fields = [
    ...(before.name === name ? [] : ['name']),
    ...(before.role === role ? [] : ['role']),
    ...(roles.length === 0 ? [] : ['role in a project']),
    ...(before.passwordHash === user.passwordHash ? [] : ['password']),
    ...(before.totp?.secret === user.totp?.secret ? [] : ['two-factor sign-in']),
    ...(isSame(before.totp?.recovery, user.totp?.recovery) ? [] : ['recovery codes']),
    ...(isSame(passkeyIds(before), passkeyIds(user)) ? [] : ['passkeys']),
    ...(isSame(before.oidc, user.oidc) ? [] : ['OpenID Connect']),
    ...(isSame(before.preferences, user.preferences) ? [] : ['preferences']),
    ...(isSame(chosenReports(before), chosenReports(user)) ? [] : ['reports']),
  ];
  if (fields.length === 0) {
    if (before.sessionsFromMs === user.sessionsFromMs) return null;
    return auditFact('signed-out', 'session', { ...of, detail: 'all other sessions' });
  }
  const detail = [...(before.role === role ? [] : [`${before.role} to ${role}`]), ...said].join(', ');
  return auditFact('changed', 'member', { ...of, fields, detail });
}

/** Not what a report that was sent leaves. */
function chosenReports({ reports }: User): unknown {
  const { frequency, address, isConfirmed } = reports ?? noReports;
  return { frequency, address, isConfirmed };
}

/** The detail of an entry is a line. */
const rolesSaidMax = 10;

interface ChangedRole {
  readonly projectId: ProjectId;
  readonly before: string | null;
  readonly after: string | null;
}

function changedProjectRoles(before: User | null, after: User): readonly ChangedRole[] {
  const rolesOf = (user: User | null): ReadonlyMap<ProjectId, string> =>
    new Map((user?.projects ?? []).map(({ projectId, role }) => [projectId, role]));
  const [old, now] = [rolesOf(before), rolesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((projectId) => ({
      projectId,
      before: old.get(projectId) ?? null,
      after: now.get(projectId) ?? null,
    }))
    .filter((one) => one.before !== one.after);
}

function roleWords(projects: Projects, { projectId, before, after }: ChangedRole): string {
  const name = projects.projectIndex(projectId)?.project.name ?? 'a deleted project';
  if (before === null) return `${after} in ${name}`;
  return `${before} to ${after ?? 'no role of its own'} in ${name}`;
}
