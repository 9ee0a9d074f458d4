/** The kind of integration for Telegram. */

import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { fields } from '../contract/values.ts';

export const telegram: Kind = {
  form: {
    title: 'Telegram',
    steps: [
      'In Telegram, open a chat with the bot of this server and press Start, or add the bot to a group.',
      'For the chat ID of your own, write to @userinfobot; for that of a group, add @userinfobot to it for a moment.',
      'Enter the number, which is negative for groups.',
    ],
    keeps: 'json',
    fields: [
      {
        name: 'id',
        label: 'Chat ID',
        help: 'A number, negative for groups. Bots such as @userinfobot show it.',
        input: 'number',
        required: true,
        open: true,
      },
      { name: 'thread_id', label: 'Topic ID', help: 'For groups with topics.', input: 'number', open: true },
    ],
  },
  category: 'Chat',
  line: 'Bot message to a chat',
  icon: 'send',
  popular: 4,
  audience: 'people',
  needs: ['telegramToken'],
  valueError: fields('id'),
};

const message = {
  text: '<a href="{checkUrl|html}"><b>{markedTitle|html}</b></a>\n{telegram}',
  parse_mode: 'HTML',
  link_preview_options: { is_disabled: true },
  // A button is an InlineKeyboardButton: https://core.telegram.org/bots/api#inlinekeyboardbutton
  'reply_markup?': { inline_keyboard: [[{ text: '{actText}', url: '{publicActUrl}' }]] },
};

export const telegramRequests: HttpKind = {
  requests: [
    {
      url: 'https://api.telegram.org/bot{set.telegramToken}/sendMessage',
      json: {
        chat_id: '{value.id}',
        'message_thread_id?': '{value.thread_id}',
        // What comes later of an incident: https://core.telegram.org/bots/api#replyparameters
        'reply_parameters?': { message_id: '{messageNumber}', allow_sending_without_reply: true },
        ...message,
      },
    },
  ],
  // https://core.telegram.org/bots/api#editmessagetext
  update: {
    id: 'result.message_id',
    request: {
      url: 'https://api.telegram.org/bot{set.telegramToken}/editMessageText',
      json: { chat_id: '{value.id}', message_id: '{messageNumber}', ...message },
    },
    unchanged: { status: 400, field: { path: 'description', text: /message is not modified/i } },
  },
  // A message has at most 4,096 characters "after entities parsing", with its title: https://core.telegram.org/bots/api#sendmessage
  limit: { max: 3500, unit: 'characters', bodyCharsMax: 1000 },
  response: {
    retryAfter: { path: 'parameters.retry_after', unitMs: 1000 },
    gone: [
      // The errors are listed at https://github.com/TelegramBotAPI/errors
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
};
