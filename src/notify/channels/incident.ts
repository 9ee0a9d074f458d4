/**
 * Incident services: what goes down opens an alert, what comes up closes the same one. Each kind is data; the key that joins
 * the two is the check's, which says nothing about its ping address.
 */
import type { HttpKind } from './http-kind.ts';

export const incidentKinds = {
  /** Without an end, Alertmanager would take an alert for resolved after a few minutes: Knell sends it once, not all the time. */
  alertmanager: {
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
  },

  opsgenie: {
    requests: [
      {
        url: {
          down: '{value.api}/v2/alerts',
          up: '{value.api}/v2/alerts/{uniqueKey}/close?identifierType=alias',
        },
        headers: { Authorization: 'GenieKey {value.key}' },
        json: {
          down: {
            message: '{shortTitle}',
            alias: '{uniqueKey}',
            description: '{linkedText}',
            tags: '{tagList}',
            source: 'Knell',
            details: { project: '{project}', check: '{checkUrl}' },
          },
          up: { source: 'Knell', note: '{reason}' },
        },
      },
    ],
    // https://docs.opsgenie.com/docs/alert-api: a description of 15,000 characters.
    limit: { max: 14_000, unit: 'characters', bodyCharsMax: 5000 },
    response: { refused: [401, 403, 422] },
  },

  pagertree: {
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
  },

  spike: {
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
  },

  victorops: {
    requests: [
      {
        url: '{value.value}',
        json: {
          entity_id: '{uniqueKey}',
          message_type: { down: 'CRITICAL', up: 'RECOVERY', late: 'WARNING' },
          entity_display_name: '{name}',
          state_message: '{title}\n{text}',
          monitoring_tool: 'Knell',
          // Shown as an annotation of the incident, with a link.
          'vo_annotate.u.Check': '{checkUrl}',
        },
      },
    ],
    // The routing key or the integration is gone: its URL holds both.
    response: { gone: [{ status: 404 }] },
  },
} as const satisfies Record<string, HttpKind>;
