/** A project in the place of the one before: what every change of a project's own fields does. */
import type { AuditFact } from '../../domain/accounts/audit.ts';
import type { Project } from '../../domain/accounts/project.ts';
import { KnellError } from '../../lib/errors.ts';
import type { ProjectId } from '../../lib/ids.ts';
import type { EngineContext } from '../context/context.ts';
import { appended } from './appended.ts';

/** Throws `not-found` where there is none. */
export function projectOf({ registry }: EngineContext, id: ProjectId): Project {
  const project = registry.projectIndex(id)?.project;
  if (!project) throw noSuchProject();
  return project;
}

export function noSuchProject(): KnellError {
  return new KnellError('not-found', 'no such project: somebody has deleted it already');
}

/** Resolves to it once it is durable; if it is rolled back, `before` is there again. `fact`: what the audit log says of the change. */
export async function replaceProject(
  context: EngineContext,
  before: Project,
  project: Project,
  fact: AuditFact | null,
): Promise<Project> {
  const { registry } = context;
  const put = (one: Project): void => {
    registry.addProject(one);
    // What lists show of its checks may be another.
    if (project.formerRetention !== before.formerRetention) registry.table.projectMoved(one.id);
  };
  put(project);
  await appended(context, { type: 'put', kind: 'project', fact: project }, () => put(before), fact);
  return project;
}
