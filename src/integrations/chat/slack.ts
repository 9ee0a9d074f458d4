/** The kind of integration for Slack. */

import type { Connection } from '../contract/connection.ts';
import { hook, line, needed } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind, Proof, Template } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { parseObject, plainParts, textAt, urlOr } from '../contract/values.ts';
import { slackAttachments, slackMessage } from './slack-message.ts';

/** https://docs.slack.dev/reference/app-manifest */
const manifest = `display_information:
  name: Knell
  description: Alerts when a job does not run
features:
  bot_user:
    display_name: Knell
oauth_config:
  scopes:
    bot:
      - incoming-webhook
`;

/** The token and the channel of the bot, if the value has both and the bot may post; else nothing. */
function botParts(object: Readonly<Record<string, unknown>>): { botToken?: string; botChannel?: string } {
  // An integration of Healthchecks has a token, too, but not this scope.
  const mayWrite = textAt(object, 'scope').split(',').includes('chat:write');
  const botToken = textAt(object, 'access_token');
  const botChannel = textAt(object, 'incoming_webhook.channel_id');
  return mayWrite && botToken !== '' && botChannel !== '' ? { botToken, botChannel } : {};
}

/** Whether a bot posts the messages to an integration of that value. */
export function isSlackBot(value: string): boolean {
  const object = value.startsWith('{') ? parseObject(value) : null;
  return object !== null && botParts(object).botToken !== undefined;
}

export const slack: Kind = {
  form: {
    ...hook(titles.slack, [
      'At api.slack.com/apps choose Create New App, From a manifest, the workspace, and paste the text below.',
      'Choose Install to Workspace, and the channel that is to get the messages.',
      'Under Incoming Webhooks copy the Webhook URL.',
    ]),
    pasted: manifest,
    fields: [line('value', 'Webhook URL', { ...needed, part: 'slackHook' })],
  },
  category: 'Chat',
  line: 'Message to a channel',
  icon: 'hash',
  popular: 3,
  audience: 'people',
  valueError: urlOr(
    'incoming_webhook.url',
    'an address, or what Slack sent: {"incoming_webhook": {"url": "https://…"}}',
  ),
  parts(value) {
    const object = parseObject(value);
    if (!object) return { value };
    return { ...plainParts(value), ...botParts(object), value: textAt(object, 'incoming_webhook.url') };
  },
};

/** A button with a URL needs no app that answers: https://docs.slack.dev/legacy/legacy-messaging/legacy-message-buttons */
const snooze: Template = { type: 'button', text: 'Snooze', url: '{snoozeUrl}' };
const buttons: Template = {
  down: [{ type: 'button', text: 'Acknowledge', url: '{ackUrl}', style: 'primary' }, snooze],
  late: [snooze],
  // A recovery has no buttons: this address has no value then, so the field is left out.
  up: '{snoozeUrl}',
};

export const slackRequests: HttpKind = {
  requests: [{ url: '{value.value}', json: slackMessage('mrkdwn', 'slack', buttons) }],
  response: {
    refused: [403],
    // The errors are listed at https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors
    gone: [
      { status: 400, text: /invalid_token/ },
      { status: 403, text: /invalid_token|action_prohibited/ },
      { status: 404, text: /no_service|no_team|channel_not_found|channel_is_archived|no_active_hooks/ },
      { status: 410, text: /channel_is_archived/ },
    ],
  },
};

const botMessage = { channel: '{value.botChannel}', ...slackAttachments('mrkdwn', 'slack', buttons) };

/** Slack answers 200 to what it refuses, too, and says why in a word: https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const said = (...values: readonly string[]): Proof => ({ status: 200, field: { path: 'error', values } });

export const slackBotRequests: HttpKind = {
  requests: [
    {
      url: 'https://slack.com/api/chat.postMessage',
      headers: {
        Authorization: 'Bearer {value.botToken}',
        'Content-Type': 'application/json; charset=utf-8',
      },
      json: botMessage,
    },
  ],
  // https://docs.slack.dev/reference/methods/chat.update
  update: {
    id: 'ts',
    request: { url: 'https://slack.com/api/chat.update', json: { ...botMessage, ts: '{messageId}' } },
  },
  response: {
    accepted: { path: 'ok', value: true },
    error: 'error',
    gone: [said('token_revoked', 'account_inactive', 'is_archived')],
    refused: [
      // The bot may not write there, or not any more.
      said('not_in_channel', 'channel_not_found', 'missing_scope', 'not_allowed_token_type', 'no_permission'),
      said('invalid_auth', 'not_authed', 'token_expired', 'access_denied', 'restricted_action'),
      // The message cannot be updated any more.
      said('message_not_found', 'cant_update_message', 'edit_window_closed'),
      said('invalid_attachments', 'too_many_attachments', 'msg_too_long', 'no_text', 'invalid_arguments'),
    ],
  },
};

export const slackConnection: Connection = {
  client: { id: 'slackClientId', secret: 'slackClientSecret' },
  // https://docs.slack.dev/authentication/installing-with-oauth
  authorizeUrl: 'https://slack.com/oauth/v2/authorize',
  scope: 'incoming-webhook,chat:write',
  // https://docs.slack.dev/reference/methods/oauth.v2.access
  tokenUrl: 'https://slack.com/api/oauth.v2.access',
  read(answer) {
    const object = parseObject(answer);
    if (!object || textAt(object, 'incoming_webhook.url') === '') return null;
    const { access_token, scope, team, incoming_webhook } = object;
    return {
      value: JSON.stringify({ access_token, scope, team, incoming_webhook }),
      name: textAt(object, 'incoming_webhook.channel'),
    };
  },
};
