/** The kind of integration for Google Chat. */

import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';

export const googlechat: Kind = {
  form: hook(titles.googlechat, [
    'In Google Chat, open the space, the menu at its name, and Apps & integrations.',
    'Choose Webhooks, Add webhook, and call it Knell.',
    'Save it, and copy its link.',
  ]),
  category: 'Chat',
  line: 'Message to a space',
  icon: 'chats',
  audience: 'people',
  valueError: only(forms.url),
};

export const googlechatRequests: HttpKind = {
  requests: [
    {
      url: '{value.value}',
      json: {
        cardsV2: [
          {
            cardId: '{deliveryId}',
            card: {
              header: { title: '{markedTitle}', subtitle: '{project}' },
              sections: [
                {
                  widgets: [
                    { textParagraph: { text: '{googleChat}' } },
                    {
                      buttonList: {
                        buttons: [
                          { text: '{linkText}', onClick: { openLink: { url: '{checkUrl}' } } },
                          {
                            ifSaid: '{actUrl}',
                            item: { text: '{actText}', onClick: { openLink: { url: '{actUrl}' } } },
                          },
                        ],
                      },
                    },
                  ],
                },
              ],
            },
          },
        ],
      },
    },
  ],
  // A message has at most 32,000 bytes: https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create
  limit: { max: 16_000, unit: 'bytes', bodyCharsMax: 1000 },
  // The space or its webhook was deleted: https://developers.google.com/workspace/chat/quickstart/webhooks
  response: { gone: [{ status: 404, field: { path: 'error.status', values: ['NOT_FOUND'] } }] },
};
