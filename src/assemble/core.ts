/**
 * The core of every Knell, from the disk outward: store, engine, notify, commands. What a command without a server has, too.
 * Invariant: nothing here listens; a core that has not recovered answers nobody.
 */

import type { ClusterLink } from '../cluster/bus/link.ts';
import { createAccountMailer } from '../commands/contract/account-mails.ts';
import type { CommandContext } from '../commands/contract/command.ts';
import { createReportMails } from '../commands/contract/report-mails.ts';
import { createVerification } from '../commands/contract/verification.ts';
import { createPasswords } from '../commands/secrets/passwords.ts';
import { createTokens, type Tokens } from '../commands/secrets/tokens.ts';
import { createVapid, type Vapid } from '../commands/secrets/vapid.ts';
import { baseUrlOf, type Config, limits } from '../config.ts';
import type { ScryptCost } from '../domain/accounts/password-hash.ts';
import type { Engine } from '../engine/contract/engine.ts';
import { prepareEngine } from '../engine/start/create-engine.ts';
import { type AdminCommands, createAdminCommands } from '../http/admin/admin-routes.ts';
import { apiByCommand } from '../http/api/by-command.ts';
import { OutputSearch } from '../http/api/search/output-search.ts';
import { Echoes } from '../http/pings/echo-routes.ts';
import type { Clock } from '../lib/clock.ts';
import { systemIds } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import { createMeter, type Meter } from '../lib/meter.ts';
import { createNotify, type Notify } from '../notify/create-notify.ts';
import { MailReader } from '../smtp/mail-reader.ts';
import { openStore } from '../store/open/open-store.ts';
import { newSnapshotFile, openSnapshotsDir } from '../store/snapshot/directory.ts';
import type { Store } from '../store/store.ts';
import type { ClusterNode } from './cluster-node.ts';
import { notifyReads } from './notify-reads.ts';
import { ServerSettings } from './server-settings.ts';

export interface CoreOptions {
  readonly config: Config;
  /** Variables that the environment or a flag gives, with their texts: owners cannot set them on the page. */
  readonly given?: ReadonlyMap<string, string>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A write or sync failed in a way that leaves the store unknown: the process should say so and end. */
  readonly onBroken: (error: unknown) => void;
  /** Called with the number of checks read so far. */
  readonly progress: (checks: number) => void;
  /** The built `store/` folder with its threads, when that is not beside this file. */
  readonly threadsUrl?: URL;
  /** Location of the built mail reader, if it is not beside its source. */
  readonly readWorkerUrl?: URL;
  /** Cost of hashing new passwords, where they need not resist anybody: in tests. */
  readonly passwordCost?: ScryptCost;
  /** Whether data that were in a cluster go on outside it where KNELL_CLUSTER is not set. */
  readonly leavesCluster?: boolean;
  /** The link between the nodes of a cluster, if it is not NATS. */
  readonly link?: ClusterLink;
}

/** The parts that a command needs: the engine, with no listener open. */
export interface Core {
  readonly engine: Engine;
  /** Sends nothing until it is started. */
  readonly notify: Notify;
  readonly commands: CommandContext;
  readonly echoes: Echoes;
  readonly search: OutputSearch;
  readonly admin: AdminCommands;
  readonly serverSettings: ServerSettings;
  /** Nothing was there before. */
  readonly firstStart: boolean;
  readonly meter: Meter;
  readonly tokens: Tokens;
  readonly vapid: Vapid;
  stop(): Promise<void>;
}

/** A core that knows nothing yet, or, in a cluster, does not own what it knows. */
export interface UnrecoveredCore extends Omit<Core, 'firstStart'> {
  readonly store: Store;
  /** Reads all that is durable, and starts the engine. In a cluster it resolves when this node is the owner. */
  recover(): Promise<Pick<Core, 'firstStart'>>;
}

/** Opens the store and starts the engine. Rejects with a KnellError. */
export async function openCore(
  options: CoreOptions,
  baseUrl: () => string = () => baseUrlOf(options.config),
): Promise<Core> {
  const core = await prepareCore(options, baseUrl);
  return { ...core, ...(await core.recover()) };
}

export async function prepareCore(
  options: CoreOptions,
  baseUrl: () => string,
  cluster: ClusterNode | null = null,
): Promise<UnrecoveredCore> {
  const { config, clock } = options;
  const meter = createMeter();
  const store = await openStoreOf(options, meter, cluster);
  const { engine, recover } = prepareEngineOn(store, options, meter, cluster);
  const tokens = createTokens(() => engine.read.badgeSecret);
  const serverSettings = new ServerSettings({
    config,
    given: options.given ?? new Map(),
    stored: () => engine.read.serverSettings(),
  });
  // These readers are not the one that SMTP pings wait for.
  const mailReader = openMailReader(options, 'a notification shows no text of it');
  const settings = serverSettings.current;
  const vapid = createVapid(() => engine.read.badgeSecret, baseUrl);
  const parts = { store, engine, meter, tokens, vapid, settings, mailReader };
  const notify = createNotifyOn(parts, options, baseUrl);
  const echoes = new Echoes();
  const searched = openMailReader(options, 'a search looks through it as it came');
  const search = new OutputSearch({ readMail: (mail) => searched.read(mail) });
  const commands = commandsOf(
    { engine, notify, tokens, echoes, search, mailServer: () => serverSettings.mailServer() },
    options,
    baseUrl,
  );
  const admin = createAdminCommands(commands, () => clock.nowMs());
  let hasRecovered = false;
  let isStopping = false;
  return {
    ...{ store, engine, notify, meter, tokens, vapid, commands, echoes, search, admin, serverSettings },
    async recover() {
      const { firstStart, deliveries, snoozed } = await recover();
      // Its end has begun meanwhile, so nothing may begin: as where another node is the leader to the end, this never resolves.
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
      await Promise.all([mailReader.stop(), searched.stop()]);
      // A node that does not lead writes nothing, not even that it goes.
      if (hasRecovered) await engine.stop();
      await store.close();
    },
  };
}

function openStoreOf(
  { config, clock, logger, ...options }: CoreOptions,
  meter: Meter,
  cluster: ClusterNode | null,
): Promise<Store> {
  const { dataDir, journal, durability, bodyBudgetBytes } = config;
  return openStore({
    ...{ dataDir, journal, durability, bodyBudgetBytes, logger, meter },
    nowMs: () => clock.nowMs(),
    onBroken: options.onBroken,
    ...(cluster ? { join: cluster.join } : { leavesCluster: options.leavesCluster === true }),
    ...(options.threadsUrl ? { threadsUrl: options.threadsUrl } : {}),
  });
}

function prepareEngineOn(
  store: Store,
  { config, clock, logger, progress }: CoreOptions,
  meter: Meter,
  cluster: ClusterNode | null,
): ReturnType<typeof prepareEngine> {
  return prepareEngine({
    ...{ store, clock, logger, meter, progress },
    outageCredit: config.outageCredit,
    ids: systemIds,
    aliveEveryMs: limits.aliveEveryMs,
    ticker: limits.ticker,
    bounds: limits.engine,
    ...(cluster ? { asked: cluster.asked } : {}),
  });
}

function openMailReader({ logger, readWorkerUrl }: CoreOptions, unreadable: string): MailReader {
  return new MailReader({
    ...limits.notify.mailReader,
    ...{ logger, unreadable },
    ...(readWorkerUrl ? { url: readWorkerUrl } : {}),
  });
}

interface NotifyParts {
  readonly store: Store;
  readonly engine: Engine;
  readonly meter: Meter;
  readonly tokens: Tokens;
  readonly vapid: Vapid;
  readonly settings: ServerSettings['current'];
  readonly mailReader: MailReader;
}

function createNotifyOn(
  { store, engine, meter, tokens, vapid, settings, mailReader }: NotifyParts,
  { clock, logger }: CoreOptions,
  baseUrl: () => string,
): Notify {
  const notify = createNotify({
    ...{ store, clock, logger, meter, settings, baseUrl },
    pushAuthorization: vapid.authorization,
    reads: notifyReads(engine, {
      baseUrl,
      clock,
      readMail: (mail) => mailReader.read(mail),
      unsubscribeUrl: (channel) => baseUrl() + tokens.mailLink('unsubscribe', channel),
      alertUrl: ({ badgeId }, channel, atMs) =>
        settings.alertLinks ? baseUrl() + tokens.alertLink({ badgeId, atMs }, channel) : null,
      stopReportsUrl: (user) => baseUrl() + tokens.reportLink('stop', user),
    }),
    deliveries: [],
    limits: limits.notify,
    chance: Math.random,
    ids: systemIds,
  });
  engine.events.deliveriesDurable.subscribe(notify.deliver);
  engine.events.snoozeChanged.subscribe(notify.snoozeChanged);
  engine.events.projectDeleted.subscribe(notify.dropOrphans);
  engine.events.projectDeleted.subscribe(notify.feedsChanged);
  engine.events.feedsChanged.subscribe(notify.feedsChanged);
  return notify;
}

function commandsOf(
  {
    engine,
    notify,
    tokens,
    echoes,
    search,
    mailServer,
  }: Pick<Core, 'engine' | 'notify' | 'tokens' | 'echoes' | 'search'> & Pick<CommandContext, 'mailServer'>,
  { config, clock, passwordCost }: CoreOptions,
  baseUrl: () => string,
): CommandContext {
  const send = notify.admin.verify;
  const { http, httpCompat, smtp } = config;
  return {
    ...{ engine, tokens, echoes, baseUrl, mailServer, outbox: notify.admin, connections: notify.connections },
    listens: { http, httpCompat, smtp },
    ...{ telegramChats: notify.telegramChats, matrixChats: notify.matrixChats },
    passwords: createPasswords(passwordCost),
    verification: createVerification({ send, tokens, baseUrl, limits: limits.verification }),
    accounts: createAccountMailer({ mails: notify.accounts, tokens, baseUrl, limits: limits.accountMails }),
    reports: createReportMails({ mails: notify.reports, tokens, baseUrl, limits: limits.reportMails }),
    api: apiByCommand(baseUrl, () => notify.admin.all(), search),
    newSnapshotFile: () => newSnapshotFile(openSnapshotsDir(config.dataDir), 'manual', clock.nowMs()),
  };
}

/** The base URL of a server whose port may be known only once it listens. */
export interface OwnBaseUrl {
  readonly url: () => string;
  listensOn(port: number): void;
}

export function ownBaseUrl(config: Config): OwnBaseUrl {
  let { port } = config.http;
  return {
    url: () => baseUrlOf(config, port),
    listensOn(real) {
      port = real;
    },
  };
}
