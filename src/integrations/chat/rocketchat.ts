/** The kind of integration for Rocket.Chat. */

import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';

export const rocketchat: Kind = {
  form: hook(titles.rocketchat, [
    'In Rocket.Chat, open Workspace, Integrations, and choose New, Incoming.',
    'Enable it, and name the channel that is to get the messages and the user who posts them.',
    'Save it, and copy the Webhook URL.',
  ]),
  category: 'Chat',
  line: 'Message to a channel',
  icon: 'chat-up',
  audience: 'people',
  valueError: only(forms.url),
};

export const rocketchatRequests: HttpKind = {
  requests: [
    {
      url: '{value.value}',
      json: {
        alias: 'Knell',
        text: '{title|rocketChat}',
        attachments: [
          {
            color: { down: '#d9534f', up: '#5cb85c', late: '#f0ad4e' },
            title: '{linkText}',
            title_link: '{checkUrl}',
            text: '{rocketChat}',
          },
        ],
      },
    },
  ],
};
