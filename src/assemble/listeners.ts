/**
 * The listeners: HTTP twice, mail. Each is built with its certificate and what it serves, and stopped within a time.
 * Not here: the order in which they open and close (`app`).
 */

import type { CommandContext } from '../commands/contract/command.ts';
import { basePathOf, type Config, limits } from '../config.ts';
import type { Engine } from '../engine/contract/engine.ts';
import type { Snapshots } from '../engine/start/open-snapshots.ts';
import { createAdminApi } from '../http/admin/admin-api.ts';
import type { AdminCommands } from '../http/admin/admin-routes.ts';
import { createApi } from '../http/api/api.ts';
import { createBadges } from '../http/badges/badge-routes.ts';
import { MetricsServer, metricsPath } from '../http/monitoring/metrics-routes.ts';
import { createMonitoring } from '../http/monitoring/monitoring-routes.ts';
import { servedBy } from '../http/mounts/mounts.ts';
import type { Echoes } from '../http/pings/echo-routes.ts';
import { createStatusPages } from '../http/status-page/routes.ts';
import { type Oidc, OidcProvider } from '../http/web/calls/oidc-provider.ts';
import { openWeb } from '../http/web/open-web.ts';
import { BodyBudget } from '../http/wire/body-reader.ts';
import { type CompatServer, createCompatServer } from '../http/wire/compat-server.ts';
import type { ListenerOptions } from '../http/wire/listener.ts';
import { Peers } from '../http/wire/read-request.ts';
import { createHttpServer, type HttpServer } from '../http/wire/server.ts';
import { SignInLimits } from '../http/wire/sign-in-limits.ts';
import type { ListenAddress } from '../lib/addresses.ts';
import { certificateFiles, readCertificate, watchCertificate } from '../lib/certificate.ts';
import type { Clock } from '../lib/clock.ts';
import type { HealthPart } from '../lib/health.ts';
import type { Logger } from '../lib/logger.ts';
import type { Meter } from '../lib/meter.ts';
import { MailReader } from '../smtp/mail-reader.ts';
import { createMailDoor } from '../smtp/mail-to-ping.ts';
import { createSmtpServer } from '../smtp/server.ts';
import type { ClusterNode } from './cluster-node.ts';
import type { ServerSettings } from './server-settings.ts';

interface ListenerSettings {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where the built web page is, when that is not beside this file. */
  readonly webUrl?: URL;
  /** Likewise the mail reader's. */
  readonly readWorkerUrl?: URL;
}

/** What the HTTP listeners serve from. */
interface Served {
  readonly engine: Engine;
  /** What takes pings, and what SMTP asks about mailboxes: the engine, or a node's doors. */
  readonly pings: Pick<Engine, 'acceptPing' | 'read'>;
  readonly cluster: ClusterNode | null;
  readonly commands: CommandContext;
  readonly echoes: Echoes;
  readonly admin: AdminCommands;
  readonly serverSettings: ServerSettings;
  readonly meter: Meter;
  readonly snapshots: Snapshots;
  readonly health: readonly HealthPart[];
}

export async function compatUrlOf(
  { compat, scheme }: HttpDoors,
  { httpCompat }: Config,
): Promise<string | null> {
  if (!compat || !httpCompat) return null;
  return `${scheme}://${listening(httpCompat.host, await compat.listen(httpCompat))}`;
}

/** Both serve the same. */
interface HttpDoors {
  readonly main: Pick<HttpServer, 'listen'>;
  readonly compat: Pick<CompatServer, 'listen'> | null;
  readonly scheme: 'http' | 'https';
  stop(graceMs: number): Promise<void>;
}

export async function openHttp(
  { engine, pings, cluster, commands, echoes, admin, meter, snapshots, health, serverSettings }: Served,
  { config, clock, logger, webUrl }: ListenerSettings,
): Promise<HttpDoors> {
  const nowMs = (): number => clock.nowMs();
  const basePath = basePathOf(config);
  const files = certificateFiles('KNELL_HTTP_TLS', config.httpTlsCert, config.httpTlsKey);
  const certificate = files && readCertificate(files);
  const api = createApi({
    read: engine.read,
    changeBy: engine.changeBy,
    baseUrl: commands.baseUrl,
    basePath,
    rateLimitPerMinute: config.apiRateLimit,
  });
  const bodies = new BodyBudget(limits.bodiesBytesMax);
  meter.observable('knell_http_bodies_bytes', 'Request bodies under way, in memory.', () => bodies.used);
  const listener: ListenerOptions = {
    peers: new Peers(config.trustProxy, files ? 'https' : 'http'),
    nowMs,
    userAgentCharsMax: limits.userAgentCharsMax,
    bodies,
    logger,
  };
  const main = await createHttpServer({ ...listener, tls: files });
  const news = cluster?.newsOf(main, (topics, isMore) => web.live.listeners(topics, isMore)) ?? main;
  const web = openWeb({
    commands,
    nowMs,
    publish: news.publish,
    dismiss: news.dismiss,
    dismissHere: main.dismiss,
    isListenedTo: news.isListenedTo,
    snapshots: snapshots.view,
    cluster: () => cluster?.view() ?? null,
    serverSettings,
    assets: webUrl ?? new URL('../web/', import.meta.url),
    emailDomain: config.smtp === null ? null : config.emailDomain,
    basePath,
    proxyHeader: config.authProxyHeader,
    oidc: oidcOf(config, logger),
    tries: limits.signIn,
    mailLinks: limits.mailLinks,
    liveLimits: limits.live,
  });
  const { metrics } = config;
  const monitoring = createMonitoring({
    read: engine.read,
    meter,
    echoes,
    health,
    metricsKey: metrics && 'key' in metrics ? metrics.key : null,
  });
  const badges = createBadges({
    read: engine.read,
    get label() {
      return serverSettings.current.badgeLabel;
    },
  });
  const statusPages = createStatusPages({
    read: engine.read,
    tokens: commands.tokens,
    passwords: commands.passwords,
    tries: new SignInLimits(limits.signIn),
    limits: limits.statusPage,
    baseUrl: commands.baseUrl,
    basePath,
  });
  const adminApi = createAdminApi({
    read: engine.read,
    run: admin,
    logger,
    rateLimitPerMinute: config.apiRateLimit,
  });
  const ownServed = servedBy({
    engine: pings,
    api,
    admin: adminApi,
    badges,
    statusPages,
    web,
    monitoring,
    logger,
    basePath,
    limits,
  });
  const served = cluster?.serve(ownServed) ?? ownServed;
  main.serve(served);
  const compat =
    config.httpCompat && createCompatServer({ ...listener, certificate, limits: limits.httpCompat }, served);
  const unwatch = watchCertificate({
    files,
    logger,
    everyMs: limits.certificatePollMs,
    renewed(renewed) {
      main.renew();
      compat?.renew(renewed);
    },
  });
  return {
    main,
    compat,
    scheme: files ? 'https' : 'http',
    async stop(graceMs) {
      unwatch();
      await Promise.all([main.stop(graceMs), compat?.stop(graceMs)]);
      web.stop();
    },
  };
}

interface MetricsListener {
  /** Of the path, with its real port. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Null where the metrics have no listener of their own. */
export async function openMetrics(meter: Meter, { metrics }: Config): Promise<MetricsListener | null> {
  if (!metrics || !('listen' in metrics)) return null;
  const server = new MetricsServer(meter, limits.metrics);
  const port = await server.listen(metrics.listen);
  return {
    url: `http://${listening(metrics.listen.host, port)}${metricsPath}`,
    stop: () => server.stop(),
  };
}

interface MailListener {
  listen(address: ListenAddress): Promise<number>;
  stop(graceMs: number): Promise<void>;
}

export function openMail(
  engine: Pick<Engine, 'acceptPing' | 'read'>,
  { config, clock, logger, readWorkerUrl }: ListenerSettings,
): MailListener {
  const { emailDomain } = config;
  const files = certificateFiles('KNELL_SMTP_TLS', config.smtpTlsCert, config.smtpTlsKey);
  const reader = new MailReader({
    ...limits.smtp,
    logger,
    unreadable: 'it is treated as one without keywords',
    ...(readWorkerUrl ? { url: readWorkerUrl } : {}),
  });
  const door = createMailDoor({
    engine,
    domain: emailDomain,
    readMail: (message) => reader.read(message),
    pingBodyBytesMax: limits.pingBodyBytesMax,
    mailBytesMax: limits.smtp.mailBytesMax,
    userAgentCharsMax: limits.userAgentCharsMax,
    logger,
  });
  const server = createSmtpServer({
    door,
    limits: limits.smtp,
    name: emailDomain,
    certificate: files && readCertificate(files),
    proxies: config.smtpProxy ? config.trustProxy : null,
    nowMs: () => clock.nowMs(),
    logger,
  });
  const renewed = server.renew;
  const unwatch = watchCertificate({ files, logger, everyMs: limits.certificatePollMs, renewed });
  return {
    listen: (address) => server.listen(address),
    async stop(graceMs) {
      unwatch();
      await server.stop(graceMs);
      await reader.stop();
    },
  };
}

/** `host:port` as a URL writes it. */
export function listening(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function oidcOf(config: Config, logger: Logger): Oidc | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === '') return null;
  const provider = new OidcProvider({ issuer, clientId, clientSecret }, logger);
  return { provider, name: config.oidcName, role: config.oidcRole, logger };
}
