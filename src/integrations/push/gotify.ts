/** The kind of integration for Gotify. */

import { line, needed, plain, priorityFields } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { fields, parseObject, plainParts, withNumbers } from '../contract/values.ts';

/** The priorities are listed at https://github.com/gotify/android#message-priorities. */
const gotifyPriorities = [
  ...['10', '9', '8'].map((value) => [value, `${value}: sound and vibration`] as const),
  ...['7', '6', '5', '4'].map((value) => [value, `${value}: sound`] as const),
  ...['3', '2', '1'].map((value) => [value, `${value}: no sound`] as const),
  ['0', 'Do not notify'],
] as const;

export const gotify: Kind = {
  form: {
    title: titles.gotify,
    steps: [
      'Sign in to your Gotify server, and open Apps.',
      'Choose Create application, and call it Knell.',
      'Show its token, and copy it. The URL is that of the server.',
    ],
    keeps: 'json',
    fields: [
      line('url', 'Gotify URL', { ...plain, part: 'url' }),
      line('token', 'Application token', { ...needed, part: 'word' }),
      ...priorityFields(gotifyPriorities, { down: '8', up: '4' }),
    ],
  },
  category: 'Push',
  line: 'Push through your own server',
  icon: 'tray',
  audience: 'people',
  valueError: fields('url', 'token'),
  parts(value) {
    const parts = plainParts(value);
    const url = String(parts.url ?? '').replace(/\/+$/, '');
    return { ...withNumbers(parts, { priority: 8, priority_up: 4 }), url };
  },
  accepts: (value, direction) => parseObject(value)?.[direction === 'up' ? 'priority_up' : 'priority'] !== 0,
};

export const gotifyRequests: HttpKind = {
  requests: [
    {
      url: '{value.url}/message',
      headers: { 'X-Gotify-Key': '{value.token}' },
      json: {
        title: '{markedTitle}',
        message: '{document}',
        priority: { down: '{value.priority}', up: '{value.priority_up}' },
        // The extras are documented at https://gotify.net/docs/msgextras.
        extras: {
          'client::display': { contentType: 'text/markdown' },
          'client::notification': { click: { url: '{checkUrl}' } },
        },
      },
    },
  ],
  response: { refused: [401, 403] },
};
