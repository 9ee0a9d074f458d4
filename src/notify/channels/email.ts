/**
 * Email: what happened as text and as HTML, in a thread of its own for each outage, with the mail that a ping was attached.
 * `mail/content` has its words, `mail/html` its looks; `send-mail` sends it.
 */

import type { Channel } from '../../domain/accounts/project.ts';
import { channelFields } from '../../integrations/channel-value.ts';
import { uniqueKeyOf } from '../../lib/ids.ts';
import type { Notice, Send } from '../contract/channel.ts';
import { contentOf } from '../mail/content.ts';
import { htmlOf } from '../mail/html.ts';
import { textOf } from '../mail/text.ts';
import type { MailClient, OutgoingMail } from '../wire/send-mail.ts';

export interface MailSending {
  /** Null while no mail server is set. */
  readonly client: () => MailClient | null;
  /** URL at which the recipient can end the mails to an integration. */
  unsubscribeUrl(channel: Channel): string;
}

export const noMailServer = 'Email needs KNELL_MAIL_URL to be set';

export function emailSender(mail: MailSending | null): Send {
  return async (notice) => {
    const client = mail?.client() ?? null;
    if (mail === null || client === null) return { kind: 'refused', error: noMailServer };
    return client.send(mailOf(notice, mail.unsubscribeUrl(notice.channel)));
  };
}

export function mailOf(notice: Notice, unsubscribeUrl: string): OutgoingMail {
  const { value } = channelFields('email', notice.channel.value);
  const content = contentOf(notice, unsubscribeUrl);
  return {
    to: String(value),
    subject: content.subject,
    text: textOf(content),
    html: htmlOf(content),
    id: notice.deliveryId,
    thread: threadOf(notice),
    dateMs: notice.nowMs,
    list: { id: notice.channel.projectId, name: content.project, unsubscribeUrl },
    attachment:
      notice.mailSource === null
        ? null
        : { name: `ping-${notice.ping?.n ?? 0}.eml`, bytes: notice.mailSource },
  };
}

/**
 * One thread for each outage, or each incident: DOWN, its repetitions and UP refer to the same identifier, that of no mail. A thread of all of
 * a check's mails would put a new alarm under the ones of last year.
 */
function threadOf({ atMs, check, incident, downtimeMs, notificationKind, test }: Notice): string | null {
  if (incident) return incident.id;
  if (test || notificationKind === 'late' || (notificationKind === 'up' && downtimeMs === null)) return null;
  return `${uniqueKeyOf(check.id)}.${atMs - (downtimeMs ?? 0)}`;
}
