/** Moves a check to another project from the page. `engine/changes/move-check` decides what moves with it. */
import { mayActAs, roleInProject } from '../../../domain/accounts/user.ts';
import type { MovedView } from '../../../domain/views/page-view.ts';
import { KnellError } from '../../../lib/errors.ts';
import { asProjectId } from '../../../lib/ids.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ProjectCall, textIn } from '../calls/call.ts';
import { checkIdOf } from '../calls/shown-id.ts';
import { forbidden } from '../settings/project-scope.ts';

/** `project` is the new project; `channels` is `all` of its integrations, or `none`. */
export async function moveToProject(call: ProjectCall): Promise<HttpReply> {
  const { change, context, principal, project, path, json, nowMs } = call;
  const { read } = context.engine;
  const id = await checkIdOf(call, path.id ?? '');
  const check = read.check(id, nowMs);
  if (check?.projectId !== project.id) return notFound;
  const channels = textIn(json, 'channels');
  if (channels !== 'all' && channels !== 'none') return errorReply(400, 'channels must be all or none');
  const projectId = asProjectId(textIn(json, 'project'));
  const role = read.project(projectId) ? roleInProject(principal.user, projectId) : 'none';
  if (role === 'none') throw new KnellError('not-found', 'no such project');
  if (!mayActAs(role, 'editor')) return forbidden;
  const moved = await change.moveCheck(check.id, { projectId, channels }, nowMs);
  return jsonReply({ channels: moved.config.channels.length } satisfies MovedView);
}
