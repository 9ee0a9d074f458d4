/** The kind of integration for Splunk On-Call. */

import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';

export const victorops: Kind = {
  form: hook(
    titles.victorops,
    [
      'In Splunk On-Call, open Integrations, 3rd Party Integrations, REST – Generic, and enable it.',
      'Copy the URL to notify.',
      'In the place of $routing_key write the routing key of the team, from Settings, Routing Keys.',
    ],
    'URL',
  ),
  category: 'Incidents',
  line: 'Opens and resolves incidents',
  icon: 'calendar',
  audience: 'tickets',
  valueError: only(forms.url),
};

export const victoropsRequests: HttpKind = {
  requests: [
    {
      url: '{value.value}',
      json: {
        entity_id: '{uniqueKey}',
        message_type: { down: 'CRITICAL', up: 'RECOVERY', late: 'WARNING' },
        entity_display_name: '{name}',
        state_message: '{title}\n{text}',
        monitoring_tool: 'Knell',
        // It is shown as an annotation of the incident, with a link.
        'vo_annotate.u.Check': '{checkUrl}',
      },
    },
  ],
  // The routing key or the integration was deleted: the URL has both.
  response: { gone: [{ status: 404 }] },
};
