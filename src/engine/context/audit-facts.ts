/**
 * What the audit log says of a change: out of what there was before and what there is now.
 * Invariants: of a value that may hold a secret only the name of its field is said: of what an integration needs to be reached, of
 * passwords and keys. Null where nothing is different that somebody has set.
 */
import type { AuditAction, AuditChange, AuditFact, AuditSubject } from '../../domain/accounts/audit.ts';
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
import {
  statusPageFieldNames,
  statusPageFields,
  typedPageFields,
} from '../../domain/accounts/status-page-fields.ts';
import { noReports, type User } from '../../domain/accounts/user.ts';
import type { Check } from '../../domain/check/check.ts';
import { type CheckFieldName, checkFieldNames, checkFields } from '../../domain/check/check-fields.ts';
import { contentOf } from '../../domain/configuration/configuration.ts';
import type { ChannelId, ProjectId } from '../../lib/ids.ts';
import { auditedCharsMax, auditedRolesMax } from '../contract/limits.ts';
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
  const changed = checkFieldNames.filter(
    (name) => String(before.config[name]) !== String(check.config[name]),
  );
  if (changed.length === 0) return null;
  return checkFact(projects, 'changed', check, {
    fields: changed.map((name) => checkFields[name].json),
    ...changing(
      changed.flatMap((name) =>
        change(checkFields[name].json, saidOf(projects, before, name), saidOf(projects, check, name)),
      ),
    ),
  });
}

function saidOf(projects: Projects, { config, projectId }: Check, name: CheckFieldName): Said {
  return name === 'channels' ? channelNames(projects, projectId, config.channels) : config[name];
}

type Said = string | number | boolean;

/** None where only what is not said is different. */
function change(field: string, before: Said, after: Said): readonly AuditChange[] {
  const [old, now] = [said(before), said(after)];
  return old === now ? [] : [{ field, before: old, after: now }];
}

function changing(changes: readonly AuditChange[]): Pick<AuditFact, 'changes'> {
  return changes.length === 0 ? {} : { changes };
}

function said(value: Said): string {
  const text = String(value);
  // Not a half of a character at its end.
  return text.length > auditedCharsMax
    ? `${text.slice(0, auditedCharsMax).replace(/\p{Surrogate}/u, '')}…`
    : text;
}

function channelNames(projects: Projects, id: ProjectId, channels: readonly ChannelId[]): string {
  const index = projects.projectIndex(id);
  return channels
    .map((channel) => index?.channel(channel) ?? null)
    .filter((channel) => channel !== null)
    .map(({ name, kind }) => name || kind)
    .join(', ');
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

/** Values that Knell itself notes of an integration, such as its last error, are no change. */
export function channelChangedFact(projects: Projects, before: Channel, channel: Channel): AuditFact | null {
  const settings = changedSettings(settingsOf(before), settingsOf(channel));
  const name = change('name', before.name, channel.name);
  const kind = change('kind', before.kind, channel.kind);
  const fields = [
    ...[...name, ...kind].map(({ field }) => field),
    ...(kind.length > 0 ? [] : changedContent(before, channel)),
    ...settings.map(({ field }) => field),
  ];
  if (fields.length === 0) return null;
  return channelFact(projects, 'changed', channel, {
    fields,
    ...changing([...name, ...kind, ...settings]),
  });
}

function changedContent(before: Channel, { kind, value }: Channel): readonly string[] {
  if (before.value === value) return [];
  const [old, now] = [contentOf(kind, before.value), contentOf(kind, value)];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names].filter((name) => old[name] !== now[name]);
}

/** None of them holds a secret. */
function changedSettings(before: ChannelSettings, after: ChannelSettings): readonly AuditChange[] {
  return channelSettingNames.flatMap((name) => {
    const field = auditedName(channelSettingFields[name]);
    return field === undefined ? [] : change(field, before[name], after[name]);
  });
}

export function projectFact(
  action: AuditAction,
  { id, name }: Project,
  more: Partial<AuditFact> = {},
): AuditFact {
  return auditFact(action, 'project', { subjectId: id, name, projectId: id, projectName: name, ...more });
}

/** Its name, or its plan. */
export function projectChangedFact(before: Project, project: Project): AuditFact | null {
  const changes = [
    ...change('name', before.name, project.name),
    ...change('plan', before.plan, project.plan),
  ];
  const fields = changes.map(({ field }) => field);
  return fields.length === 0 ? null : projectFact('changed', project, { fields, ...changing(changes) });
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
  const changes = typedPageFields.flatMap((name) =>
    change(statusPageFields[name].audited, before[name], page[name]),
  );
  return fields.length === 0
    ? null
    : auditFact('changed', 'status-page', { ...more, fields, ...changing(changes) });
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
  const said = roles.map((one) => roleWords(projects, one)).slice(0, auditedRolesMax);
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
  const changes = change('name', before.name, name);
  return auditFact('changed', 'member', { ...of, fields, ...changing(changes), detail });
}

/** The member's own choices, without the marks that a sent report leaves. */
function chosenReports({ reports }: User): unknown {
  const { frequency, address, isConfirmed } = reports ?? noReports;
  return { frequency, address, isConfirmed };
}

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
