/**
 * Builds the modules from the disk outward (store, engine, notify, subscriptions, doors) and stops them in reverse. The
 * one file that knows every module.
 * Invariant: the doors open last and close first, so that no request ever meets half an engine.
 */

import type { ClusterLink } from '../cluster/bus/link.ts';
import type { CommandContext } from '../commands/contract/command.ts';
import { createReportMails } from '../commands/contract/report-mails.ts';
import { createVerification } from '../commands/contract/verification.ts';
import { createPasswords } from '../commands/secrets/passwords.ts';
import { createTokens, linkPath, type Tokens } from '../commands/secrets/tokens.ts';
import { baseUrlOf, type Config, limits } from '../config.ts';
import { hasOwner } from '../domain/accounts/user.ts';
import type { Engine } from '../engine/contract/engine.ts';
import { prepareEngine } from '../engine/start/create-engine.ts';
import { openSnapshots } from '../engine/start/open-snapshots.ts';
import {
  type AdminCommands,
  createAdminCommands,
  createShownProject,
  type ShownProject,
} from '../http/admin/admin-routes.ts';
import { createAdminServer } from '../http/admin/admin-server.ts';
import { apiByCommand } from '../http/api/by-command.ts';
import { Echoes } from '../http/pings/echo-routes.ts';
import { probePort } from '../http/wire/probe-port.ts';
import type { Clock } from '../lib/clock.ts';
import { KnellError } from '../lib/errors.ts';
import { type HealthPart, observeHealth } from '../lib/health.ts';
import { systemIds } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import { createMeter, type Meter } from '../lib/meter.ts';
import { measureProcess } from '../lib/process-metrics.ts';
import { createNotify, type Notify } from '../notify/create-notify.ts';
import { Heartbeat } from '../notify/dispatch/heartbeat.ts';
import { createHttpClient } from '../notify/wire/send-http.ts';
import { MailReader } from '../smtp/mail-reader.ts';
import { dataFormat } from '../store/disk/formats.ts';
import { openStore } from '../store/open/open-store.ts';
import { newSnapshotFile, openSnapshotsDir } from '../store/snapshot/directory.ts';
import type { Store } from '../store/store.ts';
import type { ClusterNode } from './cluster-node.ts';
import { joinCluster } from './join-cluster.ts';
import { compatUrlOf, listening, openHttp, openMail, openMetrics } from './listeners.ts';
import { notifyReads } from './notify-reads.ts';
import { ServerSettings } from './server-settings.ts';

interface AppOptions {
  readonly config: Config;
  /** Variables that the environment or a flag gives, with their texts: owners cannot set them on the page. */
  readonly given?: ReadonlyMap<string, string>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A write or sync failed in a way that leaves the store unknown: the process should say so and end. */
  readonly onBroken: (error: unknown) => void;
  /** Called with the number of checks read so far. */
  readonly progress: (checks: number) => void;
  /** Called when they all are in memory, before the doors open. */
  readonly loaded?: () => void;
  /** The built `store/` folder with its threads, when that is not beside this file. */
  readonly threadsUrl?: URL;
  /** Where the built web page is, when that is not beside this file. */
  readonly webUrl?: URL;
  /** Likewise the mail reader's. */
  readonly readWorkerUrl?: URL;
  /** Whether data that were in a cluster go on outside it where KNELL_CLUSTER is not set. */
  readonly leavesCluster?: boolean;
  /** What connects the nodes of a cluster, when that is not NATS. */
  readonly link?: ClusterLink;
}

/** What a command needs: the engine, with no door open. */
export interface Core {
  readonly engine: Engine;
  /** Sends nothing until it is started. */
  readonly notify: Notify;
  readonly commands: CommandContext;
  readonly echoes: Echoes;
  readonly admin: AdminCommands;
  readonly serverSettings: ServerSettings;
  /** Nothing was there before. */
  readonly firstStart: boolean;
  readonly meter: Meter;
  readonly tokens: Tokens;
  stop(): Promise<void>;
}

/** What a first start prints. */
export interface FirstSteps {
  /** The first project with its keys, when this start has made it. */
  readonly bootstrapped: ShownProject | null;
  /** Where the first password is set, while there is none; printed, never logged. */
  readonly setUpUrl: string | null;
}

export interface App extends Omit<Core, 'firstStart'>, FirstSteps {
  /** In a cluster: resolves when this node owns the log. */
  readonly owning: Promise<FirstSteps> | null;
  /** `http://host:port` of the listener, with its real port. */
  readonly httpUrl: string;
  /** The same of the second HTTP listener; null where there is none. */
  readonly compatUrl: string | null;
  /** Of the metrics, where they have a listener of their own. */
  readonly metricsUrl: string | null;
  /** What the URLs begin with that Knell gives out. */
  readonly baseUrl: string;
  /** `host:port` of the mail listener, or `off`. */
  readonly smtp: string;
}

/** A core that knows nothing yet, or, in a cluster, does not own what it knows. */
interface UnrecoveredCore extends Omit<Core, 'firstStart'> {
  readonly store: Store;
  /** Reads all that is durable, and starts the engine. In a cluster it resolves when this node is the owner. */
  recover(): Promise<Pick<Core, 'firstStart'>>;
}

/** Opens the store and starts the engine. Rejects with a KnellError. */
export async function openCore(
  options: AppOptions,
  baseUrl: () => string = () => baseUrlOf(options.config),
): Promise<Core> {
  const core = await prepareCore(options, baseUrl);
  return { ...core, ...(await core.recover()) };
}

async function prepareCore(
  { config, clock, logger, ...options }: AppOptions,
  baseUrl: () => string,
  cluster: ClusterNode | null = null,
): Promise<UnrecoveredCore> {
  const meter = createMeter();
  const store = await openStore({
    dataDir: config.dataDir,
    journal: config.journal,
    durability: config.durability,
    bodyBudgetBytes: config.bodyBudgetBytes,
    logger,
    meter,
    nowMs: () => clock.nowMs(),
    onBroken: options.onBroken,
    ...(cluster ? { join: cluster.join } : { leavesCluster: options.leavesCluster === true }),
    ...(options.threadsUrl ? { threadsUrl: options.threadsUrl } : {}),
  });
  const { engine, recover } = prepareEngine({
    store,
    clock,
    logger,
    meter,
    outageCredit: config.outageCredit,
    ids: systemIds,
    aliveEveryMs: limits.aliveEveryMs,
    ticker: limits.ticker,
    bounds: limits.engine,
    progress: options.progress,
    ...(cluster ? { asked: cluster.asked } : {}),
  });
  let hasRecovered = false;
  let isStopping = false;
  const tokens = createTokens(() => engine.read.badgeSecret);
  // Not the one that SMTP pings wait for.
  const mailReader = new MailReader({
    ...limits.notify.mailReader,
    logger,
    unreadable: 'a notification shows no text of it',
    ...(options.readWorkerUrl ? { url: options.readWorkerUrl } : {}),
  });
  const serverSettings = new ServerSettings({
    config,
    given: options.given ?? new Map(),
    stored: () => engine.read.serverSettings(),
  });
  const notify = createNotify({
    store,
    clock,
    logger,
    meter,
    reads: notifyReads(engine, {
      baseUrl,
      clock,
      readMail: (mail) => mailReader.read(mail),
      unsubscribeUrl: (channel) => baseUrl() + tokens.mailLink('unsubscribe', channel),
      stopReportsUrl: (user) => baseUrl() + tokens.reportLink('stop', user),
    }),
    deliveries: [],
    settings: serverSettings.current,
    limits: limits.notify,
    baseUrl,
    chance: Math.random,
    ids: systemIds,
  });
  engine.events.deliveriesDurable.subscribe(notify.deliver);
  engine.events.snoozeChanged.subscribe(notify.snoozeChanged);
  engine.events.projectDeleted.subscribe(notify.dropOrphans);
  const echoes = new Echoes();
  const commands: CommandContext = {
    engine,
    outbox: notify.admin,
    tokens,
    passwords: createPasswords(),
    verification: createVerification({
      send: notify.admin.verify,
      tokens,
      baseUrl,
      limits: limits.verification,
    }),
    reports: createReportMails({ mails: notify.reports, tokens, baseUrl, limits: limits.reportMails }),
    baseUrl,
    api: apiByCommand(baseUrl),
    echoes,
    newSnapshotFile: () => newSnapshotFile(openSnapshotsDir(config.dataDir), 'manual', clock.nowMs()),
  };
  return {
    store,
    engine,
    notify,
    meter,
    tokens,
    commands,
    echoes,
    admin: createAdminCommands(commands, () => clock.nowMs()),
    serverSettings,
    async recover() {
      const { firstStart, deliveries, snoozed } = await recover();
      // Its end has begun meanwhile, so nothing may begin: as where another node owns the log to the end, this never resolves.
      if (isStopping) return new Promise(() => {});
      notify.recovered(deliveries, snoozed);
      engine.start();
      hasRecovered = true;
      return { firstStart };
    },
    async stop() {
      if (isStopping) return;
      isStopping = true;
      await notify.stop();
      await mailReader.stop();
      // A node that owns nothing writes nothing, not even that it goes.
      if (hasRecovered) await engine.stop();
      await store.close();
    },
  };
}

/** Opens the core, then the doors; in a cluster the doors first, since another node may own the log. Rejects with a KnellError. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, clock, logger } = options;
  const metricsAddress = config.metrics && 'listen' in config.metrics ? config.metrics.listen : null;
  const addresses = [config.http, config.httpCompat, config.smtp, metricsAddress];
  for (const address of addresses) if (address) await probePort(address);
  let { port } = config.http;
  const baseUrl = (): string => baseUrlOf(config, port);
  const closers: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };
  try {
    const cluster = await joinCluster(options);
    if (cluster) closers.push(() => cluster.stop());
    const core = await prepareNode(options, baseUrl, cluster);
    const stopMeasuring = measureProcess(core.meter, dataFormat);
    closers.push(async () => stopMeasuring());
    closers.push(() => core.stop());
    if (!cluster) await core.recover();
    options.loaded?.();
    const snapshots = openSnapshots({
      dataDir: config.dataDir,
      plan: config.snapshots,
      clock,
      logger,
      limits: limits.snapshots,
      write: (file) => core.engine.writeSnapshot(file, () => {}),
      threadsUrl: options.threadsUrl ?? new URL('../store/', import.meta.url),
    });
    closers.push(() => snapshots.stop());
    const admin = await createAdminServer(config.dataDir, cluster?.adminOf(core.admin) ?? core.admin);
    closers.push(() => admin.stop());
    const pings = cluster?.doorOf(core.engine, core.store) ?? core.engine;
    const mail = config.smtp === null ? null : openMail(pings, options);
    let isStarted = false;
    const start: HealthPart = { name: 'start', problem: () => (isStarted ? null : 'Knell is starting') };
    const parts = [...core.engine.health, ...core.notify.health];
    const health = [start, ...(cluster ? [...cluster.health, ...cluster.whileOwner(parts)] : parts)];
    observeHealth(core.meter, health);
    cluster?.observe(core.meter);
    cluster?.offerSnapshots(config.dataDir, (file) => core.engine.writeSnapshot(file, () => {}));
    const http = await openHttp({ ...core, pings, cluster, snapshots, health }, options);
    // Both doors close in the same span of time: one after the other could take twice as long as there is.
    closers.push(async () => {
      await Promise.all([mail?.stop(limits.shutdownMs), http.stop(limits.shutdownMs)]);
    });
    const metrics = await openMetrics(core.meter, config);
    if (metrics) closers.push(() => metrics.stop());
    port = http.main.listen(config.http);
    const compatUrl = await compatUrlOf(http, config);
    const smtp = mail && config.smtp ? listening(config.smtp.host, await mail.listen(config.smtp)) : 'off';
    const httpUrl = `${http.scheme}://${listening(config.http.host, port)}`;
    const begin = async (): Promise<FirstSteps> => {
      const bootstrapped = await bootstrap(core, config, clock.nowMs());
      core.notify.start();
      const noOwner = !hasOwner(core.engine.read.users());
      const link = noOwner ? baseUrl() + linkPath(core.tokens.link(null, 0)) : null;
      return { bootstrapped, setUpUrl: link };
    };
    if (cluster) {
      // First of all: what the doors take from then on goes to the next owner. The doors of a standby close while it still
      // follows: the owner may end as well, and then the log says who answers what is under way.
      closers.push(async () => {
        if (!cluster.leave()) return;
        await snapshots.stop();
        await core.stop();
      });
    }
    const owning = cluster && ownWhenRecovered(cluster, core, begin);
    const firstSteps = cluster ? { bootstrapped: null, setUpUrl: null } : await begin();
    isStarted = true;
    const heartbeat = openHeartbeat(health, options);
    closers.push(async () => heartbeat?.stop());
    return {
      ...core,
      stop,
      ...firstSteps,
      owning,
      httpUrl,
      compatUrl,
      metricsUrl: metrics?.url ?? null,
      baseUrl: core.commands.baseUrl(),
      smtp,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A node that lacks what the log has discarded gets a snapshot of another one first; without it the node is of no use. */
async function prepareNode(
  options: AppOptions,
  baseUrl: () => string,
  cluster: ClusterNode | null,
): Promise<UnrecoveredCore> {
  for (;;) {
    try {
      return await prepareCore(options, baseUrl, cluster);
    } catch (error) {
      if (!cluster || !(error instanceof KnellError) || error.code !== 'cluster-log-behind') throw error;
      await cluster.adopt(options.config.dataDir);
    }
  }
}

async function ownWhenRecovered(
  cluster: ClusterNode,
  core: UnrecoveredCore,
  begin: () => Promise<FirstSteps>,
): Promise<FirstSteps> {
  await core.recover();
  const firstSteps = await begin();
  cluster.own(core);
  return firstSteps;
}

function openHeartbeat(
  parts: readonly HealthPart[],
  { config, clock, logger }: AppOptions,
): { stop(): void } | null {
  const { heartbeatUrl: url, heartbeatEveryMs: everyMs } = config;
  if (url === '') return null;
  const { send, close } = createHttpClient(limits.notify.http, config.webhookAllow);
  const heartbeat = new Heartbeat({ url, everyMs, parts, clock, send, logger, limits: limits.heartbeat });
  heartbeat.start();
  return {
    stop() {
      heartbeat.stop();
      close();
    },
  };
}

/** Last of all: the keys are shown once, so nothing may fail between making and showing them. */
async function bootstrap(
  { engine }: Pick<Core, 'engine'>,
  config: Config,
  nowMs: number,
): Promise<ShownProject | null> {
  if (!config.bootstrap || engine.read.projects().length > 0) return null;
  return createShownProject(engine, 'default', nowMs);
}
