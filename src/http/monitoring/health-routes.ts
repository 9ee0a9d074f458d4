/**
 * Health probes for load balancers and monitoring. `GET /healthz` shows that the process answers; `GET /readyz` shows that all
 * its parts are well, or which one is not and why. They need no key and show only words of Knell itself.
 * Invariant: an answer is never cached, and cheap enough for a request every second.
 */
import { type HealthPart, problemsOf } from '../../lib/health.ts';
import { jsonReply } from '../wire/json-reply.ts';
import type { HttpReply } from '../wire/message.ts';
import { neverCached, text } from '../wire/replies.ts';

const uncached = [['Cache-Control', neverCached]] as const;
const alive = text(200, 'OK', uncached);

const alivePath = '/healthz';
const readyPath = '/readyz';
export const healthPaths = [alivePath, readyPath] as const;

export function healthReplies(parts: readonly HealthPart[]): Readonly<Record<string, () => HttpReply>> {
  return {
    [alivePath]: () => alive,
    [readyPath]: () => readiness(parts),
  };
}

function readiness(parts: readonly HealthPart[]): HttpReply {
  const problems = new Map(problemsOf(parts).map(({ name, problem }) => [name, problem]));
  const shown = parts.map(({ name }) => [
    name,
    { ok: !problems.has(name), problem: problems.get(name) ?? null },
  ]);
  const ready = problems.size === 0;
  return jsonReply({ ready, parts: Object.fromEntries(shown) }, ready ? 200 : 503, uncached);
}
