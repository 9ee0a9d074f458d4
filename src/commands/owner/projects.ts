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

export const createProject: OwnerCommand<
  { readonly name: string; readonly plan: Plan },
  NewProject,
  ShownProject
> = {
  effect: 'changes',
  role: 'owner',
  input: ({ args }) => ({
    name: textIn(args, 'name'),
    plan: args.plan === undefined ? 'paid' : choiceIn(args, 'plan', plans),
  }),
  run: ({ name, plan }, { context, nowMs }) => context.engine.change.createProject(name, plan, nowMs),
  shown: shownProject,
};

interface ProjectWithCount {
  readonly project: Project;
  readonly checks: number;
}

export const listProjects: OwnerCommand<
  null,
  readonly ProjectWithCount[],
  readonly (ProjectSummary & { readonly checks: number })[]
> = {
  effect: 'reads',
  role: 'viewer',
  input: () => null,
  run: (_, { context: { engine } }) =>
    engine.read.projects().map((project) => ({ project, checks: engine.read.checkCount(project.id) })),
  shown: (all) => all.map(({ project, checks }) => ({ ...summaryOf(project), checks })),
};

export const renameProject: OwnerCommand<
  { readonly project: Project; readonly name: string },
  Project,
  ProjectSummary
> = {
  effect: 'changes',
  role: 'owner',
  input: ({ args, targets }) => ({ name: textIn(args, 'name'), project: targets.project() }),
  run: ({ project, name }, { context }) => context.engine.change.renameProject(project.id, name),
  shown: summaryOf,
};

/** With its checks: the outcome says how many there were. */
export const deleteProject: OwnerCommand<Project, ProjectWithCount, DeletedProject> = {
  effect: 'changes',
  role: 'owner',
  input: ({ targets }) => targets.project(),
  run: async (project, { context, nowMs }) => ({
    project,
    checks: await context.engine.change.deleteProject(project.id, nowMs),
  }),
  shown: ({ project: { id, name }, checks }) => ({ id, name, deleted: true, checks }),
};

export const createKey: OwnerCommand<
  { readonly project: Project; readonly scope: KeyScope },
  NewKey,
  CreatedKey
> = {
  effect: 'changes',
  role: 'owner',
  input: ({ args, targets }) => ({ scope: choiceIn(args, 'scope', keyScopes), project: targets.project() }),
  run: ({ project, scope }, { context, nowMs }) =>
    context.engine.change.createKey({ projectId: project.id, scope }, nowMs),
  shown: ({ key: { id, scope }, clear }) => ({ id, scope, key: clear }),
};

export const listKeys: OwnerCommand<Project, readonly ApiKey[], readonly ShownKey[]> = {
  effect: 'reads',
  role: 'owner',
  input: ({ targets }) => targets.project(),
  run: ({ id }, { context }) => context.engine.read.keys(id),
  shown: (keys) => keys.map(shownKey),
};

export const revokeKey: OwnerCommand<KeyId, KeyId, RevokedKey> = {
  effect: 'changes',
  role: 'owner',
  input: ({ targets }) => targets.key(),
  async run(id, { context }) {
    await context.engine.change.revokeKey(id);
    return id;
  },
  shown: (id) => ({ id, revoked: true }),
};

type ProjectSummary = Pick<Project, 'id' | 'name' | 'plan'>;

/** A project with a key of each scope, in the form of the command line's contract. */
export interface ShownProject {
  readonly project: ProjectSummary;
  readonly keys: { readonly read_write: string; readonly read_only: string; readonly ping: string };
}

interface DeletedProject extends Pick<Project, 'id' | 'name'> {
  readonly deleted: true;
  readonly checks: number;
}

interface CreatedKey extends Pick<ApiKey, 'id' | 'scope'> {
  readonly key: string;
}

interface RevokedKey extends Pick<ApiKey, 'id'> {
  readonly revoked: true;
}

interface ShownKey extends Pick<ApiKey, 'id' | 'name' | 'scope'> {
  readonly created: string;
  /** In clear: of ping keys. */
  readonly key?: string;
}

/** The keys are shown only here. */
export function shownProject({ project, readWrite, readOnly, ping }: NewProject): ShownProject {
  const keys = { read_write: readWrite.clear, read_only: readOnly.clear, ping: ping.clear };
  return { project: summaryOf(project), keys };
}

function summaryOf({ id, name, plan }: Project): ProjectSummary {
  return { id, name, plan };
}

function shownKey({ id, name, scope, clear, createdAtMs }: ApiKey): ShownKey {
  const created = new Date(createdAtMs).toISOString();
  return {
    id,
    ...(name === undefined ? {} : { name }),
    scope,
    created,
    ...(clear === null ? {} : { key: clear }),
  };
}
