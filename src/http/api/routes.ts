/**
 * The endpoints of the management API: path, method, handler and the keys that open each (specification, "Endpoints"). They are
 * the same in all three versions.
 * Invariant: no two routes match the same path.
 */

import { uniqueKeySource, uuidSource } from '../../lib/ids.ts';
import type { ApiVersion } from '../../spec/apply-spec.ts';
import { showAlerting } from './alerting/alerting.ts';
import {
  createMaintenance,
  deleteMaintenance,
  endMaintenance,
  getMaintenance,
  listMaintenance,
  updateMaintenance,
} from './alerting/maintenance.ts';
import {
  acknowledgeCheck,
  listSnoozes,
  showSnooze,
  snoozeCheck,
  unacknowledgeCheck,
  unsnoozeCheck,
} from './alerting/snooze.ts';
import type { Access } from './auth.ts';
import type { Endpoint } from './call.ts';
import { createCheck, deleteCheck, pauseCheck, resumeCheck, updateCheck } from './change-checks.ts';
import { getCheck, listChecks } from './checks.ts';
import { listEvents } from './events/events.ts';
import { listHints } from './hints.ts';
import { getPingBody, listFlips, listNotifications, listPings } from './history.ts';
import {
  acknowledgeIncident,
  getIncident,
  listIncidents,
  noteIncident,
  unacknowledgeIncident,
} from './incidents/incidents.ts';
import { previewSchedule } from './preview-schedule.ts';
import { listBadges, listChannels } from './project.ts';
import { getResult, listResults } from './results/results.ts';
import { previewProjectRetention, previewRetention } from './retention/preview-retention.ts';
import { getRun, listRuns } from './runs.ts';
import { search } from './search/search.ts';

export interface RouteHandler {
  readonly access: Exclude<Access, 'open'>;
  readonly endpoint: Endpoint;
  /** Whether answers have an ETag: all that they show moves `EngineRead.listVersion`, or is given to `ApiCall.changesAt`. */
  readonly isTagged?: true;
  /** Whether they show what moves no list, such as what became of notifications: then anything that is written moves it. */
  readonly showsAnything?: true;
  /** Whether they show pings or changes of the past, which the fold drops one day. */
  readonly showsHistory?: true;
}

/** Routes without a key; `api` has their answers. */
export const openRoutes = ['serviceStatus', 'openApiDocument'] as const;
export type OpenRoute = (typeof openRoutes)[number];

interface ApiRoute {
  /** The path as the table below writes it. */
  readonly template: string;
  readonly pattern: RegExp;
  /** Handlers by method; an open route has none. */
  readonly handlers: ReadonlyMap<string, RouteHandler>;
  /** The open route; null for a route that needs a key. */
  readonly open: OpenRoute | null;
}

const reads = (endpoint: Endpoint): RouteHandler => ({ access: 'read', endpoint });
const tagged = (handler: RouteHandler): RouteHandler => ({ ...handler, isTagged: true });
const history = (handler: RouteHandler): RouteHandler => ({ ...tagged(handler), showsHistory: true });
const anything = (handler: RouteHandler): RouteHandler => ({ ...history(handler), showsAnything: true });
const writes = (endpoint: Endpoint): RouteHandler => ({ access: 'write', endpoint });

/** An `n` with more digits than a ping can ever have matches no route, so it is always an exact number. */
const partPatterns: Readonly<Record<string, string>> = {
  uuid: uuidSource,
  window: uuidSource,
  incident: uuidSource,
  unique_key: uniqueKeySource,
  n: '[0-9]{1,15}',
  result: '[A-Za-z_][A-Za-z0-9_.-]{0,39}',
};

export const apiRoutes: readonly ApiRoute[] = [
  route('checks/', { GET: tagged(reads(listChecks)), POST: writes(createCheck) }),
  route('checks/<uuid>', {
    GET: tagged(reads(getCheck)),
    POST: writes(updateCheck),
    DELETE: writes(deleteCheck),
  }),
  route('checks/<unique_key>', { GET: tagged(reads(getCheck)) }),
  route('checks/<uuid>/pause', { POST: writes(pauseCheck) }),
  route('checks/<uuid>/resume', { POST: writes(resumeCheck) }),
  route('checks/<uuid>/acknowledge', { POST: writes(acknowledgeCheck) }),
  route('checks/<uuid>/unacknowledge', { POST: writes(unacknowledgeCheck) }),
  route('checks/<uuid>/snooze', { GET: tagged(reads(showSnooze)), POST: writes(snoozeCheck) }),
  route('checks/<unique_key>/snooze', { GET: tagged(reads(showSnooze)) }),
  route('checks/<uuid>/unsnooze', { POST: writes(unsnoozeCheck) }),
  route('checks/<uuid>/hints/', { GET: reads(listHints) }),
  route('checks/<unique_key>/hints/', { GET: reads(listHints) }),
  route('checks/<uuid>/retention/preview', { POST: reads(previewRetention) }),
  route('checks/<unique_key>/retention/preview', { POST: reads(previewRetention) }),
  route('retention/preview', { POST: reads(previewProjectRetention) }),
  route('schedules/preview', { POST: reads(previewSchedule) }),
  route('snoozes/', { GET: tagged(reads(listSnoozes)) }),
  route('maintenance/', { GET: tagged(reads(listMaintenance)), POST: writes(createMaintenance) }),
  route('maintenance/<window>', {
    GET: tagged(reads(getMaintenance)),
    POST: writes(updateMaintenance),
    DELETE: writes(deleteMaintenance),
  }),
  route('maintenance/<window>/end', { POST: writes(endMaintenance) }),
  route('checks/<uuid>/pings/', { GET: history(writes(listPings)) }),
  route('checks/<uuid>/pings/<n>/body', { GET: writes(getPingBody) }),
  route('checks/<uuid>/flips/', { GET: history(reads(listFlips)) }),
  route('checks/<uuid>/notifications/', { GET: anything(writes(listNotifications)) }),
  route('checks/<uuid>/alerting', { GET: writes(showAlerting) }),
  route('checks/<unique_key>/flips/', { GET: history(reads(listFlips)) }),
  route('checks/<uuid>/runs/', { GET: history(reads(listRuns)) }),
  route('checks/<unique_key>/runs/', { GET: history(reads(listRuns)) }),
  route('checks/<uuid>/runs/<n>', { GET: anything(writes(getRun)) }),
  route('checks/<uuid>/results/', { GET: reads(listResults) }),
  route('checks/<unique_key>/results/', { GET: reads(listResults) }),
  route('checks/<uuid>/results/<result>', { GET: reads(getResult) }),
  route('checks/<unique_key>/results/<result>', { GET: reads(getResult) }),
  route('incidents/', { GET: history(reads(listIncidents)) }),
  route('incidents/<incident>', { GET: anything(reads(getIncident)) }),
  route('incidents/<incident>/acknowledge', { POST: writes(acknowledgeIncident) }),
  route('incidents/<incident>/unacknowledge', { POST: writes(unacknowledgeIncident) }),
  route('incidents/<incident>/notes', { POST: writes(noteIncident) }),
  route('events', { GET: reads(listEvents) }),
  route('search', { GET: reads(search) }),
  route('channels/', { GET: tagged(writes(listChannels)) }),
  route('badges/', { GET: tagged(reads(listBadges)) }),
  route('status/', {}, 'serviceStatus'),
  route('openapi.json', {}, 'openApiDocument'),
];

function route(
  template: string,
  handlers: Readonly<Record<string, RouteHandler>>,
  open: OpenRoute | null = null,
): ApiRoute {
  const pattern = template
    .replaceAll('.', '\\.')
    .replace(/<(\w+)>/g, (_, name: string) => `(?<${name}>${partPatterns[name]})`);
  return { template, open, pattern: new RegExp(`^${pattern}$`), handlers: new Map(Object.entries(handlers)) };
}

export type Routed =
  | {
      readonly kind: 'route';
      readonly version: ApiVersion;
      readonly path: Readonly<Record<string, string>>;
      readonly handlers: ReadonlyMap<string, RouteHandler>;
      readonly open: OpenRoute | null;
    }
  /** A route exists for the path with a slash at its end. */
  | { readonly kind: 'lacks-slash' }
  | { readonly kind: 'nowhere' };

const versions: Readonly<Record<string, ApiVersion>> = { '1': 1, '2': 2, '3': 3 };

/** Matches `path` as it was sent: a path with percent-encoded parts matches no route. */
export function routeOf(path: string): Routed {
  const version = versions[/^\/api\/v([123])\//.exec(path)?.[1] ?? ''];
  if (version === undefined) return { kind: 'nowhere' };
  const rest = path.slice('/api/v3/'.length);
  for (const { pattern, handlers, open } of apiRoutes) {
    const match = pattern.exec(rest);
    if (match !== null) return { kind: 'route', version, handlers, open, path: { ...match.groups } };
  }
  const lacksSlash = apiRoutes.some(({ pattern }) => pattern.test(`${rest}/`));
  return { kind: lacksSlash ? 'lacks-slash' : 'nowhere' };
}
