/** What each kind of integration is, in one line, and where the gallery puts it. */

import { type ChannelKind, channelKinds } from '../../domain/accounts/project.ts';
import { channelForms } from '../../domain/channels/channel-form.ts';

export const categories = ['Chat', 'Email and SMS', 'Incidents', 'Push', 'Custom'] as const;
export type Category = (typeof categories)[number];

const message = 'Message to a channel';

export const kindWords: Readonly<Record<ChannelKind, readonly [category: Category, line: string]>> = {
  alertmanager: ['Incidents', 'Alerts for Prometheus'],
  apprise: ['Custom', 'Any service that Apprise knows'],
  call: ['Email and SMS', 'Calls when a check goes down'],
  discord: ['Chat', message],
  email: ['Email and SMS', 'Down, late and recovery mails'],
  github: ['Incidents', 'Opens an issue'],
  googlechat: ['Chat', 'Message to a space'],
  gotify: ['Push', 'Push through your own server'],
  group: ['Custom', 'Several integrations as one'],
  matrix: ['Chat', 'Message to a chat'],
  mattermost: ['Chat', message],
  msteamsw: ['Chat', 'Card in a channel'],
  ntfy: ['Push', 'Push through your own server'],
  opsgenie: ['Incidents', 'Opens and closes alerts'],
  pagertree: ['Incidents', 'Opens and resolves incidents'],
  pd: ['Incidents', 'Opens and resolves incidents'],
  po: ['Push', 'Push to phones'],
  pushbullet: ['Push', 'Push to phones and browsers'],
  rocketchat: ['Chat', message],
  shell: ['Custom', 'Runs a command on the server'],
  signal: ['Chat', 'Message to a phone'],
  slack: ['Chat', message],
  sms: ['Email and SMS', 'Text message to a phone'],
  spike: ['Incidents', 'Opens and resolves incidents'],
  telegram: ['Chat', 'Bot message to a chat'],
  trello: ['Incidents', 'Creates a card'],
  victorops: ['Incidents', 'Opens and resolves incidents'],
  webhook: ['Custom', 'Any HTTP request'],
  whatsapp: ['Email and SMS', 'Message to a phone'],
  zulip: ['Chat', 'Message to a stream'],
};

/** What most people look for. */
const first: readonly ChannelKind[] = [
  ...(['email', 'slack', 'discord', 'telegram', 'msteamsw', 'mattermost'] as const),
  ...(['pd', 'opsgenie', 'ntfy', 'po', 'webhook', 'zulip'] as const),
];

/** Those first, the others by what people call them. */
export const kindsInOrder: readonly ChannelKind[] = [
  ...first,
  ...channelKinds
    .filter((kind) => !first.includes(kind))
    .sort((a, b) => channelForms[a].title.localeCompare(channelForms[b].title, 'en')),
];
