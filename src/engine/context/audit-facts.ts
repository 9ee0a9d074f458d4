/**
 * What the audit log says of a change: out of what there was before and what there is now.
 * `member-facts` says it of members.
 * Invariants: of a value that may hold a secret only the name of its field is said: of passwords and keys, and of what an integration
 * needs to be reached, except for the fields that its kind calls open. Null where nothing is different that somebody has set.
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
  keyBeginning,
  type Project,
  settingsOf,
} from '../../domain/accounts/project.ts';
import { projectFieldNames } from '../../domain/accounts/project-fields.ts';
import type { StatusPage, StatusService } from '../../domain/accounts/status-page.ts';
import {
  statusPageFieldNames,
  statusPageFields,
  typedPageFields,
} from '../../domain/accounts/status-page-fields.ts';
import { calendarWords } from '../../domain/alerting/calendar-words.ts';
import type { MaintenanceWindow } from '../../domain/alerting/maintenance.ts';
import type { Check } from '../../domain/check/check.ts';
import { type CheckFieldName, checkFieldNames, checkFields } from '../../domain/check/check-fields.ts';
import { contentOf, isOpen } from '../../domain/configuration/configuration.ts';
import { kinds } from '../../integrations/all.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { asChannelId, type ChannelId, type CheckId, type ProjectId } from '../../lib/ids.ts';
import { auditedChecksMax } from '../contract/limits.ts';
import type { Registry } from '../registry/registry.ts';
import { change, changing, type Said } from './audit-change.ts';

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
  more: Partial<Omit<AuditFact, 'action' | 'subject'>> = {},
): AuditFact {
  return { action, subject, ...none, ...more };
}

export type Projects = Pick<Registry, 'projectIndex'>;

export function within(projects: Projects, id: ProjectId): Pick<AuditFact, 'projectId' | 'projectName'> {
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
  const isOther = before.config.kind !== check.config.kind;
  const usedOf = ({ config }: Check, name: CheckFieldName): string =>
    isOther && isUnused(config.kind, name) ? '' : String(config[name]);
  const changed = checkFieldNames.filter((name) => usedOf(before, name) !== usedOf(check, name));
  if (changed.length === 0) return null;
  return checkFact(projects, 'changed', check, {
    fields: changed.map((name) => checkFields[name].json),
    ...changing(
      changed.flatMap((name) =>
        isOther && isOfKind(name)
          ? change(checkFields[name].json, usedOf(before, name), usedOf(check, name))
          : change(checkFields[name].json, saidOf(projects, before, name), saidOf(projects, check, name)),
      ),
    ),
  });
}

function isOfKind(name: CheckFieldName): boolean {
  return name === 'timeoutS' || name === 'schedule';
}

/** A check keeps the interval that it had before its schedule, and the other way round: what says the old kind is what it used. */
function isUnused(kind: Check['config']['kind'], name: CheckFieldName): boolean {
  return isOfKind(name) && (kind === 'simple') !== (name === 'timeoutS');
}

function saidOf(projects: Projects, { config, projectId }: Check, name: CheckFieldName): Said {
  return name === 'channels' ? channelNames(projects, projectId, config.channels) : config[name];
}

function channelNames(projects: Projects, id: ProjectId, channels: readonly ChannelId[]): string {
  const index = projects.projectIndex(id);
  return channels
    .map((channel) => index?.channel(channel) ?? null)
    .filter((channel) => channel !== null)
    .map(titleOf)
    .join(', ');
}

/** What an integration is called, as on the page. */
function titleOf({ name, kind }: Pick<Channel, 'name' | 'kind'>): string {
  return name || titles[kind];
}

export function channelFact(
  projects: Projects,
  action: AuditAction,
  { id, name, kind, projectId }: Channel,
  more: Partial<AuditFact> = {},
): AuditFact {
  return auditFact(action, 'integration', {
    subjectId: id,
    name: titleOf({ name, kind }),
    ...within(projects, projectId),
    ...more,
  });
}

/** Says that an integration was assigned to these checks, or taken from them, and names the first of them. */
export function assignmentFact(
  registry: Pick<Registry, 'projectIndex' | 'find'>,
  action: 'assigned' | 'unassigned',
  channel: Channel,
  checks: readonly CheckId[],
): AuditFact {
  const detail = `checks: ${checks.length} (${checkNames(registry, checks)})`;
  return channelFact(registry, action, channel, { detail });
}

function checkNames(registry: Pick<Registry, 'find'>, checks: readonly CheckId[]): string {
  const names = checks.slice(0, auditedChecksMax).flatMap((id) => {
    const check = registry.find(id);
    return check ? [check.config.name || check.config.slug || 'unnamed'] : [];
  });
  return [...names, ...(checks.length > auditedChecksMax ? ['…'] : [])].join(', ');
}

/** Values that Knell itself notes of an integration, such as its last error, are no change. */
export function channelChangedFact(projects: Projects, before: Channel, channel: Channel): AuditFact | null {
  const settings = changedSettings(settingsOf(before), settingsOf(channel));
  const name = change('name', before.name, channel.name);
  const kind = change('kind', before.kind, channel.kind);
  // The fields of two kinds have nothing in common.
  const content = kind.length > 0 ? noContent : changedContent(projects, before, channel);
  const fields = [
    ...[...name, ...kind].map(({ field }) => field),
    ...content.fields,
    ...settings.map(({ field }) => field),
  ];
  if (fields.length === 0) return null;
  return channelFact(projects, 'changed', channel, {
    fields,
    ...changing([...name, ...kind, ...content.changes, ...settings]),
  });
}

interface ChangedContent {
  readonly fields: readonly string[];
  readonly changes: readonly AuditChange[];
}

const noContent: ChangedContent = { fields: [], changes: [] };

function changedContent(projects: Projects, before: Channel, { kind, value }: Channel): ChangedContent {
  if (before.value === value) return noContent;
  const [old, now] = [contentOf(kind, before.value), contentOf(kind, value)];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const fields = [...names].filter((name) => old[name] !== now[name]);
  const changes = fields.flatMap((name) => {
    const [from, to] = [old, now].map((content) => openText(projects, before, name, content[name]));
    return from === undefined || to === undefined ? [] : change(name, from, to);
  });
  return { fields, changes };
}

/** What may be said of a field; undefined for a secret, and where the value as a whole is not what the form says. */
function openText(
  projects: Projects,
  { kind, projectId }: Channel,
  name: string,
  text: string | undefined,
): Said | undefined {
  const field = kinds[kind].form.fields.find((one) => one.name === name);
  if (text === undefined || field === undefined || !isOpen(kind, name)) return undefined;
  if (field.input === 'tick') return text !== '';
  if (field.input === 'integrations')
    return channelNames(projects, projectId, text.split(',').map(asChannelId));
  return field.part === 'url' && mayHoldSecret(text) ? undefined : text;
}

/** The address of a server is open, but somebody may have written a password or a token into it. */
function mayHoldSecret(address: string): boolean {
  if (address === '') return false;
  if (!URL.canParse(address)) return true;
  const { username, password, search, hash } = new URL(address);
  return [username, password, search, hash].some((part) => part !== '');
}

/** None of them holds a secret. */
function changedSettings(before: ChannelSettings, after: ChannelSettings): readonly AuditChange[] {
  return channelSettingNames.flatMap((name) => {
    const field = auditedName(channelSettingFields[name]);
    // Its name in the log is the opposite of the setting's.
    if (name === 'unverified') return change('verified', !before.unverified, !after.unverified);
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

/** Its name, its plan, or its rules of retention. */
export function projectChangedFact(before: Project, project: Project): AuditFact | null {
  const changes = projectFieldNames.flatMap((name) => change(name, before[name] ?? '', project[name] ?? ''));
  const fields = changes.map(({ field }) => field);
  return fields.length === 0 ? null : projectFact('changed', project, { fields, ...changing(changes) });
}

export function keyFact(projects: Projects, action: AuditAction, key: ApiKey): AuditFact {
  const {
    id,
    clear,
    beginning = clear === null ? '' : keyBeginning(clear),
    name = beginning,
    scope,
    projectId,
  } = key;
  return auditFact(action, 'key', { subjectId: id, name, ...within(projects, projectId), detail: scope });
}

export function keyRenamedFact(projects: Projects, before: ApiKey, key: ApiKey): AuditFact {
  const changes = change('name', before.name ?? '', key.name ?? '');
  return { ...keyFact(projects, 'changed', key), fields: ['name'], ...changing(changes) };
}

/** `before`, `after`: the texts of the value; null where it may hold a secret. */
export function settingFact(
  action: AuditAction,
  variable: string,
  texts: { readonly before: string; readonly after: string } | null,
): AuditFact {
  if (texts === null || texts.before === texts.after) return auditFact(action, 'setting', { name: variable });
  const changes = change('value', texts.before, texts.after);
  return auditFact(action, 'setting', { name: variable, fields: ['value'], ...changing(changes) });
}

export function adminKeyFact(action: AuditAction, { id, name, shell }: AdminKey): AuditFact {
  return auditFact(action, 'admin-key', { subjectId: id, name, detail: shell ? 'shell' : '' });
}

/** `before`: null for a new one. Of a notice its title and its stage are said: its readers have the rest. */
export function statusPageFact(
  projects: Pick<Registry, 'projectIndex' | 'find'>,
  before: StatusPage | null,
  page: StatusPage,
): AuditFact | null {
  const more = { subjectId: page.id, name: page.slug, ...within(projects, page.projectId) };
  if (!before) return auditFact('created', 'status-page', more);
  const fields = audited.filter(([field]) => !isSame(before[field], page[field])).map(([, shown]) => shown);
  const [old, now] = [before, page].map(({ services }) => serviceWords(projects, services));
  const changes = [
    ...typedPageFields.flatMap((name) => change(statusPageFields[name].audited, before[name], page[name])),
    ...change('services', old ?? '', now ?? ''),
    ...change('notices', noticeWords(before, page), noticeWords(page, before)),
  ];
  return fields.length === 0
    ? null
    : auditFact('changed', 'status-page', { ...more, fields, ...changing(changes) });
}

/** The notices of one that the other does not have so: `Database is slow (investigating), Moving (resolved)`. */
function noticeWords({ notices }: StatusPage, other: StatusPage): string {
  return notices
    .filter((notice) => !other.notices.some((one) => isSame(one, notice)))
    .map(({ title, updates }) => `${title} (${updates.at(-1)?.stage ?? ''})`)
    .join(', ');
}

/** `Website (tag web), Backups (nightly, weekly)`. */
function serviceWords(registry: Pick<Registry, 'find'>, services: readonly StatusService[]): string {
  return services
    .map(({ name, tag, checks }) => `${name} (${tag === '' ? checkNames(registry, checks) : `tag ${tag}`})`)
    .join(', ');
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

/** `before`: null for a new one. */
export function maintenanceFact(
  registry: Pick<Registry, 'projectIndex' | 'find'>,
  before: MaintenanceWindow | null,
  window: MaintenanceWindow,
): AuditFact | null {
  const more = { subjectId: window.id, name: window.name, ...within(registry, window.projectId) };
  const quiet = ({ integrations }: MaintenanceWindow): string =>
    channelNames(registry, window.projectId, integrations);
  if (!before) {
    const whose = window.integrations.length === 0 ? '' : `quiet hours of ${quiet(window)}: `;
    return auditFact('created', 'maintenance', { ...more, detail: `${whose}${calendarWords(window)}` });
  }
  const fields = auditedOfWindow
    .filter(([, names]) => names.some((name) => !isSame(before[name], window[name])))
    .map(([shown]) => shown);
  if (fields.length === 0) return null;
  const changes = [
    ...change('name', before.name, window.name),
    ...change('checks', checkNames(registry, before.checks), checkNames(registry, window.checks)),
    ...change('tags', before.tags.join(' '), window.tags.join(' ')),
    ...change('integrations', quiet(before), quiet(window)),
    ...change('times', calendarWords(before), calendarWords(window)),
    ...change('counts as downtime', before.countsAsDowntime, window.countsAsDowntime),
  ];
  return auditFact('changed', 'maintenance', { ...more, fields, ...changing(changes) });
}

const auditedOfWindow: readonly (readonly [string, readonly (keyof MaintenanceWindow)[]])[] = [
  ['name', ['name']],
  ['checks', ['checks']],
  ['tags', ['tags']],
  ['integrations', ['integrations']],
  ['times', ['fromMs', 'untilMs', 'schedule', 'tz', 'durationS', 'dates', 'except']],
  ['counts as downtime', ['countsAsDowntime']],
];

export function maintenanceDeletedFact(projects: Projects, window: MaintenanceWindow): AuditFact {
  const more = { subjectId: window.id, name: window.name, ...within(projects, window.projectId) };
  return auditFact('deleted', 'maintenance', { ...more, detail: calendarWords(window) });
}

/** Compares what is stored, field by field. */
export function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
