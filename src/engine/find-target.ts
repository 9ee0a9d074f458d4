/**
 * Whose ping it is: an address in, a check out, or the reason why there is none.
 */
import { planLimits } from '../domain/project.ts';
import type { CheckActor } from './check-actor.ts';
import type { PingTarget } from './engine.ts';
import type { ProjectShelf } from './project-shelf.ts';
import type { Registry } from './registry.ts';

/** `actor` null: the slug is free, and the ping asks for a check to be made of it. */
export type Found =
  | { readonly actor: CheckActor }
  | { readonly actor: null; readonly shelf: ProjectShelf; readonly slug: string };

/** A ping may create checks up to this multiple of the plan's limit: a typo in a script must not fill the disk. */
const autoCreateFactor = 2;

export function findTarget(
  registry: Registry,
  target: PingTarget,
): Found | 'not-found' | 'ambiguous' | 'over-limit' {
  if (target.by === 'uuid') {
    const actor = registry.actor(target.uuid);
    return actor ? { actor } : 'not-found';
  }
  const shelf = registry.shelfByPingKey(target.pingKey);
  if (!shelf) return 'not-found';
  const [actor, another] = shelf.bySlug(target.slug);
  if (another) return 'ambiguous';
  if (actor) return { actor };
  if (!target.create) return 'not-found';
  const limit = planLimits[shelf.project.plan].checksMax * autoCreateFactor;
  return shelf.size < limit ? { actor: null, shelf, slug: target.slug } : 'over-limit';
}
