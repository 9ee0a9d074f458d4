// A store in a process of its own, to be killed: pings its checks as fast as it can and prints every ping that is durable.
// node child-pinger.js <dist url> <data dir> <checks as JSON: [{id, n}]> [lmdb|file] [rules of retention]
// With rules, pings are a minute apart, every seventh failed, and now and then Knell says that it is alive.
import { writeSync } from 'node:fs';

const [, , dist, dataDir, json] = process.argv;
const { openStore } = await import(new URL('store/open/open-store.js', dist).href);
const { silentLogger } = await import(new URL('lib/logger.js', dist).href);
const { createMeter } = await import(new URL('lib/meter.js', dist).href);
const { defaultConfig, freshState } = await import(new URL('domain/check/check.js', dist).href);

const retention = process.argv[6] ?? '';
const store = await openStore({
  dataDir,
  journal: process.argv[5] ?? 'lmdb',
  durability: 'fsync',
  bodyBudgetBytes: 1_000_000,
  // With rules more folds: after each, those of one partition are applied.
  limits:
    retention === ''
      ? { foldDelayMs: 3, foldBytesMin: 20_000, foldBytesMax: 30_000 }
      : { foldDelayMs: 1, foldBytesMin: 2_000, foldBytesMax: 3_000 },
  onBroken: (error) => {
    console.error(error);
    process.exit(3);
  },
  logger: silentLogger,
  meter: createMeter(),
  nowMs: () => Date.now(),
});

const apartMs = retention === '' ? 1 : 60_000;
const checks = JSON.parse(json).map(({ id, n }) => ({
  id,
  projectId: id,
  badgeId: id,
  createdAtMs: 1,
  config: { ...defaultConfig, retention },
  state: { ...freshState, nPings: n },
}));

/** A full pipe swallows the line: then the parent expects less than it could. */
function report(line) {
  try {
    writeSync(1, line);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
  }
}

/** Several of each check in flight, so that a kill meets half-written batches. */
function ping(index) {
  const check = checks[index];
  const n = check.state.nPings + 1;
  checks[index] = { ...check, state: { ...check.state, nPings: n, status: 'up', lastPingMs: n } };
  const body = Buffer.from(n % 5 === 0 ? `body ${n}` : '');
  const signal = retention !== '' && n % 7 === 0 ? 'fail' : 'success';
  if (retention !== '' && n % 20 === 0) store.append({ type: 'alive', atMs: n * apartMs }, null);
  const facts = { signal, scheme: 'http', remoteAddr: '', method: 'GET', ua: 'child', rid: null };
  store.append(
    {
      type: 'ping',
      check: checks[index],
      ping: {
        n,
        atMs: n * apartMs,
        ...facts,
        exitStatus: null,
        host: '',
        note: null,
        figures: [],
        about: '',
        results: [],
        bodyBytes: body.length,
      },
      body,
      changes: [],
    },
    {
      durable: () => {
        report(`${index} ${n}\n`);
        ping(index);
      },
      rolledBack: () => process.exit(4),
    },
  );
}

store.load(new Proxy({}, { get: () => () => {} }));
for (const check of checks) {
  if (check.state.nPings === 0) store.append({ type: 'check', check, changes: [] }, null);
}
for (const index of checks.keys()) {
  for (let depth = 0; depth < 3; depth++) ping(index);
}
