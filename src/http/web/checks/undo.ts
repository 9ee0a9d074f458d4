/**
 * Undoes a snooze or a pause, by the Undo of the page. `engine/changes/accept-snooze` decides what is sent after a snooze, the chart of
 * a check what it is after a pause.
 */
import type { Check } from '../../../domain/check/check.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { checkIdOf } from '../calls/shown-id.ts';

export function undoSnooze(call: ProjectCall): Promise<HttpReply> {
  return undone(call, (id) => call.change.unsnoozeCheck(id, call.nowMs, true));
}

export function undoPause(call: ProjectCall): Promise<HttpReply> {
  return undone(call, (id) => call.change.resumeCheck(id, call.nowMs, true));
}

async function undone(call: ProjectCall, undo: (id: CheckId) => Promise<Check>): Promise<HttpReply> {
  const { context, project, path, nowMs } = call;
  const check = context.engine.read.check(await checkIdOf(call, path.id ?? ''), nowMs);
  if (check?.projectId !== project.id) return notFound;
  await undo(check.id);
  return jsonReply({});
}
