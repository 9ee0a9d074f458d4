/** For the form of a Telegram integration: a code for the bot, and the chat in which it was sent. */
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';

export async function beginTelegramChat({ context }: ProjectCall): Promise<HttpReply> {
  const begun = await context.commands.telegramChats.begin();
  return typeof begun === 'string' ? errorReply(409, begun) : jsonReply(begun);
}

export async function findTelegramChat({ context, path }: ProjectCall): Promise<HttpReply> {
  return jsonReply(await context.commands.telegramChats.find(path.code ?? ''));
}
