/** The kind of integration for ntfy. */

import { line, needed, plain, priorityFields } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind, Template } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { fields, parseObject, plainParts, withNumbers } from '../contract/values.ts';

const ntfyPriorities = [
  ['5', 'Highest'],
  ['4', 'High'],
  ['3', 'Normal'],
  ['2', 'Low'],
  ['1', 'Lowest'],
  ['0', 'Do not notify'],
] as const;

export const ntfy: Kind = {
  form: {
    title: titles.ntfy,
    steps: [
      'Install the ntfy app, or open ntfy.sh or your own server in a browser.',
      'Subscribe to a topic whose name nobody can guess: on a public server, anyone who knows it can read it.',
      'Enter the same topic and server here.',
    ],
    keeps: 'json',
    fields: [
      line('topic', 'Topic', { ...needed, part: 'ntfyTopic', generates: 'topic' }),
      line('url', 'Server', { ...plain, first: 'https://ntfy.sh', part: 'url' }),
      line('token', 'Access token', { help: 'If the topic needs one.', part: 'word' }),
      ...priorityFields(ntfyPriorities, { down: '3', up: '3' }),
    ],
  },
  category: 'Push',
  line: 'By ntfy.sh or your own server',
  icon: 'bolt',
  popular: 10,
  audience: 'people',
  valueError: fields('topic', 'url'),
  parts: (value) => withNumbers(plainParts(value), { priority: 3, priority_up: 3 }),
  accepts: (value, direction) => parseObject(value)?.[direction === 'up' ? 'priority_up' : 'priority'] !== 0,
};

/** The app itself sends the request, at one tap (https://docs.ntfy.sh/publish/#send-http-request). Three actions are allowed. */
function act(label: string, url: string, what: string): Template {
  return { action: 'http', label, url, method: 'POST', body: `do=${what}`, clear: true };
}

export const ntfyRequests: HttpKind = {
  requests: [
    {
      url: '{value.url}',
      headers: { 'Authorization?': 'Bearer {value.token}' },
      json: {
        topic: '{value.topic}',
        title: '{title}',
        message: '{text}',
        priority: { down: '{value.priority}', up: '{value.priority_up}' },
        tags: [{ down: 'red_circle', up: 'green_circle', late: 'orange_circle' }],
        click: '{checkUrl}',
        actions: [
          { action: 'view', label: '{linkText}', url: '{checkUrl}' },
          { ifSaid: '{ackUrl}', item: act('Acknowledge', '{ackUrl}', 'acknowledge') },
          { ifSaid: '{snoozeUrl}', item: act('Snooze 1 h', '{snoozeUrl}', 'snooze-1h') },
        ],
      },
    },
  ],
  // A text of more than 4,096 bytes becomes an attachment: https://docs.ntfy.sh/publish/#limitations
  limit: { max: 4000, unit: 'bytes', bodyCharsMax: 1000 },
  response: { refused: [401, 403] },
};
