/** The kind of integration for Discord. */

import type { Connection } from '../contract/connection.ts';
import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind, Template } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { parseObject, plainParts, textAt, urlOr } from '../contract/values.ts';

export const discord: Kind = {
  form: hook(titles.discord, [
    "In Discord, choose Edit Channel: the gear beside the channel's name.",
    'Open Integrations, Webhooks, and choose New Webhook.',
    'Choose Copy Webhook URL.',
  ]),
  category: 'Chat',
  line: 'Message to a channel',
  icon: 'chat-dots',
  popular: 4,
  audience: 'people',
  valueError: urlOr('webhook.url', 'a URL, or {"webhook": {"url": "https://…"}}'),
  parts(value) {
    const object = parseObject(value);
    const url = presentDomain(object ? textAt(object, 'webhook.url') : value);
    const [path = '', query] = url.split('?', 2);
    return { ...plainParts(value), value: url, path, query: query === undefined ? '' : `?${query}` };
  },
};

/** An action row (1) of link buttons (2, style 5): https://discord.com/developers/docs/components/reference#button */
const snooze: Template = { type: 2, style: 5, label: 'Snooze', url: '{snoozeUrl}' };
const buttons: Template = {
  down: [{ type: 1, components: [{ type: 2, style: 5, label: 'Acknowledge', url: '{ackUrl}' }, snooze] }],
  late: [{ type: 1, components: [snooze] }],
  // A recovery has no buttons: this address has no value then, so the field is left out.
  up: '{snoozeUrl}',
};

const message = {
  embeds: [
    {
      title: '{title|markdown}',
      url: '{checkUrl}',
      description: '{chat}',
      color: { down: 0xd9534f, up: 0x5cb85c, late: 0xf0ad4e },
      timestamp: '{at}',
    },
  ],
  allowed_mentions: { parse: [] },
};

export const discordRequests: HttpKind = {
  requests: [
    {
      url: '{value.value}',
      json: { username: 'Knell', ...message },
      // Webhooks of channels take link buttons only, and only with the parameter:
      // https://discord.com/developers/docs/resources/webhook#execute-webhook
      buttons: { field: 'components', value: buttons, query: { with_components: 'true' } },
    },
  ],
  // https://discord.com/developers/docs/resources/webhook#edit-webhook-message
  update: {
    id: 'id',
    query: { wait: 'true' },
    request: {
      method: 'PATCH',
      url: '{value.path}/messages/{messageId}{value.query}',
      // The buttons of what is over go.
      json: { ...message, components: [] },
    },
  },
  // A description has at most 4,096 characters, an embed 6,000:
  // https://discord.com/developers/docs/resources/message#embed-object-embed-limits
  limit: { max: 4000, unit: 'characters', bodyCharsMax: 1000 },
  response: {
    retryAfter: { path: 'retry_after', unitMs: 1000 },
    // The webhook is unknown: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
    gone: [{ status: 404, field: { path: 'code', values: [10015] } }],
  },
};

export const discordConnection: Connection = {
  client: { id: 'discordClientId', secret: 'discordClientSecret' },
  // https://discord.com/developers/docs/topics/oauth2#webhooks
  authorizeUrl: 'https://discord.com/oauth2/authorize',
  scope: 'webhook.incoming',
  tokenUrl: 'https://discord.com/api/oauth2/token',
  read(answer) {
    const object = parseObject(answer);
    if (!object || textAt(object, 'webhook.url') === '') return null;
    // The tokens are for the account of the user; sending does not need them.
    const parts = ['id', 'name', 'channel_id', 'guild_id', 'url'];
    const webhook = parts.map((name) => [name, textAt(object, `webhook.${name}`)]);
    return {
      value: JSON.stringify({ webhook: Object.fromEntries(webhook) }),
      name: textAt(object, 'webhook.name'),
    };
  },
};

/** Replaces the first domain of Discord by the present one. */
function presentDomain(url: string): string {
  return url.replace(/^https:\/\/discordapp\.com\//i, 'https://discord.com/');
}
