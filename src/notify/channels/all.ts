/**
 * The sender of every kind: those that are data are made of their requests (`integrations/all`), the others have code of their own
 * here. `group` has none: its members are notified instead.
 */
import { type ChannelKind, settingsOf } from '../../domain/accounts/project.ts';
import { httpKinds } from '../../integrations/all.ts';
import { type PushAuthorization, type Send, unverified } from '../contract/channel.ts';
import { emailSender, type MailSending } from './email.ts';
import { eventsSender } from './events.ts';
import { githubSender } from './github.ts';
import { type HttpKindOptions, senderOf } from './http-kind.ts';
import { pagerDutySender } from './pagerduty.ts';
import { shellSender } from './shell.ts';
import { slackSender } from './slack.ts';
import { telegramSender } from './telegram.ts';
import { webhookSender } from './webhook.ts';
import { webPushSender } from './webpush.ts';

interface SenderOptions extends HttpKindOptions {
  /** Null when no mail server is set. */
  readonly mail: MailSending | null;
  /** Milliseconds for which a command may run. */
  readonly shellMs: number;
  readonly pushAuthorization: PushAuthorization;
}

export type SendableKind = Exclude<ChannelKind, 'group'>;
type Senders = Readonly<Record<SendableKind, Send>>;

export function createSenders(options: SenderOptions): Senders {
  const data = Object.entries(httpKinds).map(([kind, template]) => [kind, senderOf(template, options)]);
  return {
    ...(Object.fromEntries(data) as Record<keyof typeof httpKinds, Send>),
    email: emailSender(options.mail),
    events: eventsSender(options),
    github: githubSender(options),
    pd: pagerDutySender(options),
    shell: shellSender(options.settings.shellChannels, options.shellMs),
    slack: slackSender(options),
    telegram: telegramSender(options),
    webhook: webhookSender(options),
    webpush: webPushSender(options),
  };
}

/** One sender for all: by the kind of the integration. Never throws: what a sender does throw is a failed attempt. */
export function sendByKind(senders: Senders): Send {
  return async (notice, signal) => {
    const { kind } = notice.channel;
    // Whatever is to be sent: an alert, a test, an announcement.
    if (settingsOf(notice.channel).unverified) return unverified;
    if (kind === 'group') return { kind: 'refused', error: 'a group is notified through its members' };
    try {
      return await senders[kind](notice, signal);
    } catch {
      // Its message may hold what was to be sent.
      return { kind: 'failed', error: 'the message could not be created' };
    }
  };
}
