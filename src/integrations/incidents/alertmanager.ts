/** The kind of integration for Alertmanager. */

import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { forms, only } from '../contract/values.ts';

export const alertmanager: Kind = {
  form: hook('Alertmanager', 'Sends alerts to a Prometheus Alertmanager.', 'Alertmanager URL'),
  category: 'Incidents',
  line: 'Alerts for Prometheus',
  icon: 'bell',
  valueError: only(forms.url),
  parts: (value) => ({ base: value.replace(/\/+$/, '') }),
};

/** An alert has an end: without one, Alertmanager would resolve it after a few minutes, since Knell sends it only once. */
export const alertmanagerRequests: HttpKind = {
  requests: [
    {
      url: '{value.base}/api/v2/alerts',
      json: [
        {
          labels: {
            alertname: 'KnellCheckDown',
            check: '{name}',
            check_key: '{uniqueKey}',
            project: '{project}',
            severity: 'critical',
          },
          annotations: { summary: '{title}', description: '{text}', tags: '{tags}' },
          startsAt: { down: '{atUtc}', up: '{downSinceUtc}' },
          endsAt: { down: '{farUtc}', up: '{atUtc}' },
          generatorURL: '{checkUrl}',
        },
      ],
    },
  ],
  response: { refused: [400] },
};
