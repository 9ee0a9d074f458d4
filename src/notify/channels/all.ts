/**
 * Every kind and its sender: the table that a new kind is entered in (the other place is `domain/channel-value`, what its
 * value looks like). `group` has none: its members are told instead.
 */
import type { ChannelKind } from '../../domain/project.ts';
import type { Send } from '../channel.ts';
import type { HttpKindOptions } from '../http-kind.ts';
import type { MailClient } from '../send-mail.ts';
import { emailSender } from './email.ts';
import { webhookSender } from './webhook.ts';

export interface SenderOptions extends HttpKindOptions {
  readonly mail: MailClient | null;
}

export type Senders = Readonly<Partial<Record<ChannelKind, Send>>>;

export function createSenders(options: SenderOptions): Senders {
  return {
    email: emailSender(options.mail),
    webhook: webhookSender(options.send),
  };
}

/** One sender for all: by the kind of the integration. Never throws: what a sender does throw is a failed attempt. */
export function sendByKind(senders: Senders): Send {
  return async (notice, signal) => {
    const send = senders[notice.channel.kind];
    if (!send)
      return {
        kind: 'refused',
        error: `nothing can be sent to an integration of the kind ${notice.channel.kind}`,
      };
    try {
      return await send(notice, signal);
    } catch {
      // Its message may hold what was to be sent.
      return { kind: 'failed', error: 'the message could not be made' };
    }
  };
}
