/**
 * Undoes a snooze or a pause, by the Undo of the page. `engine/changes/accept-snooze` decides what is sent after a snooze, the chart of
 * a check what it is after a pause.
 */
import { jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { checkIdOf } from '../calls/shown-id.ts';

export async function undoSnooze(call: ProjectCall): Promise<HttpReply> {
  const { change, context, project, path, nowMs } = call;
  const check = context.engine.read.check(await checkIdOf(call, path.id ?? ''), nowMs);
  if (check?.projectId !== project.id) return notFound;
  await change.unsnoozeCheck(check.id, nowMs, true);
  return jsonReply({});
}

export async function undoPause(call: ProjectCall): Promise<HttpReply> {
  const { change, context, project, path, nowMs } = call;
  const check = context.engine.read.check(await checkIdOf(call, path.id ?? ''), nowMs);
  if (check?.projectId !== project.id) return notFound;
  await change.resumeCheck(check.id, nowMs, true);
  return jsonReply({});
}
