/**
 * The paths by which others monitor Knell, and who may read each.
 * Invariant: any other path is left to the page.
 */
import type { EngineChange, EngineRead } from '../../engine/contract/engine.ts';
import type { HealthPart } from '../../lib/health.ts';
import type { Meter } from '../../lib/meter.ts';
import { type Echoes, echoPrefix } from '../pings/echo-routes.ts';
import type { HttpReply, HttpRequest } from '../wire/message.ts';
import { text } from '../wire/replies.ts';
import { healthReplies } from './health-routes.ts';
import { keyedMetrics, metricsPath } from './metrics-routes.ts';
import { isProjectMetrics, projectMetrics } from './project-metrics.ts';

interface MonitoringOptions {
  /** Parts that must be well for Knell to be ready. */
  readonly health: readonly HealthPart[];
  readonly read: EngineRead;
  readonly change: Pick<EngineChange, 'noteKeyUse'>;
  readonly meter: Pick<Meter, 'collect'>;
  readonly echoes: Pick<Echoes, 'answer'>;
  /** Key that opens `/metrics`; null if that is not served here. */
  readonly metricsKey: string | null;
}

export interface Monitoring {
  /** Headers that it reads. */
  readonly reads: readonly string[];
  /** Returns null for a path that is not one of these. */
  readonly answer: (request: HttpRequest) => HttpReply | Promise<HttpReply> | null;
}

export function createMonitoring(options: MonitoringOptions): Monitoring {
  const { meter, echoes, health, metricsKey } = options;
  const probes = healthReplies(health);
  return {
    reads: ['accept', 'authorization', 'x-forwarded-for'],
    answer(request) {
      if (request.path === metricsPath && metricsKey !== null)
        return reading(request, () => keyedMetrics(meter, metricsKey, request));
      const probe = probes[request.path];
      if (probe) return reading(request, probe);
      if (request.path.startsWith(echoPrefix)) return reading(request, () => echoes.answer(request));
      if (isProjectMetrics(request.path)) return reading(request, () => projectMetrics(options, request));
      return null;
    },
  };
}

type Reply = HttpReply | Promise<HttpReply>;

function reading({ method }: HttpRequest, answer: () => Reply): Reply {
  if (method === 'GET' || method === 'HEAD') return answer();
  return text(405, 'method not allowed', [['Allow', 'GET, HEAD']]);
}
