/**
 * Commands about projects and their keys.
 * Invariant: a key is shown once, in the outcome that creates it; only ping keys are stored in clear.
 */
import {
  type ApiKey,
  type KeyScope,
  keyScopes,
  type Plan,
  type Project,
  plans,
} from '../../domain/accounts/project.ts';
import type { NewKey, NewProject } from '../../engine/contract/engine.ts';
import type { KeyId } from '../../lib/ids.ts';
import { choiceIn, type OwnerCommand, textIn } from '../contract/command.ts';

export const createProject: OwnerCommand<{ readonly name: string; readonly plan: Plan }, NewProject> = {
  role: 'owner',
  input: ({ args }) => ({
    name: textIn(args, 'name'),
    plan: args.plan === undefined ? 'paid' : choiceIn(args, 'plan', plans),
  }),
  run: ({ name, plan }, { context, nowMs }) => context.engine.change.createProject(name, plan, nowMs),
};

interface ProjectWithCount {
  readonly project: Project;
  readonly checks: number;
}

export const listProjects: OwnerCommand<null, readonly ProjectWithCount[]> = {
  role: 'viewer',
  input: () => null,
  run: (_, { context: { engine } }) =>
    engine.read.projects().map((project) => ({ project, checks: engine.read.checkCount(project.id) })),
};

export const renameProject: OwnerCommand<{ readonly project: Project; readonly name: string }, Project> = {
  role: 'owner',
  input: ({ args, targets }) => ({ name: textIn(args, 'name'), project: targets.project() }),
  run: ({ project, name }, { context }) => context.engine.change.renameProject(project.id, name),
};

/** With its checks: the outcome says how many there were. */
export const deleteProject: OwnerCommand<Project, ProjectWithCount> = {
  role: 'owner',
  input: ({ targets }) => targets.project(),
  run: async (project, { context, nowMs }) => ({
    project,
    checks: await context.engine.change.deleteProject(project.id, nowMs),
  }),
};

export const createKey: OwnerCommand<{ readonly project: Project; readonly scope: KeyScope }, NewKey> = {
  role: 'owner',
  input: ({ args, targets }) => ({ scope: choiceIn(args, 'scope', keyScopes), project: targets.project() }),
  run: ({ project, scope }, { context, nowMs }) =>
    context.engine.change.createKey({ projectId: project.id, scope }, nowMs),
};

export const listKeys: OwnerCommand<Project, readonly ApiKey[]> = {
  role: 'owner',
  input: ({ targets }) => targets.project(),
  run: ({ id }, { context }) => context.engine.read.keys(id),
};

export const revokeKey: OwnerCommand<KeyId, KeyId> = {
  role: 'owner',
  input: ({ targets }) => targets.key(),
  async run(id, { context }) {
    await context.engine.change.revokeKey(id);
    return id;
  },
};
