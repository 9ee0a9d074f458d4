/**
 * Plans the changes after which an installation has the users that a configuration asks for.
 * Invariants: pure; an installation that has an owner is never without one, not even between two steps: nothing is planned
 * that would leave none, and owners come first.
 */
import { type ConfiguredUser, rolesLine } from '../domain/configuration/configuration.ts';
import type { DesiredUser, DesiredUsers } from './desired.ts';
import { bare, type PlannedStep, type PlanSymbol } from './planned-step.ts';
import type { Problem } from './yaml-node.ts';

export function planUsers(
  { at, list }: DesiredUsers,
  actual: readonly ConfiguredUser[],
  prune: boolean,
  problems: Problem[],
): readonly PlannedStep[] {
  const known = new Map(actual.map((user) => [keyOf(user), user]));
  const wanted = new Set(list.map(keyOf));
  const others = actual.filter((user) => !wanted.has(keyOf(user)));
  const hasOwner = (users: readonly Pick<ConfiguredUser, 'role'>[]): boolean =>
    users.some(({ role }) => role === 'owner');
  if (hasOwner(actual) && !hasOwner(list) && (prune || !hasOwner(others))) {
    problems.push({ at, text: 'users: no owner would be left; give one of them the role owner' });
    return [];
  }
  const put = list.flatMap((user) => {
    const before = known.get(keyOf(user));
    return before ? changedRoles(before, user) : newUser(user);
  });
  return [...ownersFirst(put), ...(prune ? others.map(goneUser) : [])];
}

/** Compares names as the engine does. */
function keyOf({ name }: { readonly name: string }): string {
  return name.toLowerCase();
}

function heading(symbol: PlanSymbol, name: string): Omit<PlannedStep, 'step'> {
  return bare({ symbol, what: 'user', project: null, name });
}

function newUser({ name, role, projects }: DesiredUser): PlannedStep {
  const changes = [
    { field: 'role', after: role },
    ...(projects === null || projects.length === 0 ? [] : [{ field: 'projects', after: linesOf(projects) }]),
  ];
  return {
    ...heading('+', name),
    changes,
    step: { do: 'create-user', name, role, ...(projects === null ? {} : { projects }) },
  };
}

function changedRoles(user: ConfiguredUser, { role, projects }: DesiredUser): readonly PlannedStep[] {
  const [before, after] = [linesOf(user.projects), linesOf(projects ?? user.projects)];
  const changes = [
    ...(role === user.role ? [] : [{ field: 'role', before: user.role, after: role }]),
    ...(before.join() === after.join() ? [] : [{ field: 'projects', before, after }]),
  ];
  if (changes.length === 0) return [];
  const given = projects === null ? {} : { projects };
  const step = { do: 'change-role', id: user.id, role, ...given, expect: rolesLine(user) } as const;
  return [{ ...heading('~', user.name), changes, step }];
}

function linesOf(projects: ConfiguredUser['projects']): readonly string[] {
  return projects.map(({ project, role }) => `${role} in ${project}`);
}

function goneUser(user: ConfiguredUser): PlannedStep {
  const { id, name, role } = user;
  const changes = [{ field: 'role', before: role }];
  return { ...heading('-', name), changes, step: { do: 'delete-user', id, expect: rolesLine(user) } };
}

function ownersFirst(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  const isOwner = ({ step }: PlannedStep): boolean => 'role' in step && step.role === 'owner';
  return [...steps.filter(isOwner), ...steps.filter((step) => !isOwner(step))];
}
