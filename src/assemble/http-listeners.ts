/**
 * The HTTP listeners: one for throughput, one for what only Node's parser takes. Both serve the same, with the same certificate.
 * Not here: the order in which listeners open and close (`listeners`).
 */
import type { CommandContext } from '../commands/contract/command.ts';
import type { Vapid } from '../commands/secrets/vapid.ts';
import { basePathOf, type Config, defaultBadgeLabel, limits } from '../config.ts';
import type { Engine } from '../engine/contract/engine.ts';
import type { Snapshots } from '../engine/start/open-snapshots.ts';
import { createAdminApi } from '../http/admin/admin-api.ts';
import type { AdminCommands } from '../http/admin/admin-routes.ts';
import { createApi } from '../http/api/api.ts';
import { EventHub } from '../http/api/events/event-hub.ts';
import type { OutputSearch } from '../http/api/search/output-search.ts';
import { createBadges } from '../http/badges/badge-routes.ts';
import { createMonitoring } from '../http/monitoring/monitoring-routes.ts';
import { servedBy } from '../http/mounts/mounts.ts';
import type { Echoes } from '../http/pings/echo-routes.ts';
import { createMaintenanceRoute } from '../http/pings/maintenance-routes.ts';
import { createStatusPages } from '../http/status-page/routes.ts';
import { type Oidc, OidcProvider } from '../http/web/calls/oidc-provider.ts';
import { openWeb } from '../http/web/open-web.ts';
import { BodyBudget } from '../http/wire/body-reader.ts';
import { type CompatServer, createCompatServer } from '../http/wire/compat-server.ts';
import type { ListenerOptions } from '../http/wire/listener.ts';
import { Peers } from '../http/wire/read-request.ts';
import { createHttpServer, type HttpServer } from '../http/wire/server.ts';
import { SignInLimits } from '../http/wire/sign-in-limits.ts';
import { certificateFiles, readCertificate, watchCertificate } from '../lib/certificate.ts';
import type { HealthPart } from '../lib/health.ts';
import type { Logger } from '../lib/logger.ts';
import type { Meter } from '../lib/meter.ts';
import type { ClusterNode } from './cluster-node.ts';
import type { ListenerSettings } from './listener-settings.ts';
import type { ServerSettings } from './server-settings.ts';

/** The parts with which the HTTP listeners serve. */
export interface Served {
  readonly engine: Engine;
  /** Takes pings, and answers SMTP about mailboxes: the engine, or a node that hands them to the leader. */
  readonly pings: Pick<Engine, 'acceptPing' | 'read'>;
  readonly cluster: ClusterNode | null;
  readonly commands: CommandContext;
  readonly echoes: Echoes;
  readonly search: OutputSearch;
  readonly admin: AdminCommands;
  readonly vapid: Pick<Vapid, 'publicKey'>;
  readonly serverSettings: ServerSettings;
  readonly meter: Meter;
  readonly snapshots: Snapshots;
  readonly health: readonly HealthPart[];
}

interface HttpListeners {
  readonly main: Pick<HttpServer, 'listen'>;
  readonly compat: Pick<CompatServer, 'listen'> | null;
  readonly scheme: 'http' | 'https';
  stop(graceMs: number): Promise<void>;
}

export async function openHttp(from: Served, settings: ListenerSettings): Promise<HttpListeners> {
  const { config, logger, clock } = settings;
  const files = certificateFiles('KNELL_HTTP_TLS', config.httpTlsCert, config.httpTlsKey);
  const certificate = files && readCertificate(files);
  const scheme = files ? 'https' : 'http';
  const listener = listenerOptions(from, settings, scheme);
  const main = await createHttpServer({ ...listener, tls: files });
  const web = openPage(from, settings, main);
  const { read, change } = from.engine;
  const events = new EventHub(read, logger, (keyId) => change.noteKeyUse(keyId, clock.nowMs()));
  from.meter.observable('knell_event_listeners', 'Listeners to events.', () => events.size);
  const own = servedBy(mountsOf(from, settings, { web, events }));
  const served = from.cluster?.serve(own) ?? own;
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
    ...{ main, compat, scheme },
    async stop(graceMs) {
      unwatch();
      events.stop();
      await Promise.all([main.stop(graceMs), compat?.stop(graceMs)]);
      web.stop();
    },
  };
}

function listenerOptions(
  { meter }: Served,
  { config, clock, logger }: ListenerSettings,
  scheme: HttpListeners['scheme'],
): ListenerOptions {
  const bodies = new BodyBudget(limits.bodiesBytesMax);
  meter.observable('knell_http_bodies_bytes', 'Request bodies in flight, in memory.', () => bodies.used);
  const peers = new Peers(config.trustProxy, scheme);
  const { userAgentCharsMax } = limits;
  return { peers, nowMs: () => clock.nowMs(), userAgentCharsMax, bodies, logger };
}

/** `main` is what live updates go out by; in a cluster they go to the pages of all nodes. */
function openPage(
  { cluster, commands, search, snapshots, serverSettings, vapid }: Served,
  { config, clock, logger, webUrl }: ListenerSettings,
  main: HttpServer,
): ReturnType<typeof openWeb> {
  const updates = cluster?.updatesOf(main, (topics, isMore) => web.live.listeners(topics, isMore)) ?? main;
  const web = openWeb({
    commands,
    nowMs: () => clock.nowMs(),
    publish: updates.publish,
    dismiss: updates.dismiss,
    dismissHere: main.dismiss,
    isListenedTo: updates.isListenedTo,
    snapshots: snapshots.view,
    cluster: () => cluster?.view() ?? null,
    ...{ serverSettings, search, pushKey: vapid.publicKey },
    assets: webUrl ?? new URL('../web/', import.meta.url),
    emailDomain: config.smtp === null ? null : config.emailDomain,
    badgeLabel() {
      const { badgeLabel } = serverSettings.current;
      return badgeLabel === defaultBadgeLabel ? null : badgeLabel;
    },
    basePath: basePathOf(config),
    proxyHeader: config.authProxyHeader,
    oidc: oidcOf(config, logger),
    tries: limits.signIn,
    mailLinks: limits.mailLinks,
    liveLimits: limits.live,
  });
  return web;
}

function mountsOf(
  {
    engine: { read, change, changeBy },
    commands,
    search,
    echoes,
    meter,
    health,
    serverSettings,
    admin,
    pings,
  }: Served,
  { config, logger }: ListenerSettings,
  { web, events }: { readonly web: ReturnType<typeof openWeb>; readonly events: EventHub },
): Parameters<typeof servedBy>[0] {
  const basePath = basePathOf(config);
  const { baseUrl, tokens, passwords } = commands;
  const { metrics, apiRateLimit: rateLimitPerMinute } = config;
  const metricsKey = metrics && 'key' in metrics ? metrics.key : null;
  return {
    engine: { ...pings, changeBy },
    api: createApi({
      ...{ read, changeBy, baseUrl, basePath, rateLimitPerMinute, events, search },
      deliveries: () => commands.outbox.withSettling(),
    }),
    admin: createAdminApi({ read, run: admin, logger, rateLimitPerMinute }),
    badges: createBadges({
      read,
      get label() {
        return serverSettings.current.badgeLabel;
      },
    }),
    maintenance: createMaintenanceRoute({ read, changeBy }),
    statusPages: createStatusPages({
      ...{ read, tokens, passwords, baseUrl, basePath },
      tries: new SignInLimits(limits.signIn),
      limits: limits.statusPage,
    }),
    monitoring: createMonitoring({ read, change, meter, echoes, health, metricsKey }),
    ...{ web, logger, basePath, limits, compat: config.compatPings },
  };
}

function oidcOf(config: Config, logger: Logger): Oidc | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === '') return null;
  const provider = new OidcProvider({ issuer, clientId, clientSecret }, logger);
  return { provider, name: config.oidcName, role: config.oidcRole, logger };
}
