/** The kind of integration for SIGNL4: https://docs.signl4.com/integrations/webhook/webhook.html. */
import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';

export const signl4: Kind = {
  form: hook(titles.signl4, [
    'In SIGNL4, open Teams, and choose the team that is to be alerted.',
    'Open Integrations, and choose Webhook.',
    'Copy the webhook URL, which ends with the secret of the team.',
  ]),
  category: 'Incidents',
  line: 'Alerts who is on duty, by app, SMS and call',
  icon: 'bars',
  audience: 'tickets',
  valueError: only(forms.url),
};

export const signl4Requests: HttpKind = {
  requests: [
    {
      url: '{value.value}',
      json: {
        Title: '{title}',
        Message: '{text}',
        Link: '{checkUrl}',
        'X-S4-ExternalID': '{uniqueKey}',
        'X-S4-Status': { down: 'new', up: 'resolved' },
        'X-S4-SourceSystem': 'Knell',
      },
    },
  ],
};
