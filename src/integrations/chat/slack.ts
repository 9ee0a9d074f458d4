/** The kind of integration for Slack. */

import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind, Template } from '../contract/request.ts';
import { parseObject, plainParts, textAt, urlOr } from '../contract/values.ts';
import { slackMessage } from './slack-message.ts';

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

export const slack: Kind = {
  form: {
    ...hook('Slack', [
      'At api.slack.com/apps choose Create New App, From a manifest, the workspace, and paste the text below.',
      'Choose Install to Workspace, and the channel that is to get the messages.',
      'Under Incoming Webhooks copy the Webhook URL.',
    ]),
    pasted: manifest,
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
    return object ? { ...plainParts(value), value: textAt(object, 'incoming_webhook.url') } : { value };
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
