/**
 * PagerDuty. Code, not only data: a key belongs to an integration of either version of the Events API, and does not say
 * which. What Healthchecks set up is of version 1.
 */
import type { Send } from '../contract/channel.ts';
import { type HttpKind, type HttpKindOptions, senderOf } from './http-kind.ts';

/** https://developer.pagerduty.com/docs/events-api-v2/trigger-events: 512 kB, a summary of 1024 characters. */
const version2 = {
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
} as const satisfies HttpKind;

/** https://developer.pagerduty.com/docs/events-api-v1/overview: a description of 1024 characters. */
const version1 = {
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
} as const satisfies HttpKind;

/** Version 2 answers 400 to the keys of version 1. A key of neither gets 400 from both. */
export function pagerDutySender(options: HttpKindOptions): Send {
  const [send2, send1] = [senderOf(version2, options), senderOf(version1, options)];
  return async (notice, signal) => {
    const outcome = await send2(notice, signal);
    return outcome.kind === 'refused' && outcome.status === 400 ? send1(notice, signal) : outcome;
  };
}
