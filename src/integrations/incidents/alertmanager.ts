/** The kind of integration for Alertmanager. */

import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';

export const alertmanager: Kind = {
  form: hook(
    titles.alertmanager,
    [
      'Find the address at which Prometheus has the Alertmanager: alerting, alertmanagers, in prometheus.yml.',
      'Open it in a browser, from the machine that Knell runs on if you can: its page is headed Alertmanager.',
      'Enter it as it is, such as http://localhost:9093. An address that is not public has to be allowed once; the test says so.',
    ],
    'Alertmanager URL',
  ),
  category: 'Incidents',
  line: 'Alerts for Prometheus',
  icon: 'bell',
  // It does not store alerts (prometheus/alertmanager #2370): Prometheus, too, sends what is firing again and again.
  isRefreshed: true,
  valueError: only(forms.url),
  parts: (value) => ({ base: value.replace(/\/+$/, '') }),
};

/**
 * An alert has an end, and that is far away, although the alert is sent again every few minutes. Without one, or with one that is a few
 * of these intervals away, Alertmanager would resolve the alert while Knell is down, or while the network between the two is: an
 * outage is over when Knell says so, and not because Knell says nothing.
 */
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
