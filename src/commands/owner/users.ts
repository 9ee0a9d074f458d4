/** Commands about members: who there is, and which role they have, in the installation or in one project. */
import { type MemberRole, memberRoles, type User, withProjectRole } from '../../domain/accounts/user.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { optional, required } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import { type CommandRequest, choiceIn } from '../contract/command.ts';
import { command } from '../contract/declaration.ts';
import { needsShell } from '../contract/needs-shell.ts';

/** `default`: the one of the installation. */
export const projectRoleChoices = [...memberRoles, 'default'] as const;

type ProjectRoleChoice = (typeof projectRoleChoices)[number];

/** `default` only in a project. */
const role = {
  ...kind.choice(projectRoleChoices),
  typed: String,
  read: ({ args }: Pick<CommandRequest, 'args'>, name: string): ProjectRoleChoice =>
    choiceIn(args, name, args.project === undefined ? memberRoles : projectRoleChoices),
};

export const userCommands = {
  'user list': command({
    effect: 'reads',
    role: 'owner',
    help: 'list the members, with their roles',
    takes: {},
    run: (_, { context }) => context.engine.read.users(),
    shown: (users, { engine }) => users.map((user) => shownUser(user, engine.read)),
  }),
  'user role': command({
    effect: 'changes',
    role: 'owner',
    help: `change what a member may do: ${memberRoles.join(', ')}; in a project also default`,
    more: `A role in a project wins over the role of the installation, upwards and downwards; default takes it away again.
Owners of the installation are owners of every project. With the role none of the installation a member sees only the projects with a role there.`,
    takes: {
      user: required(kind.user, '<user>'),
      role: required(role, '<role>', 'what the member may do'),
      project: optional(kind.project, '--project <project>', 'only in this project, by its name or id'),
    },
    run({ user, role, project }, { context, shell }) {
      if (project && user.role === 'owner')
        throw new KnellError(
          'conflict',
          `${user.name} is an owner of the installation, and so of every project`,
        );
      // An owner can set up shell integrations on the page.
      if (!project && role === 'owner' && !shell) throw needsShell('make a user an owner');
      return context.engine.change.updateUser(user.id, (now) => {
        if (project) return withProjectRole(now, project.id, role === 'default' ? null : role);
        return role === 'default' ? now : { ...now, role };
      });
    },
    shown: (user, { engine }) => shownUser(user, engine.read),
  }),
} as const;

/** A user as commands print it. */
export interface ShownUser {
  readonly id: string;
  readonly name: string;
  readonly role: MemberRole;
  readonly projects: readonly { readonly project: string; readonly role: MemberRole }[];
}

export function shownUser({ id, name, role, projects }: User, read: Pick<EngineRead, 'project'>): ShownUser {
  return { id, name, role, projects: namedRoles({ projects }, read) };
}

/** The roles with the names of their projects, sorted by them; those of deleted projects are left out. */
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
