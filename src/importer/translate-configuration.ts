/**
 * Rows of Healthchecks that somebody has set, as facts of Knell: projects, keys, users, integrations, checks without history.
 * Not here: pings, status changes (`translate-history`). Invariant: pure; what cannot be taken is left out with a reason, and
 * nothing gets an id or a key other than it had, so that no job and no client has to change.
 */

import { createHmac } from 'node:crypto';
import {
  type ApiKey,
  type Channel,
  channelKinds,
  defaultChannelSettings,
  type KeyScope,
  type Project,
} from '../domain/accounts/project.ts';
import type { ProjectRole, Role, User } from '../domain/accounts/user.ts';
import { type CheckConfig, type CheckKind, defaultConfig } from '../domain/check/check.ts';
import { channelValueError } from '../integrations/channel-value.ts';
import { KnellError } from '../lib/errors.ts';
import {
  asChannelId,
  asKeyId,
  asProjectId,
  asUserId,
  type ChannelId,
  type Ids,
  sha256Hex,
} from '../lib/ids.ts';
import { second } from '../lib/units.ts';
import { parseSchedule } from '../schedule/parse-schedule.ts';
import { canonicalTimeZone } from '../schedule/time-zones.ts';
import type { DumpFields } from './dump-fields.ts';
import type { DumpRow } from './dump-file.ts';
import type { ImportReport } from './import-report.ts';
import type { Dump } from './read-dump.ts';

export interface TranslateOptions {
  readonly dump: Dump;
  readonly report: ImportReport;
  readonly ids: Ids;
  readonly nowMs: number;
  /** SECRET_KEY of the Healthchecks that the dump comes from: without it hashed API keys cannot be verified. Empty for none. */
  readonly secretKey: string;
}

/** Facts by the primary key of their row. */
type ByKey<Fact> = ReadonlyMap<string, Fact>;

/** Names are unique in Knell, and not empty: Healthchecks shows a project without one by its owner's address. */
export function translateProjects({ dump, report, ids, nowMs }: TranslateOptions): ByKey<Project> {
  const projects = new Map<string, Project>();
  const taken = new Set<string>();
  const addresses = new Map(dump.users.map((user) => [user.key, addressOf(user)]));
  for (const { key, fields } of dump.projects) {
    const owner = addresses.get(fields.reference('owner')) || 'default';
    const name = uniqueName(fields.text('name').trim() || owner, taken);
    if (name !== fields.text('name')) report.notes.push(`a project is now called ${JSON.stringify(name)}`);
    report.read('projects');
    report.imported('projects');
    projects.set(key, {
      id: asProjectId(fields.text('code')),
      name,
      plan: 'paid',
      badgeKey: fields.text('badge_key') || ids.randomBase62(20),
      createdAtMs: nowMs + projects.size,
    });
  }
  return projects;
}

function addressOf({ fields }: DumpRow): string {
  return fields.text('email').trim() || fields.text('username').trim();
}

function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted} (${n})`;
  taken.add(name);
  return name;
}

const keyColumns: readonly (readonly [column: string, scope: KeyScope])[] = [
  ['api_key', 'read-write'],
  ['api_key_readonly', 'read-only'],
  ['ping_key', 'ping'],
];

/** Null for a key that is kept as it is. */
function hmacIn(stored: string): string | null {
  return /^.{8}\.([0-9a-f]{64})$/.exec(stored)?.[1] ?? null;
}

/**
 * Proves that `secretKey` is the SECRET_KEY with which `key`, an API key of the Healthchecks, is hashed in the dump. Throws a KnellError
 * `usage` where it is not, or where the dump cannot show it.
 */
export function checkSecretKey({ dump, secretKey }: TranslateOptions, key: string): void {
  const stored = dump.projects.flatMap(({ fields }) =>
    keyColumns.map(([column]) => fields.text(column)).filter((text) => text !== ''),
  );
  // The characters that a key begins with behind `hcw_` or `hcr_`.
  const hashed = stored.filter((text) => hmacIn(text) !== null && text.startsWith(`${key.slice(4, 12)}.`));
  if (hashed.length === 0) {
    const isClear = stored.includes(key);
    throw new KnellError(
      'usage',
      isClear
        ? 'the key of --check-key is in the dump as it is, not hashed with SECRET_KEY: it proves nothing. Use one that was created by version 3.11 or later'
        : 'no project in the dump has the key of --check-key: is it a key of this Healthchecks, and in use?',
    );
  }
  const hmac = createHmac('sha256', secretKey).update(key).digest('hex');
  if (hashed.some((text) => hmacIn(text) === hmac)) return;
  throw new KnellError(
    'usage',
    secretKey === ''
      ? 'the key of --check-key is hashed with SECRET_KEY: set KNELL_HC_SECRET_KEY to that of this Healthchecks'
      : 'KNELL_HC_SECRET_KEY is not the SECRET_KEY of this Healthchecks, or the key of --check-key is mistyped: with that secret the ' +
          'key has another hash than in the dump. Nothing was imported',
  );
}

/** A secret that is not the right one shows only when the first job or badge is refused. */
export function noteUnproved({ dump, report, secretKey }: TranslateOptions): void {
  const isHashed = dump.projects.some(({ fields }) =>
    keyColumns.some(([column]) => hmacIn(fields.text(column)) !== null),
  );
  if (isHashed && secretKey !== '')
    report.notes.push(
      'nothing shows yet that KNELL_HC_SECRET_KEY is right: --check-key with an API key that is in use proves it',
    );
}

/** From 3.11 on, keys are kept as `<8 characters>.<HMAC-SHA256(SECRET_KEY, key) in hex>`; older ones are kept as they are. */
export function translateKeys(
  { dump, report, ids, nowMs, secretKey }: TranslateOptions,
  projects: ByKey<Project>,
): readonly ApiKey[] {
  const keys: ApiKey[] = [];
  for (const row of dump.projects) {
    const project = projects.get(row.key);
    for (const [column, scope] of keyColumns) {
      const stored = row.fields.text(column);
      if (stored === '' || !project) continue;
      report.read('keys');
      const hmac = hmacIn(stored);
      if (hmac !== null && secretKey === '') {
        report.leaveOut(
          'keys',
          'hashed with SECRET_KEY: set KNELL_HC_SECRET_KEY',
          `${scope} of ${project.name}`,
        );
        continue;
      }
      report.imported('keys');
      keys.push({
        id: asKeyId(ids.newUuid()),
        projectId: project.id,
        scope,
        hash: hmac ?? sha256Hex(stored),
        clear: scope === 'ping' ? stored : null,
        createdAtMs: nowMs + keys.length,
      });
    }
  }
  return keys;
}

/** Roles in a team of Healthchecks, as roles in a project. Before 1.23 there was only `rw`, a column of its own. */
const teamRoles: Readonly<Record<string, Role>> = { m: 'owner', w: 'editor', r: 'viewer' };

/** Each has the role in the projects that it had in Healthchecks, and none of the installation. */
export function translateUsers(
  { dump, report, ids, nowMs }: TranslateOptions,
  projects: ByKey<Project>,
): readonly User[] {
  const taken = new Set<string>();
  const roles = rolesByUser(dump, projects);
  return dump.users.flatMap((row): User[] => {
    const { key, fields } = row;
    report.read('users');
    const name = addressOf(row);
    if (!fields.has('is_active') || fields.flag('is_active')) {
      if (name !== '' && !taken.has(name.toLowerCase())) {
        taken.add(name.toLowerCase());
        report.imported('users');
        const id = asUserId(ids.newUuid());
        const createdAtMs = nowMs + taken.size;
        return [{ id, name, role: 'none', projects: roles.get(key), passwordHash: '', createdAtMs }];
      }
      report.leaveOut('users', 'has the address of another user, or none', name);
    } else report.leaveOut('users', 'is not active', name);
    return [];
  });
}

/** Roles by the primary key of the user. The creator of a project is not among the members of its team. */
function rolesByUser(dump: Dump, projects: ByKey<Project>): ReadonlyMap<string, readonly ProjectRole[]> {
  const roles = new Map<string, ProjectRole[]>();
  const add = (user: string, project: Project | undefined, role: Role): void => {
    const known = roles.get(user) ?? [];
    if (!project || known.some(({ projectId }) => projectId === project.id)) return;
    roles.set(user, [...known, { projectId: project.id, role }]);
  };
  for (const { key, fields } of dump.projects) add(fields.reference('owner'), projects.get(key), 'owner');
  for (const { fields } of dump.members) {
    const before = !fields.has('rw') || fields.flag('rw') ? 'editor' : 'viewer';
    const role = fields.has('role') ? (teamRoles[fields.text('role')] ?? 'viewer') : before;
    add(fields.reference('user'), projects.get(fields.reference('project')), role);
  }
  return roles;
}

export function translateChannels(
  { dump, report, nowMs }: TranslateOptions,
  projects: ByKey<Project>,
): ByKey<Channel> {
  const channels = new Map<string, Channel>();
  const unverified: string[] = [];
  for (const { key, fields } of dump.channels) {
    report.read('integrations');
    const project = projects.get(fields.reference('project'));
    const name = fields.text('name');
    const shown = `${fields.text('kind')} ${JSON.stringify(name)}`;
    const kind = channelKinds.find((one) => one === fields.text('kind'));
    if (!project) report.leaveOut('integrations', 'its project is not in the dump', shown);
    else if (!kind) report.leaveOut('integrations', 'Knell has no such type', shown);
    else {
      const value = fields.text('value');
      const error = channelValueError(kind, value);
      if (error !== null) {
        report.leaveOut('integrations', error, shown);
        continue;
      }
      report.imported('integrations');
      const isUnverified = kind === 'email' && !fields.flag('email_verified');
      if (isUnverified) unverified.push(name.trim() || addressIn(value));
      channels.set(key, {
        id: asChannelId(fields.text('code')),
        projectId: project.id,
        kind,
        name,
        value,
        createdAtMs: fields.instant('created') ?? nowMs,
        settings: {
          ...defaultChannelSettings,
          disabled: fields.flag('disabled'),
          unverified: isUnverified,
          lastError: fields.text('last_error'),
        },
      });
    }
  }
  if (unverified.length > 0)
    report.notes.push(
      `no alerts go to addresses that were never verified, until somebody confirms them under Integrations: ${unverified.join(', ')}`,
    );
  return channels;
}

/** Address of an email integration: JSON in newer versions, the address itself in older ones. */
function addressIn(value: string): string {
  return /"value": *"([^"]*)"/.exec(value)?.[1] ?? value;
}

/** The integrations of each check: Healthchecks keeps them with the integration. By the check's primary key. */
export function assignments(
  { dump }: TranslateOptions,
  channels: ByKey<Channel>,
): ByKey<readonly ChannelId[]> {
  const assigned = new Map<string, ChannelId[]>();
  for (const { key, fields } of dump.channels) {
    const channel = channels.get(key);
    if (!channel) continue;
    for (const check of fields.references('checks')) {
      const known = assigned.get(check);
      if (known) known.push(channel.id);
      else assigned.set(check, [channel.id]);
    }
  }
  for (const ids of assigned.values()) ids.sort();
  return assigned;
}

type Translated = { readonly config: CheckConfig; readonly error?: undefined } | { readonly error: string };

/** Translates the settings of a check; `error` says why they cannot be taken. */
export function translateConfig({ fields }: DumpRow, channels: readonly ChannelId[]): Translated {
  const kind = (fields.text('kind') || 'simple') as CheckKind;
  const given = fields.text('tz') || 'UTC';
  const tz = canonicalTimeZone(given);
  if (tz === null) return { error: `Knell knows no time zone ${JSON.stringify(given)}` };
  const schedule = fields.text('schedule') || defaultConfig.schedule;
  if (kind !== 'simple') {
    const parsed = parseSchedule(schedule, tz);
    if (!parsed.ok) return { error: `its schedule cannot be read: ${parsed.error}` };
  }
  return {
    config: {
      ...defaultConfig,
      name: fields.text('name'),
      slug: fields.text('slug'),
      tags: fields.text('tags'),
      desc: fields.text('desc'),
      kind,
      timeoutS: secondsOf(fields, 'timeout', defaultConfig.timeoutS),
      graceS: secondsOf(fields, 'grace', defaultConfig.graceS),
      schedule,
      tz,
      manualResume: fields.flag('manual_resume'),
      methods: fields.text('methods') === 'POST' ? 'POST' : '',
      ...keywordsOf(fields),
      channels,
    },
  };
}

function secondsOf(fields: DumpFields, name: string, whenAbsent: number): number {
  const ms = fields.durationMs(name);
  return ms === null ? whenAbsent : Math.round(ms / second);
}

/** Up to 1.26 the words were called `subject` and `subject_fail`, and looked for in subjects only. */
function keywordsOf(fields: DumpFields) {
  const isOld = !fields.has('success_kw');
  const [successKw, failureKw] = isOld
    ? [fields.text('subject'), fields.text('subject_fail')]
    : [fields.text('success_kw'), fields.text('failure_kw')];
  return {
    successKw,
    failureKw,
    startKw: fields.text('start_kw'),
    filterSubject: isOld ? successKw !== '' || failureKw !== '' : fields.flag('filter_subject'),
    filterBody: fields.flag('filter_body'),
    filterHttpBody: fields.flag('filter_http_body'),
    filterDefaultFail: fields.flag('filter_default_fail'),
  };
}
