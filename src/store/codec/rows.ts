/**
 * Seldom written facts as records of named fields: one shape a kind. The same bytes are a record of the journal, a row of the
 * history and a frame of a snapshot. Checks are in `check`; `named-record` says how a record grows.
 *
 * Every field is in the record, ids too, and nothing relies on where its bytes lie: what needs an id reads the record.
 * Invariant: a key below never changes its meaning.
 */

import {
  type Actor,
  type AuditChange,
  type AuditEntry,
  actorKinds,
  auditActions,
  auditSubjects,
} from '../../domain/accounts/audit.ts';
import {
  type ChannelSettingField,
  type ChannelSettings,
  channelSettingFields,
  channelSettingNames,
} from '../../domain/accounts/channel-settings.ts';
import type { DeadEvent, EventFeed } from '../../domain/accounts/event-feed.ts';
import {
  type PreferenceField,
  type Preferences,
  preferenceFields,
  preferenceNames,
} from '../../domain/accounts/preferences.ts';
import {
  type AdminKey,
  type ApiKey,
  type Channel,
  channelKinds,
  type HandOver,
  type Installation,
  keyScopes,
  type Project,
  plans,
  type StoredSetting,
} from '../../domain/accounts/project.ts';
import {
  type NoticeUpdate,
  noticeStages,
  type StatusNotice,
  type StatusPage,
  type StatusService,
} from '../../domain/accounts/status-page.ts';
import {
  type StatusPageFieldName,
  statusPageFieldNames,
  statusPageFields,
} from '../../domain/accounts/status-page-fields.ts';
import {
  type EndedSession,
  memberRoles,
  type NewAddress,
  noReports,
  type OidcIdentity,
  type Passkey,
  type ProjectRole,
  type ReportSettings,
  reportFrequencies,
  type Totp,
  type User,
  type UserSession,
} from '../../domain/accounts/user.ts';
import type { TimeSpan } from '../../domain/alerting/calendar.ts';
import {
  type Incident,
  type IncidentCheck,
  type IncidentEntry,
  incidentEntryKinds,
} from '../../domain/alerting/incident.ts';
import { incidentStages } from '../../domain/alerting/incident-machine.ts';
import type { MaintenanceWindow } from '../../domain/alerting/maintenance.ts';
import type { Growing } from '../../domain/check/unknown-fields.ts';
import { type Delivery, deliveryStates } from '../../domain/deliveries/delivery.ts';
import {
  notificationKinds,
  notificationOutcomes,
  type SentNotification,
} from '../../domain/deliveries/sent-notification.ts';
import { type RunEnding, runEndingOutcomes } from '../../domain/runs/run-ending.ts';
import {
  asAuditId,
  asChannelId,
  asCheckId,
  asDeliveryId,
  asIncidentId,
  asKeyId,
  asMaintenanceId,
  asProjectId,
  asRunId,
  asStatusPageId,
  asUserId,
} from '../../lib/ids.ts';
import { changeShape } from './change-shape.ts';
import { checkRow, type StoredCheck } from './check.ts';
import {
  count,
  flag,
  instant,
  listOf,
  listOfKept,
  nested,
  nullable,
  oneOf,
  optional,
  optionalList,
  required,
  sharedUuids,
  text,
  textId,
  uuid,
} from './field-codecs.ts';
import { formerRulesShape } from './former-rules-shape.ts';
import {
  type FieldRule,
  factOf,
  type Intern,
  packRecord,
  packWithItems,
  Shape,
  unpackRecord,
} from './named-record.ts';

/** The fact that a record of each kind holds. */
export interface RowFacts {
  readonly installation: Installation;
  readonly project: Project;
  readonly key: ApiKey;
  readonly channel: Channel;
  readonly user: User;
  readonly 'ended-session': EndedSession;
  readonly 'status-page': StatusPage;
  readonly incident: Incident;
  readonly maintenance: MaintenanceWindow;
  readonly 'event-feed': EventFeed;
  readonly delivery: Delivery;
  readonly check: StoredCheck;
}

export type RowKind = keyof RowFacts;

/** Reads and writes the records of one kind. A KnellError `store-broken` is thrown for damaged bytes. */
export interface RowCodec<Fact> {
  read(bytes: Uint8Array, intern?: Intern): Fact;
  write(fact: Fact): Buffer;
}

type RowCodecs = { readonly [Kind in RowKind]: RowCodec<RowFacts[Kind]> };

const adminKey = new Shape<AdminKey>({
  id: required('id', textId(asKeyId)),
  name: required('name', text),
  hash: required('hash', text),
  shell: optional('shell', flag, false),
  createdAtMs: required('created', instant),
});

const storedSetting = new Shape<StoredSetting>({
  variable: required('variable', text),
  value: required('value', text),
});

const installation = new Shape<Installation>({
  badgeSecret: required('badge_secret', text),
  importedSecret: optional('imported_secret', text, undefined),
  createdAtMs: required('created', instant),
  adminKeys: optional('admin_keys', listOf(nested(adminKey)), undefined),
  settings: optional('settings', listOf(nested(storedSetting)), undefined),
});

const handOver = new Shape<HandOver>({
  to: required('to', uuid(asUserId)),
  by: required('by', uuid(asUserId)),
  untilMs: required('until', instant),
});

const project = new Shape<Project>({
  id: required('id', uuid(asProjectId)),
  name: optional('name', text, ''),
  plan: required('plan', oneOf(plans)),
  badgeKey: required('badge_key', text),
  createdAtMs: required('created', instant),
  retention: optional('retention', text, undefined),
  formerRetention: optional('former_retention', listOf(nested(formerRulesShape)), undefined),
  handOver: optional('hand_over', nested(handOver), undefined),
});

const key = new Shape<ApiKey>({
  id: required('id', textId(asKeyId)),
  projectId: required('project', uuid(asProjectId)),
  scope: required('scope', oneOf(keyScopes)),
  hash: required('hash', text),
  clear: optional('clear', nullable(text), null),
  beginning: optional('beginning', text, undefined),
  name: optional('name', text, undefined),
  usedDay: optional('used_day', nullable(count), undefined),
  createdAtMs: required('created', instant),
});

const settings = new Shape<ChannelSettings>(
  Object.fromEntries(
    channelSettingNames.map((name): readonly unknown[] => [name, settingRule(channelSettingFields[name])]),
  ),
);

function settingRule(field: ChannelSettingField): FieldRule<unknown> {
  const { kind, stored, default: whenAbsent } = field;
  if (kind === 'seconds') return optional(stored, count, whenAbsent);
  if (typeof whenAbsent === 'number') return optional(stored, instant, whenAbsent);
  return typeof whenAbsent === 'boolean'
    ? optional(stored, flag, whenAbsent)
    : optional(stored, text, whenAbsent);
}

const channel = new Shape<Channel>({
  id: required('id', uuid(asChannelId)),
  projectId: required('project', uuid(asProjectId)),
  kind: required('kind', oneOf(channelKinds)),
  name: optional('name', text, ''),
  value: optional('value', text, ''),
  createdAtMs: required('created', instant),
  settings: optional('settings', nested(settings), undefined),
});

const session = new Shape<UserSession>({
  id: required('id', text),
  startedAtMs: required('started', instant),
  usedAtMs: required('used', instant),
  untilMs: required('until', instant),
  address: optional('address', text, ''),
  userAgent: optional('user_agent', text, ''),
});

const preferences = new Shape<Preferences>(
  Object.fromEntries(
    preferenceNames.map((name): readonly unknown[] => [name, preferenceRule(preferenceFields[name])]),
  ),
);

function preferenceRule(field: PreferenceField): FieldRule<string> {
  const { stored, default: whenAbsent } = field;
  if (field.kind === 'zone') return optional(stored, text, whenAbsent);
  return optional(stored, oneOf(field.choices.map(([value]) => value)), whenAbsent);
}

const totp = new Shape<Totp>({
  secret: required('secret', text),
  lastStep: optional('last_step', count, 0),
  recovery: optionalList('recovery', listOf(text)),
});

const reportSettings = new Shape<ReportSettings>({
  frequency: optional('frequency', oneOf(reportFrequencies), noReports.frequency),
  address: optional('address', text, ''),
  isConfirmed: optional('confirmed', flag, false),
  reportedUntilMs: optional('until', instant, 0),
  lastError: optional('error', text, ''),
});

const projectRole = new Shape<ProjectRole>({
  projectId: required('project', uuid(asProjectId)),
  role: required('role', oneOf(memberRoles)),
});

const passkey = new Shape<Passkey>({
  id: required('id', text),
  name: required('name', text),
  credentialId: required('credential', text),
  publicKey: required('public_key', text),
  counter: optional('counter', count, 0),
  createdAtMs: required('created', instant),
  usedAtMs: optional('used', nullable(instant), null),
});

const oidc = new Shape<OidcIdentity>({
  issuer: required('issuer', text),
  subject: required('subject', text),
});

const newAddress = new Shape<NewAddress>({
  address: required('address', text),
  untilMs: required('until', instant),
});

const user = new Shape<User>({
  id: required('id', uuid(asUserId)),
  name: optional('name', text, ''),
  role: required('role', oneOf(memberRoles)),
  projects: optional('projects', listOf(nested(projectRole)), undefined),
  passwordHash: optional('password_hash', text, ''),
  createdAtMs: required('created', instant),
  sessions: optional('sessions', listOf(nested(session)), undefined),
  sessionsFromMs: optional('sessions_from', instant, undefined),
  preferences: optional('preferences', nested(preferences), undefined),
  totp: optional('totp', nested(totp), undefined),
  reports: optional('reports', nested(reportSettings), undefined),
  oidc: optional('oidc', nested(oidc), undefined),
  passkeys: optional('passkeys', listOf(nested(passkey)), undefined),
  newAddress: optional('new_address', nested(newAddress), undefined),
});

const endedSession = new Shape<EndedSession>({
  userId: required('user', uuid(asUserId)),
  id: required('id', text),
  untilMs: required('until', instant),
  endedAtMs: required('ended', instant),
});

const statusService = new Shape<StatusService>({
  id: required('id', text),
  name: required('name', text),
  checks: optionalList('checks', sharedUuids(asCheckId)),
  tag: optional('tag', text, ''),
});

const noticeUpdate = new Shape<NoticeUpdate>({
  atMs: required('at', instant),
  stage: required('stage', oneOf(noticeStages)),
  text: optional('text', text, ''),
});

const statusNotice = new Shape<StatusNotice>({
  id: required('id', text),
  title: required('title', text),
  services: optionalList('services', listOf(text)),
  updates: required('updates', listOf(nested(noticeUpdate))),
});

function pageValueRules(): Readonly<Record<StatusPageFieldName, FieldRule<string>>> {
  const rules = statusPageFieldNames.map((name) => [name, pageValueRule(name)] as const);
  return Object.fromEntries(rules) as Record<StatusPageFieldName, FieldRule<string>>;
}

/** Only the slug is in every record. */
function pageValueRule(name: StatusPageFieldName): FieldRule<string> {
  const { stored, default: whenAbsent } = statusPageFields[name];
  return name === 'slug' ? required(stored, text) : optional(stored, text, whenAbsent ?? '');
}

const statusPage = new Shape<StatusPage>({
  id: required('id', uuid(asStatusPageId)),
  projectId: required('project', uuid(asProjectId)),
  ...pageValueRules(),
  services: optionalList('services', listOf(nested(statusService))),
  notices: optionalList('notices', listOf(nested(statusNotice))),
  createdAtMs: required('created', instant),
});

const deadEvent = new Shape<DeadEvent>({
  id: required('id', text),
  type: optional('type', text, ''),
  about: optional('about', text, ''),
  endedMs: required('ended', instant),
  attempts: optional('attempts', count, 0),
  error: optional('error', text, ''),
});

const eventFeed = new Shape<EventFeed>({
  id: required('id', uuid(asChannelId)),
  projectId: required('project', uuid(asProjectId)),
  epoch: required('epoch', text),
  seq: required('seq', count),
  place: required('place', count),
  dead: optionalList('dead', listOf(nested(deadEvent))),
});

const incidentCheck = new Shape<IncidentCheck>({
  id: required('id', uuid(asCheckId)),
  name: optional('name', text, ''),
  joinedMs: required('joined', instant),
  leftMs: optional('left', instant, 0),
  isDependent: optional('dependent', flag, false),
  moved: optional('moved', flag, undefined),
});

const incidentEntry = new Shape<IncidentEntry>({
  atMs: required('at', instant),
  kind: required('kind', oneOf(incidentEntryKinds)),
  check: optional('check', text, ''),
  by: optional('by', text, ''),
  text: optional('text', text, ''),
});

const incident = new Shape<Incident>({
  id: required('id', uuid(asIncidentId)),
  projectId: required('project', uuid(asProjectId)),
  stage: optional('stage', oneOf(incidentStages), 'open'),
  openedMs: required('opened', instant),
  resolvedMs: optional('resolved', instant, 0),
  acknowledgedBy: optional('acknowledged_by', text, ''),
  acknowledgedMs: optional('acknowledged', instant, 0),
  checks: optionalList('checks', listOfKept(incidentCheck)),
  more: optional('more', count, 0),
  entries: optionalList('entries', listOfKept(incidentEntry)),
});

const timeSpan = new Shape<TimeSpan>({
  fromMs: required('from', instant),
  untilMs: required('until', instant),
});

const maintenance = new Shape<MaintenanceWindow>({
  id: required('id', uuid(asMaintenanceId)),
  projectId: required('project', uuid(asProjectId)),
  name: optional('name', text, ''),
  checks: optionalList('checks', sharedUuids(asCheckId)),
  tags: optionalList('tags', listOf(text)),
  integrations: optionalList('integrations', sharedUuids(asChannelId)),
  fromMs: optional('from', instant, 0),
  untilMs: optional('until', instant, 0),
  schedule: optional('schedule', text, ''),
  tz: optional('tz', text, 'UTC'),
  durationS: optional('duration', count, 0),
  dates: optionalList('dates', listOf(nested(timeSpan))),
  except: optionalList('except', listOf(nested(timeSpan))),
  countsAsDowntime: optional('counts_as_downtime', flag, false),
  createdAtMs: required('created', instant),
  by: optional('by', text, ''),
});

const delivery = new Shape<Delivery>({
  id: required('id', uuid(asDeliveryId)),
  checkId: required('check', uuid(asCheckId)),
  channelId: required('channel', uuid(asChannelId)),
  change: required('change', nested(changeShape)),
  state: optional('state', oneOf(deliveryStates), 'waiting'),
  notBeforeMs: optional('not_before', instant, 0),
  attempts: optional('attempts', count, 0),
  sinceMs: required('since', instant),
  error: optional('error', text, ''),
  endedMs: optional('ended', instant, 0),
  reminder: optional('reminder', flag, undefined),
  incident: optional('incident', uuid(asIncidentId), undefined),
  quiet: optional('quiet', flag, undefined),
  triedMs: optional('tried', instant, undefined),
});

const notification = new Shape<SentNotification>({
  deliveryId: required('id', uuid(asDeliveryId)),
  atMs: required('at', instant),
  kind: required('kind', oneOf(notificationKinds)),
  changedAtMs: required('changed', instant),
  channelId: required('channel', uuid(asChannelId)),
  channelName: optional('channel_name', text, ''),
  channelKind: optional('channel_kind', text, ''),
  outcome: optional('outcome', oneOf(notificationOutcomes), 'delivered'),
  attempts: optional('attempts', count, 1),
  error: optional('error', text, ''),
  incident: optional('incident', uuid(asIncidentId), undefined),
  message: optional('message', text, undefined),
});

const ending = new Shape<RunEnding>({
  atMs: required('at', instant),
  outcome: required('outcome', oneOf(runEndingOutcomes)),
  rid: optional('rid', nullable(uuid(asRunId)), null),
  startedMs: optional('started', nullable(instant), null),
  host: optional('host', text, ''),
  limitS: optional('limit', count, 0),
});

const actor = new Shape<Actor>({
  kind: required('kind', oneOf(actorKinds)),
  id: optional('id', text, ''),
  name: optional('name', text, ''),
  address: optional('address', text, ''),
});

const auditChange = new Shape<AuditChange>({
  field: required('field', text),
  before: optional('before', text, ''),
  after: optional('after', text, ''),
});

const auditEntry = new Shape<AuditEntry>({
  id: required('id', uuid(asAuditId)),
  atMs: required('at', instant),
  actor: required('actor', nested(actor)),
  action: required('action', oneOf(auditActions)),
  subject: required('subject', oneOf(auditSubjects)),
  subjectId: optional('subject_id', text, ''),
  name: optional('name', text, ''),
  projectId: optional('project', text, ''),
  projectName: optional('project_name', text, ''),
  fields: optionalList('fields', listOf(text)),
  changes: optional('changes', listOf(nested(auditChange)), undefined),
  detail: optional('detail', text, ''),
});

/** Rows of a table of their own. A record has the key of the row before it. */
export const auditRow = codecOf(auditEntry);

/** Rows of a check, as its pings are: not among `rows`, since a frame holds one, a record has the check before it. */
export const notificationRow = codecOf(notification);
export const endingRow = codecOf(ending);

export const rows: RowCodecs = {
  installation: codecOf(installation),
  project: codecOf(project),
  key: codecOf(key),
  channel: codecOf(channel),
  user: codecOf(user),
  'ended-session': codecOf(endedSession),
  'status-page': codecOf(statusPage),
  incident: codecOf(incident, packWithItems),
  maintenance: codecOf(maintenance),
  'event-feed': codecOf(eventFeed),
  delivery: codecOf(delivery),
  check: checkRow,
};

/** `pack`: `packWithItems` for a shape with lists of kept items. */
function codecOf<Fact extends Growing>(shape: Shape<Fact>, pack = packRecord) {
  return {
    read: (bytes: Uint8Array): Fact => factOf(shape, unpackRecord(bytes)),
    write(fact: Fact): Buffer {
      const record: Record<string, unknown> = {};
      shape.put(record, fact);
      return pack(record);
    },
  };
}
