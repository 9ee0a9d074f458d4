/** The kind of integration for PagerDuty. */

import { line, needed } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { fields, forms, only, plainParts } from '../contract/values.ts';

export const pd: Kind = {
  form: {
    title: titles.pd,
    steps: [
      'In PagerDuty, open Services, and the service that is to have the incidents.',
      'Open Integrations, choose Add an integration, and Events API V2.',
      'Open it in the list, and copy the Integration Key.',
    ],
    fill: 'Connect with PagerDuty',
    keeps: 'text',
    fields: [line('value', 'Integration key', { ...needed, part: 'pagerDutyKey' })],
  },
  category: 'Incidents',
  line: 'Opens and resolves incidents',
  icon: 'pager',
  popular: 8,
  audience: 'tickets',
  valueError: (value) => (value.startsWith('{') ? fields('service_key')(value) : only(forms.word)(value)),
  parts: (value) => (value.startsWith('{') ? plainParts(value) : { value, service_key: value }),
};

/** An event has at most 512 kB, its summary 1,024 characters: https://developer.pagerduty.com/docs/events-api-v2/trigger-events */
export const pdRequests: HttpKind = {
  requests: [
    {
      url: 'https://events.pagerduty.com/v2/enqueue',
      json: {
        down: {
          routing_key: '{value.service_key}',
          event_action: 'trigger',
          dedup_key: '{uniqueKey}',
          client: 'Knell',
          client_url: '{checkUrl}',
          links: [{ href: '{checkUrl}', text: '{linkText}' }],
          payload: {
            summary: '{summary}',
            source: '{name}',
            severity: { down: 'critical', up: 'info', late: 'warning' },
            timestamp: '{at}',
            group: '{project}',
            custom_details: { facts: '{details}', body: '{body}' },
          },
        },
        up: {
          routing_key: '{value.service_key}',
          event_action: 'resolve',
          dedup_key: '{uniqueKey}',
        },
      },
    },
  ],
  response: { refused: [400] },
};

/** A description has at most 1,024 characters: https://developer.pagerduty.com/docs/events-api-v1/overview */
export const pdRequests1: HttpKind = {
  requests: [
    {
      url: 'https://events.pagerduty.com/generic/2010-04-15/create_event.json',
      json: {
        down: {
          service_key: '{value.service_key}',
          event_type: 'trigger',
          incident_key: '{uniqueKey}',
          description: '{summary}',
          client: 'Knell',
          client_url: '{checkUrl}',
          contexts: [{ type: 'link', href: '{checkUrl}', text: '{linkText}' }],
          details: { facts: '{details}', body: '{body}' },
        },
        up: {
          service_key: '{value.service_key}',
          event_type: 'resolve',
          incident_key: '{uniqueKey}',
          description: '{summary}',
        },
      },
    },
  ],
  response: {
    refused: [400],
    gone: [{ status: 400, text: /(?:service|routing) key/i }],
  },
};
