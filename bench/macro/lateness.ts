/**
 * How late a deadline is taken, from its time to the status change on disk, while pings pour in over HTTP. The engine,
 * the store and the HTTP door are the real ones, put together here so that the store can be watched: a read of the API
 * could not tell, since it takes what is due first.
 */
import { join } from 'node:path';
import { limits } from '../../src/config.ts';
import { defaultConfig } from '../../src/domain/check.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createPingRoutes } from '../../src/http/ping-routes.ts';
import { Peers } from '../../src/http/read-request.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { parseCidrList } from '../../src/lib/addresses.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { openLmdbStore } from '../../src/store/lmdb-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { Bench, Context, Found, Size } from '../harness/bench.ts';
import { applyLoad } from '../harness/load.ts';
import { percentile } from '../harness/numbers.ts';
import { pingOnce } from '../harness/seed.ts';

interface Plan {
  /** Checks that come due, evenly over the seconds. */
  readonly due: number;
  /** Checks that are pinged meanwhile, and armed. */
  readonly others: number;
  readonly rate: number;
  readonly seconds: number;
}

const plans: Readonly<Record<Size, Plan>> = {
  smoke: { due: 20, others: 50, rate: 200, seconds: 1 },
  quick: { due: 500, others: 5000, rate: 5000, seconds: 5 },
  normal: { due: 1000, others: 10_000, rate: 5000, seconds: 10 },
  full: { due: 2000, others: 100_000, rate: 5000, seconds: 20 },
};

const periodS = 60;
/** The first deadline comes so long after the load has begun. */
const warmUpMs = 1500;

export const lateness: Bench = {
  name: 'lateness',
  about: 'deadlines that come due while pings pour in',
  run,
};

async function run({ size, dir }: Context): Promise<Found> {
  const plan = plans[size];
  const late: number[] = [];
  const store = watched(
    await openLmdbStore({
      dataDir: join(dir, 'data'),
      durability: 'fsync',
      bodyBudgetBytes: 10_000_000,
      logger: silentLogger,
      nowMs: Date.now,
      onBroken(error) {
        throw error;
      },
    }),
    (ms) => late.push(ms),
  );
  const { engine } = await createEngine({
    store,
    clock: systemClock,
    logger: silentLogger,
    outageCredit: true,
    awakeMax: limits.awakeMax,
    aliveEveryMs: limits.aliveEveryMs,
    ticker: limits.ticker,
    changed: () => {},
    touched: () => {},
    outbox: { delivery() {}, deliveryEnded() {} },
    progress: () => {},
  });
  const paths = await arm(engine, plan);
  const loaded = await pourIn(engine, plan, paths);
  await engine.stop();
  await store.close();
  const figures = [
    { name: 'pings offered meanwhile', value: plan.rate, unit: '/s' },
    { name: 'ping p99 meanwhile', value: loaded.p99Ms, unit: 'ms' },
    { name: 'deadlines taken', value: late.length, unit: '', target: { atLeast: plan.due } },
    { name: 'lateness p50', value: percentile(late, 50), unit: 'ms' },
    { name: 'lateness p99', value: percentile(late, 99), unit: 'ms', target: { atMost: 50 } },
    { name: 'lateness max', value: Math.max(...late), unit: 'ms' },
  ];
  return { figures };
}

/** The store, telling of every timeout how long after its deadline it was on disk. */
function watched(store: Store, tell: (lateMs: number) => void): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'append') {
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      const append: Store['append'] = (record, waiter) => {
        const [change] = record.type === 'state' ? record.changes : [];
        target.append(record, {
          durable() {
            if (change) tell(Date.now() - change.atMs);
            waiter?.durable();
          },
          takenBack: () => waiter?.takenBack(),
        });
      };
      return append;
    },
  });
}

/** Checks that come due in turn, by a ping that is dated a period before, and checks to be pinged; returns their paths. */
async function arm(engine: Engine, plan: Plan): Promise<string[]> {
  const { project } = await engine.change.createProject('bench', 'paid', Date.now());
  const create = async (timeoutS: number): Promise<string> => {
    const outcome = await engine.change.createCheck(project.id, { ...defaultConfig, timeoutS }, Date.now());
    if (outcome.kind !== 'ok') throw new Error(outcome.kind);
    return outcome.check.id;
  };
  const others = await Promise.all(Array.from({ length: plan.others }, () => create(86_400)));
  const due = await Promise.all(Array.from({ length: plan.due }, () => create(periodS)));
  await Promise.all(others.map((uuid) => pingOnce(engine, uuid, Date.now())));
  const firstMs = Date.now() + warmUpMs;
  const stepMs = (plan.seconds * 1000) / plan.due;
  await Promise.all(
    due.map((uuid, at) => pingOnce(engine, uuid, Math.floor(firstMs + at * stepMs) - periodS * 1000)),
  );
  return others.map((uuid) => `/ping/${uuid}`);
}

async function pourIn(engine: Engine, plan: Plan, paths: readonly string[]) {
  const trusted = parseCidrList('127.0.0.0/8');
  if (trusted === null) throw new Error('not a network');
  const http = await createHttpServer({
    live: null,
    mounts: [
      {
        prefix: '/ping/',
        route: createPingRoutes(engine),
        bodyBytesMax: limits.pingBodyBytesMax,
        readsApiKey: false,
      },
    ],
    peers: new Peers(trusted),
    nowMs: Date.now,
    userAgentCharsMax: limits.userAgentCharsMax,
    logger: silentLogger,
  });
  const url = `http://127.0.0.1:${http.listen({ host: '127.0.0.1', port: 0 })}`;
  const loaded = await applyLoad({
    url,
    paths,
    connections: 64,
    seconds: plan.seconds + 2.5,
    rate: plan.rate,
  });
  await http.stop(1000);
  return loaded;
}
