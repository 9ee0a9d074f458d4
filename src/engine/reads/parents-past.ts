/**
 * Reads when the checks that a check depends on were down, for a replay of its alerts (`domain/alerting/what-if`).
 * Invariant: a turn reads the history of one check; of so many checks, and of each so many changes.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { outagesIn, type ParentPast } from '../../domain/alerting/parents-past.ts';
import { type Check, type CheckConfig, tagsOf } from '../../domain/check/check.ts';
import type { EngineRead } from '../contract/engine.ts';
import { replayedParentChangesMax, replayedParentsMax } from '../contract/limits.ts';
import { dependencyNames, tagPrefix } from '../registry/dependencies.ts';
import { visitChecks } from './check-slices.ts';

export interface ParentsRead {
  readonly parents: readonly ParentPast[];
  /** Whether there is more than was read: then some alerts may have been held that the replay sends. */
  readonly isCut: boolean;
}

export async function readParents(
  read: EngineRead,
  { id, projectId }: Check,
  { dependsOn }: Pick<CheckConfig, 'dependsOn'>,
  range: { readonly fromMs: number; readonly untilMs: number },
): Promise<ParentsRead> {
  const names = new Set(dependencyNames(dependsOn));
  if (names.size === 0) return { parents: [], isCut: false };
  const isNamed = (one: Check): boolean =>
    one.id !== id &&
    (names.has(one.id) ||
      names.has(one.config.slug) ||
      tagsOf(one.config).some((tag) => names.has(tagPrefix + tag)));
  const slices = await visitChecks(read, projectId, range.untilMs, (checks) => checks.filter(isNamed));
  const found = slices.flat();
  const parents: ParentPast[] = [];
  let isCut = found.length > replayedParentsMax;
  for (const one of found.slice(0, replayedParentsMax)) {
    const newest = await read.durably(() => read.changes(one.id, range, replayedParentChangesMax));
    const changes = newest.toReversed();
    isCut ||= changes.length === replayedParentChangesMax;
    const [earlier] = changes.length > 0 ? [] : read.changes(one.id, { ...range, fromMs: 0 }, 1);
    const before = changes[0]?.from ?? earlier?.to ?? 'new';
    parents.push({ name: one.config.name || one.config.slug || one.id, outages: outagesIn(changes, before) });
    await nextTurn();
  }
  return { parents, isCut };
}
