/** The kind of integration for Mattermost. */

import { hook } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, only } from '../contract/values.ts';
import { slackMessage } from './slack-message.ts';

export const mattermost: Kind = {
  form: hook(titles.mattermost, [
    'In Mattermost, open the menu of the product, and choose Integrations, Incoming Webhooks.',
    'Choose Add Incoming Webhook, and the channel that is to get the messages.',
    'Save it, and copy the URL.',
  ]),
  category: 'Chat',
  line: 'Message to a channel',
  icon: 'chat-lines',
  popular: 7,
  audience: 'people',
  valueError: only(forms.url),
};

export const mattermostRequests: HttpKind = {
  requests: [{ url: '{value.value}', json: slackMessage('markdown', 'chat') }],
};
