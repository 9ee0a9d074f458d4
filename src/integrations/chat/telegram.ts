/** The kind of integration for Telegram. */

import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { fields } from '../contract/values.ts';

export const telegram: Kind = {
  form: {
    title: titles.telegram,
    steps: [
      'Choose Find the chat, a button that is here once the server has its token: it shows a line to send to the bot.',
      'Send it in a chat with the bot, or in a group, a topic or a channel that the bot is in.',
      'The chat ID appears in the form. Without the page, bots such as @userinfobot show it.',
    ],
    finder: 'telegram-chat',
    keeps: 'json',
    fields: [
      {
        name: 'id',
        label: 'Chat ID',
        help: 'A number, negative for groups.',
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
  popular: 5,
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
