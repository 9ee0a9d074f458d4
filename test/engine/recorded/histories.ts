/**
 * Random histories of checks without any setting of runs: the real engine over a simulated store and clock, and a digest of all
 * that an owner sees of them: answers of the API, status changes, deliveries. The recorded digests (`digests.json`) were made
 * before there were runs: what is not set changes nothing.
 */
import { createHash, type Hash } from 'node:crypto';
import { type CheckConfig, defaultConfig } from '../../../src/domain/check/check.ts';
import type { Engine, PingRequest } from '../../../src/engine/contract/engine.ts';
import { checkRenderer } from '../../../src/http/api/check-json.ts';
import { asRunId, type CheckId } from '../../../src/lib/ids.ts';
import { day, hour, minute, second } from '../../../src/lib/units.ts';
import { Random, simulatedIds } from '../../simulation/random.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { startEngine } from '../../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { words } from '../../support/words.ts';

/** Histories of one digest: so many checks that live side by side. */
export const historiesPerDigest = 100;
const steps = 12;

const startMs = Date.UTC(2026, 2, 28, 12);
const rids = [null, 'a', 'b'].map((letter) =>
  letter === null ? null : asRunId(`0000000${letter}-0000-4000-8000-000000000000`),
);

/** The settings of runs and of alerting as a reply has them while none is set: all that may be there besides. */
const unset =
  ',"max_runtime":0,"min_runtime":0,"start_grace":0,"unusual_runtime":"off","unusual_factor":6,' +
  '"overlap":"allow","exit_codes":"","hosts":"","expected_runs":0,"early_tolerance":0,' +
  '"alert_after":1,"alert_of_last":0,"recover_after":1,"unstable_changes":0,"unstable_window":1800,' +
  '"depends_on":"","hold":0';

export async function digestOfHistories(seed: number): Promise<string> {
  const random = new Random(seed);
  const clock = new SimulatedClock(startMs);
  const store = await openSimulatedStore({
    machine: new SimulatedMachine(),
    scheduler: clock,
    nowMs: () => clock.nowMs(),
  });
  const engine = await startEngine({ store, clock, ids: simulatedIds(new Random(seed + 1_000_000)) });
  const digest = createHash('sha256');
  engine.events.deliveriesDurable.subscribe((deliveries) => {
    for (const { id, checkId, change, notBeforeMs } of deliveries)
      digest.update(JSON.stringify([id, checkId, change, notBeforeMs]));
  });
  const { project } = await engine.change.createProject('p', 'paid', startMs);
  const value = 'ops@example.org';
  const channel = await engine.change.createChannel(project.id, { kind: 'email', name: 'o', value }, startMs);
  const checks: CheckId[] = [];
  for (let n = 0; n < historiesPerDigest; n++) {
    const config = { ...anyConfig(random), name: `check ${n}`, channels: [channel.id] };
    checks.push((await engine.change.createCheck(project.id, config, startMs)).id);
  }
  for (let step = 0; step < steps; step++) {
    await clock.advance(random.pick([second, minute, 20 * minute, hour, 7 * hour, day]) * random.next());
    for (const id of checks) await takeStep(engine, random, id, clock.nowMs());
    for (const id of checks) see(engine, digest, id, clock.nowMs());
  }
  for (const id of checks) digest.update(JSON.stringify(store.changes(id, { fromMs: 0, untilMs: 9e15 })));
  await engine.stop();
  await store.close();
  return digest.digest('base64url');
}

function anyConfig(random: Random): CheckConfig {
  const kind = random.pick(['simple', 'cron', 'oncalendar'] as const);
  const expressions =
    kind === 'oncalendar' ? ['daily', '*:0/10'] : ['*/5 * * * *', '30 2 * * *', '0 0 * * MON'];
  return {
    ...defaultConfig,
    kind,
    timeoutS: random.pick([60, 600, 3600, 86_400]),
    graceS: random.pick([60, 300, 3600]),
    schedule: random.pick(expressions),
    tz: random.pick(['UTC', 'Europe/Berlin', 'America/New_York']),
    manualResume: random.chance(0.1),
    methods: random.chance(0.1) ? 'POST' : '',
    filterHttpBody: random.chance(0.1),
    filterDefaultFail: random.chance(0.5),
    successKw: 'done',
    failureKw: 'error',
  };
}

async function takeStep(engine: Engine, random: Random, id: CheckId, nowMs: number): Promise<void> {
  const { change } = engine;
  const choice = random.next();
  if (choice < 0.2) return;
  if (choice < 0.25) await change.pauseCheck(id, nowMs);
  else if (choice < 0.28) await change.resumeCheck(id, nowMs).catch(() => {});
  else if (choice < 0.33) {
    const { name, channels } = engine.read.check(id, nowMs)?.config ?? defaultConfig;
    await change.updateCheck(id, { ...anyConfig(random), name, channels }, nowMs);
  } else await ping(engine, random, id, nowMs);
}

function ping(engine: Engine, random: Random, id: CheckId, nowMs: number): Promise<unknown> {
  const body = new TextEncoder().encode(random.pick(['', 'done', 'an error', 'nothing']));
  const request = {
    target: { by: 'uuid', uuid: words(id) },
    error: null,
    action: random.pick(['success', 'success', 'success', 'start', 'start', 'fail', 'log'] as const),
    exitStatus: random.chance(0.2) ? random.pick([0, 1, 24]) : null,
    rid: random.pick(rids),
    host: '',
    results: [],
    scheme: 'https',
    method: random.pick(['GET', 'POST']),
    remoteAddr: '192.0.2.1',
    ua: 'curl',
    body,
    searchable: { via: 'http', body },
    receivedAtMs: nowMs,
  } satisfies PingRequest;
  return new Promise((resolve) => engine.acceptPing(request, resolve, null));
}

function see(engine: Engine, digest: Hash, id: CheckId, nowMs: number): void {
  const check = engine.read.check(id, nowMs);
  if (check === null) throw new Error('a check is gone');
  for (const version of [1, 2, 3] as const) {
    const view = { baseUrl: 'http://localhost', version, readOnly: version === 2, nowMs };
    digest.update(checkRenderer(view)(check).replace(unset, ''));
  }
}
