/**
 * The paths that the HTTP listeners serve, what they read of a request for each, and how much of its body.
 * Invariant: a request without a valid key or session brings no more than a small body into memory.
 */
import { statusPagePrefix } from '../../domain/accounts/status-page.ts';
import type { Engine } from '../../engine/contract/engine.ts';
import type { Logger } from '../../lib/logger.ts';
import type { CompatService } from '../../lib/read-setting.ts';
import { adminPrefix } from '../admin/admin-api.ts';
import { apiReads } from '../api/api.ts';
import type { Monitoring } from '../monitoring/monitoring-routes.ts';
import { withCompat } from '../pings/compat/compat-mounts.ts';
import { createPingRoutes, isPingPath, pingPrefix } from '../pings/ping-routes.ts';
import { statusPageReads } from '../status-page/routes.ts';
import type { Web } from '../web/web.ts';
import { overBudget } from '../wire/json-reply.ts';
import { byCallback, type Mount, type Served } from '../wire/listener.ts';
import {
  type HttpReply,
  type HttpRequest,
  type LiveEndpoint,
  mergedSlashes,
  type Route,
} from '../wire/message.ts';
import { pingReplies } from '../wire/replies.ts';

interface MountOptions {
  readonly engine: Pick<Engine, 'acceptPing' | 'changeBy' | 'read'>;
  readonly api: Route;
  readonly admin: Route;
  readonly badges: Route;
  readonly maintenance: Route;
  readonly statusPages: Route;
  readonly web: Web & { readonly live: LiveEndpoint };
  readonly monitoring: Monitoring;
  readonly logger: Logger;
  /** Other services whose ping addresses are served, too. */
  readonly compat: readonly CompatService[];
  /** Path of the base URL; empty if it has none. */
  readonly basePath: string;
  readonly limits: {
    readonly pingBodyBytesMax: number;
    readonly apiBodyBytesMax: number;
    readonly strangerBodyBytesMax: number;
  };
}

/** Load balancers ask for this to see whether a server is alive: HAProxy's `option httpchk` without a path does. */
export function asksForOptions({ method, path }: Pick<HttpRequest, 'method' | 'path'>): boolean {
  return method === 'OPTIONS' && (path === '/' || path === '');
}

const options: HttpReply = { status: 204, headers: [['Allow', 'GET, HEAD, OPTIONS']], body: '' };

type MountRules = Omit<Mount, 'prefix' | 'route' | 'base'>;

/**
 * Both forms of a path are served, because a proxy may pass the path of the base URL on, or strip it. A client that asks Knell
 * directly gets the same for either.
 */
export function servedBy(options: MountOptions): Served {
  const { web, basePath, engine, compat, limits, logger } = options;
  const mounts = withCompat(compat, engine, ownMounts(options), {
    bodyBytesMax: limits.pingBodyBytesMax,
    logger,
  });
  const below = (base: string): Mount[] =>
    mounts.map((mount) => ({ ...mount, base, prefix: base + mount.prefix }));
  return {
    live: web.live,
    livePaths: [...new Set([web.live.path, basePath + web.live.path])],
    mounts: basePath === '' ? below('') : [...below(basePath), ...below('')],
  };
}

function ownMounts({
  engine,
  api,
  admin,
  badges,
  maintenance,
  statusPages,
  web,
  monitoring,
  logger,
  limits,
}: MountOptions): readonly Omit<Mount, 'base'>[] {
  const bytesFor = (isKnown: boolean): number =>
    isKnown ? limits.apiBodyBytesMax : limits.strangerBodyBytesMax;
  const holdsKey = ({ apiKey }: HttpRequest): boolean =>
    apiKey !== null && engine.read.holderOf(apiKey) !== null;
  const open: MountRules = {
    readsApiKey: false,
    guards: false,
    bodyBytesMax: () => limits.strangerBodyBytesMax,
    overBudget,
  };
  const ofPings = {
    ...open,
    readsAtOnce: true,
    bodyBytesMax: () => limits.pingBodyBytesMax,
    keepsBodyEnd: () => true,
    overBudget: pingReplies['over-budget'],
  };
  const ofApi: MountRules = {
    ...open,
    readsApiKey: true,
    guards: true,
    reads: apiReads,
    bodyBytesMax: (head) => bytesFor(holdsKey(head)),
  };
  const holdsAdminKey = ({ apiKey }: HttpRequest): boolean =>
    apiKey !== null && engine.read.adminKeyOf(apiKey) !== null;
  const ofAdmin: MountRules = { ...ofApi, bodyBytesMax: (head) => bytesFor(holdsAdminKey(head)) };
  const { single } = web;
  const reads = [...new Set([...web.reads, ...monitoring.reads])];
  const ofPage: MountRules = {
    ...open,
    guards: true,
    reads,
    single,
    bodyBytesMax: (head) => bytesFor(web.isSignedIn(head)),
  };
  const serveBadges = byCallback(badges, logger);
  const servePings = createPingRoutes(engine, byCallback(maintenance, logger));
  const serveApi = byCallback(api, logger);
  const servePage = byCallback(
    (request) => monitoring.answer(request) ?? (asksForOptions(request) ? options : web.route(request)),
    logger,
  );
  return [
    { prefix: pingPrefix, route: servePings, ...ofPings },
    { prefix: adminPrefix, route: byCallback(admin, logger), ...ofAdmin },
    { prefix: '/api/', route: serveApi, ...ofApi },
    { prefix: '/badge/', route: serveBadges, ...open },
    { prefix: '/b/', route: serveBadges, ...open },
    {
      prefix: statusPagePrefix,
      route: byCallback(statusPages, logger),
      ...open,
      guards: true,
      reads: statusPageReads,
    },
    {
      prefix: '//',
      route(request, replyTo) {
        const path = mergedSlashes(request.path);
        const serve = isPingPath(path) ? servePings : path.startsWith('/api/') ? serveApi : servePage;
        serve({ ...request, path }, replyTo);
      },
      ...ofApi,
      bodyBytesMax: (head) => (isPingPath(head.path) ? limits.pingBodyBytesMax : bytesFor(holdsKey(head))),
      keepsBodyEnd: (head) => isPingPath(head.path),
    },
    { prefix: '/', route: servePage, ...ofPage },
  ];
}
