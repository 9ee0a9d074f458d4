/**
 * Projects and keys: created, and keys renamed and revoked, by the owner of this Knell, over the admin socket.
 * Invariant: a key is shown once, when it is created; what is kept is its hash (a ping key in clear too).
 */

import {
  type ApiKey,
  type KeyScope,
  keyBeginning,
  type Plan,
  type Project,
} from '../../domain/accounts/project.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import { KnellError } from '../../lib/errors.ts';
import { asKeyId, asProjectId, type KeyId, type ProjectId, sha256Hex } from '../../lib/ids.ts';
import { keyFact, keyRenamedFact, projectFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import type { KeyToCreate, NewKey, NewProject } from '../contract/engine.ts';
import { appended } from './appended.ts';
import { allDurable } from './settled.ts';

const badgeKeyLength = 22;
/** Prefix and length of the keys of each scope: design, "Contract". */
const keyShape: Readonly<Record<KeyScope, { readonly prefix: string; readonly length: number }>> = {
  'read-write': { prefix: 'hcw_', length: 32 },
  'read-only': { prefix: 'hcr_', length: 32 },
  ping: { prefix: '', length: 22 },
  wall: { prefix: 'wall_', length: 37 },
};

/** The project and a key of each scope go into one batch: a crash leaves all of them or none. */
export async function createProject(
  context: EngineContext,
  name: string,
  plan: Plan,
  nowMs: number,
): Promise<NewProject> {
  const { project, done } = addProject(context, name, plan, nowMs);
  const [readWrite, readOnly, ping] = await Promise.all([
    createKey(context, { projectId: project.id, scope: 'read-write' }, nowMs),
    createKey(context, { projectId: project.id, scope: 'read-only' }, nowMs),
    createKey(context, { projectId: project.id, scope: 'ping' }, nowMs),
    done,
  ]);
  return { project, readWrite, readOnly, ping };
}

/** Creates a project for those who create the keys that they need, and no others. */
export async function createProjectWithoutKeys(
  context: EngineContext,
  name: string,
  plan: Plan,
  nowMs: number,
): Promise<Project> {
  const { project, done } = addProject(context, name, plan, nowMs);
  await done;
  return project;
}

function addProject(
  context: EngineContext,
  name: string,
  plan: Plan,
  nowMs: number,
): { readonly project: Project; readonly done: Promise<void> } {
  const { projectsMax } = context.bounds;
  const id = asProjectId(context.ids.newUuid());
  const badgeKey = context.ids.randomBase62(badgeKeyLength);
  const existing = context.registry.projectIndex(id);
  if (existing) return { project: existing.project, done: allDurable(context) };
  if ([...context.registry.projectIndexes()].length >= projectsMax)
    throw new KnellError(
      'conflict',
      `there are ${projectsMax} projects, the most there may be: delete one first`,
    );
  const project: Project = { id, name: checkedName(context, name), plan, badgeKey, createdAtMs: nowMs };
  context.registry.addProject(project);
  const undo = (): void => context.registry.removeProject(project);
  const done = appended(
    context,
    { type: 'put', kind: 'project', fact: project },
    undo,
    projectFact('created', project),
  );
  return { project, done };
}

/** `self`: the project that is to have the name, when it is there already. */
export function checkedName(context: EngineContext, name: string, self: ProjectId | null = null): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new KnellError('usage', 'a project needs a name', { field: 'name' });
  if (trimmed.length > nameCharsMax) {
    throw new KnellError('usage', `a project's name has at most ${nameCharsMax} characters`, {
      field: 'name',
    });
  }
  for (const { project } of context.registry.projectIndexes()) {
    if (project.name === trimmed && project.id !== self)
      throw new KnellError('conflict', `a project named ${trimmed} exists already`, { field: 'name' });
  }
  return trimmed;
}

export async function createKey(
  context: EngineContext,
  { projectId, scope, name, existing }: KeyToCreate,
  nowMs: number,
): Promise<NewKey> {
  if (!context.registry.projectIndex(projectId)) throw new KnellError('not-found', 'no such project');
  const { prefix, length } = keyShape[scope];
  const clear = existing?.clear ?? prefix + context.ids.randomBase62(length - prefix.length);
  const hash = existing?.hash ?? sha256Hex(clear);
  const id = asKeyId(context.ids.newUuid());
  const before = context.registry.key(id);
  if (before) return allDurable(context).then(() => ({ key: before, clear }));
  if (context.registry.keyByHash(hash)) throw new KnellError('conflict', 'this key exists already');
  refuseTwin(context, projectId, name);
  const key: ApiKey = {
    id,
    projectId,
    scope,
    hash,
    clear: scope === 'ping' ? clear : null,
    ...(scope === 'ping' || existing ? {} : { beginning: keyBeginning(clear), usedDay: null }),
    ...(name === undefined ? {} : { name }),
    createdAtMs: nowMs,
  };
  context.registry.addKey(key);
  const undo = (): void => context.registry.removeKey(key);
  await appended(
    context,
    { type: 'put', kind: 'key', fact: key },
    undo,
    keyFact(context.registry, 'created', key),
  );
  return { key, clear };
}

/** A configuration file means one key by a name. */
function refuseTwin(context: EngineContext, projectId: ProjectId, name: string | undefined): void {
  if (name !== undefined && context.registry.keys(projectId).some((one) => one.name === name))
    throw new KnellError('conflict', `this project has a key "${name}" already: choose another name`, {
      field: 'name',
    });
}

/** `name`: empty for none, by which the key is called by its scope. */
export async function renameKey(context: EngineContext, id: KeyId, name: string): Promise<ApiKey> {
  const before = keyOf(context, id);
  const trimmed = name.trim();
  if (trimmed.length > nameCharsMax)
    throw new KnellError('usage', `a key's name has at most ${nameCharsMax} characters`, { field: 'name' });
  if (trimmed === (before.name ?? '')) {
    await allDurable(context);
    return before;
  }
  const { name: _, ...rest } = before;
  const key: ApiKey = trimmed === '' ? rest : { ...rest, name: trimmed };
  refuseTwin(context, before.projectId, key.name);
  context.registry.addKey(key);
  const undo = (): void => context.registry.addKey(before);
  const fact = keyRenamedFact(context.registry, before, key);
  await appended(context, { type: 'put', kind: 'key', fact: key }, undo, fact);
  return key;
}

function keyOf(context: EngineContext, id: KeyId): ApiKey {
  const key = context.registry.key(id);
  if (!key) throw new KnellError('not-found', `no key has the id ${id}: see knell key list PROJECT`);
  return key;
}

/** Revokes the key and creates the other one, in one turn and so in one commit. */
export async function replaceKey(
  context: EngineContext,
  id: KeyId,
  key: KeyToCreate,
  nowMs: number,
): Promise<NewKey> {
  if (context.registry.key(id)?.projectId !== key.projectId) throw new KnellError('not-found', 'no such key');
  const other = key.existing ? context.registry.keyByHash(key.existing.hash) : null;
  if (other && other.id !== id) throw new KnellError('conflict', 'this key exists already');
  const [, created] = await Promise.all([revokeKey(context, id), createKey(context, key, nowMs)]);
  return created;
}

export async function revokeKey(context: EngineContext, id: KeyId): Promise<void> {
  const key = keyOf(context, id);
  context.registry.removeKey(key);
  const undo = (): void => context.registry.addKey(key);
  await appended(
    context,
    { type: 'removed', kind: 'key', id },
    undo,
    keyFact(context.registry, 'deleted', key),
  );
}
