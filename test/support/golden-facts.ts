/**
 * What the golden snapshots hold: the facts, and how they were put in. A golden file is never written again; a new
 * format gets a new one.
 */
import { type Check, defaultConfig, freshState } from '../../src/domain/check.ts';
import type { Channel, Installation, Project } from '../../src/domain/project.ts';
import { asChannelId, asKeyId, asRunId } from '../../src/lib/ids.ts';
import type { JournalRecord } from '../../src/store/store.ts';
import { checkOf, deliveryOf, pingOf, projectOf, uuidOf } from './store-facts.ts';

const atMs = Date.UTC(2024, 5, 14, 12);

export const goldenInstallation: Installation = { badgeSecret: 'ab'.repeat(32), createdAtMs: atMs };
export const goldenProjects: readonly Project[] = [
  projectOf(1),
  projectOf(2, { plan: 'free', name: 'Zwei' }),
];

export const goldenChannel: Channel = {
  id: asChannelId(uuidOf(0xcc, 1)),
  projectId: projectOf(1).id,
  kind: 'email',
  name: 'Wärter',
  value: 'ops@example.org',
  createdAtMs: atMs,
};

const quiet = checkOf(1, { config: { ...defaultConfig, name: 'quiet', tags: 'a b' } });
export const goldenBusy: Check = checkOf(2, {
  config: {
    ...defaultConfig,
    name: 'Büsy',
    slug: 'busy',
    kind: 'cron',
    schedule: '*/5 * * * *',
    tz: 'Europe/Riga',
    channels: [goldenChannel.id],
    manualResume: true,
    filterBody: true,
    failureKw: 'ERROR',
  },
});
/** As the last record leaves it. */
export const goldenState = {
  ...freshState,
  status: 'down' as const,
  nPings: 3,
  lastPingMs: atMs + 2000,
  startedMs: atMs + 3000,
  startRid: asRunId(uuidOf(7, 7)),
  lastDurationMs: 1500,
};

/** Everything of format 1, in order. */
export const goldenRecords1: readonly JournalRecord[] = [
  { type: 'installation', installation: goldenInstallation },
  ...goldenProjects.map((project): JournalRecord => ({ type: 'project', project })),
  {
    type: 'key',
    key: {
      id: asKeyId('key-1'),
      projectId: projectOf(1).id,
      scope: 'ping',
      hash: 'cd'.repeat(32),
      clear: 'pingkey',
      createdAtMs: atMs,
    },
  },
  { type: 'channel', channel: goldenChannel },
  { type: 'check', check: quiet, changes: [] },
  { type: 'check', check: goldenBusy, changes: [] },
  pingOf(goldenBusy, 1, { atMs, body: 'first' }),
  pingOf(goldenBusy, 2, { atMs: atMs + 2000, signal: 'fail', exitStatus: 3, ua: 'Ünïcode' }),
  pingOf(goldenBusy, 3, {
    atMs: atMs + 3000,
    signal: 'start',
    rid: asRunId(uuidOf(7, 7)),
    body: 'third',
    changes: [{ atMs: atMs + 2500, from: 'up', to: 'down', cause: 'timeout' }],
  }),
  { type: 'state', check: { ...goldenBusy, state: goldenState }, changes: [] },
  { type: 'alive', atMs: atMs + 4000 },
];

export const goldenLoud: Channel = {
  ...goldenChannel,
  id: asChannelId(uuidOf(0xcc, 2)),
  kind: 'webhook',
  value: '{"url_down":"https://example.org/$CODE"}',
  settings: { delayS: 60, repeatS: 3600, late: true, disabled: false, lastError: 'status 500' },
};
const change = { atMs: atMs + 2500, from: 'up', to: 'down', cause: 'timeout' } as const;
export const goldenDeliveries = [
  deliveryOf(1, { change, sinceMs: change.atMs, channelId: goldenLoud.id, notBeforeMs: atMs + 62_500 }),
  deliveryOf(2, { change, state: 'dead', attempts: 3, endedMs: atMs + 9000, error: 'status 410' }),
];

/** What format 2 adds. */
export const goldenRecords2: readonly JournalRecord[] = [
  ...goldenRecords1,
  { type: 'channel', channel: goldenLoud },
  ...goldenDeliveries.map((delivery): JournalRecord => ({ type: 'delivery', delivery })),
];
