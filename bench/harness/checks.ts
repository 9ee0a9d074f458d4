/** Checks for micro benches: as an owner would have them, and as they are after a ping. */
import { type Check, type CheckConfig, defaultConfig, freshState } from '../../src/domain/check/check.ts';
import { decide } from '../../src/engine/registry/check-actor.ts';
import { asBadgeId, asCheckId, asProjectId } from '../../src/lib/ids.ts';

export const benchMs = Date.UTC(2026, 5, 1, 12);

export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Up since a ping at `benchMs`. */
export function upCheck(number: number, config: Partial<CheckConfig> = {}): Check {
  const fresh: Check = {
    id: asCheckId(idOf(number)),
    projectId: asProjectId(idOf(0)),
    badgeId: asBadgeId(idOf(number)),
    createdAtMs: benchMs,
    config: {
      ...defaultConfig,
      name: `job ${number}`,
      slug: `job-${number}`,
      tags: 'prod backup',
      ...config,
    },
    state: freshState,
  };
  return decide(fresh, { type: 'success', atMs: benchMs, rid: null });
}
