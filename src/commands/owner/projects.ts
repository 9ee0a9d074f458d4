/**
 * Commands about projects and their keys.
 * Invariant: a key is shown once, in the outcome that creates it; only ping keys are stored in clear.
 */
import { type ApiKey, keyScopes, type Project } from '../../domain/accounts/project.ts';
import { projectFields as fields } from '../../domain/accounts/project-fields.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import type { PreviewFigures } from '../../domain/retention/retention-words.ts';
import type { NewProject } from '../../engine/contract/engine.ts';
import { previewOfProject } from '../../engine/reads/retained.ts';
import { optional, required, withDefault } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import { command } from '../contract/declaration.ts';

export const projectCommands = {
  'project create': command({
    effect: 'changes',
    role: 'owner',
    help: 'create a project; its keys are printed only once',
    takes: {
      name: required(kind.logged(kind.text()), '<name>', fields.name.option),
      plan: withDefault(
        kind.choice(fields.plan.choices),
        fields.plan.default,
        '--plan <plan>',
        fields.plan.option,
      ),
    },
    run: ({ name, plan }, { context, nowMs }) => context.engine.change.createProject(name, plan, nowMs),
    shown: shownProject,
  }),
  'project list': command({
    effect: 'reads',
    role: 'viewer',
    help: 'list the projects',
    takes: {},
    run: (_, { context: { engine } }) =>
      engine.read.projects().map((project) => ({ project, checks: engine.read.checkCount(project.id) })),
    shown: (all) => all.map(({ project, checks }) => ({ ...summaryOf(project), checks })),
  }),
  'project rename': command({
    effect: 'changes',
    role: 'owner',
    help: 'rename a project',
    takes: {
      project: required(kind.project, '<project>'),
      name: required(kind.logged(kind.text()), '<name>', 'the new name'),
    },
    run: ({ project, name }, { context }) => context.engine.change.renameProject(project.id, name),
    shown: summaryOf,
  }),
  'project retention': command({
    effect: 'changes',
    role: 'owner',
    help: 'set which pings and outputs of its checks are kept',
    more: `Rules are for checks that have none of their own; one per line, or with commas between them:
"pings last 500", "pings 90 days", "failures 1 year", "bodies of successes 3 days". "" removes them.
See what they would drop first: knell project retention-preview.`,
    takes: {
      project: required(kind.project, '<project>'),
      retention: required(kind.logged(kind.retention), '<rules>', fields.retention.option),
    },
    run: ({ project, retention }, { context, nowMs }) =>
      context.engine.change.setRetention(project.id, retention, nowMs),
    shown: (project) => ({ ...summaryOf(project), retention: project.retention ?? '' }),
  }),
  'project retention-preview': command({
    effect: 'reads',
    role: 'viewer',
    help: 'show what rules of retention would drop, and change nothing',
    more: 'Counts checks that have no rules of their own.',
    takes: {
      project: required(kind.project, '<project>'),
      retention: required(kind.retention, '<rules>', fields.retention.option),
    },
    run: ({ project, retention }, { context, nowMs }) =>
      previewOfProject(context.engine.read, project.id, retention, nowMs),
    shown: shownPreview,
  }),
  /** Deletes a project with its checks: the outcome says how many there were. */
  'project delete': command({
    effect: 'changes',
    role: 'owner',
    help: 'delete a project with its checks, their history, its keys and its integrations',
    more: 'This cannot be undone: write a snapshot first (knell snapshot). The only project cannot be deleted.',
    takes: { project: required(kind.project, '<project>') },
    run: async ({ project }, { context, nowMs }) => ({
      project,
      checks: await context.engine.change.deleteProject(project.id, nowMs),
    }),
    shown: ({ project: { id, name }, checks }) => ({ id, name, deleted: true, checks }),
  }),
  'key create': command({
    effect: 'changes',
    role: 'owner',
    help: 'create a key; it is printed only once',
    takes: {
      project: required(kind.project, '[project]'),
      scope: required(kind.logged(kind.choice(keyScopes)), '--scope <scope>', 'what the key may do'),
      name: optional(
        kind.logged(kind.text({ charsMax: nameCharsMax })),
        '--name <name>',
        'what it is called: unique in the project; a configuration file refers to the key by it',
      ),
    },
    run({ project, scope, name = '' }, { context, nowMs }) {
      const named = name.trim() === '' ? {} : { name: name.trim() };
      return context.engine.change.createKey({ projectId: project.id, scope, ...named }, nowMs);
    },
    shown: ({ key: { id, name, scope }, clear }) => ({
      id,
      ...(name === undefined ? {} : { name }),
      scope,
      key: clear,
    }),
  }),
  'key list': command({
    effect: 'reads',
    role: 'owner',
    help: 'list the keys of a project',
    takes: { project: required(kind.project, '[project]') },
    run: ({ project }, { context }) => context.engine.read.keys(project.id),
    shown: (keys) => keys.map(shownKey),
  }),
  'key rename': command({
    effect: 'changes',
    role: 'owner',
    help: 'rename a key; it works as before',
    more: 'A configuration file that refers to the key by its name has to be changed, too.',
    takes: {
      id: required(kind.key, '<key-id>'),
      name: required(
        kind.logged(kind.text({ charsMax: nameCharsMax })),
        '<name>',
        'the new name; empty for none',
      ),
    },
    run: ({ id, name }, { context }) => context.engine.change.renameKey(id, name),
    shown: ({ id, name, scope }) => ({ id, ...(name === undefined ? {} : { name }), scope }),
  }),
  'key revoke': command({
    effect: 'changes',
    role: 'owner',
    help: 'revoke a key; it stops working at once',
    takes: { id: required(kind.key, '<key-id>') },
    async run({ id }, { context }) {
      await context.engine.change.revokeKey(id);
      return id;
    },
    shown: (id) => ({ id, revoked: true }),
  }),
} as const;

/** What rules of retention would drop. */
export function shownPreview({ pings, bodies, bytes, checks, checksLeftOut }: PreviewFigures) {
  return { pings, bodies, bytes, checks, checks_left_out: checksLeftOut };
}

type ProjectSummary = Pick<Project, 'id' | 'name' | 'plan'>;

/** A project with a key of each scope, in the form of the command line's contract. */
export interface ShownProject {
  readonly project: ProjectSummary;
  readonly keys: { readonly read_write: string; readonly read_only: string; readonly ping: string };
}

interface ShownKey extends Pick<ApiKey, 'id' | 'name' | 'scope'> {
  readonly created: string;
  /** The key in clear, for ping keys only. */
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
