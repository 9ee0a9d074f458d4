/**
 * Telegram. Code, not only data: a group that became a supergroup has a new id, which the refusal names.
 */
import { telegramRequests } from '../../integrations/chat/telegram.ts';
import type { Send } from '../contract/channel.ts';
import type { SendHttp } from '../wire/send-http.ts';
import { type HttpKindOptions, senderOf } from './http-kind.ts';
import { fieldOf } from './http-response.ts';

export function telegramSender(options: HttpKindOptions): Send {
  return async (notice, signal) => {
    let movedTo: unknown;
    const send: SendHttp = async (request, stop) => {
      const response = await options.send(request, stop);
      movedTo = fieldOf(response.body, 'parameters.migrate_to_chat_id');
      return response;
    };
    const outcome = await senderOf(telegramRequests, { ...options, send })(notice, signal);
    if (outcome.kind === 'delivered' || typeof movedTo !== 'number') return outcome;
    const before = notice.channel.value;
    const after = JSON.stringify({ ...Object(JSON.parse(before)), id: movedTo });
    const moved = { ...notice, channel: { ...notice.channel, value: after } };
    const outcomeThere = await senderOf(telegramRequests, options)(moved, signal);
    return { ...outcomeThere, newValue: { before, after } };
  };
}
