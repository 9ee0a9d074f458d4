/**
 * The facts of the golden snapshot: one of every kind of record, every status, signal, cause, plan, scope and schedule kind.
 * Fixed: a later format gets a golden file of its own with the same facts.
 */

import { actorKinds, auditActions, auditSubjects } from '../../../src/domain/accounts/audit.ts';
import { defaultChannelSettings, firstKeyScopes } from '../../../src/domain/accounts/project.ts';
import { roles } from '../../../src/domain/accounts/user.ts';
import {
  type Check,
  type CheckConfig,
  type CheckState,
  defaultConfig,
  freshState,
} from '../../../src/domain/check/check.ts';
import { causes, type StatusChange } from '../../../src/domain/check/flip.ts';
import { deliveryStates } from '../../../src/domain/deliveries/delivery.ts';
import { runEndingOutcomes } from '../../../src/domain/runs/run-ending.ts';
import { asAuditId, asChannelId, asKeyId, asRunId, asUserId, type CheckId } from '../../../src/lib/ids.ts';
import { hour } from '../../../src/lib/units.ts';
import type { JournalRecord, Store } from '../../../src/store/store.ts';
import { goldenFeed, heldRecords } from './golden-alerting.ts';
import { type Counted, shownStatistics } from './statistics-model.ts';
import {
  checkOf,
  deliveryOf,
  incidentOf,
  maintenanceOf,
  notificationOf,
  pingOf,
  projectOf,
  statusPageOf,
  uuidOf,
} from './store-facts.ts';

const bornMs = Date.UTC(2024, 0, 2, 3, 4, 5);

const channels = [asChannelId(uuidOf(0xe0, 1)), asChannelId(uuidOf(0xe0, 2))];
const run = asRunId(uuidOf(0xf0, 1));

function golden(number: number, config: Partial<CheckConfig>, state: Partial<CheckState>): Check {
  return checkOf(number, {
    createdAtMs: bornMs + number / 8,
    config: { ...defaultConfig, name: `golden ${number}`, ...config },
    state: { ...freshState, ...state },
  });
}

const fresh = golden(1, {}, {});
const simple = golden(
  2,
  { slug: 'nightly', tags: 'prod db', desc: 'Zeile 1\nZeile 2 – „süß“ 🛎', channels },
  {},
);
const cron = golden(
  3,
  {
    kind: 'cron',
    schedule: '0 5 * * 1-5',
    tz: 'Europe/Riga',
    graceS: 60,
    manualResume: true,
    methods: 'POST',
  },
  { status: 'grace', nPings: 1, lastPingMs: bornMs + 1000, graceNotBeforeMs: 250.5, downNotBeforeMs: 1000 },
);
const oncalendar = golden(
  4,
  {
    kind: 'oncalendar',
    schedule: 'Mon..Fri 05:00',
    tz: 'America/St_Johns',
    startKw: 'begin',
    successKw: 'ok,done',
    failureKw: 'error',
    filterSubject: true,
    filterBody: true,
    filterHttpBody: true,
    filterDefaultFail: true,
  },
  {
    status: 'down',
    nPings: 2,
    lastPingMs: bornMs + 2000,
    startedMs: bornMs + 3000,
    startRid: run,
    lastDurationMs: 1500,
  },
);
const paused = golden(5, { timeoutS: 31_536_000, graceS: 31_536_000 }, { status: 'paused', nPings: 3 });

function changeOf(index: number, to: Check['state']['status']): StatusChange {
  const cause = causes[index] ?? 'fail';
  return { atMs: bornMs + index * 60_000, from: index % 2 ? 'up' : 'down', to, cause };
}

/** Six pings of the simple check: every signal, every field, bodies of text and of any bytes. */
const pings: readonly JournalRecord[] = [
  ...(['success', 'start', 'fail', 'log', 'ign'] as const).map((signal, index) =>
    pingOf(simple, index + 1, {
      atMs: bornMs + index * 1000 + 0.25,
      signal,
      scheme: index % 2 ? 'https' : 'http',
      exitStatus: signal === 'fail' ? 255 : null,
      rid: signal === 'start' ? run : null,
      method: index % 2 ? 'POST' : 'GET',
      body: signal === 'log' ? Uint8Array.from({ length: 256 }, (_, byte) => byte) : '',
    }),
  ),
  pingOf(simple, 6, {
    atMs: bornMs + 6000,
    scheme: 'email',
    method: '',
    ua: 'Größe 🛎',
    remoteAddr: '2001:db8::1',
    body: 'Subject: backup\n\nfertig ✓',
  }),
];

const changes: readonly StatusChange[] = causes
  .slice(0, 7)
  .map((_, index) => changeOf(index, index % 2 ? 'grace' : 'up'));

export const goldenNowMs = Date.UTC(2024, 1, 1);

/** The installation, projects, keys, integrations, and checks with their pings and changes. */
const basics: readonly JournalRecord[] = [
  {
    type: 'put',
    kind: 'installation',
    fact: { badgeSecret: '0123456789abcdef'.repeat(4), createdAtMs: bornMs },
  },
  { type: 'put', kind: 'project', fact: projectOf(1, { name: 'Größe', createdAtMs: bornMs }) },
  { type: 'put', kind: 'project', fact: projectOf(2, { plan: 'free' }) },
  ...firstKeyScopes.map((scope, index): JournalRecord => {
    const clear = scope === 'ping' ? 'pingkeypingkeypingkey1' : null;
    const id = asKeyId(`key-${index}`);
    return {
      type: 'put',
      kind: 'key',
      fact: { id, projectId: projectOf(1).id, scope, hash: 'ab'.repeat(32), clear, createdAtMs: bornMs },
    };
  }),
  ...channels.map((id, index): JournalRecord => {
    const kind = index === 0 ? 'webhook' : 'email';
    const value = '{"url_down":"https://example.org/$CODE"}';
    return {
      type: 'put',
      kind: 'channel',
      fact: { id, projectId: projectOf(1).id, kind, name: 'ops', value, createdAtMs: bornMs },
    };
  }),
  ...[fresh, simple, cron, oncalendar, paused].map(
    (check): JournalRecord => ({ type: 'check', check, changes: [] }),
  ),
  ...pings,
  { type: 'state', check: oncalendar, changes },
  { type: 'alive', atMs: goldenNowMs },
];

/** An integration's settings, deliveries in every state. */
const deliveries: readonly JournalRecord[] = [
  {
    type: 'put',
    kind: 'channel',
    fact: {
      id: asChannelId(uuidOf(0xe0, 3)),
      projectId: projectOf(1).id,
      kind: 'alertmanager',
      name: 'löud',
      value: 'https://alerts.example.org',
      createdAtMs: bornMs,
      settings: {
        ...defaultChannelSettings,
        delayS: 60,
        repeatS: 3600,
        late: true,
        disabled: true,
        lastError: 'Zustand 500',
      },
    },
  },
  ...deliveryStates.map((state, index): JournalRecord => {
    const change = changeOf(3, 'down');
    const isOver = state !== 'waiting';
    return {
      type: 'delivery',
      delivery: deliveryOf(index + 1, {
        checkId: simple.id,
        channelId: asChannelId(uuidOf(0xe0, 3)),
        change,
        state,
        sinceMs: change.atMs,
        notBeforeMs: bornMs + 250_000.5,
        attempts: index,
        endedMs: isOver ? bornMs + 300_000 : 0,
        error: isOver ? 'Grund' : '',
      }),
    };
  }),
];

/** Users of every role, one of whom has no password yet. */
const users: readonly JournalRecord[] = roles.map((role, index) => ({
  type: 'put',
  kind: 'user',
  fact: {
    id: asUserId(uuidOf(0xd0, index + 1)),
    name: `${role} Žižka`,
    role,
    passwordHash: role === 'viewer' ? '' : `scrypt$16384$8$1$${'c2FsdA'.repeat(2)}$${'aGFzaA'.repeat(4)}`,
    createdAtMs: bornMs + index,
  },
}));

const endedAtMs = goldenNowMs - 5 * 60_000;

/** Sessions that users signed out of. */
const signOuts: readonly JournalRecord[] = [
  ...[2, 1, 1].map((user, index): JournalRecord => {
    const untilMs = goldenNowMs + 86_400_000 * (3 - index) + 0.5;
    const session = { userId: asUserId(uuidOf(0xd0, user)), id: `nonce-${index}_-`, untilMs, endedAtMs };
    return { type: 'put', kind: 'ended-session', fact: session };
  }),
];

/** An integration with a time zone, and notifications sent. */
const notifications: readonly JournalRecord[] = [
  {
    type: 'put',
    kind: 'channel',
    fact: {
      id: asChannelId(uuidOf(0xe0, 4)),
      projectId: projectOf(1).id,
      kind: 'webhook',
      name: '',
      value: '{"url_down":"https://example.org"}',
      createdAtMs: bornMs,
      settings: { ...defaultChannelSettings, timeZone: 'Europe/Riga' },
    },
  },
  ...(['delivered', 'failed', 'superseded'] as const).flatMap((outcome, index) =>
    (['down', 'up', 'late'] as const).map((kind, place): JournalRecord => {
      const isDelivered = outcome === 'delivered';
      const notification = notificationOf(10 * index + place, {
        kind,
        outcome,
        atMs: bornMs + 400_000.5 + 10 * index + place,
        changedAtMs: bornMs + 250_000,
        channelId: asChannelId(uuidOf(0xe0, 3)),
        channelName: place === 0 ? '' : 'löud',
        channelKind: place === 0 ? '' : 'alertmanager',
        attempts: index,
        error: isDelivered ? '' : 'Zustand 500',
      });
      return { type: 'notification', checkId: simple.id, notification };
    }),
  ),
];

function statisticsRecords(check: Check): readonly JournalRecord[] {
  const [day, minute] = [86_400_000, 60_000];
  const steps = [
    { ago: 4 * day, signal: 'success', durationMs: null, from: 'new', to: 'up' },
    { ago: day, signal: 'success', durationMs: null, from: 'grace', to: 'up' },
    { ago: 90 * minute, signal: 'fail', durationMs: 61_000, from: 'up', to: 'down' },
    { ago: 20 * minute, signal: 'success', durationMs: 59_000, from: 'down', to: 'up' },
    { ago: minute, signal: 'success', durationMs: 60_000, from: 'up', to: 'up' },
  ] as const;
  const pings = steps.map(({ ago, signal, durationMs, from, to }, index): JournalRecord => {
    const atMs = goldenNowMs - ago;
    const changes = from === to ? [] : [{ atMs, from, to, cause: signal }];
    const record = pingOf(check, index + 1, { atMs, signal, changes });
    const state = { ...record.check.state, status: to, lastDurationMs: durationMs };
    return { ...record, check: { ...record.check, state } };
  });
  return [{ type: 'check', check, changes: [] }, ...pings];
}

/** Everything that a snapshot held before the first release. The last: a check that ran, was late, failed, and was up for longer than hours are kept for. */
const preRelease: readonly JournalRecord[] = [
  ...basics,
  ...deliveries,
  ...users,
  ...signOuts,
  ...notifications,
  ...statisticsRecords(checkOf(66, { createdAtMs: bornMs + 66 })),
];

/** A check that tracks its runs: two in flight, hosts, ends that came early, and runs that no ping ended. */
const tracked = checkOf(90, {
  createdAtMs: bornMs + 90,
  config: {
    ...defaultConfig,
    name: 'runs',
    maxRuntimeS: 1800,
    hosts: 'db-1 db-2',
    exitCodes: '24=warning',
    results: 'files: below 1',
  },
  state: { ...freshState, status: 'up', nPings: 1, lastPingMs: bornMs + 8, isWarned: true },
  runs: {
    open: [
      { rid: null, startedMs: bornMs + 1, aliveMs: 0, notBeforeMs: 0, host: '' },
      {
        rid: asRunId(uuidOf(0x71, 1)),
        ...{ startedMs: bornMs + 2.5, aliveMs: bornMs + 3, notBeforeMs: bornMs + 4, host: 'db-1' },
      },
    ],
    lastStartMs: bornMs + 2.5,
    hosts: [
      { name: 'db-1', status: 'due', fromMs: bornMs, reportedMs: bornMs },
      { name: 'db-2', status: 'missing', fromMs: bornMs, reportedMs: 0 },
    ],
    slotMs: bornMs + 5,
    slotDueMs: bornMs + 6,
    reports: 2,
    durations: [1000, 2000.5],
    earlyEnds: [{ rid: asRunId(uuidOf(0x71, 2)), atMs: bornMs + 7 }],
    results: [{ name: 'files', values: [142, 8.1e9] }],
  },
});

const runs: readonly JournalRecord[] = [
  { type: 'check', check: tracked, changes: [] },
  pingOf(tracked, 1, {
    signal: 'warn',
    host: 'db-1',
    note: 'unusually-long',
    figures: [1000, 1500.5],
    atMs: bornMs + 8,
  }),
  pingOf(tracked, 2, { signal: 'alive', rid: asRunId(uuidOf(0x71, 1)), atMs: bornMs + 9 }),
  pingOf(tracked, 3, {
    ...{ signal: 'fail', note: 'result', figures: [0, 1, 1, 0, 1, 0, 0, 0, 0], about: 'files' },
    results: [
      { name: 'files', value: 0 },
      { name: 'bytes', value: 8.1e9 },
    ],
    atMs: bornMs + 10,
  }),
  ...runEndingOutcomes.map((outcome, index): JournalRecord => {
    const isMissed = outcome === 'missed';
    const ending = {
      ...{ atMs: bornMs + 400_000, outcome, host: isMissed ? 'db-2' : '', limitS: 60 * index },
      rid: isMissed ? null : asRunId(uuidOf(0x71, 3 + index)),
      startedMs: isMissed ? null : bornMs + index,
    };
    return { type: 'run-ending', checkId: tracked.id, ending };
  }),
  {
    type: 'notification',
    checkId: tracked.id,
    notification: notificationOf(90, { kind: 'warning', atMs: bornMs + 400_001 }),
  },
];

/** Everything that format 1 can hold. */
export const goldenRecords: readonly JournalRecord[] = [
  ...preRelease,
  ...runs,
  { type: 'put', kind: 'status-page', fact: statusPageOf(1, { createdAtMs: bornMs }) },
  { type: 'put', kind: 'incident', fact: incidentOf(1) },
  goldenFeed(bornMs),
  ...heldRecords(bornMs),
  { type: 'put', kind: 'maintenance', fact: maintenanceOf(1, { createdAtMs: bornMs }) },
  ...auditSubjects.map((subject, index): JournalRecord => {
    const actor = {
      kind: actorKinds[index % actorKinds.length] ?? 'system',
      id: `${index}`,
      name: 'Žižka',
      address: '::1',
    };
    const action = auditActions[index % auditActions.length] ?? 'created';
    const entry = {
      ...{ id: asAuditId(uuidOf(0xad, index)), atMs: bornMs + index, actor, action, subject },
      ...{ subjectId: simple.id, name: 'golden', projectId: simple.projectId, projectName: 'Größe' },
      ...{ fields: ['name', 'tags'], detail: 'Zeile' },
    };
    return { type: 'audit', entry };
  }),
];

/** By the hour, and all there is before. */
export function goldenStatistics(store: Store, id: CheckId): { readonly statistics: readonly Counted[] } {
  const lastMs = Math.floor(goldenNowMs / hour) * hour;
  const edges = [0, ...Array.from({ length: 26 }, (_, at) => lastMs - (24 - at) * hour)];
  return { statistics: store.statistics(id, edges, goldenNowMs).map(shownStatistics) };
}
