/** Arbitrary facts for property tests: everything the domain's types allow. */
import fc from 'fast-check';
import { actorKinds, auditActions, auditSubjects } from '../../../src/domain/accounts/audit.ts';
import {
  type ChannelSettings,
  defaultChannelSettings,
} from '../../../src/domain/accounts/channel-settings.ts';
import { preferenceFields } from '../../../src/domain/accounts/preferences.ts';
import { channelKinds, keyScopes, plans } from '../../../src/domain/accounts/project.ts';
import { memberRoles, reportFrequencies } from '../../../src/domain/accounts/user.ts';
import { type Check, type CheckConfig, type CheckState, statuses } from '../../../src/domain/check/check.ts';
import { type Ping, pingNotes, signals } from '../../../src/domain/check/ping.ts';
import { type Delivery, deliveryStates } from '../../../src/domain/deliveries/delivery.ts';
import { notificationKinds, notificationOutcomes } from '../../../src/domain/deliveries/sent-notification.ts';
import { runEndingOutcomes } from '../../../src/domain/runs/run-ending.ts';
import {
  asAuditId,
  asBadgeId,
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
  type CheckId,
} from '../../../src/lib/ids.ts';
import { NEVER } from '../../../src/lib/units.ts';
import { deliveryEndings, type JournalRecord } from '../../../src/store/store.ts';
import { alerting, anyIncident, hold, snooze } from './alerting-arbitraries.ts';
import { change, instant, text, uuid } from './basic-arbitraries.ts';
import { anyConfig } from './check-fields.ts';
import { anyEventFeed, anyMaintenance, anyStatusPage } from './configuration-arbitraries.ts';

const count = fc.oneof(fc.nat(1000), fc.nat(2 ** 48 - 1));

const state: fc.Arbitrary<CheckState> = fc.record({
  status: fc.constantFrom(...statuses),
  nPings: count,
  lastPingMs: fc.option(instant),
  startedMs: fc.option(instant),
  startRid: fc.option(uuid.map(asRunId)),
  lastDurationMs: fc.option(instant),
  isWarned: fc.boolean(),
  graceNotBeforeMs: fc.oneof(fc.constant(0), instant),
  downNotBeforeMs: fc.oneof(fc.constant(0), instant),
  expectedAtMs: fc.constant(NEVER),
  downAtMs: fc.constant(NEVER),
});

const config: fc.Arbitrary<CheckConfig> = anyConfig({ text, uuid });

/** Of the types that the defaults have: a new setting is tested without being named here. */
const channelSettings = fc
  .record(
    Object.fromEntries(Object.entries(defaultChannelSettings).map(([name, like]) => [name, anyLike(like)])),
  )
  .map((settings): ChannelSettings => Object.assign({}, defaultChannelSettings, settings));

function anyLike(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === 'boolean') return fc.boolean();
  return typeof value === 'number' ? fc.nat() : text;
}

const acknowledgement = fc.record({ atMs: instant, by: text });

export const anyStoredCheck: fc.Arbitrary<Check> = fc.record(
  {
    id: uuid.map(asCheckId),
    projectId: uuid.map(asProjectId),
    badgeId: uuid.map(asBadgeId),
    createdAtMs: instant,
    config,
    state,
    acknowledgement,
    snooze,
    hold,
    alerting,
  },
  { requiredKeys: ['id', 'projectId', 'badgeId', 'createdAtMs', 'config', 'state'] },
);

const delivery: fc.Arbitrary<Delivery> = fc.record({
  id: uuid.map(asDeliveryId),
  checkId: uuid.map(asCheckId),
  channelId: uuid.map(asChannelId),
  change,
  state: fc.constantFrom(...deliveryStates),
  notBeforeMs: instant,
  attempts: fc.nat(1_000_000),
  sinceMs: instant,
  error: text,
  endedMs: instant,
  reminder: fc.constantFrom(true, undefined),
  incident: fc.option(uuid.map(asIncidentId), { nil: undefined }),
  quiet: fc.constantFrom(true, undefined),
});

/** As a status change creates it: nothing has been tried. */
const newDelivery = fc
  .record({ id: uuid.map(asDeliveryId), channelId: uuid.map(asChannelId), change, notBeforeMs: instant })
  .map((facts) => {
    const fresh = { state: 'waiting', attempts: 0, error: '', endedMs: 0 } as const;
    return { ...facts, ...fresh, sinceMs: facts.change.atMs };
  });

/** Changes and their deliveries: none where there are no changes. */
const changesAndDeliveries = (id: CheckId) =>
  fc
    .record({
      changes: fc.array(change, { maxLength: 5 }),
      deliveries: fc.array(
        newDelivery.map((delivery) => ({ ...delivery, checkId: id })),
        { maxLength: 4 },
      ),
    })
    .map(({ changes, deliveries }) => ({ changes, deliveries: changes.length === 0 ? [] : deliveries }));

const result = fc.record({ name: text, value: fc.double({ noNaN: true }) });

const ping: fc.Arbitrary<Ping> = fc
  .record({
    n: count,
    atMs: instant,
    signal: fc.constantFrom(...signals),
    scheme: fc.constantFrom('http', 'https', 'email'),
    remoteAddr: text,
    method: fc.oneof(fc.constantFrom('', 'GET', 'POST', 'HEAD'), text),
    ua: text,
    byHand: fc.boolean(),
    rid: fc.option(uuid.map(asRunId)),
    exitStatus: fc.option(fc.nat(255)),
    host: fc.constantFrom('', 'db-1'),
    note: fc.option(fc.constantFrom(...pingNotes)),
    figures: fc.array(fc.double({ noNaN: true }), { maxLength: 2 }),
    about: text,
    results: fc.array(result, { maxLength: 3 }),
    bodyBytes: fc.constant(0),
  })
  .map((one) => (one.note === 'result' ? one : { ...one, about: '' }));

const pingRecord: fc.Arbitrary<JournalRecord> = fc
  .record({ check: anyStoredCheck, ping, body: fc.uint8Array({ maxLength: 300 }) })
  .chain((facts) => changesAndDeliveries(facts.check.id).map((effects) => ({ ...facts, ...effects })))
  .map(({ ping: it, ...rest }) => ({ type: 'ping', ...rest, ping: { ...it, bodyBytes: rest.body.length } }));

function stepRecord<Type extends 'state' | 'check'>(type: Type) {
  return anyStoredCheck.chain((after) =>
    changesAndDeliveries(after.id).map((effects) => ({ type, check: after, ...effects })),
  );
}

const adminKey = fc.record({
  id: text.map(asKeyId),
  name: text,
  hash: text,
  shell: fc.boolean(),
  createdAtMs: instant,
});

export const anyRecord: fc.Arbitrary<JournalRecord> = fc.oneof(
  { arbitrary: pingRecord, weight: 5 },
  stepRecord('state'),
  stepRecord('check'),
  fc.record({ type: fc.constant('delivery' as const), delivery }),
  fc.record({
    type: fc.constant('notification' as const),
    checkId: uuid.map(asCheckId),
    notification: fc.record({
      deliveryId: uuid.map(asDeliveryId),
      atMs: instant,
      kind: fc.constantFrom(...notificationKinds),
      changedAtMs: instant,
      channelId: uuid.map(asChannelId),
      channelName: text,
      channelKind: fc.constantFrom('', ...channelKinds),
      outcome: fc.constantFrom(...notificationOutcomes),
      attempts: fc.nat(1_000_000),
      error: text,
    }),
  }),
  fc.record({
    type: fc.constant('run-ending' as const),
    checkId: uuid.map(asCheckId),
    ending: fc.record({
      atMs: instant,
      outcome: fc.constantFrom(...runEndingOutcomes),
      rid: fc.option(uuid.map(asRunId)),
      startedMs: fc.option(instant),
      host: fc.constantFrom('', 'db-1'),
      limitS: fc.nat(1_000_000),
    }),
  }),
  fc.record({
    type: fc.constant('delivery-ended' as const),
    id: uuid.map(asDeliveryId),
    ending: fc.constantFrom(...deliveryEndings),
  }),
  fc.record({ type: fc.constant('check-deleted' as const), id: uuid.map(asCheckId) }),
  fc.record({
    type: fc.constant('put' as const),
    kind: fc.constant('installation' as const),
    fact: fc.record(
      { badgeSecret: text, createdAtMs: instant, importedSecret: text, adminKeys: fc.array(adminKey) },
      { requiredKeys: ['badgeSecret', 'createdAtMs'] },
    ),
  }),
  fc.record({
    type: fc.constant('put' as const),
    kind: fc.constant('project' as const),
    fact: fc.record({
      id: uuid.map(asProjectId),
      name: text,
      plan: fc.constantFrom(...plans),
      badgeKey: text,
      createdAtMs: instant,
    }),
  }),
  fc.record({
    type: fc.constant('put' as const),
    kind: fc.constant('key' as const),
    fact: fc.record(
      {
        id: text.map(asKeyId),
        projectId: uuid.map(asProjectId),
        scope: fc.constantFrom(...keyScopes),
        hash: text,
        clear: fc.option(text),
        name: text,
        createdAtMs: instant,
      },
      { requiredKeys: ['id', 'projectId', 'scope', 'hash', 'clear', 'createdAtMs'] },
    ),
  }),
  fc.record({
    type: fc.constant('removed' as const),
    kind: fc.constant('project' as const),
    id: uuid.map(asProjectId),
  }),
  fc.record({
    type: fc.constant('removed' as const),
    kind: fc.constant('key' as const),
    id: text.map(asKeyId),
  }),
  fc.record({
    type: fc.constant('put' as const),
    kind: fc.constant('channel' as const),
    fact: fc.record(
      {
        id: uuid.map(asChannelId),
        projectId: uuid.map(asProjectId),
        kind: fc.constantFrom(...channelKinds),
        name: text,
        value: text,
        createdAtMs: instant,
        settings: channelSettings,
      },
      { requiredKeys: ['id', 'projectId', 'kind', 'name', 'value', 'createdAtMs'] },
    ),
  }),
  fc.record({
    type: fc.constant('removed' as const),
    kind: fc.constant('channel' as const),
    id: uuid.map(asChannelId),
  }),
  fc.record({
    type: fc.constant('put' as const),
    kind: fc.constant('user' as const),
    fact: fc.record(
      {
        id: uuid.map(asUserId),
        name: text,
        role: fc.constantFrom(...memberRoles),
        projects: fc.array(
          fc.record({ projectId: uuid.map(asProjectId), role: fc.constantFrom(...memberRoles) }),
          { maxLength: 2 },
        ),
        passwordHash: text,
        createdAtMs: instant,
        sessions: fc.array(
          fc.record({
            id: text,
            startedAtMs: instant,
            usedAtMs: instant,
            untilMs: instant,
            address: text,
            userAgent: text,
          }),
          { maxLength: 2 },
        ),
        sessionsFromMs: instant,
        reports: fc.record({
          frequency: fc.constantFrom(...reportFrequencies),
          address: text,
          isConfirmed: fc.boolean(),
          reportedUntilMs: instant,
          lastError: text,
        }),
        preferences: fc.record({
          timeZone: text,
          clock: fc.constantFrom(...preferenceFields.clock.choices.map(([value]) => value)),
          theme: fc.constantFrom(...preferenceFields.theme.choices.map(([value]) => value)),
        }),
        oidc: fc.record({ issuer: text, subject: text }),
        totp: fc.record({ secret: text, lastStep: fc.nat(), recovery: fc.array(text, { maxLength: 2 }) }),
        passkeys: fc.array(
          fc.record({
            ...{ id: text, name: text, credentialId: text, publicKey: text, counter: fc.nat() },
            ...{ createdAtMs: instant, usedAtMs: fc.option(instant) },
          }),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: ['id', 'name', 'role', 'passwordHash', 'createdAtMs'] },
    ),
  }),
  fc.record({
    type: fc.constant('removed' as const),
    kind: fc.constant('user' as const),
    id: uuid.map(asUserId),
  }),
  fc.record({
    type: fc.constant('put' as const),
    kind: fc.constant('ended-session' as const),
    fact: fc.record({ userId: uuid.map(asUserId), id: text, untilMs: instant, endedAtMs: instant }),
  }),
  fc.record({
    type: fc.constant('put' as const),
    kind: fc.constant('status-page' as const),
    fact: anyStatusPage,
  }),
  fc.record({
    type: fc.constant('removed' as const),
    kind: fc.constant('status-page' as const),
    id: uuid.map(asStatusPageId),
  }),
  fc.record({
    type: fc.constant('put' as const),
    kind: fc.constant('event-feed' as const),
    fact: anyEventFeed,
  }),
  fc.record({
    type: fc.constant('removed' as const),
    kind: fc.constant('event-feed' as const),
    id: uuid.map(asChannelId),
  }),
  fc.record({
    type: fc.constant('put' as const),
    kind: fc.constant('incident' as const),
    fact: anyIncident,
  }),
  fc.record({
    type: fc.constant('removed' as const),
    kind: fc.constant('incident' as const),
    id: uuid.map(asIncidentId),
  }),
  fc.record({
    type: fc.constant('put' as const),
    kind: fc.constant('maintenance' as const),
    fact: anyMaintenance,
  }),
  fc.record({
    type: fc.constant('removed' as const),
    kind: fc.constant('maintenance' as const),
    id: uuid.map(asMaintenanceId),
  }),
  fc.record({
    type: fc.constant('audit' as const),
    entry: fc.record({
      id: uuid.map(asAuditId),
      atMs: instant,
      actor: fc.record({ kind: fc.constantFrom(...actorKinds), id: text, name: text, address: text }),
      action: fc.constantFrom(...auditActions),
      subject: fc.constantFrom(...auditSubjects),
      subjectId: text,
      name: text,
      projectId: text,
      projectName: text,
      fields: fc.array(text, { maxLength: 3 }),
      changes: fc.option(
        fc.array(fc.record({ field: text, before: text, after: text }), { minLength: 1, maxLength: 3 }),
        { nil: undefined },
      ),
      detail: text,
    }),
  }),
  fc.record({ type: fc.constant('alive' as const), atMs: instant }),
  fc.record({ type: fc.constant('asked' as const), client: fc.nat(2 ** 32 - 1), number: fc.nat() }),
);
