/** The kind of integration for Spike. */

import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';

export const spike: Kind = {
  form: hook(titles.spike, [
    'In Spike, open Services, and choose the service that is to have the incidents.',
    'Choose Add Integration, and then Webhook.',
    'Copy the webhook URL.',
  ]),
  category: 'Incidents',
  line: 'Opens and resolves incidents',
  icon: 'spike',
  audience: 'tickets',
  valueError: only(forms.url),
};

export const spikeRequests: HttpKind = {
  requests: [
    {
      url: '{value.value}',
      json: {
        check_id: '{uniqueKey}',
        title: '{title}',
        message: '{linkedText}',
        status: { down: 'down', up: 'up' },
      },
    },
  ],
};
