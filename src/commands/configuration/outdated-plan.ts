/** Refusals because something has changed between plan and apply. */
import type { Project } from '../../domain/accounts/project.ts';
import { KnellError } from '../../lib/errors.ts';
import { asProjectId } from '../../lib/ids.ts';
import { type CommandRequest, textIn } from '../contract/command.ts';

export function changed(what: string): KnellError {
  return new KnellError('conflict', `${what} was changed since the plan was made: plan again`);
}

/** The project that a step names by its id. */
export function projectIn({ args, context }: CommandRequest): Project {
  const project = context.engine.read.project(asProjectId(textIn(args, 'project')));
  if (!project) throw changed('a project');
  return project;
}
