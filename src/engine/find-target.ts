/**
 * Whose ping it is: an address in, a check out, or the reason why there is none.
 */
import { slugLengthMax } from '../domain/check.ts';
import { planLimits } from '../domain/project.ts';
import type { CheckActor } from './check-actor.ts';
import type { PingTarget } from './engine.ts';
import type { ProjectIndex } from './project-index.ts';
import type { Registry } from './registry.ts';

/** `actor` null: the slug is free, and the ping asks for a check to be made of it. */
type TargetMatch =
  | { readonly actor: CheckActor }
  | { readonly actor: null; readonly index: ProjectIndex; readonly slug: string };

export function findTarget(
  registry: Registry,
  target: PingTarget,
): TargetMatch | 'not-found' | 'ambiguous' | 'over-limit' | 'slug-too-long' {
  if (target.by === 'uuid') {
    const actor = registry.actor(target.uuid);
    return actor ? { actor } : 'not-found';
  }
  if (target.by === 'mailbox') return findMailbox(registry, target.pingKey, target.slug);
  const index = registry.projectByPingKey(target.pingKey);
  if (!index) return 'not-found';
  const found = onlyOne(index.bySlug(target.slug));
  if (found !== 'not-found' || !target.create) return found;
  if (target.slug.length > slugLengthMax) return 'slug-too-long';
  return index.size < planLimits[index.project.plan].createdByPingMax
    ? { actor: null, index, slug: target.slug }
    : 'over-limit';
}

/** As written, then without case. */
function findMailbox(
  registry: Registry,
  pingKey: string,
  slug: string,
): TargetMatch | 'not-found' | 'ambiguous' {
  const index = registry.projectByPingKey(pingKey) ?? registry.projectByPingKeyAnyCase(pingKey);
  if (!index) return 'not-found';
  const found = onlyOne(index.bySlug(slug));
  return found === 'not-found' ? onlyOne(index.bySlug(slug.toLowerCase())) : found;
}

function onlyOne([actor, another]: readonly CheckActor[]): TargetMatch | 'not-found' | 'ambiguous' {
  if (another) return 'ambiguous';
  return actor ? { actor } : 'not-found';
}
