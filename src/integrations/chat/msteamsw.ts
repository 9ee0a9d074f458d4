/** The kind of integration for Microsoft Teams. */

import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';

export const msteamsw: Kind = {
  form: hook(titles.msteamsw, [
    'In Microsoft Teams, open the menu of the channel, and choose Workflows.',
    'Choose "Send webhook alerts to a channel" or "Post to a channel when a webhook request is received", and add it.',
    'Copy the URL that it shows at the end.',
  ]),
  category: 'Chat',
  line: 'Card in a channel',
  icon: 'people',
  popular: 6,
  audience: 'people',
  valueError: only(forms.url),
};

export const msteamswRequests: HttpKind = {
  requests: [
    {
      url: '{value.value}',
      json: {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.2',
              fallbackText: '{title}',
              body: '{card}',
              actions: [
                { type: 'Action.OpenUrl', title: '{linkText}', url: '{checkUrl}' },
                {
                  ifSaid: '{actUrl}',
                  item: { type: 'Action.OpenUrl', title: '{actText}', url: '{actUrl}' },
                },
              ],
            },
          },
        ],
      },
    },
  ],
  // A card has at most about 28 kB: https://learn.microsoft.com/connectors/teams
  limit: { max: 20_000, unit: 'bytes', bodyCharsMax: 1000 },
  // The workflow was deleted: an error of Azure Logic Apps, which workflows run on.
  response: { gone: [{ status: 404, field: { path: 'error.code', values: ['WorkflowNotFound'] } }] },
};
