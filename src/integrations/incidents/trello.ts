/** The kind of integration for Trello. */

import { line, needed, plain } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { fields } from '../contract/values.ts';

export const trello: Kind = {
  form: {
    title: titles.trello,
    steps: [
      "Open https://trello.com/1/authorize?expiration=never&name=Knell&scope=read,write&response_type=token&key= with the server's Trello key behind it.",
      'Allow it, and copy the token.',
      'Open the board, add .json to its address, and find the id of the list beside its name.',
    ],
    keeps: 'json',
    fields: [
      line('token', 'Token', { ...needed, part: 'word' }),
      line('list_id', 'List ID', {
        ...plain,
        help: "In the board's JSON: add .json to its URL.",
        part: 'word',
      }),
    ],
  },
  category: 'Incidents',
  line: 'Creates a card',
  icon: 'columns',
  audience: 'tickets',
  needs: ['trelloKey'],
  valueError: fields('token', 'list_id'),
  accepts: (_, direction) => direction === 'down',
};

export const trelloRequests: HttpKind = {
  requests: [
    {
      url: 'https://api.trello.com/1/cards',
      headers: { Authorization: 'OAuth oauth_consumer_key="{set.trelloKey}", oauth_token="{value.token}"' },
      json: {
        idList: '{value.list_id}',
        name: '{title}',
        desc: '[{linkText}](<{checkUrl}>)\n\n{document}',
      },
    },
  ],
  // A description has at most 16,384 characters: https://developer.atlassian.com/cloud/trello/rest/api-group-cards
  limit: { max: 15_000, unit: 'characters', bodyCharsMax: 5000 },
  // A token was revoked or has expired: https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization
  response: { refused: [400, 401], gone: [{ status: 401, text: /(?:invalid|expired) token/i }] },
};
