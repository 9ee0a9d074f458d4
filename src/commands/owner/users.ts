/** Commands about members: who there is, and which role they have, in the installation or in one project. */
import { type MemberRole, memberRoles, type User, withProjectRole } from '../../domain/accounts/user.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import type { ProjectId } from '../../lib/ids.ts';
import { type CommandRequest, choiceIn, type OwnerCommand } from '../contract/command.ts';
import { needsShell } from '../contract/needs-shell.ts';

/** `default`: the one of the installation. */
export const projectRoleChoices = [...memberRoles, 'default'] as const;

interface RoleInput {
  readonly user: User;
  /** Null: of the installation. */
  readonly projectId: ProjectId | null;
  readonly role: MemberRole | 'default';
}

/** `user`, `role`; with `project` the role there, or `default` for the one of the installation. */
export const changeRole: OwnerCommand<RoleInput, User, ShownUser> = {
  effect: 'changes',
  role: 'owner',
  input(request) {
    const { args, targets, shell } = request;
    const user = memberOf(request);
    if (args.project !== undefined) {
      const role = choiceIn(args, 'role', projectRoleChoices);
      if (user.role === 'owner')
        throw new KnellError(
          'conflict',
          `${user.name} is an owner of the installation, and so of every project`,
        );
      return { user, projectId: targets.project().id, role };
    }
    const role = choiceIn(args, 'role', memberRoles);
    // An owner can set up shell integrations on the page.
    if (role === 'owner' && !shell) throw needsShell('make a user an owner');
    return { user, projectId: null, role };
  },
  run({ user, projectId, role }, { context }) {
    return context.engine.change.updateUser(user.id, (now) => {
      if (projectId !== null) return withProjectRole(now, projectId, role === 'default' ? null : role);
      return role === 'default' ? now : { ...now, role };
    });
  },
  shown: (user, { engine }) => shownUser(user, engine.read),
};

function memberOf({ targets, args }: CommandRequest): User {
  if (typeof args.user !== 'string') throw new KnellError('usage', 'user is missing');
  const user = targets.user();
  if (user === null) throw new KnellError('not-found', 'there is no user yet');
  return user;
}

export const listUsers: OwnerCommand<null, readonly User[], readonly ShownUser[]> = {
  effect: 'reads',
  role: 'owner',
  input: () => null,
  run: (_, { context }) => context.engine.read.users(),
  shown: (users, { engine }) => users.map((user) => shownUser(user, engine.read)),
};

/** As commands print it. */
export interface ShownUser {
  readonly id: string;
  readonly name: string;
  readonly role: MemberRole;
  readonly projects: readonly { readonly project: string; readonly role: MemberRole }[];
}

export function shownUser({ id, name, role, projects }: User, read: Pick<EngineRead, 'project'>): ShownUser {
  return { id, name, role, projects: namedRoles({ projects }, read) };
}

/** By the names of the projects, sorted; those of deleted ones are left out. */
export function namedRoles(
  { projects = [] }: Pick<User, 'projects'>,
  read: Pick<EngineRead, 'project'>,
): ShownUser['projects'] {
  return projects
    .flatMap(({ projectId, role }) => {
      const project = read.project(projectId);
      return project ? [{ project: project.name, role }] : [];
    })
    .sort((a, b) => (a.project < b.project ? -1 : 1));
}
