/**
 * The check that a word on the command line means: a UUID, a name, a slug, or the beginning of a UUID.
 * Invariant: pure; a word that may mean several checks means none, and the error lists them.
 */

import type { HeldAlerts } from '../domain/views/api-answers.ts';
import { KnellError } from '../lib/errors.ts';
import { candidatesNamedMax } from './limits.ts';
import type { ApiCheck, Management, ProjectRef } from './management.ts';

export interface FoundCheck {
  readonly project: ProjectRef;
  readonly check: ApiCheck;
  /** Alerts that are held back, if they were requested and there are any. */
  readonly held?: HeldAlerts;
}

/** To a read-only key the API shows another id, by which a check can be read. */
interface ShownCheck extends ApiCheck {
  readonly unique_key?: string;
}

function identified(check: ShownCheck): ApiCheck {
  return check.unique_key === undefined ? check : { ...check, uuid: check.unique_key };
}

/** `only`: the name or id of the one project to look into. Projects in their order, checks oldest first. */
export async function allChecks(management: Management, only?: string): Promise<readonly FoundCheck[]> {
  const found: FoundCheck[] = [];
  for (const project of await projectsNamed(management, only)) {
    const { checks } = (await management.call(project, 'GET', 'checks/')) as {
      readonly checks: readonly ShownCheck[];
    };
    for (const check of checks) found.push({ project, check: identified(check) });
  }
  return found;
}

export async function projectsNamed(
  management: Management,
  only: string | undefined,
): Promise<readonly ProjectRef[]> {
  const all = await management.projects();
  if (only === undefined || all.every(({ id }) => id === '')) return all;
  const named = all.filter(({ id, name }) => id === only || name === only);
  if (named.length === 0)
    throw new KnellError('not-found', `no project is named ${JSON.stringify(only)}: see knell project list`);
  return named;
}

/** Throws a KnellError: `not-found`, or `usage` for a word that several checks match. */
export function checkNamed(all: readonly FoundCheck[], word: string): FoundCheck {
  const lower = word.toLowerCase();
  const matchers: readonly ((check: ApiCheck) => boolean)[] = [
    ({ uuid }) => uuid === lower,
    ({ name, slug }) => name === word || slug === word,
    ({ name }) => name.toLowerCase() === lower,
    ({ uuid }) => /^[0-9a-f-]+$/.test(lower) && uuid.startsWith(lower),
  ];
  for (const matches of matchers) {
    const [found, ...others] = all.filter(({ check }) => matches(check));
    if (found && others.length === 0) return found;
    if (found) throw ambiguous(word, [found, ...others]);
  }
  throw new KnellError('not-found', `no check is named ${JSON.stringify(word)}: see knell check list`);
}

function ambiguous(word: string, found: readonly FoundCheck[]): KnellError {
  const shown = found.slice(0, candidatesNamedMax).map(({ check, project }) => {
    const where = project.name === '' ? '' : `, ${project.name}`;
    return `${check.uuid} (${check.name || 'unnamed'}${where})`;
  });
  const more = found.length > shown.length ? ` and ${found.length - shown.length} more` : '';
  return new KnellError('usage', `${JSON.stringify(word)} may be ${shown.join(' or ')}${more}`);
}
