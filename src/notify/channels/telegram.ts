/**
 * Telegram. Code, not only data: a group that became a supergroup has a new id, which the refusal names.
 */
import type { Send } from '../contract/channel.ts';
import type { SendHttp } from '../wire/send-http.ts';
import { type HttpKind, type HttpKindOptions, senderOf } from './http-kind.ts';
import { fieldOf } from './http-response.ts';

const sendMessage = {
  requests: [
    {
      url: 'https://api.telegram.org/bot{set.telegramToken}/sendMessage',
      json: {
        chat_id: '{value.id}',
        'message_thread_id?': '{value.thread_id}',
        text: '<a href="{checkUrl|html}"><b>{markedTitle|html}</b></a>\n{telegram}',
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      },
    },
  ],
  // 4096 characters "after entities parsing"; the title comes on top. https://core.telegram.org/bots/api#sendmessage
  limit: { max: 3500, unit: 'characters', bodyCharsMax: 1000 },
  response: {
    retryAfter: { path: 'parameters.retry_after', unitMs: 1000 },
    gone: [
      // https://github.com/TelegramBotAPI/errors
      { status: 400, field: { path: 'description', text: /chat not found|group is deactivated/i } },
      {
        status: 403,
        field: {
          path: 'description',
          text: /bot was (?:kicked|blocked)|not a member|deactivated|was deleted/i,
        },
      },
    ],
  },
} as const satisfies HttpKind;

export function telegramSender(options: HttpKindOptions): Send {
  return async (notice, signal) => {
    let movedTo: unknown;
    const send: SendHttp = async (request, stop) => {
      const response = await options.send(request, stop);
      movedTo = fieldOf(response.body, 'parameters.migrate_to_chat_id');
      return response;
    };
    const outcome = await senderOf(sendMessage, { ...options, send })(notice, signal);
    if (outcome.kind === 'delivered' || typeof movedTo !== 'number') return outcome;
    const before = notice.channel.value;
    const after = JSON.stringify({ ...Object(JSON.parse(before)), id: movedTo });
    const moved = { ...notice, channel: { ...notice.channel, value: after } };
    const outcomeThere = await senderOf(sendMessage, options)(moved, signal);
    return { ...outcomeThere, newValue: { before, after } };
  };
}
