/**
 * Whose ping it is: an address in, a check out, or the reason why there is none.
 */

import { planLimits } from '../../domain/accounts/plan-limits.ts';
import type { GivenNewCheck } from '../../domain/check/new-check.ts';
import { slugLengthMax } from '../../domain/limits.ts';
import type { PingTarget } from '../contract/engine.ts';
import { noHandle, severalHandles } from '../registry/hashed-handles.ts';
import type { ProjectIndex } from '../registry/project-index.ts';
import type { Registry } from '../registry/registry.ts';

/** The slug is free, and the ping asks for a check to be made of it. */
export interface MissingCheck {
  readonly handle: null;
  readonly index: ProjectIndex;
  readonly slug: string;
  readonly settings: GivenNewCheck;
}

type TargetMatch = { readonly handle: number } | MissingCheck;

export function findTarget(
  registry: Registry,
  target: PingTarget,
): TargetMatch | 'not-found' | 'unknown-key' | 'ambiguous' | 'over-limit' | 'slug-too-long' {
  if (target.by === 'uuid') {
    const handle = registry.handleByWords(target.uuid);
    return handle < 0 ? 'not-found' : { handle };
  }
  if (target.by === 'mailbox') return findMailbox(registry, target.pingKey, target.slug);
  const index = registry.projectByPingKey(target.pingKey);
  if (!index) return 'unknown-key';
  const found = onlyOne(index.bySlug(target.slug));
  if (found !== 'not-found' || !target.create) return found;
  if (target.slug.length > slugLengthMax) return 'slug-too-long';
  return index.size < planLimits[index.project.plan].createdByPingMax
    ? { handle: null, index, slug: target.slug, settings: target.settings ?? null }
    : 'over-limit';
}

/** Looks up the address as written, then without case. */
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

function onlyOne(handle: number): TargetMatch | 'not-found' | 'ambiguous' {
  if (handle === severalHandles) return 'ambiguous';
  return handle === noHandle ? 'not-found' : { handle };
}

/** The handle of a target that is there and the only one; `noHandle` otherwise: then `findTarget` says why. */
export function findHandle(registry: Registry, target: PingTarget): number {
  if (target.by === 'uuid') return registry.handleByWords(target.uuid);
  if (target.by === 'mailbox') return noHandle;
  return registry.projectByPingKey(target.pingKey)?.bySlug(target.slug) ?? noHandle;
}
