/**
 * Carries on what the rules of retention of a check have dropped when others take their place: an update of the check, or a move to
 * another project. Invariant: what is carried on is in the record of the change itself.
 */
import type { Project } from '../../domain/accounts/project.ts';
import type { Check } from '../../domain/check/check.ts';
import { formerOfCheck } from '../../domain/retention/former-rules.ts';
import type { Registry } from '../registry/registry.ts';
import { retentionOf } from '../registry/retention-source.ts';

/** The check after the change; `projects`: of before and of after. */
export function withFormerRules(
  { aliveMs }: Pick<Registry, 'aliveMs'>,
  before: Check,
  after: Check,
  projects: { readonly before: Project; readonly after: Project; readonly nowMs: number },
): Check {
  const formerRetention = formerOfCheck(
    { check: retentionOf(before), project: projects.before },
    { check: retentionOf(after), project: projects.after },
    Math.max(aliveMs, projects.nowMs),
  );
  return formerRetention === after.formerRetention ? after : { ...after, formerRetention };
}
