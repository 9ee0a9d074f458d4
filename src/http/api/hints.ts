/**
 * Lists hints where the pings of a check say that its settings are wrong; `domain/runs/hints` finds them.
 * Invariant: changes nothing, and sees no more pings than the project's plan lists.
 */

import { planLimits } from '../../domain/accounts/plan-limits.ts';
import type { Check } from '../../domain/check/check.ts';
import { type HintFacts, hintsOf } from '../../domain/runs/hints.ts';
import type { HintListAnswer } from '../../domain/views/api-answers.ts';
import { visitChecks } from '../../engine/reads/check-slices.ts';
import { pastOf } from '../../engine/reads/what-if.ts';
import { hintZonesMax } from '../limits.ts';
import { jsonReply } from '../wire/json-reply.ts';
import type { HttpReply } from '../wire/message.ts';
import type { ApiCall } from './call.ts';
import { readCheck } from './check-lookup.ts';

export async function listHints(call: ApiCall): Promise<HttpReply> {
  const { pingsMax } = planLimits[call.project.plan];
  const found = await readCheck(call, (check) => pastOf(call.read, check, pingsMax, call.nowMs));
  if ('refusal' in found) return found.refusal;
  const { check, pings, changes } = found.read;
  const facts: HintFacts = { config: check.config, pings, changes, zones: [] };
  const hints = hintsOf(facts);
  // Few checks have this hint, and a project may have ten thousand others.
  const isZone = hints.some(({ code }) => code === 'time-zone');
  const shown = isZone ? hintsOf({ ...facts, zones: await zonesOf(call) }) : hints;
  return jsonReply({ hints: shown } satisfies HintListAnswer);
}

/** Time zones of the project's checks, the most used first. */
async function zonesOf({ read, project, nowMs }: ApiCall): Promise<readonly string[]> {
  const slices = await visitChecks(read, project.id, nowMs, (checks) => checks.flatMap(zoneOf));
  const counts = new Map<string, number>();
  for (const zone of slices.flat()) counts.set(zone, (counts.get(zone) ?? 0) + 1);
  const byUse = [...counts].sort(([, one], [, other]) => other - one);
  return byUse.slice(0, hintZonesMax).map(([zone]) => zone);
}

/** A period has no zone. */
function zoneOf({ config }: Check): readonly string[] {
  return config.kind === 'simple' ? [] : [config.tz];
}
