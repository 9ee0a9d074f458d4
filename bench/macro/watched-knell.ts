/**
 * A Knell put together here of its real modules (store, engine, notifications, the HTTP listener for pings) so that the store
 * can be watched: a read of the API could not show when a deadline was taken, since it takes what is due first.
 * Invariant: nothing is replaced; the store is only listened to.
 */

import { notifyReads } from '../../src/assemble/notify-reads.ts';
import { limits, readConfig } from '../../src/config.ts';
import type { Engine } from '../../src/engine/contract/engine.ts';
import { createEngine } from '../../src/engine/start/create-engine.ts';
import { createPingRoutes, pingPrefix } from '../../src/http/pings/ping-routes.ts';
import { BodyBudget } from '../../src/http/wire/body-reader.ts';
import { Peers } from '../../src/http/wire/read-request.ts';
import { pingReplies } from '../../src/http/wire/replies.ts';
import { createHttpServer, type HttpServer } from '../../src/http/wire/server.ts';
import type { CidrList } from '../../src/lib/addresses.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemIds } from '../../src/lib/ids.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { createMeter } from '../../src/lib/meter.ts';
import type { NotifyReads } from '../../src/notify/contract/notify.ts';
import { createNotify } from '../../src/notify/create-notify.ts';
import { openStore } from '../../src/store/open/open-store.ts';
import type { Store } from '../../src/store/store.ts';

export interface WatchedKnell {
  readonly engine: Engine;
  readonly url: string;
  stop(): Promise<void>;
}

/** A status change that is on disk. */
export interface Flip {
  readonly dueMs: number;
  readonly onDiskMs: number;
}

export async function startWatchedKnell(
  dataDir: string,
  report: (flip: Flip) => void,
): Promise<WatchedKnell> {
  const env = { KNELL_DATA_DIR: dataDir, KNELL_SMTP: 'off', KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' };
  const { config } = readConfig(env, {});
  const opened = await openStore({
    dataDir,
    journal: 'lmdb',
    durability: 'fsync',
    bodyBudgetBytes: config.bodyBudgetBytes,
    logger: silentLogger,
    meter: createMeter(),
    nowMs: Date.now,
    onBroken(error) {
      throw error;
    },
  });
  const store = watched(opened, report);
  const { logger, clock } = { logger: silentLogger, clock: systemClock };
  const baseUrl = (): string => 'http://localhost:8000';
  const { engine, deliveries } = await createEngine({
    ...{ store, clock, logger },
    meter: createMeter(),
    outageCredit: true,
    ids: systemIds,
    aliveEveryMs: limits.aliveEveryMs,
    ticker: limits.ticker,
    bounds: limits.engine,
    progress: () => {},
  });
  const notify = createNotify({
    pushAuthorization: () => '',
    ...{ store, clock, logger, baseUrl, deliveries },
    meter: createMeter(),
    reads: readsOf(engine, baseUrl),
    settings: config,
    limits: limits.notify,
    chance: Math.random,
    ids: systemIds,
  });
  engine.events.deliveriesDurable.subscribe(notify.deliver);
  engine.start();
  notify.start();
  const http = await openPingEndpoint(engine, config.trustProxy);
  const stop = async (): Promise<void> => {
    await http.stop(1000);
    await notify.stop();
    await engine.stop();
    await store.close();
  };
  return { engine, url: `http://127.0.0.1:${http.listen({ host: '127.0.0.1', port: 0 })}`, stop };
}

function readsOf(engine: Engine, baseUrl: () => string): NotifyReads {
  return notifyReads(engine, {
    ...{ baseUrl, clock: systemClock },
    unsubscribeUrl: () => '',
    alertUrl: () => '',
    stopReportsUrl: () => '',
    readMail: async () => ({ subject: '', texts: [] }),
  });
}

async function openPingEndpoint(engine: Engine, trusted: CidrList): Promise<HttpServer> {
  const server = await createHttpServer({
    peers: new Peers(trusted),
    nowMs: Date.now,
    userAgentCharsMax: limits.userAgentCharsMax,
    bodies: new BodyBudget(limits.bodiesBytesMax),
    logger: silentLogger,
  });
  server.serve({
    mounts: [
      {
        prefix: pingPrefix,
        route: createPingRoutes(engine),
        bodyBytesMax: () => limits.pingBodyBytesMax,
        overBudget: pingReplies['over-budget'],
        readsApiKey: false,
        guards: false,
        base: '',
      },
    ],
    live: null,
    livePaths: [],
  });
  return server;
}

/** The store, reporting of every check that goes down when it was due and when it was on disk. */
function watched(store: Store, report: (flip: Flip) => void): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'append') {
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      const append: Store['append'] = (record, waiter) => {
        const change = record.type === 'state' ? record.changes.find(({ to }) => to === 'down') : undefined;
        target.append(record, {
          durable() {
            if (change) report({ dueMs: change.atMs, onDiskMs: Date.now() });
            waiter?.durable();
          },
          rolledBack: () => waiter?.rolledBack(),
        });
      };
      return append;
    },
  });
}
