/** Calls of the form of a Matrix integration: a code to send with an invitation, and the room that it came from. */
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';

export async function beginMatrixChat({ context }: ProjectCall): Promise<HttpReply> {
  const begun = await context.commands.matrixChats.begin();
  return typeof begun === 'string' ? errorReply(409, begun) : jsonReply(begun);
}

export async function findMatrixChat({ context, path }: ProjectCall): Promise<HttpReply> {
  return jsonReply(await context.commands.matrixChats.find(path.code ?? ''));
}
