/** The kind of integration for PagerTree. */

import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';

export const pagertree: Kind = {
  form: hook(titles.pagertree, [
    'In PagerTree, open Integrations, and choose New Integration.',
    'Choose Webhook, name the team that it is for, and save it.',
    'Copy the Endpoint URL.',
  ]),
  category: 'Incidents',
  line: 'Opens and resolves incidents',
  icon: 'tree',
  audience: 'tickets',
  valueError: only(forms.url),
};

export const pagertreeRequests: HttpKind = {
  requests: [
    {
      url: '{value.value}',
      json: {
        incident_key: '{uniqueKey}',
        event_type: { down: 'trigger', up: 'resolve' },
        title: '{title}',
        description: '{text}',
        client: 'Knell',
        client_url: '{checkUrl}',
        tags: '{tags}',
      },
    },
  ],
};
