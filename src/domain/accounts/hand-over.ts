/**
 * Handing a project over: an owner of it offers it to another member of it, who accepts or declines. Pure.
 * Invariant: an offer is valid only while both could still carry it out: the one who offered it is still an owner of the project, and
 * the other one is still a member of it and not its owner yet.
 */
import type { ProjectId, UserId } from '../../lib/ids.ts';
import type { Project } from './project.ts';
import { roleInProject, type User, withProjectRole } from './user.ts';

export interface ValidOffer {
  readonly to: User;
  readonly by: User;
  readonly untilMs: number;
}

/** Returns null for none, and for one that has expired or that nobody can carry out any more. */
export function validOffer(
  { id, handOver }: Pick<Project, 'id' | 'handOver'>,
  userOf: (id: UserId) => User | undefined,
  nowMs: number,
): ValidOffer | null {
  if (!handOver || handOver.untilMs <= nowMs) return null;
  const [to, by] = [userOf(handOver.to), userOf(handOver.by)];
  if (!to || !by || roleInProject(by, id) !== 'owner' || wrongRecipient(to, id) !== '') return null;
  return { to, by, untilMs: handOver.untilMs };
}

/** Said of somebody without a role in the project, and of a name that nobody has: the two must read alike. */
export const noMember = 'nobody with this name is a member of this project: invite them first';

/** Returns why the project cannot be offered to this user; empty if it can. */
export function wrongRecipient(user: User, id: ProjectId): string {
  const role = roleInProject(user, id);
  if (role === 'owner') return `${user.name} is an owner of this project already`;
  return role === 'none' ? noMember : '';
}

/** The one who accepts becomes an owner of the project. */
export function withHandedOver(user: User, id: ProjectId): User {
  return withProjectRole(user, id, 'owner');
}

/** The one who offered it becomes an editor. An owner of the installation stays an owner of every project. */
export function afterHandOver(user: User, id: ProjectId): User {
  return user.role === 'owner' ? user : withProjectRole(user, id, 'editor');
}
