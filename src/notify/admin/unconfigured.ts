/**
 * Which kinds of integrations need a setting of this server, and which of those are missing: such an integration can be
 * created, but nothing can be sent to it.
 * Invariant: pure; the table is held against the senders by a test.
 */

import { type Channel, type ChannelKind, settingsOf } from '../../domain/accounts/project.ts';
import { channelForms } from '../../domain/channels/channel-form.ts';
import { type NotifySettings, settingVariables } from '../contract/settings.ts';
import { oneLine } from '../words/render.ts';

const variables = {
  ...settingVariables,
  mailUrl: 'KNELL_MAIL_URL',
  shellChannels: 'KNELL_SHELL_CHANNELS=on',
} as const satisfies Partial<Record<keyof NotifySettings, string>>;

const twilio = ['twilioAccount', 'twilioAuth', 'twilioFrom'] as const;

const needs: Readonly<Partial<Record<ChannelKind, readonly (keyof typeof variables)[]>>> = {
  apprise: ['appriseUrl'],
  call: twilio,
  email: ['mailUrl'],
  github: ['githubToken'],
  matrix: ['matrixHomeserver', 'matrixToken'],
  po: ['pushoverToken'],
  shell: ['shellChannels'],
  signal: ['signalUrl', 'signalNumber'],
  sms: twilio,
  telegram: ['telegramToken'],
  trello: ['trelloKey'],
  whatsapp: [...twilio, 'whatsappService', 'whatsappDownSid', 'whatsappUpSid'],
};

/** The variables that `kind` needs and that are not set; none when it can be used. */
export function missingVariables(kind: ChannelKind, settings: NotifySettings): readonly string[] {
  const isMissing = (name: keyof typeof variables): boolean =>
    settings[name] === '' || settings[name] === false;
  return (needs[kind] ?? []).filter(isMissing).map((name) => variables[name]);
}

const namedMax = 10;

/** One line for the log: which integrations cannot send, and what is missing. Null when all can. */
export function unconfiguredLine(channels: Iterable<Channel>, settings: NotifySettings): string | null {
  const found: string[] = [];
  for (const channel of channels) {
    if (settingsOf(channel).disabled) continue;
    const missing = missingVariables(channel.kind, settings);
    if (missing.length === 0) continue;
    const { title } = channelForms[channel.kind];
    found.push(`${oneLine(channel.name) || 'unnamed'} (${title}) needs ${missing.join(', ')}`);
  }
  if (found.length === 0) return null;
  const more = found.length > namedMax ? ['…'] : [];
  const what = found.length === 1 ? '1 integration cannot send' : `${found.length} integrations cannot send`;
  return `${what}: ${[...found.slice(0, namedMax), ...more].join('; ')}`;
}
