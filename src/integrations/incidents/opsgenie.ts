/** The kind of integration for Opsgenie. */

import { line, needed } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { fields, plainParts } from '../contract/values.ts';

export const opsgenie: Kind = {
  form: {
    title: titles.opsgenie,
    steps: [
      'In Opsgenie, open Settings, Integrations, choose Add integration, and API.',
      'Choose the team, let it create and update alerts, and turn it on.',
      'Copy the API key. The region is Europe if the address begins with app.eu.',
    ],
    keeps: 'json',
    fields: [
      line('key', 'API key', { ...needed, part: 'word' }),
      {
        name: 'region',
        label: 'Region',
        input: 'choice',
        required: true,
        open: true,
        first: 'us',
        choices: [
          ['us', 'United States'],
          ['eu', 'Europe'],
        ],
      },
    ],
  },
  category: 'Incidents',
  line: 'Opens and closes alerts',
  icon: 'pulse',
  popular: 9,
  audience: 'tickets',
  valueError: fields('key', 'region'),
  parts(value) {
    const parts = plainParts(value);
    return { ...parts, api: `https://${parts.region === 'eu' ? 'api.eu' : 'api'}.opsgenie.com` };
  },
};

export const opsgenieRequests: HttpKind = {
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
  // A description has at most 15,000 characters: https://docs.opsgenie.com/docs/alert-api
  limit: { max: 14_000, unit: 'characters', bodyCharsMax: 5000 },
  response: { refused: [401, 403, 422] },
};
