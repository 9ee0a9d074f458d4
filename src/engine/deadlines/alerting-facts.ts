/**
 * What the alerting of a check needs to know around it: which checks that it depends on are down, and which windows are open. Out of
 * the registry, at the moment of the question.
 * Invariant: of checks that depend on each other in a circle, one at least is not held back.
 */
import type { AlertingFacts } from '../../domain/alerting/hold-reason.ts';
import { windowFor } from '../../domain/alerting/maintenance.ts';
import type { Check } from '../../domain/check/check.ts';
import { parentLevelsMax, parentsMax } from '../../domain/limits.ts';
import { asCheckId, type CheckId, isUuid } from '../../lib/ids.ts';
import { dependencyNames, isTagName } from '../registry/dependencies.ts';
import type { ProjectIndex } from '../registry/project-index.ts';
import type { Registry } from '../registry/registry.ts';

const known = new WeakMap<Registry, AlertingFacts>();

/** Of one registry always the same: they are asked for at each status change. */
export function alertingFacts(registry: Registry): AlertingFacts {
  const before = known.get(registry);
  if (before) return before;
  const facts = factsOf(registry);
  known.set(registry, facts);
  return facts;
}

function factsOf(registry: Registry): AlertingFacts {
  return {
    maintenance: (check, atMs) => maintenanceOf(registry, check, atMs),
    parentsDown: (check) => parentsDown(registry, check).map(nameOf),
    parentNames: (check) => parentNames(registry, check),
  };
}

function maintenanceOf(
  registry: Registry,
  check: Check,
  atMs: number,
): { readonly about: string; readonly untilMs: number } | null {
  const windows = registry.maintenance.of(check.projectId);
  const window = windows.length === 0 ? null : windowFor(windows, check, atMs);
  return window && { about: window.name, untilMs: window.untilMs };
}

/** What it depends on as people call it: the name of what is given as a UUID, where that is a check of its project. */
function parentNames(registry: Registry, { projectId, config: { dependsOn } }: Check): string {
  const names = dependencyNames(dependsOn).map((name) => {
    const handle = isUuid(name) ? registry.handleOf(asCheckId(name)) : -1;
    return handle >= 0 && registry.projectId(handle) === projectId ? nameOf(registry.check(handle)) : name;
  });
  return names.join(', ');
}

export function nameOf({ config, id }: Check): string {
  return config.name || config.slug || id;
}

/** The checks that it depends on and that are down, at most some; not those that are held back for this one. */
export function parentsDown(registry: Registry, check: Check): readonly Check[] {
  const index = registry.projectIndex(check.projectId);
  const handle = registry.handleOf(check.id);
  if (index === null || handle < 0) return [];
  return parentsOf({ registry, index, seen: new Set([handle]) }, handle);
}

interface Search {
  readonly registry: Registry;
  readonly index: ProjectIndex;
  /** The check that is asked about, and all from it up to the one at hand. */
  readonly seen: ReadonlySet<number>;
}

function parentsOf(search: Search, handle: number): readonly Check[] {
  const { registry, index, seen } = search;
  const found: Check[] = [];
  for (const name of index.dependencies.namesOf(handle))
    for (const parent of named(search, name)) {
      if (found.length === parentsMax) return found;
      if (seen.has(parent) || registry.table.rows.status(parent) !== 'down') continue;
      const one = registry.check(parent);
      if (!found.includes(one) && counts({ ...search, seen: new Set([...seen, parent]) }, parent, one))
        found.push(one);
    }
  return found;
}

/** One that is held back for its own parents counts only if one of those does: in a circle all would wait for each other. */
function counts(search: Search, handle: number, { hold }: Check): boolean {
  if (hold?.reason !== 'parent-down') return true;
  return search.seen.size <= parentLevelsMax && parentsOf(search, handle).length > 0;
}

/** Handles in the project; of a tag, those that are down. */
function named({ registry, index }: Search, name: string): Iterable<number> {
  if (isTagName(name)) return index.dependencies.downOf(name);
  const bySlug = index.bySlug(name);
  if (bySlug >= 0) return [bySlug];
  const byId = registry.handleOf(name as CheckId);
  return byId >= 0 && registry.projectId(byId) === index.project.id ? [byId] : [];
}
