/** The kind of integration for Alerta: https://docs.alerta.io/api/reference.html#create-an-alert. */
import { line, needed, plain } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { fields, plainParts } from '../contract/values.ts';

export const alerta: Kind = {
  form: {
    title: titles.alerta,
    steps: [
      'In Alerta, open API Keys, and choose New API Key.',
      'Give it the scope write:alerts, save it, and copy it.',
      "The URL is that of Alerta's API: often its own address with /api behind it.",
    ],
    keeps: 'json',
    fields: [
      line('url', 'API URL', { ...plain, part: 'url' }),
      line('key', 'API key', { ...needed, part: 'word' }),
      line('environment', 'Environment', {
        ...plain,
        first: 'Production',
        help: 'One that Alerta allows, such as Production or Development.',
      }),
    ],
  },
  category: 'Incidents',
  line: 'Opens and closes alerts',
  icon: 'beacon',
  audience: 'tickets',
  valueError: fields('url', 'key', 'environment'),
  parts(value) {
    const parts = plainParts(value);
    return { ...parts, api: String(parts.url ?? '').replace(/\/+$/, '') };
  },
};

export const alertaRequests: HttpKind = {
  requests: [
    {
      url: '{value.api}/alert',
      headers: { Authorization: 'Key {value.key}' },
      json: {
        environment: '{value.environment}',
        // Alerts are the same that have environment, resource and event in common.
        resource: '{uniqueKey}',
        event: 'CheckDown',
        severity: { down: 'critical', up: 'normal', late: 'warning' },
        service: ['{project}'],
        group: 'Knell',
        text: '{title}\n{text}',
        tags: '{tagList}',
        attributes: { check: '{name}', url: '{checkUrl}' },
        origin: 'Knell',
        // An outage is over when Knell says so. Without this, Alerta forgets an alert after a day.
        timeout: 0,
      },
    },
  ],
  response: { refused: [401, 403, 422] },
};
