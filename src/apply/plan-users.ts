/**
 * What has to change so that an installation has the users that a configuration asks for.
 * Invariants: pure; an installation that has an owner is never without one, not even between two steps: nothing is planned
 * that would leave none, and owners come first.
 */
import type { ConfiguredUser } from '../domain/configuration.ts';
import type { DesiredUsers } from './desired.ts';
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
    return before ? changedRole(before, user.role) : newUser(user);
  });
  return [...ownersFirst(put), ...(prune ? others.map(goneUser) : [])];
}

/** As the engine compares names. */
function keyOf({ name }: { readonly name: string }): string {
  return name.toLowerCase();
}

function heading(symbol: PlanSymbol, name: string): Omit<PlannedStep, 'step'> {
  return bare({ symbol, what: 'user', project: null, name });
}

function newUser({ name, role }: Pick<ConfiguredUser, 'name' | 'role'>): PlannedStep {
  const changes = [{ field: 'role', after: role }];
  return { ...heading('+', name), changes, step: { do: 'create-user', name, role } };
}

function changedRole(
  { id, name, role: before }: ConfiguredUser,
  role: ConfiguredUser['role'],
): readonly PlannedStep[] {
  if (role === before) return [];
  const changes = [{ field: 'role', before, after: role }];
  return [{ ...heading('~', name), changes, step: { do: 'change-role', id, role, expect: before } }];
}

function goneUser({ id, name, role }: ConfiguredUser): PlannedStep {
  const changes = [{ field: 'role', before: role }];
  return { ...heading('-', name), changes, step: { do: 'delete-user', id, expect: role } };
}

function ownersFirst(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  const isOwner = ({ step }: PlannedStep): boolean => 'role' in step && step.role === 'owner';
  return [...steps.filter(isOwner), ...steps.filter((step) => !isOwner(step))];
}
